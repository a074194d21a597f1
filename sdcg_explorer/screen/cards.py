"""The cards of By hand: lists that a reader arranges anew, by keys, buttons or dragging."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.examples.examples import ByHand, Example
from sdcg_explorer.questions.words.by_hand import board
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.example_editor import put_edits
from sdcg_explorer.screen.module import module
from sdcg_explorer.screen.shapes import has_shape
from sdcg_explorer.screen.widget_values import sends

MOST_TURNS = 1_000  # moves that the server has not heard of yet
_board = module("cards")


def show_cards(key: str, ready: Example, example: Example, session: ByHand | None) -> None:
    """Show an example's lists as cards, with what each brings.

    The browser sends how all cards stand, not what was moved, with the number of the arrangement:
    it may send the next before it has heard of the last, and takes no answer to an older one.
    """
    turn = st.session_state.setdefault(keys.CARDS_TURN, 0)
    data: dict[str, Any] = board(example, session)
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
            on_arranged_change=lambda: _take(key, ready),
        )


def _take(key: str, ready: Example) -> None:
    """From the board: its cards stand otherwise."""
    arranged = st.session_state[keys.CARDS].get("arranged") or {}
    turn = arranged.get("turn", 0)
    if arranged.get("of") == key and turn > st.session_state[keys.CARDS_TURN]:
        st.session_state[keys.CARDS_TURN] = turn
        put_edits(key, ready, arranged["lists"], arranged["graded"])
