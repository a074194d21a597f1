"""What is planned for the next study, to take along, and the plan that was made before this one."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.next_study import NextStudy
from sdcg_explorer.analysis.systems.registered import plan_from, registered
from sdcg_explorer.questions.words import registered as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import keep_words, may_write, store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.written import PLAN


def show_plan(opened: Opened, compared: Comparison, planned: NextStudy) -> None:
    """Show the plan of the next study, to download, and take one that was made before the data."""
    made = registered(compared, planned, opened.definition, opened.filters)
    text = words.plan_text(made, opened.study.labels)
    with st.expander(words.TITLE):
        st.code(text, None, wrap_lines=True)
        with st.container(horizontal=True):
            download("Download plan.txt", text, "plan.txt", "text/plain")
            download("Download plan.toml", made.to_toml(), "plan.toml", "application/toml")
        if not opened.by_hand:
            _take(opened)


def _take(opened: Opened) -> None:
    """A field for the plan.toml that was made before the data; files are taken by Data alone."""
    closed, has = not may_write(opened.digest), PLAN in opened.written

    def keep(text: str) -> bool:
        def write(digest: str, of: str) -> None:
            store().write(digest, PLAN, text, of)

        return keep_words(opened.digest, PLAN, write)

    def taken() -> None:
        pasted = st.session_state[keys.PLAN_BEFORE]
        try:
            if pasted.strip() and keep(plan_from(pasted.encode()).to_toml()):
                st.session_state[keys.PLAN_BEFORE] = ""
        except ValueError as fault:
            st.session_state[keys.NOT_KEPT] = words.not_taken(fault)

    def remove() -> None:
        keep("")

    own: Any = {"key": keys.PLAN_BEFORE, "on_change": taken, "height": 68}
    own["disabled"] = closed or has  # one that is there is removed first
    st.text_area(words.TAKE, help=words.TAKE_HELP, **own)
    if has and st.button(words.REMOVE, on_click=remove, disabled=closed):
        st.rerun()
    if closed:
        st.markdown(f":small[{markdown_safe(words.NOT_HERE)}]")
