"""A link to a study that is not here: which it is, and how to load it."""

from __future__ import annotations

import streamlit as st

from pages import plain, show_answer, show_not_kept
from pages.uploading import drop_files, keep_upload, look_over, study_of_files
from study.checks import UnusableInputError
from study.study import Study


def show_not_here(wanted: str) -> None:
    """Say that the study is not here, and open the link's view once its files are dropped."""
    st.title("Where is the study of this link?")
    digest = f"its digest begins with {wanted}"
    show_answer(None, f"The study of this link is not here; {digest}.")
    st.markdown(
        "A link holds a view, not the study. Drop the study's files below, or the zip that its "
        "sender can download on the page Data: as soon as they make the study of this link, the "
        "view opens. Or choose another study in the sidebar."
    )
    show_not_kept()
    files = drop_files("Drop the zip of this study here, or its log and judgments")
    study = study_of_files(files, None) if files else None
    if study is None:
        return
    if study.digest.startswith(wanted):
        _open_view(study)
        return
    st.warning(
        plain(
            f"These files make another study; its digest begins with {study.digest[:12]}, that of "
            f"the link with {wanted}. Take away the files that don't belong to it, or choose "
            "otherwise above: what a file is, its columns, how doubtful input is taken."
        )
    )
    look_over(study)


def _open_view(study: Study) -> None:
    """Keep the study, and open it under all that the link says."""
    try:
        st.session_state["study_wanted"] = keep_upload(study, study.name)
    except UnusableInputError as refused:
        st.error(plain(f"Nothing was kept: {refused.problems[0].sentence()}"))
    else:
        st.rerun()
