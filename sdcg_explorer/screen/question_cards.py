"""The doors of Overview: what each page asks and answers, its small figure, and the way there."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.live import live_each_session, live_queries, live_sessions
from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.side_by_side import side_by_side
from sdcg_explorer.analysis.ratings.agreement import agreement
from sdcg_explorer.analysis.ratings.ratings import NONE, Asked, ratings_of
from sdcg_explorer.analysis.selection.session_filters import ALL as EVERYONE
from sdcg_explorer.analysis.sessions.individual_sessions import individual_sessions
from sdcg_explorer.analysis.sessions.reformulations import reformulations
from sdcg_explorer.analysis.sessions.session_list import ORDERS
from sdcg_explorer.analysis.systems.cached_comparison import USUAL
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.counting.counted_study import NeedsSessionsError
from sdcg_explorer.figures.compare_systems import draw_means
from sdcg_explorer.figures.end_labels import sign_of
from sdcg_explorer.figures.individual_sessions import FEW_LINES, draw_individual_sessions
from sdcg_explorer.figures.query_order import draw_query_order
from sdcg_explorer.figures.reformulations import draw_by_query
from sdcg_explorer.figures.session_curves import draw_session_curves
from sdcg_explorer.figures.side_by_side import draw_means_beside
from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.inspecting import opens_on
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.opened import Opened, ask, page_file
from sdcg_explorer.screen.robust import most_different, over_the_plane, said_of
from sdcg_explorer.screen.show import show_explained, show_picture, show_small

Door = tuple[str, Any]  # what a page answers, and its small figure, if it has one


def of_query_order(opened: Opened) -> Door:
    """Last queries and others, by rank."""
    order = ask(query_order, opened)
    small = draw_query_order(order, opened.systems, small=True)
    shown = {"split": "last", "drawn": order.drawn}
    follow(small, keys.door("query_order"), opened, live_queries, order.depth, **shown)
    return order.answer(), small


def of_session_curves(opened: Opened) -> Door:
    """Mean share of the ideal along the session."""
    curves = ask(session_curves, opened)
    small = draw_session_curves(curves, opened.systems, small=True)
    follow(small, keys.door("session_curves"), opened, live_sessions, measure="normalised")
    return curves.answer("normalised"), small


def of_individual_sessions(opened: Opened) -> Door:
    """Each session that its page opens on."""
    system, topic = opens_on(opened)
    narrowed = opened.on_topic(topic)
    own = {"system": system, "order": next(iter(ORDERS)), "only": EVERYONE}
    each = ask(individual_sessions, narrowed, **own)
    small = draw_individual_sessions(each, opened.systems, small=True)
    if len(each.names) <= FEW_LINES:  # else quantiles are drawn
        place = keys.door("individual_sessions")
        follow(small, place, narrowed, live_each_session, system=system)
    return each.answer(), small


def of_reformulations(opened: Opened) -> Door:
    """Relevant documents found, query by query."""
    steps = ask(reformulations, opened)
    has_any = len(steps.by_query) > 0
    small = draw_by_query(steps, opened.systems, "found", small=True) if has_any else None
    return steps.answer(), small


def of_compare_systems(opened: Opened) -> Door:
    """Means of the systems' sessions with their intervals."""
    compared = ask(compare_systems, opened, score=USUAL)
    return compared.answer(), draw_means(compared, opened.systems) if compared.names else None


def of_side_by_side(opened: Opened) -> Door:
    """Means of the systems' sessions under several definitions."""
    shown = ask(side_by_side, opened)
    has_any = any(under.ranked for under in shown.each)
    return shown.answer(), draw_means_beside(shown, opened.systems) if has_any else None


def of_robustness(opened: Opened) -> Door:
    """Who is ahead over b and bq, and under all definitions where these were compared."""
    seen = over_the_plane(opened, USUAL, most_different(opened, USUAL))
    return said_of(opened, seen, ON_ITS_PAGE), None


def of_agreement(opened: Opened) -> Door:
    """How far the usual score goes with the first rating."""
    known = list(ratings_of(opened.study))
    if not known:
        return NONE, None
    return ask(agreement, opened, asked=Asked(known[0])).answer(), None


DOORS: dict[str, Callable[[Opened], Door]] = {
    "query_order": of_query_order,
    "session_curves": of_session_curves,
    "individual_sessions": of_individual_sessions,
    "reformulations": of_reformulations,
    "compare_systems": of_compare_systems,
    "robustness": of_robustness,
    "agreement": of_agreement,
    "side_by_side": of_side_by_side,
}
ALSO = ("by_hand", "data")
ON_ITS_PAGE = "All reasonable definitions are compared on its page."
ACROSS = 3  # doors


def show_link(name: str) -> None:
    """Show the way to a page, which is what it asks."""
    here = {key: st.query_params.get_all(key) for key in st.query_params}
    with st.container(key=keys.way(name)):
        st.page_link(page_file(name), label=f"**{question_of(name).words}**", query_params=here)


def show_door(name: str, opened: Opened) -> None:
    """Show what a page asks and answers, and beneath its small figure."""
    with st.container(border=True, height="stretch", vertical_alignment="distribute"):
        with st.container(gap="small"):
            show_link(name)
            if opened.study.is_counted and not question_of(name).from_counts:
                show_explained(str(NeedsSessionsError()))
                return
            answer, figure = DOORS[name](opened)
            show_explained(answer)
        if figure is not None:
            show_picture(figure, f"Small figure: {question_of(name).title}", keys.door(name))


def show_ways() -> None:
    """Show the ways to pages that answer nothing about the study."""
    for name in ALSO:
        with st.container(border=True):
            show_link(name)


def show_doors(opened: Opened) -> None:
    """Show a door to each page; those that draw the study have its answer and a figure."""
    signs = (f"{sign_of(opened.systems, name)} {name}" for name in opened.shown_systems)
    words = "Solid are the last queries, dashed the others."
    show_small("In the pictures", f"{', '.join(signs)}. {words}")
    each = [*(partial(show_door, name, opened) for name in DOORS), show_ways]
    for first in range(0, len(each), ACROSS):
        for column, show in zip(st.columns(ACROSS), each[first : first + ACROSS], strict=False):
            with column:
                show()
