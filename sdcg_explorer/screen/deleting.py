"""Deleting a kept study, asked twice."""

from __future__ import annotations

import contextlib

import streamlit as st

from sdcg_explorer.screen.library import delete, listed, mode, open_study, was_uploaded
from sdcg_explorer.screen.show import markdown_safe
from sdcg_explorer.study.problems import UnusableInputError

WHAT = {
    False: "its note and its tags are removed from this machine, for everybody.",
    True: "its note and its tags are removed from this server, for everybody who has your link. "
    "Who uploaded the same files keeps the study under their own name.",
}


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
        open_study(next(iter(listed())))
        st.rerun()
