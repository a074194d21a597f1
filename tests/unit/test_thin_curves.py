"""Where fewer than ten sessions still run, their mean curve goes on thin, and this is said."""

from __future__ import annotations

from typing import Any

import pytest

from sdcg_explorer.questions.session_curves import words
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_figures import figure_two
from tests.support.plain_files import in_files
from tests.support.plain_loop import Choices, PlainSession, PlainStudy

JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0}
CHOICES = Choices({1.0: 1.0, 2.0: 10.0}, top=2)
AS_IS = Choices({1.0: 1.0, 2.0: 10.0}, top=5, short="as-is")
PLACES = {1: "u", 2: "a", 3: "b", 4: "u", 5: "u"}
# queries of each session: 9 or 10 of 12 go on after the first; then query 2, X = 2, is where fewer
# than 10 run on, or nowhere
NINE, TEN = ([1] * (12 - number) + [3] * number for number in (9, 10))
THIN = "Curves are thin where fewer than 10 of their sessions are still running: A from"


def asked(queries: list[int]) -> PlainStudy:
    """Sessions of so many queries each; the n-th shows its relevant document at rank 1 or 2."""
    lists = [{1: "b"}, {2: "a"}, {1: "a", 2: "b"}]
    made = [
        PlainSession(f"s{i}", [("t", lists[(i + q) % 3]) for q in range(number)])
        for i, number in enumerate(queries)
    ]
    return PlainStudy(made, JUDGMENTS)


def listed(lengths: list[int]) -> PlainStudy:
    """Sessions of one query each, with so many results."""
    made = [
        PlainSession(f"s{i}", [("t", {r: PLACES[r] for r in range(1, length + 1)})])
        for i, length in enumerate(lengths)
    ]
    return PlainStudy(made, JUDGMENTS)


def curves_of(plain: PlainStudy, choices: Choices = CHOICES, **more: Any) -> SessionCurves:
    definition = Definition(top=choices.top, short_lists=choices.short)
    return session_curves(in_files(plain), definition, Filters(), **more)


def drawn(curves: SessionCurves, name: str = "A", **more: Any) -> list[Any]:
    """The traces of a curve, the one that is named so first."""
    whole = {"length": curves.most_queries, **more}
    traces: Any = draw_session_curves(curves, ["A"], **whole).data
    return [trace for trace in traces if trace.name in (name, f"{name}, few sessions")]


STRANGERS = [PlainSession(f"r{i}", [("?", {1: "a"})] * 3, "A") for i in range(5)]
# the last position before fewer than ten sessions run on, if any; what is said of it
CURVES: dict[str, tuple[PlainStudy, Choices, int | None, str]] = {
    "nine of twelve": (asked(NINE), CHOICES, 2, f"{THIN} query 2 on."),
    "from the third query": (asked([2] * 3 + [3] * 9), CHOICES, 4, f"{THIN} query 3 on."),
    "within a query": (listed([2] * 3 + [5] * 9), AS_IS, 2, f"{THIN} position 3 on."),
    "none unjudged": (
        PlainStudy([*asked(NINE).sessions, *STRANGERS], JUDGMENTS),
        *(CHOICES, 2, f"{THIN} query 2 on."),
    ),
    "ten": (asked(TEN), CHOICES, None, ""),
    "ten lists": (listed([3] * 2 + [5] * 10), AS_IS, None, ""),
    "nine in all": (
        asked([2] * 9),
        *(CHOICES, 0, "A has fewer than 10 sessions, so its curve is thin."),
    ),
}


@pytest.mark.parametrize("case", CURVES)
def test_curve_goes_on_thin_where_nine_sessions_run_on(case: str) -> None:
    plain, choices, few, said = CURVES[case]
    curves = curves_of(plain, choices)
    assert words.advice(curves, "normalised", curves.most_queries) == ([said] if said else [])
    raw, normalised, _ = figure_two(plain, choices, curves.positions)["A"]
    for measure, expected in (("raw", raw), ("normalised", normalised)):
        first, *rest = drawn(curves, measure=measure)
        values = [*first.y, *(value for thin in rest for value in thin.y[1:])]
        assert values == pytest.approx(expected, rel=1e-9)
        if few:
            (thin,) = rest
            assert first.x.tolist() == list(range(1, few + 1))
            assert thin.x.tolist() == list(range(few, len(expected) + 1))
            assert (thin.y[0], thin.line.color, thin.line.dash, thin.marker.symbol) == (
                *(first.y[-1], first.line.color, first.line.dash),
                first.marker.symbol,
            )
            assert thin.line.width < first.line.width == 2.5
            assert (thin.showlegend, first.showlegend) == (False, None)
        else:
            assert rest == []
            assert (first.line.width == 2.5) == (few is None)


def test_dashes_go_on_into_the_thin_rest() -> None:
    plain = asked([1] * 9 + [2] * 9 + [3] * 9)
    thick, thin = drawn(curves_of(plain, at_least=(1, 2)), "A, at least 2 queries")
    expected = figure_two(plain, CHOICES, 6, at_least=2)["A"][1]
    assert (thick.x.tolist(), thick.y.tolist()) == ([1, 2, 3, 4], pytest.approx(expected[:4]))
    # the thin line lies beneath the thick one from its start on, so that both dash in step
    assert (thin.x.tolist(), thin.y.tolist()) == ([1, 2, 3, 4, 5, 6], pytest.approx(expected))
    assert thin.line.dash == thick.line.dash != "solid"
    assert thin.line.dash.replace("px", "").replace(",", "").isdigit()  # not by the line's width
    assert [size > 0 for size in thin.marker.size] == [False] * 4 + [True] * 2
    assert (thick.hoverinfo, thick.hovertemplate) == ("skip", None)  # said once
