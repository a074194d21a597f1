"""What is chosen of many systems and long sessions: who is in focus, and where axes end."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.curves.axis_end import THIN
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.opened import Opened

FROM = 3  # systems, from which on one may be in focus


def choose_focus(opened: Opened) -> str:
    """Which system stands before the others; none unless chosen."""
    if len(opened.shown_systems) < FROM:
        return ""
    chosen = st.selectbox(
        "In focus",
        opened.shown_systems,
        None,
        placeholder="no system",
        key=keys.FOCUS,
        bind="query-params",
        width=240,
        help="The one system in colour, before the others in grey. Without one, many systems have "
        "a panel each.",
    )
    return chosen or ""


def choose_end(*, is_cut: bool) -> bool:
    """Whether axes go on to the last query, however few sessions have it."""
    return st.toggle(
        "All queries",
        key=keys.EVERY,
        bind="query-params",
        disabled=not is_cut,
        help=f"Axes end at the last query that {THIN} sessions reach, unless all are asked for.",
    )
