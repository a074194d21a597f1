"""What does asking again bring?"""

import streamlit as st

from analysis.glossary import meaning
from analysis.reformulations import BY_QUERY, MEASURES, USUAL, reformulations
from analysis.registry import QUERY_SCORES
from export.exhibits import of_reformulations
from figures.reformulations import draw_by_query, draw_changes, draw_first_queries
from pages.parts import keys
from pages.parts.opened import Opened, ask
from pages.parts.show import (
    show_answer,
    show_beneath,
    show_figure,
    show_page,
    show_small,
    show_table,
)
from pages.parts.take_away import take_away


def view(opened: Opened) -> None:
    """Answer, changes from query to query, and what stands beneath."""
    answer = st.container()
    measure = st.selectbox(
        "Measure",
        list(MEASURES),
        key=keys.QUERY_MEASURE,
        bind="query-params",
        width=240,
        help=meaning("DCG", "nDCG"),
    )
    steps = ask(reformulations, opened, measure=measure)
    with answer:
        show_answer(opened, steps.answer())
    show_small(measure, f"{QUERY_SCORES[measure].words}, in {QUERY_SCORES[measure].unit}")
    if not len(steps.changes):
        return
    systems = opened.systems

    def show_by_query(name: str) -> None:
        figure = draw_by_query(steps, systems, name)
        show_figure(figure, f"Mean {name} by query number", keys.by_query(name))

    changes = draw_changes(steps, systems)
    show_figure(changes, f"Changes. {steps.answer()}", keys.CHANGES)
    show_beneath(opened, steps.behind(), steps.advice())
    if measure != USUAL:
        st.subheader(f"Mean {steps.words} by query number")
        show_by_query(measure)
    st.subheader("What has been found, what is new, and what comes again, by query number")
    for column, name in zip(st.columns(3), BY_QUERY, strict=True):
        with column:
            show_by_query(name)
    st.subheader("Is the first query worth less where more follow?")
    show_figure(draw_first_queries(steps, systems), "First queries by session length", keys.FIRST)
    st.subheader("The last query as the best")
    show_table(steps.table(), "Reformulations and best queries by system")
    take_away(opened, "reformulations", lambda: of_reformulations(steps, systems))


show_page("reformulations", view)
