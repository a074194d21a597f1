"""How much better is the last query than the others?"""

import streamlit as st

from sdcg_explorer.analysis.curves.query_curves import MEASURES
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.query_order import DEPTH, answer
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.by_words import by_words
from sdcg_explorer.screen.comparable import show_curves, show_keeping
from sdcg_explorer.screen.many import choose_focus
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import show_answer, show_beneath, show_page, show_small
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.toolbar import options, toolbar


def view(opened: Opened) -> None:
    """Answer, Figure 1, and what stands beneath."""
    above = st.container()
    with toolbar():
        split = st.segmented_control(
            "Queries",
            ("last", "best"),
            default="last",
            required=True,
            key=keys.SPLIT,
            bind="query-params",
            help=meaning("last query"),
        )
        measure = st.segmented_control(
            "Measure",
            **by_words(keys.CURVE, MEASURES),
            required=True,
            help=meaning("sDCG", "nDCG"),
        )
        about = meaning("interval")
        bands = st.toggle("95 % intervals", key=keys.BANDS, bind="query-params", help=about)
        more = options()
    with more:
        depth = st.number_input(
            "Depth (ranks)", 1, DEPTH, DEPTH, key=keys.DEPTH, bind="query-params", width=140
        )
        several = st.toggle(
            "Only sessions with several queries", key=keys.SEVERAL, bind="query-params"
        )
        before = st.toggle(
            "Before the query discount",
            key=keys.UNDISCOUNTED,
            bind="query-params",
            disabled=measure == "ndcg",  # a share knows no D(q)
        )
        focus = choose_focus(opened)
    drawn = {"splits": (split,), "depth": opened.study.depth_to(depth), "several": several}
    drawn |= {"discounted": not before, "measure": measure}
    kept = opened.under(opened.kept) if opened.kept else None
    shown = answer(opened, focus=focus, beside=kept, bands=bands, **drawn)
    with above:
        show_answer(opened, shown.headline)
    if not shown.exhibits:
        return
    figure = show_curves(opened, shown.exhibits["query_order"], keys.FIGURE_1, bands=bands, **drawn)
    show_keeping(keys.FIGURE_1, opened)
    if shown.note:
        show_small("Last against others", shown.note)
    show_beneath(opened, shown.behind, shown.advice)
    take_away(opened, "query_order", lambda: {"query_order": figure}, methods=shown.methods)


show_page("query_order", view)
