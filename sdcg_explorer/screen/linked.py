"""Widgets whose values stand in the link, each under its key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

LINKED: Any = {"bind": "query-params"}


def one_of(words: str, names: Iterable[str], key: str, about: str | None = None) -> str:
    """One of a few names that stand beside each other; the first unless another is chosen."""
    few = list(names)
    look: Any = {"default": few[0], "required": True, "help": about}
    return st.segmented_control(words, few, key=key, **look, **LINKED)


def pick(words: str, names: Iterable[Any], key: str, index: int | None = 0, **look: Any) -> Any:
    """One of many names in a list; with no `index`, none unless one is chosen."""
    return st.selectbox(words, list(names), index, key=key, **look, **LINKED)


def switch(words: str, key: str, about: str | None = None, **look: Any) -> bool:
    """Yes or no; no unless said otherwise."""
    return st.toggle(words, key=key, help=about, **look, **LINKED)


def number(
    words: str, least: float, most: float | None, usual: float | None, key: str, **look: Any
) -> Any:
    """A number from the least to the most, or none where none is usual."""
    return st.number_input(words, least, most, usual, key=key, **look, **LINKED)
