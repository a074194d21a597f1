"""A choice among scores, that reads in words and stands in the link by name.

A widget that is bound to the address would write its words there, and links by names that were
ever copied would fall back to the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.sessions.registry import SESSION_SCORES
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.link import in_link


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
