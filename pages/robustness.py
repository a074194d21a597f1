"""Does the answer hold?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from sdcg_explorer.questions import robustness as question
from sdcg_explorer.questions.robustness.numbers import (
    Robustness,
    all_definitions,
    compare_by_assessor,
    has_few_sessions,
    has_several_assessors,
)
from sdcg_explorer.questions.robustness.words import MOVED, under_each_assessor
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import Answer, Live
from sdcg_explorer.scoring import live, measures, scores
from sdcg_explorer.screen import comparing, controls, keys, link, scripts, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away

HOW = "Hover over a point to see its session curves; click to set b and bq."
BY_ASSESSOR = "Each assessor, and how far they agree"
COLUMNS = (
    "definitions from the smallest difference to the largest, grouped in columns of equal size. "
    "Darker fields: more of the column's definitions use that option. • marks the current options"
)


def show_mean_curves(opened: Opened, seen: Robustness) -> None:
    """Show the mean session curves of the map's systems under the definition in force."""
    own = replace(opened, filters=replace(opened.filters, systems=seen.systems))
    measure = "normalised" if seen.unit in measures.SHARES else "raw"
    curves = own.ask(session_curves)
    draw = partial(draw_session_curves, curves, opened.systems, measure=measure, small=True)
    figure = controls.pinned(draw, keys.AT_POINT, own, measure=measure)
    scripts.follow(
        figure, keys.AT_POINT, Live(own, live.live_sessions, {"measure": measure}), keys.PLANE_MAP
    )
    at = f"b = {opened.definition.b:g}, bq = {opened.definition.bq:g}".replace("inf", "∞")
    show.small("Session curves", f"at {at}, or at the point you hover over")
    show.figure(figure, f"Session curves at this point. {at}", keys.AT_POINT)


def show_all_definitions(opened: Opened, seen: Robustness) -> Answer | None:
    """Show the difference under every combination of choices, once the fold is open.

    Where sessions are few it is counted in any case, as the first line says what comes of it. The
    answer with all definitions, where they are shown.
    """
    if seen.pair is None:
        return None
    fold = st.expander("All reasonable definitions", key=keys.ALL_DEFINITIONS, on_change="rerun")
    if not fold.open and not opened.ask(has_few_sessions):
        return None
    with fold:
        own, asked = question.view_for_all_definitions(opened, seen)
        with st.spinner("Comparing the systems under thousands of definitions …"):
            own.ask(all_definitions, **asked)
        if not fold.open:
            return None
        every = question.under_all_definitions(opened, seen)
        if every is None:
            st.markdown("The difference is undefined under all of them.")
            return None
        shown = question.robustness_answer(opened, seen, every)
        st.markdown(f"**{show.markdown_safe(shown.exhibits['all_definitions'].said)}**")
        show.lines(shown.more)
        show.exhibit(shown.exhibits["all_definitions"], keys.SPECIFICATION)
        show.small("Columns", COLUMNS)
        show.table(shown.tables[MOVED], MOVED)
        return shown


def show_judges(opened: Opened, seen: Robustness) -> None:
    """Show the comparison under each assessor: of many sessions, once the fold is open."""
    if seen.pair is None or not has_several_assessors(opened.study, opened.definition):
        return
    above = st.container()
    fold = st.expander(BY_ASSESSOR, key=keys.JUDGES, on_change="rerun")
    if not (fold.open or opened.ask(has_few_sessions)):
        return
    if (of := opened.ask(compare_by_assessor, score=seen.score, pair=seen.pair)) is None:
        return
    with above:
        show.small(question.JUDGES, under_each_assessor(of))
    with fold:
        for caption, table in question.tables_of(of).items():
            show.table(table, caption)


def view(opened: Opened) -> None:
    """Answer, map, curves, and all reasonable definitions."""
    above = st.empty()
    with controls.toolbar():
        known = scores.scores_of(opened.study)
        score = link.choose_score(name for name in measures.SCORES if name in known)
        pair = question.chosen_pair(opened, score, comparing.choose_pair)
    seen = question.bases_map(opened, score, pair)
    said = question.headline(opened, seen)
    show.answer(opened, said, above.container())
    shown = question.robustness_answer(opened, seen)
    if not seen.is_known:
        show.beneath(opened, "", shown.advice)
        return
    wide, narrow = st.columns([2, 1])
    with wide:
        sidebar.show_map(shown.exhibits["robustness"], keys.PLANE_MAP, stretches=1)
        if order := shown.exhibits.get("order_of_sessions"):
            show.exhibit(order, keys.ORDER_MAP)
    with narrow:
        show_mean_curves(opened, seen)
    sidebar.show_at_hand()
    show.small("The map", f"{shown.measured}. {HOW}")
    show.beneath(opened, shown.behind, shown.advice)
    shown = show_all_definitions(opened, seen) or shown
    show_judges(opened, seen)
    if (now := question.headline(opened, seen)) != said:  # it was counted meanwhile
        show.answer(opened, now, above.container())
    take_away(opened, "robustness", lambda: shown.exhibits, methods=shown.methods)


show.run_page("robustness", view)
