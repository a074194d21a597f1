"""How much better is the last query than the others?"""

from functools import partial

import streamlit as st

from sdcg_explorer.analysis.curves.live import live_queries
from sdcg_explorer.analysis.curves.query_curves import MEASURES, Drawn
from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.figures.query_order import draw_query_order
from sdcg_explorer.questions.exhibits import Exhibit
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.comparable import pinned, show_keeping
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.many import choose_focus
from sdcg_explorer.screen.opened import Opened, ask
from sdcg_explorer.screen.show import show_answer, show_beneath, show_figure, show_page, show_small
from sdcg_explorer.screen.take_away import take_away


def view(opened: Opened) -> None:
    """Answer, Figure 1, and what stands beneath."""
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        split = st.segmented_control(
            "Last against others, or best against the rest",
            ("last", "best"),
            default="last",
            required=True,
            key=keys.SPLIT,
            bind="query-params",
            help=meaning("last query"),
        )
        measure = st.segmented_control(
            "Measure",
            MEASURES,
            default="sdcg",
            required=True,
            key=keys.CURVE,
            bind="query-params",
            help=meaning("sDCG", "nDCG"),
        )
        depth = st.number_input(
            "Depth (ranks)", 1, 100, 100, key=keys.DEPTH, bind="query-params", width=140
        )
        about = meaning("interval")
        bands = st.toggle("95 % intervals", key=keys.BANDS, bind="query-params", help=about)
    with st.container(horizontal=True, vertical_alignment="bottom"):
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
    drawn = {"splits": (split,), "depth": depth, "several": several, "discounted": not before}
    drawn["measure"] = measure
    order = ask(query_order, opened, bands=bands, **drawn)
    depth = order.depth
    with answer:
        show_answer(opened, order.answer())
    if any(curve.queries for curve in order.curves):
        beside = ask(query_order, opened.under(opened.kept), **drawn) if opened.kept else None
        draw = partial(draw_query_order, order, opened.systems, focus=focus, beside=beside)
        figure = pinned(draw, keys.FIGURE_1, opened, bands=bands, **drawn)
        shown = Drawn(depth, several, not before, measure)
        follow(figure, keys.FIGURE_1, opened, live_queries, depth, split=split, drawn=shown)
        show_figure(figure, f"Figure 1. {order.at_rank()}", keys.FIGURE_1, stretches=True)
        show_keeping(keys.FIGURE_1, opened)
        if within := order.within():
            show_small("Last against others", within)
        show_beneath(opened, f"{order.behind()} {order.levelling()}".strip(), order.advice())
        take_away(
            opened,
            "query_order",
            lambda: {"query_order": Exhibit("Queries by rank", order.table(), figure)},
            methods=(order.method(),),
        )


show_page("query_order", view)
