"""Which sessions succeeded, and at which query?"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.questions import individual_sessions as question
from sdcg_explorer.questions.individual_sessions import words
from sdcg_explorer.questions.individual_sessions.numbers import (
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.questions.view import Exhibit, Exhibits
from sdcg_explorer.screen import controls, inspecting, keys, show, sidebar, widget_values
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away


def show_figure_4(
    beside: DeltaGenerator, opened: Opened, sessions: IndividualSessions, chosen: list[str]
) -> Exhibit:
    """Show Figure 4; as it is shown."""
    with beside:
        place, length = st.container(), inspecting.choose_length(sessions)
    exhibit = question.curves_exhibit(opened, sessions, chosen=chosen, length=length)
    names = {"system": sessions.system, "length": length, "only": sessions.only}
    with place, widget_values.sends(widget_values.clicks(str)):
        return controls.show_curves(
            opened, exhibit, keys.FIGURE_4, clicked=inspecting.clicked, **names
        )


def view(opened: Opened) -> None:
    """Answer, the wall and the session beside it, Figure 4, and two side by side."""
    above = st.container()
    show.save_failure()
    narrowed, own, place = inspecting.choose(opened)
    sessions = narrowed.ask(individual_sessions, **own)
    inspecting.show_value_filter(place, sessions)
    fell = question.shortfall_exhibit(narrowed, sessions.names, system=own["system"])
    if fell.table.empty:  # no session is on a judged topic
        show.answer(opened, words.headline(sessions), above)
        return
    left, right = st.columns(2)
    beside, curves = right.container(), question.curves_exhibit(narrowed, sessions)
    with right:
        chosen = inspecting.choose_sessions(opened, sessions, words.wall_note(sessions))
    with left:
        if sessions.names:
            inspecting.show_wall(sessions, chosen)
            show.small("Where sessions fell behind", f"{fell.said} {words.MEANS}")
    sidebar.show_at_hand()
    inspecting.show_both(opened, chosen)
    if sessions.names:
        curves = show_figure_4(beside, narrowed, sessions, chosen)
        show.beneath(opened, "", question.measures_without_curves(opened))
    show.answer(opened, words.headline(sessions), above)
    inspecting.show_reader_judgments(opened)
    inspecting.show_tag_counts(opened)
    made = {"individual_sessions": curves, "wall": question.wall_exhibit(sessions)}

    def exhibits() -> Exhibits:
        return made | question.inspector_exhibits(opened, chosen) | {"shortfall": fell}

    take_away(opened, "individual_sessions", exhibits)


show.run_page("individual_sessions", view)
