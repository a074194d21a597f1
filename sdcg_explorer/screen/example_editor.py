"""Grades and lists that a reader edits; they stand in the link, and outlive the page."""

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.questions.by_hand import numbers
from sdcg_explorer.questions.by_hand.numbers import EXAMPLES, LESSONS, PAPERS, Example
from sdcg_explorer.questions.by_hand.words import cards_by_query
from sdcg_explorer.screen import keys, link, scripts, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.widget_values import edits, has_shape, sends


def edit(key: str, example: Example, row: DeltaGenerator) -> Example:
    """The example as edited: first as the link has it, then as it was left.

    The button that brings it back as it came keeps its place in the `row`.
    """
    first_visit = keys.BY_HAND_EDITED not in st.session_state
    edited: dict[str, tuple[str, str]] = st.session_state.setdefault(keys.BY_HAND_EDITED, {})
    asked = st.query_params.get(keys.JUDGED, ""), st.query_params.get(keys.LISTS, "")
    if first_visit and {keys.JUDGED, keys.LISTS} <= {*st.query_params}:
        edited[key] = asked
    times = st.session_state.setdefault(keys.BY_HAND_ROUND, 0)  # they start anew from what is kept
    names = [f"{kind}_{key}_{times}" for kind in ("grades", "lists")]
    if names[0] not in st.session_state:  # editors change what they were drawn with
        st.session_state[keys.BY_HAND_START] = edited.get(key, example.texts)
    start = example.with_texts(*st.session_state[keys.BY_HAND_START])
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
        st.markdown("**Results** of each query, by rank; documents without a grade are unjudged")
        with sends(edits(len(lists), lists.columns)):
            lists = st.data_editor(lists, key=names[1], height=250, alt="Result lists to edit")
    now = start.with_edited_tables(grades, lists)
    edited[key] = now.texts
    if now.texts == example.texts:
        for name in (keys.JUDGED, keys.LISTS):
            st.query_params.pop(name, None)
    elif now.texts != asked:
        st.query_params.update({keys.JUDGED: now.texts[0], keys.LISTS: now.texts[1]})

    def forget() -> None:
        edited.pop(key, None)
        st.session_state[keys.BY_HAND_ROUND] += 1

    is_edited = now.texts != example.texts
    look: dict[str, Any] = {"disabled": not is_edited, "help": "Reset the example"}
    row.button("Start over", icon=":material/undo:", on_click=forget, **look)
    return replace(now, name=f"{example.name}, edited") if is_edited else now


LOOK: dict[str, Any] = {"label_visibility": "collapsed", "on_change": lambda key: _pick_listed(key)}


def pick_example(opened: Opened, place: DeltaGenerator) -> tuple[str, Example, DeltaGenerator]:
    """Draw both lists of examples in a row, and what to do with the one in force; the row, too.

    It is that of the link, or else the one that was looked at last.
    """
    asked = st.query_params.get(keys.EXAMPLE, "")
    key = asked if asked in EXAMPLES else st.session_state.get(keys.EXAMPLE, next(iter(EXAMPLES)))
    st.session_state[keys.EXAMPLE] = key
    link.put_in_link(keys.EXAMPLE, [key])
    example, labels = EXAMPLES[key], opened.study.labels
    own = example.definition
    row = place.container(horizontal=True, vertical_alignment="center")
    with row:
        st.session_state[keys.LESSON] = key if key in LESSONS else None
        st.session_state[keys.PAPER] = key if key in PAPERS else None
        st.pills("Lessons", list(LESSONS), key=keys.LESSON, args=(keys.LESSON,), **LOOK)
        st.selectbox(
            "Ready-made sessions",
            list(PAPERS),
            None,
            format_func=lambda key: PAPERS[key].name,
            key=keys.PAPER,
            placeholder="Ready-made sessions",
            width=215,
            args=(keys.PAPER,),
            **LOOK,
        )
        if key in PAPERS and numbers.in_force(opened.definition, example, labels) != own:
            words = show.markdown_safe(f"Use its definition: {own.preset_text}")
            st.button(words, on_click=sidebar.apply_definition, args=(own, labels))
    return key, example, row


def _pick_listed(which: str) -> None:
    """From a list; what is taken back leaves the example as it is."""
    if name := st.session_state[which]:
        link.put_in_link(keys.EXAMPLE, [name])


MOST_TURNS = 1_000  # moves that the server has not heard of yet
_board = scripts.module("cards")


def show_cards(key: str, ready: Example, example: Example, session: numbers.ByHand | None) -> None:
    """Show an example's lists as cards, with what each brings, and what to do with them.

    The browser sends how all cards stand, not what was moved, with the number of the arrangement:
    it may send the next before it has heard of the last, and takes no answer to an older one.
    """
    about = ready.about if example.documents == ready.documents else "These lists are your own."
    show.small_line(f"{about} Drag a card, or click it and use ↑ ↓ ← →.")
    turn = st.session_state.setdefault(keys.CARDS_TURN, 0)
    data: dict[str, Any] = cards_by_query(example, session)
    data |= {"of": key, "turn": turn, "figure": keys.BY_HAND}
    offered = ("", *data["grades"])
    arranged = {
        "of": str,
        "turn": range(turn + MOST_TURNS),
        "lists": [[str]],
        "graded": [lambda card: has_shape(card, [str]) and len(card) == 3 and card[2] in offered],
    }
    with sends({"arranged": arranged}):
        _board(
            key=keys.CARDS,
            data=data,
            height="content",
            on_arranged_change=lambda: _apply_cards(key, ready),
        )


def _apply_cards(key: str, ready: Example) -> None:
    """From the board: its cards stand otherwise; the tables start anew from them."""
    arranged = st.session_state[keys.CARDS].get("arranged") or {}
    turn = arranged.get("turn", 0)
    if arranged.get("of") == key and turn > st.session_state[keys.CARDS_TURN]:
        st.session_state[keys.CARDS_TURN] = turn
        edited = st.session_state[keys.BY_HAND_EDITED]
        now = ready.with_texts(*edited.get(key, ready.texts))
        edited[key] = now.with_moved_cards(arranged["lists"], arranged["graded"]).texts
        st.session_state[keys.BY_HAND_ROUND] += 1
