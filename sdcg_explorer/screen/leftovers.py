"""What is left of a page before while the page is drawn anew: nothing, where it would mislead."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st

from sdcg_explorer.screen import keys

OLD = "<style>[data-testid=stMain] [data-stale=true] { display: none }</style>"


def hide_old_study() -> None:
    """While another study is read, have nothing of the one before stand as if it were new."""
    opened, wanted = st.session_state.get(keys.OPENED), st.session_state.get(keys.STUDY_WANTED)
    if opened and opened.digest != wanted:
        st.html(OLD)


@contextmanager
def nothing_old() -> Generator[None]:
    """Meanwhile, nothing of the page stands that was said of other files, or by other rules.

    What is drawn next must not be hidden while it is drawn again: a click on it would be lost.
    """
    place = st.empty()
    place.markdown(OLD, unsafe_allow_html=True)
    try:
        yield
    finally:
        place.empty()
