"""The fold of Compare systems in which the next study is planned."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.next_study import WIDE, NextStudy
from sdcg_explorer.questions.compare_systems import of_next_study, plan_of
from sdcg_explorer.questions.view import Exhibits
from sdcg_explorer.questions.words import next_study as words
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.link import number
from sdcg_explorer.screen.opened import Opened


def show_next_study(opened: Opened, compared: Comparison, place: int) -> Exhibits:
    """Show what a next study of a pair needs, computed once the fold is open; none before."""
    if not compared.pairs:
        return {}
    unit = compared.pairs[place].unit
    fold = st.expander(
        f"How many {unit}s would the next study need?",
        expanded=keys.PLAN_FOR in st.query_params,
        key=keys.NEXT_STUDY_FOLD,
        on_change="rerun",
    )
    if not fold.open:
        return {}
    with fold:
        answer = st.container()
        asked = f"A difference that would matter ({compared.unit})"
        look = {"placeholder": "none", "format": "%g", "width": 320}
        entered = number(asked, 0.0, None, None, keys.PLAN_FOR, **look)
        planned = plan_of(compared, place, plan_for=entered or None)
        with answer:
            st.markdown(f"**{show.markdown_safe(opened.in_short(words.answer(planned)))}**")
        exhibits = of_next_study(planned)
        _show(planned, exhibits)
    return exhibits


def _show(planned: NextStudy, exhibits: Exhibits) -> None:
    """Curves, what they rest on, and the table."""
    for exhibit in exhibits.values():
        show.exhibit(exhibit, keys.NEXT_STUDY)
    show.lines(words.said(planned))
    for exhibit in exhibits.values():
        show.table(exhibit.table.drop(columns=list(WIDE)), exhibit.caption)
        show.small("Columns", words.behind(planned))
