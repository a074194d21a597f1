"""Which sessions succeeded, and at which query?"""

from functools import partial
from typing import Any

import streamlit as st

from analysis.individual_sessions import (
    MOST_LINES,
    ORDERS,
    IndividualSessions,
    individual_sessions,
)
from analysis.inspector import inspector
from analysis.live import live_each_session
from export.exhibits import Exhibit, Exhibits, of_inspector
from figures.individual_sessions import draw_individual_sessions
from pages.parts import keys
from pages.parts.comparable import pinned
from pages.parts.definition_panel import show_at_hand
from pages.parts.inspecting import (
    ALL,
    EVERY,
    choose_from_list,
    choose_sessions,
    clicked,
    show_inspector,
)
from pages.parts.live import follow
from pages.parts.opened import Opened, ask
from pages.parts.show import show_answer, show_beneath, show_figure, show_not_kept, show_page
from pages.parts.tagging import show_tagged
from pages.parts.take_away import take_away


def choose(opened: Opened) -> tuple[IndividualSessions, Opened, int]:
    """System, topic, order and axis; the sessions that they leave, and of what."""
    several = [EVERY] if len(opened.shown_systems) > 1 else []
    system = st.selectbox(
        "System", [*opened.shown_systems, *several], key=keys.SYSTEM, bind="query-params"
    )
    topic = st.selectbox(
        "Topic",
        [*opened.topics, ALL],
        opened.topics.index(opened.first_topic),
        key=keys.ONE_TOPIC,
        bind="query-params",
    )
    order = st.selectbox("Order of the list", list(ORDERS), key=keys.ORDER, bind="query-params")
    length = st.number_input(
        "Queries on the axis", 1, 99, 6, key=keys.AXIS, bind="query-params", width=150
    )
    narrowed = opened.on_topic(None if topic == ALL else topic)
    whose = None if system == EVERY else system
    return ask(individual_sessions, narrowed, system=whose, order=order), narrowed, length


def exhibits(
    opened: Opened, sessions: IndividualSessions, figure: Any, chosen: list[str]
) -> Exhibits:
    """The curves of all sessions, and of each that is looked into."""
    looked_into = {
        name: of_inspector(ask(inspector, opened, session=session), opened.systems)
        for name, session in zip(("session_on_top", "session_beside"), chosen, strict=False)
    }
    return {
        "individual_sessions": Exhibit("Curve of each session", sessions.values(), figure),
        **looked_into,
    }


def view(opened: Opened) -> None:
    """Answer, Figure 4, the list, and the sessions that are looked into."""
    answer = st.container()
    show_not_kept()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sessions, narrowed, length = choose(opened)
    with answer:
        show_answer(opened, sessions.answer())
    if not sessions.names:
        return
    chosen = choose_sessions(sessions)
    look = {"chosen": chosen, "length": length}
    draw = partial(draw_individual_sessions, sessions, opened.systems, **look)
    figure = pinned(draw, keys.FIGURE_4, narrowed, system=sessions.system, length=length)
    if len(sessions.names) <= MOST_LINES:  # else quantiles are drawn
        follow(figure, keys.FIGURE_4, narrowed, live_each_session, system=sessions.system or None)
    show_figure(figure, f"Figure 4. {sessions.answer()}", keys.FIGURE_4, clicked, stretches=True)
    show_at_hand()
    show_beneath(opened, sessions.behind())
    choose_from_list(sessions)
    columns = st.columns(max(1, len(chosen)))
    for column, name, place in zip(columns, chosen, ("on_top", "beside"), strict=False):
        with column:
            show_inspector(opened, name, place)
    show_tagged(opened)
    take_away(opened, "individual_sessions", lambda: exhibits(opened, sessions, figure, chosen))


show_page("individual_sessions", view)
