"""How does gain grow over a session, and in which system faster?"""

from typing import Any

import streamlit as st

from sdcg_explorer.questions import session_curves as question
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.session_curves import figure
from sdcg_explorer.scoring.selection import FURTHER_CURVES, curves_asked
from sdcg_explorer.screen import controls, keys, link, show
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away


def choose(opened: Opened) -> tuple[str, str | None]:
    """The measure, and the topic."""
    asked = curves_asked(opened.definition.measures)
    no_share = bool(opened.definition.behaviour)  # of a session's own clicks
    shown = [
        name
        for name in figure.AXES
        if name not in FURTHER_CURVES and not (no_share and name != "raw")
    ]
    measure = link.one_of(
        "Show", [*shown, *asked], keys.MEASURE, meaning("nsDCG", "sDCG", "saw-tooth")
    )
    look = {"placeholder": "all topics", "width": 220, "help": meaning("topic")}
    return measure, link.pick("Topic", opened.topics, keys.TOPIC, None, **look)


def choose_length() -> tuple[int, int | None]:
    """From how many queries on sessions are drawn once more; queries on the axis, if not usual."""
    least = link.number("Add curve: sessions with ≥ n queries", 1, 99, 1, keys.AT_LEAST, width=220)
    look = {"placeholder": "automatic", "width": 150}
    return least, link.number("Queries on the axis", 1, None, None, keys.LENGTH, **look)


def view(opened: Opened) -> None:
    """Answer, Figure 2 or 3, and what stands beneath."""
    above = st.container()
    with controls.toolbar():
        measure, topic = choose(opened)
        bands = link.toggle("95% intervals", keys.BANDS, meaning("interval"))
        more = controls.options()
    with more:
        least, length = choose_length()
    narrowed = opened.with_topic(topic)
    at_least = (1,) if least == 1 else (1, least)
    with more:
        curves = question.curves_by_measure(narrowed, measure, bands=bands, at_least=at_least)
        every = controls.choose_end(is_cut=curves.axis_is_cut and length is None)
        focus = controls.choose_focus(opened)
    length = length or (curves.most_queries if every else None)
    look: dict[str, Any] = {"measure": measure, "length": length, "bands": bands}
    look["at_least"] = at_least
    kept = narrowed.with_definition(opened.kept) if opened.kept else None
    shown = question.measure_answer(narrowed, focus=focus, beside=kept, **look)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    exhibit = shown.exhibits["session_curves"]
    made = {"session_curves": controls.show_curves(narrowed, exhibit, keys.FIGURE_2, **look)}
    controls.show_keeping(keys.FIGURE_2, opened)
    stopped = question.stopping_answer(narrowed)
    show.small("When searchers stop", stopped.headline)
    show.beneath(opened, shown.behind, shown.advice, picture=f"{question.PICTURE} {question.STEPS}")
    take_away(opened, "session_curves", lambda: made | stopped.exhibits, methods=stopped.methods)


show.run_page("session_curves", view)
