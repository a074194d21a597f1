"""Which sessions succeeded, and at which query?"""

from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.live import live_each_session
from sdcg_explorer.analysis.selection.session_filters import ALL as EVERYONE
from sdcg_explorer.analysis.sessions.individual_sessions import (
    MOST_LINES,
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.analysis.sessions.inspector import inspector
from sdcg_explorer.analysis.sessions.session_heatmap import Wall, wall
from sdcg_explorer.figures.individual_sessions import draw_individual_sessions
from sdcg_explorer.questions.exhibits import Exhibit, Exhibits, of_inspector, of_wall
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.comparable import pinned
from sdcg_explorer.screen.definition_panel import show_at_hand
from sdcg_explorer.screen.inspecting import (
    ALL,
    EVERY,
    choose_from_list,
    choose_length,
    choose_sessions,
    clicked,
    opens_on,
    show_both,
)
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.opened import Opened, ask
from sdcg_explorer.screen.session_heatmap import (
    choose_only,
    choose_order,
    choose_shade,
    mount_wall,
    show_wall,
)
from sdcg_explorer.screen.shapes import clicks
from sdcg_explorer.screen.show import (
    show_answer,
    show_beneath,
    show_figure,
    show_not_kept,
    show_page,
)
from sdcg_explorer.screen.tagging import show_tagged
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.widget_values import sends


def choose(opened: Opened) -> tuple[Opened, dict[str, Any]]:
    """System, topic and order; what they leave, and the choices of the list."""
    systems = [*opened.shown_systems, *([EVERY] if len(opened.shown_systems) > 1 else [])]
    topics = [*opened.topics, ALL]
    first_system, first_topic = opens_on(opened)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox(
            "System",
            systems,
            systems.index(first_system or EVERY),
            key=keys.SYSTEM,
            bind="query-params",
        )
        topic = st.selectbox(
            "Topic",
            topics,
            topics.index(first_topic or ALL),
            key=keys.ONE_TOPIC,
            bind="query-params",
        )
        order = choose_order(opened)
        shade = choose_shade()
    narrowed = opened.on_topic(None if topic == ALL else topic)
    own = {"system": None if system == EVERY else system, "order": order}
    return narrowed, {**own, "shade": shade}


def exhibits(
    opened: Opened, seen: Wall, sessions: IndividualSessions, figure: Any, chosen: list[str]
) -> Exhibits:
    """The curves of all sessions, the wall, and the curve of each that is looked into."""
    looked_into = {
        name: of_inspector(ask(inspector, opened, session=session), opened.systems)
        for name, session in zip(("session_on_top", "session_beside"), chosen, strict=False)
    }
    return {
        "individual_sessions": Exhibit("Curve of each session", sessions.values, figure),
        **of_wall(seen),
        **looked_into,
    }


def show_curves(opened: Opened, sessions: IndividualSessions, chosen: list[str]) -> Any:
    """Show Figure 4, the sliders at hand, and what goes on beyond its axis."""
    length = choose_length(sessions)
    look = {"chosen": chosen, "length": length}
    draw = partial(draw_individual_sessions, sessions, opened.systems, **look)
    names = {"system": sessions.system, "length": length, "only": sessions.only}
    figure = pinned(draw, keys.FIGURE_4, opened, **names)
    if len(sessions.names) <= MOST_LINES:  # else quantiles are drawn
        follow(figure, keys.FIGURE_4, opened, live_each_session, system=sessions.system or None)
    with sends(clicks(str)):
        words = f"Figure 4. {sessions.answer()}"
        show_figure(figure, words, keys.FIGURE_4, clicked, stretches=True)
    show_at_hand()
    return figure


def view(opened: Opened) -> None:
    """Answer, the wall and the session beside it, Figure 4, the list, and two side by side."""
    answer = st.container()
    show_not_kept()
    narrowed, own = choose(opened)
    listed = {"system": own["system"], "order": own["order"]}
    everyone = ask(individual_sessions, narrowed, **listed, only=EVERYONE)
    only = choose_only() if everyone.names else EVERYONE
    sessions = ask(individual_sessions, narrowed, **listed, only=only)
    with answer:
        show_answer(opened, sessions.answer())
    if not everyone.names:
        return
    seen = ask(wall, narrowed, **own, only=only)
    left, right = st.columns(2)
    with left:
        show_wall(seen)
    with right:
        chosen = choose_sessions(opened, sessions, seen.answer())
    show_both(opened, chosen)
    figure = None
    if sessions.names:
        figure = show_curves(narrowed, sessions, chosen)
        show_beneath(opened, sessions.behind())
        choose_from_list(sessions)
    show_tagged(opened)
    take_away(
        opened, "individual_sessions", lambda: exhibits(opened, seen, sessions, figure, chosen)
    )
    mount_wall(narrowed, chosen, **own, only=only)


show_page("individual_sessions", view)
