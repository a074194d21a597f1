"""Which example is counted by hand: a lesson, or one of the literature's."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.analysis.examples.examples import EXAMPLES, LESSONS, PAPERS, Example, in_force
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.definition_panel import take_definition
from sdcg_explorer.screen.link import in_link
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe

OWN = "These lists are your own."
HOW = "Drag a card, or click it and use ↑ ↓ ← →."
LOOK: dict[str, Any] = {"label_visibility": "collapsed", "on_change": lambda key: _take(key)}


def pick_example(opened: Opened, place: DeltaGenerator) -> tuple[str, Example, DeltaGenerator]:
    """Draw both lists of examples in a row, and what to do with the one in force; the row, too."""
    key = _asked()
    example, labels = EXAMPLES[key], opened.study.labels
    own = example.definition
    row = place.container(horizontal=True, vertical_alignment="center")
    with row:
        _lists(key)
        if key in PAPERS and in_force(opened.definition, example, labels) != own:
            words = markdown_safe(f"Count as its source does: {own.preset}")
            st.button(words, on_click=take_definition, args=(own, labels))
    return key, example, row


def show_about(ready: Example, example: Example) -> None:
    """Show what to do with the cards, which names those of the ready example, and how."""
    about = ready.about if example.documents == ready.documents else OWN
    st.markdown(f":small[{markdown_safe(about)} {markdown_safe(HOW)}]")


def _lists(key: str) -> None:
    """Lessons, and the literature's examples."""
    st.session_state[keys.LESSON] = key if key in LESSONS else None
    st.session_state[keys.PAPER] = key if key in PAPERS else None
    st.pills("Lessons", list(LESSONS), key=keys.LESSON, args=(keys.LESSON,), **LOOK)
    st.selectbox(
        "From the papers",
        list(PAPERS),
        None,
        format_func=lambda key: PAPERS[key].name,
        key=keys.PAPER,
        placeholder="From the papers",
        width=215,
        args=(keys.PAPER,),
        **LOOK,
    )


def _asked() -> str:
    """The example of the link, or else the one that was looked at last."""
    asked = st.query_params.get(keys.EXAMPLE, "")
    known = asked if asked in EXAMPLES else st.session_state.get(keys.EXAMPLE, next(iter(EXAMPLES)))
    st.session_state[keys.EXAMPLE] = known
    in_link(keys.EXAMPLE, [known])
    return known


def _take(which: str) -> None:
    """From a list; what is taken back leaves the example as it is."""
    if name := st.session_state[which]:
        in_link(keys.EXAMPLE, [name])
