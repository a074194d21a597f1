"""Does the answer hold?"""

from functools import partial

import streamlit as st

from sdcg_explorer.analysis.robustness.base_grid import GRID
from sdcg_explorer.analysis.robustness.robustness import Robustness
from sdcg_explorer.analysis.sessions.registry import SCORES
from sdcg_explorer.figures.robustness import draw_order, draw_robustness
from sdcg_explorer.questions.exhibits import of_robustness
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.definition_panel import show_at_hand
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.robust import (
    clicked,
    over_the_plane,
    pair_of,
    said_of,
    show_all_definitions,
    show_curves,
)
from sdcg_explorer.screen.shapes import clicks
from sdcg_explorer.screen.show import show_answer, show_beneath, show_figure, show_page, show_small
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.widget_values import sends

BENEATH = "All reasonable definitions are compared below."
HOW = "pointing at a point draws its session curves, a click sets b and bq"


def show_map(opened: Opened, seen: Robustness) -> None:
    """The map, and the curves at the present point beside it."""
    at = opened.definition.b, opened.definition.bq
    wide, narrow = st.columns([2, 1])
    with wide:
        figure = draw_robustness(seen, at)
        with sends(clicks(lambda at: len(at) == 2 and {*at} <= {*GRID})):
            show_figure(figure, f"Map. {seen.answer()}", keys.PLANE_MAP, clicked)
        if seen.has_order:
            words = "Rank correlation of sessions with those at the present point"
            show_figure(draw_order(seen, at), words, keys.ORDER_MAP)
    with narrow:
        show_curves(opened, seen)
    show_at_hand()
    show_small("The map", f"{seen.words}, in {seen.unit}; {HOW}")


def view(opened: Opened) -> None:
    """Answer, map, curves at the present point, and all reasonable definitions."""
    answer = st.empty()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score = st.selectbox("Score", list(SCORES), key=keys.SCORE, bind="query-params")
        pair = pair_of(opened, score)
    seen = over_the_plane(opened, score, pair)
    said = said_of(opened, seen, BENEATH)
    with answer.container():
        show_answer(opened, said)
    if not seen.is_known:
        show_beneath(opened, "", list(seen.few))
        return
    show_map(opened, seen)
    show_beneath(opened, seen.behind(), seen.advice())
    every = show_all_definitions(opened, seen)
    if (now := said_of(opened, seen, BENEATH)) != said:  # it was counted meanwhile
        with answer.container():
            show_answer(opened, now)
    at = opened.definition.b, opened.definition.bq
    take_away(opened, "robustness", partial(of_robustness, seen, at, every))


show_page("robustness", view)
