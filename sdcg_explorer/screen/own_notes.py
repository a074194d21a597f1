"""A note of one's own beneath an answer: kept with the study, printed in report and paper."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.words import own_notes as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import keep_words, may_write, store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.written import LONGEST, cleaned


def show_note(opened: Opened, name: str) -> None:
    """Show the note beneath a question's answer, to write; it is kept once its field is left."""
    if opened.by_hand or question_of(name).answer is None:
        return
    text, own = opened.written.get(name, ""), keys.note(name)
    if st.session_state.get(own) != text:  # setting what it holds would undo what is being typed
        st.session_state[own] = text

    def keep() -> None:
        typed = cleaned(st.session_state[own])
        keep_words(
            opened.digest,
            words.NOTE,
            lambda digest, of: store().write(digest, name, typed, of),
        )

    with st.expander(words.TITLE, expanded=bool(text)):
        look: dict[str, Any] = {"max_chars": LONGEST, "height": "content", "on_change": keep}
        closed = not may_write(opened.digest)
        st.text_area(words.FIELD, key=own, disabled=closed, **look)
        if closed:
            st.markdown(f":small[{words.NOT_HERE}]")
