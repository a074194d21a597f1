"""A note of one's own beneath an answer: kept with the study, printed in report and paper."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.words import own_notes as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import keep_words, may_write, store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.written import LONGEST, cleaned, joined


def show_note(opened: Opened, name: str) -> None:
    """Show the note beneath a question's answer, to write; it is kept once its field is left."""
    if opened.by_hand or question_of(name).answer is None:
        return
    text, own, shown = opened.written.get(name, ""), keys.note(name), keys.shown_note(name)
    # what was typed stays where it was not kept; a page that was left has forgotten its field
    if own not in st.session_state or st.session_state.get(shown) != text:
        st.session_state[own] = st.session_state[shown] = text

    def keep() -> None:
        typed = cleaned(st.session_state[own])

        def write(digest: str, of: str) -> None:
            now = store().written(digest, of).get(name, "")
            if now == text:
                store().write(digest, name, typed, of)
            elif new := joined({name: now}, {name: typed}):  # another window wrote meanwhile
                store().write(digest, name, new[name], of)

        keep_words(opened.digest, words.NOTE, write)

    with st.expander(words.TITLE, expanded=bool(text)):
        look: dict[str, Any] = {
            "max_chars": max(LONGEST, len(text)),
            "height": "content",
            "on_change": keep,
        }
        closed = not may_write(opened.digest)
        st.text_area(words.FIELD, key=own, disabled=closed, **look)
        if closed:
            st.markdown(f":small[{words.NOT_HERE}]")
