"""The toolbar above a figure: one line of what changes the picture, and Options for the rest."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.screen import keys

OPTIONS = "These, and what stands beside them, change this figure alone; the sidebar, every page."


def toolbar() -> DeltaGenerator:
    """The line, whose labels stand before their controls (page.css)."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=keys.TOOLBAR)


def options() -> DeltaGenerator:
    """What changes the picture more seldom; it opens over the page, at the end of the line."""
    return st.popover("Options", icon=":material/tune:", key=keys.OPTIONS, help=OPTIONS)
