"""How does gain grow over a session, and in which system faster?"""

from typing import Any

from sdcg_explorer.questions import session_curves as question
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.session_curves import figure
from sdcg_explorer.scoring.selection import FURTHER_CURVES, curves_asked
from sdcg_explorer.screen import controls, keys, link, show, take_away
from sdcg_explorer.screen.opened import Opened


def view(opened: Opened) -> None:
    """Answer, Figure 2 or 3, and what stands beneath."""
    with controls.toolbar() as above:
        asked = curves_asked(opened.definition.measures)
        no_share = bool(opened.definition.behaviour)  # of a session's own clicks
        plain = (name for name in figure.AXES if name not in FURTHER_CURVES)
        offered = [*(name for name in plain if name == "raw" or not no_share), *asked]
        about = meaning("nsDCG", "sDCG", "saw-tooth")
        measure = link.one_of("Show", offered, keys.MEASURE, about)
        look: dict[str, Any] = {"placeholder": "all topics", "width": 220, "help": meaning("topic")}
        topic = link.pick("Topic", opened.topics, keys.TOPIC, None, **look)
        bands = link.toggle("95% intervals", keys.BANDS, meaning("interval"))
        more = controls.options()
    with more:
        least = link.number(
            "Add curve: sessions with ≥ n queries", 1, 99, 1, keys.AT_LEAST, width=220
        )
        end: Any = {"placeholder": "automatic", "width": 150}
        length = link.number("Queries on the axis", 1, None, None, keys.LENGTH, **end)
    narrowed = opened.with_topic(topic)
    at_least = (1,) if least == 1 else (1, least)
    with more:
        curves = question.curves_by_measure(narrowed, measure, bands=bands, at_least=at_least)
        every = controls.choose_end(is_cut=curves.axis_is_cut and length is None)
        focus = controls.choose_focus(opened)
    length = length or (curves.most_queries if every else None)
    look = {"measure": measure, "length": length, "bands": bands, "at_least": at_least}
    kept = narrowed.with_definition(opened.kept) if opened.kept else None
    shown = question.measure_answer(narrowed, focus=focus, beside=kept, **look)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    drawn = controls.show_curves(narrowed, shown.exhibits["session_curves"], keys.FIGURE_2, **look)
    controls.show_keeping(keys.FIGURE_2, opened)
    stops = question.stopping_answer(narrowed)
    show.small("When searchers stop", stops.headline)
    figure_drawn: Any = drawn.figure
    steps = "" if "panels" in (figure_drawn.layout.meta or {}) else f" {question.STEPS}"
    made = {"session_curves": drawn}
    show.beneath(opened, shown.behind, shown.advice, picture=f"{question.PICTURE}{steps}")
    take_away.offer(opened, "session_curves", lambda: made | stops.exhibits, methods=stops.methods)


show.run_page("session_curves", view)
