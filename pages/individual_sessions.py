"""Which sessions succeeded, and at which query?"""

import streamlit as st

from sdcg_explorer.questions import individual_sessions as question
from sdcg_explorer.questions.individual_sessions import numbers, words
from sdcg_explorer.questions.view import Exhibits
from sdcg_explorer.screen import controls, inspecting, keys, show, sidebar, take_away, widget_values
from sdcg_explorer.screen.opened import Opened


def view(opened: Opened) -> None:
    """Answer, the wall and the session beside it, Figure 4, and two side by side."""
    above = st.container()
    show.save_failure()
    narrowed, own, place = inspecting.choose(opened)
    sessions = narrowed.ask(numbers.individual_sessions, **own)
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
            if fell.said:
                show.small("Where sessions fell behind", f"{fell.said} {words.MEANS}")
    sidebar.show_at_hand()
    if len(chosen) == 2:  # side by side
        for column, name, at in zip(st.columns(2), chosen, ("on_top", "beside"), strict=True):
            with column:
                inspecting.show_inspector(opened, name, at)
    if sessions.names:
        with beside:
            place, length = st.container(), inspecting.choose_length(sessions)
        curves = question.curves_exhibit(narrowed, sessions, chosen=chosen, length=length)
        look = {"system": sessions.system, "length": length, "only": sessions.only}
        look["clicked"] = inspecting.clicked
        with place, widget_values.sends(widget_values.clicks(str)):
            curves = controls.show_curves(narrowed, curves, keys.FIGURE_4, **look)
        show.beneath(opened, "", question.measures_without_curves(opened))
    show.answer(opened, words.headline(sessions), above)
    inspecting.show_reader_judgments(opened)
    inspecting.show_tag_counts(opened)
    made = {"individual_sessions": curves, "wall": question.wall_exhibit(sessions)}

    def exhibits() -> Exhibits:
        return made | question.inspector_exhibits(opened, chosen) | {"shortfall": fell}

    take_away.offer(opened, "individual_sessions", exhibits)


show.run_page("individual_sessions", view)
