"""A link to a study that is not here: which it is, and how to load it (decision 44)."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.screen import keys
from sdcg_explorer.screen.deleting import ask_delete
from sdcg_explorer.screen.library import SHORT, kept_of, may_write
from sdcg_explorer.screen.show import markdown_safe, show_answer, show_not_kept
from sdcg_explorer.screen.uploading import (
    ask_name,
    drop_files,
    keep_upload,
    look_over,
    study_of_files,
)
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study


def show_not_here(wanted: str, damage: str) -> None:
    """Say that the study is not here, and open the link's view once its files are dropped.

    `damage` says why a study that is kept can't be read; empty for one that is not kept.
    """
    hold_view()
    st.title("Where is the study of this link?")
    where = "can't be read" if damage else "is not here"
    show_answer(None, f"The study of this link {where}; its digest begins with {wanted}.")
    if damage:
        show_damage(wanted, damage)
    st.markdown(
        "A link holds a view, not the study. Drop the study's files below, or the zip that its "
        "sender can download on every page: as soon as they make the study of this link, the view "
        "opens. Or choose another study in the sidebar."
    )
    show_not_kept()
    asked = st.container()
    files = drop_files("Drop the zip of this study here, or its log and judgments")
    study = study_of_files(files, None, asked) if files else None
    if study is None:
        return
    made = study.bare.digest[:SHORT]
    if made == wanted:
        open_view(study)
        return
    st.warning(
        markdown_safe(
            f"These files make another study; its digest begins with {made}, that "
            f"of the link with {wanted}. Take away the files that don't belong to it, or choose "
            "otherwise above: what a file is, its columns, how doubtful input is taken."
        )
    )
    ask_name(study, files)
    look_over(study)


def hold_view() -> None:
    """Keep the parameters of the link, which widgets that are no longer drawn take along."""
    view = st.session_state.setdefault(keys.VIEW, {})
    for name in st.query_params:
        view.setdefault(name, st.query_params.get_all(name))
    for name in view.keys() - {*st.query_params}:
        st.query_params[name] = view[name]


def show_damage(wanted: str, damage: str) -> None:
    """Why a kept study can't be read, and the way to delete it."""
    st.error(markdown_safe(damage))
    kept = kept_of(wanted)
    words = f"Delete {markdown_safe(kept.name)}, which can't be read" if kept else ""
    if kept and may_write(wanted) and st.button(words):
        ask_delete(kept.digest, kept.name)


def open_view(study: Study) -> None:
    """Keep the study, and open it under all that the link says."""
    try:
        st.session_state[keys.STUDY_WANTED] = keep_upload(study)
    except UnusableInputError as refused:
        st.error(markdown_safe(f"Nothing was kept: {refused.problems[0].sentence()}"))
    else:
        st.rerun()
