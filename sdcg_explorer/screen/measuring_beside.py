"""Folded away on Side by side: measures beside each other, and sessions that they judge apart."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.definition.definition import PRESETS
from sdcg_explorer.analysis.sessions import weightings
from sdcg_explorer.analysis.sessions.registry import ALL_SESSION_SCORES
from sdcg_explorer.analysis.systems.measures_beside import (
    MOST_BESIDE,
    SCORES,
    Entry,
    MeasuresBeside,
    entries_of,
    entry_name,
    measures_beside,
)
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.words import measures_beside as words
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.link import LINKED
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import download

TITLE = "Would another measure say otherwise?"


def choose_entries() -> tuple[Entry, ...]:
    """Which measures, and under which definitions beside that in force; the first is in force."""
    look: Any = {"default": list(SCORES), "key": keys.BESIDE_SCORES, **LINKED}
    scores = st.multiselect("Measures", [*ALL_SESSION_SCORES], **look)
    presets = st.multiselect("Also under", [*PRESETS], key=keys.BESIDE_PRESETS, **LINKED)
    every = entries_of(scores or SCORES[:1], presets)
    if len(every) > MOST_BESIDE:
        show.small("Not all", words.too_many(len(every), MOST_BESIDE))
    return every[:MOST_BESIDE]


def show_measures(opened: Opened) -> None:
    """Show measures beside the first of them, made when the fold is open; the way to sessions."""
    fold = st.expander(TITLE, key=keys.MEASURES_BESIDE, on_change="rerun")
    if not fold.open:
        return
    with fold:
        of: MeasuresBeside = opened.ask(measures_beside, entries=choose_entries())
        st.markdown(f"**{show.markdown_safe(opened.in_short(words.answer(of)))}**")
        show.table(of.short_table(), TITLE)
        show.small("In the table", words.columns(of))
        content = table_bytes(of.table())
        download("Download measures_beside.csv", lambda: content, "measures_beside.csv", "text/csv")
        show_apart(of)


def show_apart(of: MeasuresBeside) -> None:
    """Show the sessions that a measure and the first judge most differently, and the way there."""
    first, *names = map(entry_name, of.entries)
    if not names:
        return
    if st.session_state.get(keys.BESIDE_WITH) not in names:
        st.session_state[keys.BESIDE_WITH] = names[0]
    other = st.selectbox("Sessions judged most differently by", names, key=keys.BESIDE_WITH)
    place = names.index(other) + 1
    weighed = [other] if of.entries[place][0] in weightings.SCORES else []
    with st.container(key=keys.way("sessions"), gap="small"):
        for each in of.apart[place]:
            own = {keys.SYSTEM: each.system, keys.SESSION: each.session, keys.WEIGHED: weighed}
            show.way("individual_sessions", show.markdown_safe(words.door(each, first, other)), own)
    if not of.apart[place]:
        st.markdown(show.markdown_safe(words.ALIKE))
    elif not weighed:
        st.markdown(show.markdown_safe(words.no_weights(other)))
