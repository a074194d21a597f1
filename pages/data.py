"""What was read, and can I trust it?"""

from functools import partial

import streamlit as st

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.data import figure, numbers, words
from sdcg_explorer.questions.view import Exhibit, Exhibits
from sdcg_explorer.screen import importing, keys, library, link, scripts, show, study_picker
from sdcg_explorer.screen.opened import Opened, open_page
from sdcg_explorer.screen.take_away import download, offer, offer_view

opened = open_page("data")


def rename() -> None:
    """Call the study what was typed."""
    name, note = st.session_state[keys.NEW_NAME].strip(), st.session_state[keys.NEW_NOTE]
    rename, asked = library.store().rename, (name or opened.logged.name, note)
    library.keep_words(opened.digest, "name", lambda digest, of: rename(digest, *asked, of))


def show_study_actions(opened: Opened) -> None:
    """What can be done with the study that is open."""
    study = opened.logged
    st.subheader("This study")
    kept = library.kept_of(opened.digest)
    may_name = library.may_write(opened.digest)
    if may_name:
        importing.fill(keys.NEW_NAME, study.name, of=f"{opened.digest} {study.name} {study.note}")
        importing.fill(keys.NEW_NOTE, study.note, of=f"{opened.digest} {study.name} {study.note}")
        st.text_input("Name", max_chars=200, key=keys.NEW_NAME)
        st.text_input("Note, shown on every page", max_chars=500, key=keys.NEW_NOTE)
    with st.container(horizontal=True):
        if may_name:
            st.button("Save name and note", on_click=rename)
            if kept and st.button("Delete …"):
                study_picker.ask_delete(kept.digest, kept.name)
        view = opened.tagged_study, opened.definition, opened.filters
        download(f"{opened.digest}.zip", lambda: study_zip(*view), "Download as tables (zip)")
        offer_view(opened, "data")
    st.markdown(f":small[Digest {study.digest}]", help="It identifies the data.")
    if own := link.owner_link(opened.digest):
        with st.expander("Your own link to this study"):
            st.markdown(
                "Anyone with this link can rename, tag and delete the study. Use it in another "
                "browser; to share, use *Copy link to this view*, which is read-only."
            )
            st.code(own, language=None, wrap_lines=True)
    if not library.mode() and (said := library.store().said):  # it names studies, and commands
        st.text("\n".join(said))


def exhibits() -> Exhibits:
    """Every count, and the unjudged share by rank."""
    study = opened.logged
    unjudged = numbers.unjudged_by_rank(study)
    made = {"counts": Exhibit("All counts", words.counts_table(study), of_study=True)}
    if unjudged["unjudged"].any():
        caption, draw = "Unjudged share of the results by rank", partial(figure.draw_data, unjudged)
        made["unjudged_by_rank"] = Exhibit(caption, unjudged, draw, of_study=True)
    return made


above = st.empty()
show.save_failure()
files = importing.drop_files("Drop a log and its judgments here, or a zip of them")
if files:
    show.answer(None, "Reading these files …", above)  # not that of the open study meanwhile
    with importing.hide_outdated_parts(files):
        joins = opened.logged.bare.put(tags=opened.tags, written=opened.written)
        importing.import_files(files, joins, above)
else:
    with st.container(horizontal=True):
        for name, text in (("log.csv", importing.LOG), ("judgments.csv", importing.JUDGMENTS)):
            download(name, text, f"Template: {name}")
    show.answer(opened, words.headline(opened.logged), above)
    show.lines(words.details(opened.logged))
    show_study_actions(opened)
    if opened.logged.problems:
        st.subheader("Warnings")
        importing.show_wary(opened.logged)
    importing.show_report(opened.logged)
    st.subheader("What was repaired or left out")
    importing.show_changes(opened.logged)
    show.paragraphs([show.in_small(show.SPELLED)])
    offer(opened, "data", exhibits, with_view=False)
with st.sidebar:  # no number here depends on the definition, but the panel's do
    scripts.mount_live(opened.definition.discount)
