"""Which sessions succeeded, and at which query?"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.questions.individual_sessions import (
    PICTURE,
    not_here,
    of_curves,
    of_inspected,
    of_shortfall,
    of_wall,
    words,
)
from sdcg_explorer.questions.individual_sessions.numbers import (
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.questions.individual_sessions.words import MEANS
from sdcg_explorer.questions.view import Exhibit
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.figure_controls import show_curves
from sdcg_explorer.screen.inspecting import (
    choose,
    choose_length,
    choose_sessions,
    choose_values,
    clicked,
    show_both,
    show_own_judgments,
    show_tag_counts,
    show_wall,
)
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.sidebar import show_at_hand
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.widget_values import clicks, sends


def show_figure_4(
    beside: DeltaGenerator, opened: Opened, sessions: IndividualSessions, chosen: list[str]
) -> Exhibit:
    """Show Figure 4; as it is shown."""
    with beside:
        place, length = st.container(), choose_length(sessions)
    exhibit = of_curves(opened, sessions, chosen=chosen, length=length)
    names = {"system": sessions.system, "length": length, "only": sessions.only}
    with place, sends(clicks(str)):
        return show_curves(opened, exhibit, keys.FIGURE_4, clicked=clicked, **names)


def view(opened: Opened) -> None:
    """Answer, the wall and the session beside it, Figure 4, and two side by side."""
    above = st.container()
    show.save_failure()
    narrowed, own, place = choose(opened)
    sessions = narrowed.ask(individual_sessions, **own)
    choose_values(place, sessions)
    fell = of_shortfall(narrowed, sessions.names, system=own["system"])
    if not fell.said:  # no session is on a judged topic
        show.answer(opened, words.answer(sessions), above)
        return
    left, right = st.columns(2)
    beside, curves = right.container(), of_curves(narrowed, sessions)
    with right:
        chosen = choose_sessions(opened, sessions, words.of_wall(sessions))
    with left:
        if sessions.names:
            show_wall(sessions, chosen)
            show.small("Where sessions fell behind", f"{fell.said} {MEANS}")
    show_at_hand()
    show_both(opened, chosen)
    if sessions.names:
        curves = show_figure_4(beside, narrowed, sessions, chosen)
        show.beneath(opened, words.behind(sessions), not_here(opened), picture=PICTURE)
    show.answer(opened, words.answer(sessions), above)
    show_own_judgments(opened)
    show_tag_counts(opened)
    made, last = {"individual_sessions": curves, "wall": of_wall(sessions)}, {"shortfall": fell}
    take_away(opened, "individual_sessions", lambda: made | of_inspected(opened, chosen) | last)


show.run_page("individual_sessions", view)
