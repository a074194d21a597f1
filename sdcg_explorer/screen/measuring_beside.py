"""Folded away on Side by side: measures beside each other, and sessions that they judge apart."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.systems.measures_beside import SCORES, MeasuresBeside, measures_beside
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.words import measures_beside as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.opened import Opened, page_file
from sdcg_explorer.screen.show import markdown_safe, show_small, show_table
from sdcg_explorer.screen.take_away import download

TITLE = "Would another measure say otherwise?"


def show_measures(opened: Opened) -> None:
    """Show measures beside the usual score, made when the fold is open; the way to sessions."""
    fold = st.expander(TITLE, key=keys.MEASURES_BESIDE, on_change="rerun")
    if not fold.open:
        return
    with fold:
        of: MeasuresBeside = opened.ask(measures_beside)
        st.markdown(f"**{markdown_safe(words.answer(of))}**")
        show_table(of.short_table(), TITLE)
        show_small("In the table", words.columns(of))
        content = table_bytes(of.table())
        download("Download measures_beside.csv", lambda: content, "measures_beside.csv", "text/csv")
        asked = "Sessions judged most differently by"
        other = st.selectbox(asked, SCORES[1:], key=keys.BESIDE_WITH)
        place = SCORES.index(other)
        for each in of.apart[place]:
            here = {key: st.query_params.get_all(key) for key in st.query_params}
            own = {keys.SYSTEM: each.system, keys.SESSION: each.session}
            label = markdown_safe(words.door(each, SCORES[0], other))
            st.page_link(page_file("individual_sessions"), label=label, query_params=here | own)
        if not of.apart[place]:
            st.markdown(markdown_safe(words.ALIKE))
