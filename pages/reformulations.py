"""What does asking again bring?"""

from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.sessions.reformulations import (
    BY_QUERY,
    MEASURES,
    USUAL,
    Reformulations,
    reformulations,
)
from sdcg_explorer.analysis.sessions.registry import QUERY_SCORES
from sdcg_explorer.figures.panels import in_panels
from sdcg_explorer.figures.reformulations import (
    draw_by_query,
    draw_changes,
    draw_first_queries,
    draw_shares,
)
from sdcg_explorer.questions.exhibits import of_reformulations
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.many import choose_end, choose_focus
from sdcg_explorer.screen.opened import Opened, ask
from sdcg_explorer.screen.show import (
    show_answer,
    show_beneath,
    show_figure,
    show_page,
    show_small,
    show_table,
)
from sdcg_explorer.screen.take_away import take_away


def show_by_query(opened: Opened, steps: Reformulations, name: str, look: dict[str, Any]) -> None:
    """Show the mean of a measure by query number."""
    figure = draw_by_query(steps, opened.systems, name, **look)
    show_figure(figure, f"Mean {name} by query number", keys.by_query(name))


def show_means(opened: Opened, steps: Reformulations, look: dict[str, Any]) -> None:
    """Show the means by query number: beside each other, unless each has many panels."""
    if steps.measure != USUAL:
        st.subheader(f"Mean {steps.words} by query number", anchor=keys.MEANS)
        show_by_query(opened, steps, steps.measure, look)
    st.subheader("What has been found, what is new, and what comes again, by query number")
    is_many = in_panels(len(steps.systems), focus=look["focus"])
    places = [st.container() for _ in BY_QUERY] if is_many else st.columns(3)
    for place, name in zip(places, BY_QUERY, strict=True):
        with place:
            show_by_query(opened, steps, name, look)


def show_boxes(opened: Opened, steps: Reformulations) -> None:
    """Show how far changes and first queries spread, where enough values stand behind."""
    st.subheader("How large are the changes, and is the first query worth less where more follow?")
    if not st.toggle("Show boxes", key=keys.BOXES, bind="query-params"):
        return
    show_small("Boxes", steps.of_boxes())
    if len(steps.boxes(steps.changes)):
        show_figure(draw_changes(steps, opened.systems), "Changes by step", keys.CHANGES)
    if len(steps.boxes(steps.first)):
        drawn = draw_first_queries(steps, opened.systems)
        show_figure(drawn, "First queries by session length", keys.FIRST)


def view(opened: Opened) -> None:
    """Answer, what reformulations did from query to query, and what stands beneath."""
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.selectbox(
            "Measure",
            list(MEASURES),
            key=keys.QUERY_MEASURE,
            bind="query-params",
            width=240,
            help=meaning("DCG", "nDCG"),
        )
        steps = ask(reformulations, opened, measure=measure)
        every, focus = choose_end(is_cut=steps.is_cut), choose_focus(opened)
    with answer:
        show_answer(opened, steps.answer())
    show_small(measure, f"{QUERY_SCORES[measure].words}, in {QUERY_SCORES[measure].unit}")
    if not len(steps.changes):
        return
    length = steps.end(every=every)
    shares = draw_shares(steps, opened.systems, length=length)
    show_figure(shares, f"Reformulations. {steps.answer()}", keys.SHARES)
    show_beneath(opened, steps.behind(every=every), steps.advice())
    look = {"length": length, "focus": focus}
    show_means(opened, steps, look)
    show_boxes(opened, steps)
    st.subheader("The last query as the best")
    show_table(steps.table(), "Reformulations and best queries by system")
    take_away(opened, "reformulations", partial(of_reformulations, steps, opened.systems, **look))


show_page("reformulations", view)
