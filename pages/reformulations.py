"""What does asking again bring?"""

import streamlit as st

from analysis.reformulations import BY_QUERY, reformulations
from export.exhibits import of_reformulations
from figures.reformulations import draw_by_query, draw_changes, draw_first_queries
from pages.parts import keys
from pages.parts.opened import Opened, ask
from pages.parts.show import show_answer, show_beneath, show_figure, show_page, show_table
from pages.parts.take_away import take_away


def view(opened: Opened) -> None:
    """Answer, changes from query to query, and what stands beneath."""
    steps = ask(reformulations, opened)
    show_answer(opened, steps.answer())
    if not len(steps.changes):
        return
    systems = opened.systems
    changes = draw_changes(steps, systems)
    show_figure(changes, f"Changes. {steps.answer()}", keys.CHANGES)
    show_beneath(opened, steps.behind(), steps.advice())
    st.subheader("What has been found, what is new, and what comes again, by query number")
    for column, measure in zip(st.columns(3), BY_QUERY, strict=True):
        with column:
            figure = draw_by_query(steps, systems, measure)
            show_figure(figure, f"Mean {measure} by query number", keys.by_query(measure))
    st.subheader("Is the first query worth less where more follow?")
    show_figure(draw_first_queries(steps, systems), "First queries by session length", keys.FIRST)
    st.subheader("The last query as the best")
    show_table(steps.table(), "Reformulations and best queries by system")
    take_away(opened, "reformulations", lambda: of_reformulations(steps, systems))


show_page("reformulations", view)
