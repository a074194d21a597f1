"""From dropped files to a kept study: looked over, named, accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from sdcg_explorer.questions.words.data import counts_table
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.import_report import show_preview, show_report, show_wary
from sdcg_explorer.screen.importing import (
    choose_events,
    choose_missing_sessions,
    choose_parts,
    choose_repairs,
    choose_rules,
    choose_tools,
    choose_topics,
    is_nameless,
    name_of,
    read_uploads,
    show_refused,
    understood,
)
from sdcg_explorer.screen.library import SHORT, keep, kept_of, may_write, open_study
from sdcg_explorer.screen.show import show_table
from sdcg_explorer.screen.uploads_in_hand import forget_upload, hold_upload
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study

# white on the dark theme's light blue can't be read
READABLE = f".st-key-{keys.ACCEPT} button * {{ color: light-dark(#fff, #111) }}"


def drop_files(words: str) -> list[Any]:
    """The place to drop a study's files."""
    files = st.file_uploader(
        words,
        accept_multiple_files=True,
        key=keys.FILES,
        help="CSV, JSON, Parquet, xlsx, session XML, TREC runs and qrels, plain or packed, "
        "with at most 2 million results. Ratings (of sessions, queries or searchers) join "
        "them, or the study that is open.",
    )
    if files:
        hold_upload()
    else:
        forget_upload()
    return files


def study_of_files(files: Sequence[Any], opened: Study | None, above: Any) -> Study | None:
    """The study that files make, once they are looked over; what they lack is shown `above`.

    Ratings alone join the study that is `opened`.
    """
    try:
        found = read_uploads(files)
    except UnusableInputError as refused:
        with above:
            show_refused(refused)
        return None
    about, parts = found
    chosen = choose_parts(parts)
    rules = choose_rules(chosen)
    with above:
        rules = choose_tools(chosen, choose_events(chosen, rules))
        rules = choose_missing_sessions(chosen, choose_topics(chosen, rules))
        rules = choose_repairs(chosen, rules)
        return understood(about, chosen, rules, name=name_of(files, chosen), opened=opened)


def ask_name(study: Study, files: Sequence[Any]) -> None:
    """The study's name, and the button that keeps and opens it; files alone have not named it."""
    short = study.bare.digest[:SHORT]
    there = kept_of(short) if may_write(short) else None
    name = there.name if there else "" if is_nameless(study.name, files) else study.name
    fill(keys.STUDY_NAME, name, of=f"{study.digest} {study.name}")
    st.html(f"<style>{READABLE}</style>")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Name of the study",
            max_chars=200,
            key=keys.STUDY_NAME,
            placeholder=f"{study.name}, unless you name it",
        )
        own: dict[str, Any] = {"on_click": _accept, "type": "primary"}  # an argument would live on
        st.button("Accept and open", icon=":material/check:", key=keys.ACCEPT, **own)
    st.markdown(":small[Accept before you leave this page: an upload is forgotten with it.]")


def look_over(study: Study) -> None:
    """The study as it is understood."""
    show_preview(study)
    show_wary(study)
    show_report(study)
    with st.expander("Every count"):
        show_table(counts_table(study), "Counts of the import")


def fill(key: str, value: str, of: str) -> None:
    """Fill in a field when what it is about changes; what is typed stays until then."""
    if key not in st.session_state or st.session_state.get(keys.filled_for(key)) != of:
        st.session_state[key] = value
        st.session_state[keys.filled_for(key)] = of


def _accept() -> None:
    """Keep the study that was understood and open it; where it can't be kept, say why."""
    _, study = st.session_state[keys.UNDERSTOOD]
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
    forget_upload()
    return short
