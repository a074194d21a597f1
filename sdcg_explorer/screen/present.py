"""Present: a page's headline and figure fill the screen, and keys turn the pages of the study."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.module import HERE, module
from sdcg_explorer.screen.opened import page_file
from sdcg_explorer.screen.widget_values import sends

PAGES = tuple(each.name for each in QUESTIONS if each.figures or each.name == "by_hand")
_present = module("present", css=(HERE / "copy_link.css").read_text(encoding="utf-8"))


def offer_present(page: str) -> None:
    """Draw the button, and have the keys heard; all but turning the page the browser does."""

    def take() -> None:
        st.session_state[keys.TURN_TO] = st.session_state[keys.PRESENT]["page"]

    with sends({"page": PAGES}):
        data = {"page": page, "pages": PAGES}
        _present(key=keys.PRESENT, data=data, on_page_change=take, height="content")


def turn_page() -> None:
    """Go to the page that was asked for, as it was left if it was; where pages are known."""
    state = st.session_state
    if name := state.pop(keys.TURN_TO, ""):
        left: dict[str, dict[str, Any]] = state.setdefault(keys.LEFT, {})
        left[state[keys.PAGE_AT]] = {key: state[key] for key in st.query_params if key in state}
        own = left.get("" if name == PAGES[0] else name, {})
        state.update({key: own[key] for key in own if key not in state})
        st.switch_page(page_file(name), query_params={})  # bound ones stay
