"""A figure by keys: one stop of the tab key, whose points arrow keys show and read out."""

from __future__ import annotations

from sdcg_explorer.screen import keys
from sdcg_explorer.screen.module import module

SAID = {"name": "Figure", "words": "figure, arrow keys read its points"}
_read = module("figure_keys")


def read_points_by_key() -> None:
    """Have the arrow keys show and say the points of a page's figures."""
    _read(key=keys.FIGURE_KEYS, data=SAID)
