"""Small pictures on Overview: a door's figure, and the bars of the first screen."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.first_screen import RANK, FirstScreen
from sdcg_explorer.figures.first_screen import draw_first_screen
from sdcg_explorer.figures.style import PALETTES
from sdcg_explorer.screen import keys


def show_picture(figure: Any, alt: str, key: str) -> None:
    """Show a small figure that is only looked at."""
    st.plotly_chart(figure, key=key, alt=alt, config={"staticPlot": True})


def show_first_screen(shown: FirstScreen, live: dict[str, Any]) -> None:
    """Show what a document is worth, found early and late, as bars that follow the sliders."""
    light, dark = (palette[0] for palette in PALETTES)
    bars = draw_first_screen(shown, RANK, f"light-dark({light}, {dark})", live)
    with st.container(key=keys.MEANING):
        st.markdown(bars, unsafe_allow_html=True)
