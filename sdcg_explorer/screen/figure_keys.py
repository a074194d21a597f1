"""A figure by keys: one stop of the tab key, whose points arrow keys show and read out."""

from __future__ import annotations

from pathlib import Path

from streamlit.components.v2 import component

from sdcg_explorer.screen import keys

SAID = {"name": "Figure", "words": "figure, arrow keys read its points"}
_read = component(
    "figure_keys", js=Path(__file__).with_name("figure_keys.js").read_text(encoding="utf-8")
)


def read_points_by_key() -> None:
    """Have the arrow keys show and say the points of a page's figures."""
    _read(key=keys.FIGURE_KEYS, data=SAID)
