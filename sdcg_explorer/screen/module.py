"""Modules of our own in the page: a script, and what it draws, in files of one name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.components.v2 import component

HERE = Path(__file__).parent


def module(name: str, **parts: str) -> Any:
    """A module of the files of its name: a script, and a page and a look where it has these.

    parts : what is in no file of its own
    """
    places = {kind: HERE / f"{name}.{kind}" for kind in ("js", "html", "css") if kind not in parts}
    found = {k: place.read_text(encoding="utf-8") for k, place in places.items() if place.exists()}
    given: Any = {**found, **parts}
    return component(name, **given)
