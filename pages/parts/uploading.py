"""From dropped files to a kept study: looked over, named, accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from analysis.data import counts_table
from pages.parts import keys
from pages.parts.import_report import show_preview, show_report, show_wary
from pages.parts.importing import (
    choose_parts,
    choose_rules,
    choose_topics,
    name_of,
    read_uploads,
    show_refused,
    understood,
)
from pages.parts.library import SHORT, keep, kept_of, open_study
from pages.parts.show import show_table
from study.problems import UnusableInputError
from study.study import Study


def drop_files(words: str) -> list[Any]:
    """The place to drop a study's files."""
    return st.file_uploader(
        words,
        accept_multiple_files=True,
        key=keys.FILES,
        help="CSV, JSON, Parquet, xlsx, session XML, TREC runs and qrels, plain or packed, "
        "with at most 2 million results. Ratings (of sessions, queries or searchers) join them, "
        "or the study that is open.",
    )


def study_of_files(files: Sequence[Any], opened: Study | None) -> Study | None:
    """The study that files make, once they are looked over; what they lack is shown.

    Ratings alone join the study that is `opened`.
    """
    try:
        about, parts = read_uploads(files)
    except UnusableInputError as refused:
        show_refused(refused)
        return None
    chosen = choose_parts(parts)
    rules = choose_topics(chosen, choose_rules(chosen))
    return understood(about, chosen, rules, name=name_of(files, chosen), opened=opened)


def look_over(study: Study) -> None:
    """The study as it is understood, to be named and accepted."""
    show_preview(study)
    show_wary(study)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        there = kept_of(study.digest[:SHORT])
        fill(
            keys.STUDY_NAME, there.name if there else study.name, of=f"{study.digest} {study.name}"
        )
        st.text_input("Name of the study", max_chars=200, key=keys.STUDY_NAME)
        check = ":material/check:"
        st.button("Accept and open", icon=check, on_click=_accept, args=(study,))
    st.markdown(":small[Accept before you leave this page: an upload is forgotten with it.]")
    show_report(study)
    with st.expander("Every count"):
        show_table(counts_table(study), "Counts of the import")


def fill(key: str, value: str, of: str) -> None:
    """Fill in a field when what it is about changes; what is typed stays until then."""
    if key not in st.session_state or st.session_state.get(keys.filled_for(key)) != of:
        st.session_state[key] = value
        st.session_state[keys.filled_for(key)] = of


def _accept(study: Study) -> None:
    """Keep the study and open it; where it can't be kept, say why."""
    try:
        open_study(keep_upload(study, st.session_state[keys.STUDY_NAME].strip() or study.name))
        st.session_state[keys.JUST_KEPT] = True
    except UnusableInputError as refused:
        st.session_state[keys.NOT_KEPT] = f"Nothing was kept: {refused.problems[0].sentence()}"


def keep_upload(study: Study, name: str = "") -> str:
    """Keep a study, and forget its upload; the first characters of its digest.

    Raises
    ------
    UnusableInputError : it can't be written
    """
    short = keep(study, name)
    for each in (keys.UPLOADS, keys.UNDERSTOOD):
        st.session_state.pop(each, None)
    return short
