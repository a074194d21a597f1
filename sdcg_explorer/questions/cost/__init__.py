"""What did it cost?"""

from dataclasses import replace
from functools import partial
from typing import Any

from sdcg_explorer.questions import methods, wording
from sdcg_explorer.questions.compare_systems import words as compared_words
from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.questions.cost import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, Exhibit, Live, View
from sdcg_explorer.scoring import costs, selection
from sdcg_explorer.scoring.measures import USUAL

MEASURES = {"gain": "raw", "share of the ideal": "normalised"}  # in words, what curves are of


def answer(view: View) -> Answer:
    """Gain by the usual cost, with intervals, each session's beside its score, and the rate."""
    shown, each = cost_answer(view, bands=True), points_answer(view)
    if not shown.exhibits:
        return shown
    rate = rate_answer(view)
    points = [each.headline, *each.more, each.behind, *each.advice]
    more = [words.counting(costs.cost_by_name(view.study, "")), *shown.more]
    more += [*(points if "cost" in shown.exhibits else []), rate.headline]
    exhibits = shown.exhibits | each.exhibits | rate.exhibits
    return replace(shown, exhibits=exhibits, more=more, methods=[methods_of(view), *rate.methods])


def cost_answer(
    view: View,
    measure: str = "raw",
    *,
    score: str = "",
    focus: str = "",
    beside: View | None = None,
    bands: bool = False,
    **asked: Any,
) -> Answer:
    """Mean gain by what was spent; `beside` are the same curves of a view that is kept.

    Where no query's cost is known, each session's in all beside its `score`, and why.
    """
    curves: numbers.CostCurves = view.ask(numbers.cost, bands=bands, **asked)
    said = words.headline(curves, measure)
    if not curves.curves:
        points = points_answer(view, spent=curves.cost.name, score=score or USUAL, focus=focus)
        return replace(points, note=said) if points.exhibits else Answer(said)
    kept = beside.ask(numbers.cost, **asked) if beside else None
    look: dict[str, Any] = {"measure": measure, "focus": focus, "beside": kept}
    reached = next(words for words, name in MEASURES.items() if name == measure)
    caption, alt = f"Mean {reached} by cost in {curves.cost.unit}", f"Gain by cost. {said}"
    draw = partial(figure.draw_cost, curves, view.systems, **look)
    live = Live(view, numbers.live_cost, {"measure": measure, **asked})
    exhibit = Exhibit(caption, curves.table, draw, alt=alt, live=live)
    lacking = methods.not_drawn(view.definition.measures, (selection.SDCG,))
    advice = [*wording.topics_apart(view), *words.cautions(curves, measure), *lacking]
    return Answer(said, {"cost": exhibit}, behind=words.figure_notes(curves), advice=advice)


def points_answer(view: View, *, spent: str = "", score: str = USUAL, focus: str = "") -> Answer:
    """Each session's cost in all beside a score of it, and how the two go together."""
    shown: numbers.CostPoints = view.ask(numbers.cost_points, spent=spent, score=score)
    said, behind = words.correlation_sentence(shown), words.points_note(shown)
    if not len(shown.points):
        return Answer(said, behind=behind)
    draw = partial(figure.draw_cost_points, shown, view.systems, focus=focus)
    unit = shown.cost.unit
    caption = f"{unit[:1].upper()}{unit[1:]} and {shown.measure.words}, session by session"
    alt, coefficients = f"Cost of each session. {said}", "Rank correlations of cost and score"
    exhibits = {
        "cost_points": Exhibit(caption, shown.points, draw, said, alt),
        "cost_correlations": Exhibit(coefficients, shown.table),
    }
    more = [*filter(None, [words.system_correlations(shown)])]
    return Answer(said, exhibits, behind=behind, advice=words.points_cautions(shown), more=more)


def rate_answer(view: View, *, spent: str = "") -> Answer:
    """Gain for each so many units, compared between systems by the test of their design."""
    of = costs.cost_by_name(view.study, spent)
    compared: Comparison = view.ask(compare_systems, score=of.score)
    said = compared_words.headline(compared)
    if not compared.names:
        points: numbers.CostPoints = view.ask(numbers.cost_points, spent=spent)
        return Answer(said if len(points.points) else words.correlation_sentence(points))
    means = Exhibit(f"Mean gain per {of.rate}", compared.systems)
    return Answer(said, {"gain_per_cost": means}, methods=compared_words.method(compared))


def methods_of(view: View, *, spent: str = "", score: str = "") -> str:
    """The paragraph of a methods section on cost."""
    return words.method(view.ask(numbers.cost_points, spent=spent, score=score or USUAL))


def card(view: View) -> Card:
    """Mean gain by the usual cost."""
    shown, curves = cost_answer(view), view.ask(numbers.cost)
    if not curves.curves:
        return Card(shown.headline)
    small = partial(figure.draw_cost, curves, view.systems, small=True)
    return Card(shown.headline, small, Live(view, numbers.live_cost, {"measure": "raw"}))
