"""Widgets whose values stand in the link, each under its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.sessions.registry import SESSION_SCORES
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.link import in_link

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


def by_words(key: str, words: Mapping[str, str], usual: str = "") -> dict[str, Any]:
    """What a widget is given to choose a name by its words; the first one unless said or asked."""
    usual, state = usual or next(iter(words)), st.session_state
    asked = st.query_params.get(key) or state.get(key) or state.get(keys.chosen(key))
    name = asked if asked in words else usual
    state[key] = state[keys.chosen(key)] = name
    _take(key, usual)
    look = {"format_func": words.__getitem__, "on_change": _take, "args": (key, usual)}
    return {"options": list(words), "key": key, **look}


def choose_score(names: Iterable[str]) -> str:
    """A score of sessions, which is the same on every page."""
    scores = worded({name: SESSION_SCORES.get(name) for name in names})
    about = meaning("sDCG", "nsDCG")
    return st.selectbox("Score", **by_words(keys.SCORE, scores), help=about)


def worded(scores: Mapping[str, Any]) -> dict[str, str]:
    """Scores as a list shows them: in words, then as files call them; a rating by its name."""
    return {name: f"{of.words} · {name}" if of else name for name, of in scores.items()}


def _take(key: str, usual: str) -> None:
    """Into the link, which leaves out what is usual."""
    name = st.session_state[key]
    st.session_state[keys.chosen(key)] = name
    in_link(key, [] if name == usual else [name])
