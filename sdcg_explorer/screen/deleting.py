"""Deleting a kept study, asked twice."""

from __future__ import annotations

import contextlib

import streamlit as st

from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import delete, listed, mode, open_study, was_uploaded
from sdcg_explorer.screen.show import markdown_safe
from sdcg_explorer.study.problems import UnusableInputError

WORDS = "its notes, tags and judgments of one's own are removed from this"
WHAT = {
    False: f"{WORDS} machine, for everybody.",
    True: f"{WORDS} server, for everybody who has your link. "
    "Who uploaded the same files keeps the study under their own name.",
}


def show_deleted() -> None:
    """Say once what was deleted, over the page that is open now."""
    if words := st.session_state.pop(keys.DELETED, ""):
        st.toast(markdown_safe(words), icon=":material/delete:", duration="long")


@st.dialog("Delete this study?")
def ask_delete(digest: str, name: str) -> None:
    """Delete only when asked twice."""
    what = WHAT[bool(mode())]
    again = "" if was_uploaded(digest) else " The study itself stays: it was not uploaded."
    st.markdown(f"**{markdown_safe(name)}**, {what}{again}")
    if st.button("Keep it"):
        st.rerun()
    if st.button("Delete it"):
        with contextlib.suppress(UnusableInputError):  # another window was faster
            delete(digest)
            st.session_state[keys.DELETED] = f"Deleted: {name}, {what}{again}"
        open_study(next(iter(listed())))
        st.rerun()
