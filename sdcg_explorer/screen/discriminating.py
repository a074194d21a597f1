"""Folded away on Side by side: which score tells systems apart."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.systems.discriminative_power import scores_asked
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.discriminative_power import NEEDED, TITLE, of_scores
from sdcg_explorer.questions.words.discriminative_power import PICTURE
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe, show_exhibit, show_small, show_table
from sdcg_explorer.screen.take_away import download


def show_discriminating(opened: Opened) -> list[str]:
    """Show p of all pairs by score, made when the fold is open; its paragraph of methods."""
    fold = st.expander(TITLE, key=keys.DISCRIMINATING, on_change="rerun")
    if not fold.open:
        return []
    with fold:
        shown = of_scores(opened, scores_asked(opened.definition))
        st.markdown(f"**{markdown_safe(opened.in_short(shown.headline))}**")
        if not shown.exhibits:
            return []
        show_exhibit(shown.exhibits["discriminative_power"], keys.DISCRIMINATIVE_POWER)
        show_small("In the picture", PICTURE)
        show_small("Behind it", " ".join([shown.behind, *shown.more, *shown.advice]))
        show_table(shown.exhibits["discriminated"].table, NEEDED)
        for name, exhibit in shown.exhibits.items():
            content = table_bytes(exhibit.table)
            download(f"Download {name}.csv", lambda c=content: c, f"{name}.csv", "text/csv")
    return shown.methods
