"""The study that is open: asked for by the link, picked in the sidebar, not here, deleted."""

import contextlib

import streamlit as st

from sdcg_explorer.screen import importing, keys, library, link, show, uploads_in_hand
from sdcg_explorer.screen.opened import page_file
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study

DELETES = "its notes, tags and your judgments"
WHAT = {
    False: f"{DELETES} from this machine, for everyone.",
    True: f"{DELETES} from this server, for everyone who has your link. Others who uploaded the "
    "same files keep their study.",
}


def hide_old_study() -> None:
    """While another study is read, have nothing of the one before stand as if it were new."""
    opened, wanted = st.session_state.get(keys.OPENED), st.session_state.get(keys.STUDY_WANTED)
    if opened and opened.digest != wanted:
        st.html(importing.OLD)


def linked_study() -> tuple[str, Study | None, str]:
    """What the link asks for, its study, and why one that is kept can't be read.

    None stands for a study that is not here.
    """
    library.take_link()
    known = library.listed()
    if keys.STUDY_WANTED not in st.session_state:
        st.session_state[keys.STUDY_WANTED] = library.linked_digest() or next(iter(known))
    wanted = st.session_state[keys.STUDY_WANTED]
    try:
        return wanted, library.load_study(wanted) if wanted in known else None, ""
    except UnusableInputError as refused:
        return wanted, None, f"{known[wanted]}: {refused.problems[0].sentence()}"


def pick_study(digest: str | None) -> None:
    """Draw the study picker; another study is opened by it."""
    known = library.listed()
    st.session_state[keys.STUDY_PICKED] = digest
    st.selectbox(
        "Study",
        list(known),
        0 if digest else None,
        format_func=lambda digest: known.get(str(digest), "…"),
        key=keys.STUDY_PICKED,
        placeholder="Choose a study",
        on_change=lambda: library.open_study(st.session_state[keys.STUDY_PICKED]),
    )


def offer_studies(wanted: str) -> None:
    """Study picker; its digest always stands in the URL, so that a link names its study.

    The address says whose words the study goes by, and no key: a copy gives none.
    """
    st.session_state.pop(keys.VIEW, None)
    link.put_in_link(keys.STUDY, [wanted])
    of = library.whose(wanted)
    is_named = library.is_owner_id(of) and of != library.NOBODY
    link.put_in_link(keys.WORDS_OF, [of] if is_named else [])
    link.put_in_link(keys.OWNER, [])
    with st.container(gap=None):
        with st.container(key="study_choice", gap="xsmall"):
            pick_study(wanted)
            if note := library.load_study(wanted).note:
                st.markdown(f":small[:material/info: {show.markdown_safe(note)}]")
            label = "Data: upload, report, rename"
            st.page_link(page_file("data"), label=label, icon=":material/upload:")
        link.copy_link()


@st.dialog("Delete this study?")
def ask_delete(digest: str, name: str) -> None:
    """Delete only when asked twice."""
    what = WHAT[bool(library.mode())]
    uploaded = digest[: library.SHORT] not in library.studies_not_uploaded()
    again = "" if uploaded else " The study itself stays because it was not uploaded."
    this = "the study, " if uploaded else ""
    st.markdown(f"**{show.markdown_safe(name)}**: this deletes {this}{what}{again}")
    if st.button("Cancel"):
        st.rerun()
    if st.button("Delete"):
        with contextlib.suppress(UnusableInputError):  # another window was faster
            library.delete(digest)
            st.session_state[keys.DELETED] = f"Deleted: {name}: {this}{what}{again}"
        library.open_study(next(iter(library.listed())))
        st.rerun()


def show_not_here(wanted: str, damage: str) -> None:
    """Say that the study is not here, and open the link's view once its files are dropped.

    `damage` says why a study that is kept can't be read; empty for one that is not kept.
    """
    # parameters of the link, which widgets that are no longer drawn take along
    view = st.session_state.setdefault(keys.VIEW, {})
    for name in st.query_params:
        view.setdefault(name, st.query_params.get_all(name))
    for name in view.keys() - {*st.query_params}:
        st.query_params[name] = view[name]
    st.title("This study isn't here")
    where = "can't be read" if damage else "is not here"
    show.answer(None, f"The study of this link {where} (digest {wanted}…).")
    if damage:
        st.error(show.markdown_safe(damage))
        kept = library.kept_of(wanted)
        words = f"Delete {show.markdown_safe(kept.name)}, which can't be read" if kept else ""
        if kept and library.may_write(wanted) and st.button(words):
            ask_delete(kept.digest, kept.name)
    st.markdown(
        "A link contains settings, not data. Drop the study's files (or the zip that its sender "
        "can download on Data), and the view opens."
    )
    show.save_failure()
    files = importing.drop_files("Drop the zip of this study here, or its log and judgments")
    place, above = st.container(), st.empty()
    study = importing.import_files(files, None, above) if files else None
    if study is None:
        return
    made = study.bare.digest[: library.SHORT]
    if made != wanted:
        other = f"These files make a different study (digest {made}…, expected {wanted}…). "
        remedy = "Remove files that don't belong to it, or change below how they are read."
        place.warning(show.markdown_safe(f"{other}{remedy}"))
        return
    try:  # under all that the link says
        st.session_state[keys.STUDY_WANTED] = library.keep(study)
    except UnusableInputError as refused:
        st.error(show.markdown_safe(f"Nothing was saved: {refused.problems[0].sentence()}"))
        return
    uploads_in_hand.forget_upload()
    st.rerun()
