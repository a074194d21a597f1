"""Part of the inspector: what cells weigh by sDCG, and by another measure."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.definition.definition import PRESETS
from sdcg_explorer.analysis.sessions.weightings import SCORES, Weightings, weightings
from sdcg_explorer.analysis.systems.measures_beside import Entry, entry_name
from sdcg_explorer.figures.weightings import draw_weightings
from sdcg_explorer.questions.words import weightings as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.by_words import by_words
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe, show_figure, show_small

NONE = "none"
ENTRIES: dict[str, Entry] = {  # by their names in links
    entry_name((score, preset)): (score, preset) for preset in ("", *PRESETS) for score in SCORES
}


def choose_weighing(opened: Opened) -> None:
    """Draw the choice of a measure whose weights of cells stand beside sDCG's; the link has it."""
    of_force = {name: entry for name, entry in ENTRIES.items() if not entry[1]}
    asked = st.query_params.get(keys.WEIGHED, "")
    shown = of_force | ({asked: ENTRIES[asked]} if asked in ENTRIES else {})
    called = {name: words.names(opened.definition, *entry)[1] for name, entry in shown.items()}
    look = by_words(keys.WEIGHED, {NONE: NONE} | called)
    st.selectbox("Weights of cells beside sDCG's", **look)


def show_weighing(opened: Opened, session: str) -> None:
    """Show both weightings of a session's cells, where another measure is chosen."""
    entry = ENTRIES.get(str(st.session_state.get(keys.WEIGHED)))
    if entry is None:
        return
    score, preset = entry
    of: Weightings = opened.ask(weightings, session=session, score=score, preset=preset)
    called = words.names(opened.definition, score, preset)
    said = words.said(of, called)
    if of.gains.size:
        figure = draw_weightings(of, opened.systems, called)
        show_figure(figure, f"Weights of cells of session {session}. {said}", keys.weighed(session))
    st.markdown(markdown_safe(said))
    show_small("In the picture", words.PICTURE)
