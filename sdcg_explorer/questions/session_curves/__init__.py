"""How does gain grow over a session, and in which system faster?"""

from dataclasses import replace
from functools import partial
from typing import Any

from sdcg_explorer.questions import methods, wording
from sdcg_explorer.questions.session_curves import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, Exhibit, Live, View
from sdcg_explorer.scoring import mean_curves, selection
from sdcg_explorer.scoring.live import live_sessions

PICTURE = (
    "Each line is a system's mean along the session, result by result, thin where fewer than "
    f"{mean_curves.THIN} sessions are left; Q1, Q2 …, if shown, mark the end of each query's list."
)
STEPS = "The steps below show the share of sessions still searching."


def answer(view: View) -> Answer:
    """Figures 2 and 3, with intervals, and when searchers stop."""
    first, *others = measures_comparing_systems(view)
    shown, beside = measure_answer(view, first), [measure_answer(view, name) for name in others]
    if not shown.exhibits:
        return shown
    also = {
        f"session_curves_{name}": replace(exhibit, said=each.headline)
        for name, each in zip(others, beside, strict=True)
        for exhibit in each.exhibits.values()
    }
    stopped = stopping_answer(view)
    exhibits = {**shown.exhibits, **also, **stopped.exhibits}
    return replace(shown, exhibits=exhibits, methods=stopped.methods)


def measures_comparing_systems(view: View) -> tuple[str, ...]:
    """Measures whose curves compare systems: no share of what a session's own clicks could be."""
    return ("raw",) if view.definition.behaviour else ("normalised", "raw")


def curves_by_measure(
    view: View, measure: str, *, bands: bool = False, at_least: tuple[int, ...] = (1,)
) -> numbers.SessionCurves:
    """The curves that show a measure: those of others are not made."""
    by = measure if measure in selection.FURTHER_CURVES else selection.SDCG
    saw = measure == numbers.SAW_TOOTH
    return view.ask(numbers.session_curves, bands=bands, at_least=at_least, saw=saw, by=by)


def measure_answer(
    view: View,
    measure: str,
    *,
    bands: bool = True,
    length: int | None = None,
    focus: str = "",
    beside: View | None = None,
    at_least: tuple[int, ...] = (1,),
) -> Answer:
    """Figure 2 or 3, to `length` queries; `beside` are the same curves of a view that is kept."""
    curves = curves_by_measure(view, measure, bands=bands, at_least=at_least)
    if not curves.sessions:
        return Answer(words.headline(curves, measure))
    kept = curves_by_measure(beside, measure, at_least=at_least) if beside else None
    look: dict[str, Any] = {"measure": measure, "length": length, "focus": focus, "beside": kept}
    headline = words.headline(curves, measure, length)
    caption, alt = f"Mean session curves: {figure.AXES[measure]}", f"Session curves. {headline}"
    draw = partial(figure.draw_session_curves, curves, view.systems, **look)
    live = Live(view, live_sessions, {"measure": measure, "at_least": at_least})
    brief = partial(curves.means_at_query_ends, measure)
    exhibit = Exhibit(caption, curves.table, draw, alt=alt, live=live, brief=brief)
    lacking = methods.not_drawn(view.definition.measures, selection.ADDITIVE)
    advice = [*wording.topics_apart(view), *words.cautions(curves, measure), *lacking]
    behind = words.figure_notes(curves, measure, length)
    return Answer(headline, {"session_curves": exhibit}, behind=behind, advice=advice)


def stopping_answer(view: View) -> Answer:
    """When searchers stop: the share of each system's sessions still searching after each query."""
    found = view.without_sliders.ask(numbers.stopping)
    said = words.stopping_sentence(found)
    exhibit = Exhibit("Share of sessions still searching after each query", found.table, said=said)
    return Answer(said, {"stopping": exhibit}, methods=[words.method(found)])


def card(view: View) -> Card:
    """Mean share of the ideal along the session, or gain where that alone compares systems."""
    measure = measures_comparing_systems(view)[0]
    curves = curves_by_measure(view, measure)
    small = partial(figure.draw_session_curves, curves, view.systems, measure=measure, small=True)
    live = Live(view, live_sessions, {"measure": measure})
    return Card(words.headline(curves, measure), small, live)
