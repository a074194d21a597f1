"""What was read, and may I trust it?"""

import contextlib

import streamlit as st

from analysis.data import counts_table, data_answer
from analysis.overview import overview
from export.bundle import bundle
from export.study_zip import study_zip
from export.template import JUDGMENTS, LOG
from pages import Opened, ask, open_page, plain, show_answer, show_data, show_not_kept
from pages.kept import (
    SHORT,
    fixed,
    kept_of,
    kept_or_keep,
    listed,
    may_write,
    mode,
    open_study,
    store,
    store_trouble,
)
from pages.link import view_link
from pages.reported import show_report, show_wary
from pages.uploading import drop_files, fill, look_over, study_of_files
from study.checks import UnusableInputError

opened = open_page()
if st.session_state.pop("just_kept", False):
    st.switch_page("pages/overview.py")
st.title("What was read, and may I trust it?")


def rename() -> None:
    """Call the study what was typed."""
    name, note = st.session_state["new_name"], st.session_state["new_note"]
    try:
        kept = kept_or_keep(opened.digest)
        store().rename(kept.digest, name.strip() or kept.name, note)
    except UnusableInputError as refused:
        st.session_state["not_kept"] = f"Nothing was kept: {refused.problems[0].sentence()}"


@st.dialog("Delete this study?")
def ask_delete(digest: str, name: str) -> None:
    """Delete only when asked twice."""
    what = f"**{plain(name)}**, its note and its tags are removed from this machine, for everybody."
    again = " The study itself stays: it was not uploaded." if digest[:SHORT] in fixed() else ""
    st.markdown(f"{what}{again}")
    if st.button("Keep it"):
        st.rerun()
    if st.button("Delete it"):
        with contextlib.suppress(UnusableInputError):  # another window was faster
            store().delete(digest)
        open_study(next(iter(listed())))
        st.rerun()


def show_own(opened: Opened) -> None:
    """What can be done with the study that is open."""
    study = opened.study
    st.subheader("This study")
    kept = kept_of(opened.digest)
    may_name = mode() != "shared" and may_write(opened.digest)
    if may_name:
        fill("new_name", study.name, of=f"{opened.digest} {study.name} {study.note}")
        fill("new_note", study.note, of=f"{opened.digest} {study.name} {study.note}")
        st.text_input("Name", max_chars=200, key="new_name")
        st.text_input("Note, shown on every page", max_chars=500, key="new_note")
    with st.container(horizontal=True):
        if may_name:
            st.button("Save name and note", on_click=rename)
            if kept and st.button("Delete …"):
                ask_delete(kept.digest, kept.name)
        st.download_button(
            "Download as a zip of tables",
            lambda: study_zip(opened.tagged_study, opened.definition, opened.filters),
            f"{opened.digest}.zip",
            "application/zip",
            on_click="ignore",
        )
        if ask(overview, opened).sessions:
            link = view_link()
            st.download_button(
                "Download all of this view",
                lambda: bundle(opened.tagged_study, opened.definition, opened.filters, link=link),
                f"{opened.digest}-bundle.zip",
                "application/zip",
                on_click="ignore",
                help="Tables, scores, comparison and figures under the definition in force, and "
                "the line that makes the tables again.",
            )
    st.markdown(f":small[Digest {study.digest}]")
    if left := store().removed:
        st.markdown(f":small[Removed at start: {left} unfinished, of an earlier crash.]")


above = st.container()
show_not_kept()
if trouble := store_trouble():
    st.warning(plain(trouble))
broken = kept_of(st.session_state.get("unreadable", ""))
if broken and mode() != "shared" and st.button(f"Delete {plain(broken.name)}, which can't be read"):
    ask_delete(broken.digest, broken.name)
files = drop_files("Drop a log and its judgments here, or a zip of them")
with st.container(horizontal=True):
    for name, text in (("log.csv", LOG), ("judgments.csv", JUDGMENTS)):
        st.download_button(f"Template: {name}", text, name, "text/csv", on_click="ignore")
if files:
    study = study_of_files(files, opened.tagged_study)
    if study is not None:
        with above:
            show_answer(None, data_answer(study))
        look_over(study)
else:
    with above:
        show_answer(opened, data_answer(opened.study))
    show_own(opened)
    show_wary(opened.study)
    show_report(opened.study)
    show_data(opened, counts_table(opened.study), "counts")
