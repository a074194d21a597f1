"""Grades and lists that a reader edits; they stand in the link, and outlive the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.analysis.examples.examples import Example
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.shapes import edits
from sdcg_explorer.screen.widget_values import sends


def edit(key: str, example: Example) -> Example:
    """The example as edited: first as the link has it, then as it was left."""
    first_visit = keys.BY_HAND_EDITED not in st.session_state
    edited: dict[str, tuple[str, str]] = st.session_state.setdefault(keys.BY_HAND_EDITED, {})
    link = st.query_params.get(keys.JUDGED, ""), st.query_params.get(keys.LISTS, "")
    if first_visit and {keys.JUDGED, keys.LISTS} <= {*st.query_params}:
        edited[key] = link
    times = st.session_state.get(keys.BY_HAND_ROUND, 0)
    names = [keys.editor(kind, key, times) for kind in ("grades", "lists")]
    if names[0] not in st.session_state:  # editors change what they were drawn with
        st.session_state[keys.BY_HAND_START] = edited.get(key, example.texts)
    start = example.with_texts(*st.session_state[keys.BY_HAND_START])
    now = start.edited(*_editors(names, start))
    edited[key] = now.texts
    if now.texts == example.texts:
        for name in (keys.JUDGED, keys.LISTS):
            st.query_params.pop(name, None)
    elif now.texts != link:
        st.query_params.update({keys.JUDGED: now.texts[0], keys.LISTS: now.texts[1]})
    changed = now.texts != example.texts
    return replace(now, name=f"{example.name}, edited") if changed else now


def _editors(names: list[str], start: Example) -> tuple:
    """Tables of grades and of lists to type in."""
    grades, lists = start.tables()
    left, right = st.columns([2, 3])
    with left:
        st.markdown("**Grades** of the documents, shown or not")
        with sends(edits(len(grades), grades.columns)):
            grades = st.data_editor(
                grades,
                key=names[0],
                num_rows="dynamic",
                hide_index=True,
                height=250,
                column_config={"grade": st.column_config.NumberColumn(format="%g")},
                alt="Grades to edit",
            )
    with right:
        st.markdown("**Results** of each query, by rank; what has no grade is unjudged")
        with sends(edits(len(lists), lists.columns)):
            lists = st.data_editor(lists, key=names[1], height=250, alt="Result lists to edit")
    return grades, lists


def put_edits(
    key: str, ready: Example, lists: list[list[str]], graded: list[tuple[str, str, str]]
) -> None:
    """Keep lists and grades that were changed elsewhere; the tables start anew from them."""
    edited = st.session_state[keys.BY_HAND_EDITED]
    now = ready.with_texts(*edited.get(key, ready.texts)).arranged(lists, graded)
    edited[key] = now.texts
    st.session_state[keys.BY_HAND_ROUND] = st.session_state.get(keys.BY_HAND_ROUND, 0) + 1


def show_way_back(row: DeltaGenerator, key: str, *, is_edited: bool) -> None:
    """Draw the button that brings the example back as it came; it keeps its place."""
    look: dict[str, Any] = {"disabled": not is_edited, "help": "Back to the example as it came"}
    row.button("Start over", icon=":material/undo:", on_click=forget_edits, args=(key,), **look)


def forget_edits(key: str) -> None:
    """Back to the example as it came."""
    st.session_state[keys.BY_HAND_EDITED].pop(key, None)
    st.session_state[keys.BY_HAND_ROUND] = st.session_state.get(keys.BY_HAND_ROUND, 0) + 1
