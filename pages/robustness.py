"""Does the answer hold?"""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.questions import robustness as question
from sdcg_explorer.questions.robustness import numbers, words
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import Answer, Exhibit, Live
from sdcg_explorer.scoring import measures, scores
from sdcg_explorer.scoring.live import live_sessions
from sdcg_explorer.screen import comparing, controls, keys, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened

HOW = "Hover over a point to see its session curves; click to set b and bq."
COLUMNS = (
    "definitions from the smallest difference to the largest, grouped in columns of equal size. "
    "Darker fields: more of the column's definitions use that option. • marks the current options"
)


def show_all_definitions(opened: Opened, seen: numbers.Robustness) -> Answer | None:
    """Show the difference under every combination of choices, once the fold is open.

    Where sessions are few it is counted in any case, as the first line says what comes of it. The
    answer with all definitions, where they are shown.
    """
    if seen.pair is None:
        return None
    fold = st.expander("All reasonable definitions", key="all_definitions", on_change="rerun")
    if not fold.open and not opened.ask(numbers.has_few_sessions):
        return None
    with fold:
        own, asked = question.view_for_all_definitions(opened, seen)
        with st.spinner("Comparing the systems under thousands of definitions …"):
            own.ask(numbers.all_definitions, **asked)
        if not fold.open:
            return None
        every = question.under_all_definitions(opened, seen)
        if every is None:
            st.markdown("The difference is undefined under all of them.")
            return None
        shown = question.robustness_answer(opened, seen, every)
        st.markdown(f"**{show.markdown_safe(shown.exhibits['all_definitions'].said)}**")
        show.lines(shown.more)
        show.exhibit(shown.exhibits["all_definitions"], "specification")
        show.small("Columns", COLUMNS)
        show.table(shown.tables[words.MOVED], words.MOVED)
        return shown


def show_judges(opened: Opened, seen: numbers.Robustness) -> None:
    """Show the comparison under each assessor: of many sessions, once the fold is open."""
    if seen.pair is None or not numbers.has_several_assessors(opened.study, opened.definition):
        return
    above = st.container()
    fold = st.expander("Each assessor, and how far they agree", key="judges", on_change="rerun")
    if not (fold.open or opened.ask(numbers.has_few_sessions)):
        return
    if (of := opened.ask(numbers.compare_by_assessor, score=seen.score, pair=seen.pair)) is None:
        return
    with above:
        show.small(question.JUDGES, words.under_each_assessor(of))
    with fold:
        for caption, table in question.tables_of(of).items():
            show.table(table, caption)


def view(opened: Opened) -> None:
    """Answer, map, curves, and all reasonable definitions."""
    with controls.toolbar() as above:
        known = scores.scores_of(opened.study)
        score = link.choose_score(name for name in measures.SCORES if name in known)
        pair = question.chosen_pair(opened, score, comparing.choose_pair)
    seen = question.bases_map(opened, score, pair)
    said = question.headline(opened, seen)
    show.answer(opened, said, above)
    shown = question.robustness_answer(opened, seen)
    if not seen.is_known:
        show.beneath(opened, "", shown.advice)
        return
    wide, narrow = st.columns([2, 1])
    with wide:
        sidebar.show_map(shown.exhibits["robustness"], keys.PLANE_MAP, stretches=1)
        if order := shown.exhibits.get("order_of_sessions"):
            show.exhibit(order, "order_map")
    with narrow:
        own = replace(opened, filters=replace(opened.filters, systems=seen.systems))
        measure = "normalised" if seen.unit in measures.SHARES else "raw"
        curves, look = own.ask(session_curves), dict[str, Any](measure=measure)
        draw = partial(draw_session_curves, curves, opened.systems, small=True, **look)
        at = f"b = {opened.definition.b:g}, bq = {opened.definition.bq:g}".replace("inf", "∞")
        show.small("Session curves", f"at {at}, or at the point you hover over")
        alt, live = f"Session curves at this point. {at}", Live(own, live_sessions, look)
        means = Exhibit("", curves.table, draw, alt=alt, live=live)
        controls.show_curves(own, means, keys.AT_POINT, stretches=0, **look)
    sidebar.show_at_hand()
    show.small("The map", f"{shown.measured}. {HOW}")
    show.beneath(opened, shown.behind, shown.advice)
    shown = show_all_definitions(opened, seen) or shown
    show_judges(opened, seen)
    if (now := question.headline(opened, seen)) != said:  # it was counted meanwhile
        show.answer(opened, now, above)
    take_away.offer(opened, "robustness", lambda: shown.exhibits, methods=shown.methods)


show.run_page("robustness", view)
