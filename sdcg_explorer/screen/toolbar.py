"""The toolbar above a figure: one line of what changes the picture, and Options for the rest.

Of many systems and long sessions it says who is in focus, and where axes end.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.screen import keys, link
from sdcg_explorer.screen.opened import Opened

FROM = 3  # systems, from which on one may be in focus
IN_FOCUS = (
    "Shows one system in colour, the others in grey. With no system in focus, each of many "
    "systems has a panel."
)


def choose_focus(opened: Opened) -> str:
    """Which system stands before the others; none unless chosen."""
    if len(opened.shown_systems) < FROM:
        return ""
    look = {"placeholder": "no system", "width": 240, "help": IN_FOCUS}
    return link.pick("In focus", opened.shown_systems, keys.FOCUS, None, **look) or ""


def choose_end(*, is_cut: bool) -> bool:
    """Whether axes go on to the last query, however few sessions have it."""
    about = f"Axes end at the last query that {THIN} sessions reach, unless you choose All queries."
    return link.toggle("All queries", keys.EVERY, about, disabled=not is_cut)


def choose_amounts() -> bool:
    """Whether axes go on to the costliest session, however few cost as much."""
    about = f"By default the axis ends where fewer than {THIN} sessions are left."
    return link.toggle("Whole axis", keys.EVERY, about)


OPTIONS = "These change this figure only; the sidebar changes every page."


def toolbar() -> DeltaGenerator:
    """The line, whose labels stand before their controls (page.css)."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=keys.TOOLBAR)


def options() -> DeltaGenerator:
    """What changes the picture more seldom; it opens over the page, at the end of the line."""
    return st.popover("Options", icon=":material/tune:", key=keys.OPTIONS, help=OPTIONS)
