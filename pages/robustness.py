"""Does the answer hold?"""

import streamlit as st

from sdcg_explorer.analysis.robustness.base_grid import GRID
from sdcg_explorer.analysis.robustness.robustness import Robustness
from sdcg_explorer.analysis.sessions.registry import SCORES
from sdcg_explorer.questions.robustness import headline, of_plane, over_the_plane
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.definition_panel import show_at_hand
from sdcg_explorer.screen.link import choose_score
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.robust import clicked, pair_of, show_all_definitions, show_at_point
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.toolbar import toolbar
from sdcg_explorer.screen.widget_values import clicks, sends

BENEATH = "All reasonable definitions are compared below."
HOW = "pointing at a point draws its session curves, a click sets b and bq"


def show_map(opened: Opened, seen: Robustness, shown: Answer) -> None:
    """The map, and the curves at the present point beside it."""
    wide, narrow = st.columns([2, 1])
    with wide:
        with sends(clicks(lambda at: len(at) == 2 and {*at} <= {*GRID})):
            show.exhibit(shown.exhibits["robustness"], keys.PLANE_MAP, clicked, stretches=1)
        if order := shown.exhibits.get("order_of_sessions"):
            show.exhibit(order, keys.ORDER_MAP)
    with narrow:
        show_at_point(opened, seen)
    show_at_hand()
    show.small("The map", f"{shown.measured}; {HOW}")


def view(opened: Opened) -> None:
    """Answer, map, curves at the present point, and all reasonable definitions."""
    above = st.empty()
    with toolbar():
        score = choose_score(SCORES)
        pair = pair_of(opened, score)
    seen = over_the_plane(opened, score, pair)
    said = headline(opened, seen, BENEATH)
    show.answer(opened, said, above.container())
    shown = of_plane(opened, seen)
    if not seen.is_known:
        show.beneath(opened, "", shown.advice)
        return
    show_map(opened, seen, shown)
    show.beneath(opened, shown.behind, shown.advice)
    shown = show_all_definitions(opened, seen) or shown
    if (now := headline(opened, seen, BENEATH)) != said:  # it was counted meanwhile
        show.answer(opened, now, above.container())
    take_away(opened, "robustness", lambda: shown.exhibits, methods=shown.methods)


show.page("robustness", view)
