"""Which sessions succeeded, and at which query?"""

import streamlit as st

from analysis.individual_sessions import ORDERS, individual_sessions
from figures.individual_sessions import draw_individual_sessions
from pages import ask, open_page, show_answer, show_beneath, show_data, show_figure, show_table

ALL = "all topics"
COLUMNS = ["session", "topic", "queries", "final", "last", "final_normalised"]

opened = open_page()
st.title("Which sessions succeeded, and at which query?")


@st.fragment
def view() -> None:
    """Answer, Figure 4, and what stands beneath."""
    answer = st.container()
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        system = st.selectbox("System", opened.shown_systems, key="system", bind="query-params")
        topic = st.selectbox(
            "Topic",
            [*opened.topics, ALL],
            opened.topics.index(opened.first_topic),
            key="one_topic",
            bind="query-params",
        )
        order = st.selectbox(
            "Order of the list",
            list(ORDERS),
            key="order",
            bind="query-params",
        )
        length = st.number_input(
            "Queries on the axis", 1, 99, 6, key="axis", bind="query-params", width=150
        )
    sessions = ask(
        individual_sessions,
        opened.on_topic(None if topic == ALL else topic),
        system=system,
        order=order,
    )
    with answer:
        show_answer(opened, sessions.answer())
    if not sessions.names:
        return
    with controls:
        chosen = st.selectbox(
            "Session on top",
            sessions.names,
            None,
            placeholder="none",
            key="session",
            bind="query-params",
        )
    figure = draw_individual_sessions(sessions, opened.systems, chosen=chosen, length=length)
    show_figure(figure, f"Figure 4. {sessions.answer()}", "figure_4")
    show_beneath(opened, sessions.behind())
    show_table(sessions.table()[COLUMNS], "Sessions with their scores")
    show_data(opened, sessions.values(), "individual_sessions")


view()
