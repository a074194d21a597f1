"""Modules of our own in the page: a script, and what it draws, in files of one name.

Two stand on every page: files that are dropped anywhere are brought to the page that reads them,
and a figure is one stop of the tab key, whose points arrow keys show and read out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.components.v2 import component

from sdcg_explorer.screen import keys

HERE = Path(__file__).parent


def module(name: str, **parts: str) -> Any:
    """A module of the files of its name: a script, and a page and a look where it has these.

    parts : what is in no file of its own
    """
    places = {kind: HERE / f"{name}.{kind}" for kind in ("js", "html", "css") if kind not in parts}
    found = {k: place.read_text(encoding="utf-8") for k, place in places.items() if place.exists()}
    given: Any = {**found, **parts}
    return component(name, **given)


SAID = {"name": "Figure", "words": "figure, arrow keys read its points"}
_read = module("figure_keys")


def read_points_by_key() -> None:
    """Have the arrow keys show and say the points of a page's figures."""
    _read(key=keys.FIGURE_KEYS, data=SAID)


BRING = "Bring your own log, or try ours: drop CSV, Excel, TREC or JSON anywhere, or choose here"
LET_GO = "Drop to read these files; nothing is saved until you accept."
_dropping = module("dropping")


def take_drops() -> None:
    """Have files that are dropped anywhere on a page be read on the page of the data."""
    way = f".st-key-{keys.STUDY_CHOICE} a[href]"
    _dropping(key=keys.DROPPING, data={"words": LET_GO, "way": way})
