"""Where fewer than ten sessions still run, their mean curve goes on thin, and this is said."""

from typing import Any

import pytest

from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support import plain_figures, plain_files
from tests.support.plain_loop import Choices, PlainSession, PlainStudy

JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0}
CHOICES = Choices({1.0: 1.0, 2.0: 10.0}, top=2)


def asked(queries: list[int]) -> PlainStudy:
    """Sessions of so many queries each; the n-th shows its relevant document at rank 1 or 2."""
    lists = [{1: "b"}, {2: "a"}, {1: "a", 2: "b"}]
    made = [
        PlainSession(f"s{i}", [("t", lists[(i + q) % 3]) for q in range(number)])
        for i, number in enumerate(queries)
    ]
    return PlainStudy(made, JUDGMENTS)


def curves_of(plain: PlainStudy, choices: Choices = CHOICES, **more: Any) -> SessionCurves:
    definition = Definition(top=choices.top, short_lists=choices.short)
    return session_curves(plain_files.in_files(plain), definition, Filters(), **more)


def drawn(curves: SessionCurves, name: str = "A", **more: Any) -> list[Any]:
    """The traces of a curve, the one that is named so first."""
    whole = {"length": curves.most_queries, **more}
    traces: Any = draw_session_curves(curves, ["A"], **whole).data
    return [trace for trace in traces if trace.name in (name, f"{name}, few sessions")]


def test_dashes_go_on_into_the_thin_rest() -> None:
    plain = asked([1] * 9 + [2] * 9 + [3] * 9)
    thick, thin = drawn(curves_of(plain, at_least=(1, 2)), "A, at least 2 queries")
    expected = plain_figures.figure_two(plain, CHOICES, 6, at_least=2)["A"][1]
    assert (thick.x.tolist(), thick.y.tolist()) == ([1, 2, 3, 4], pytest.approx(expected[:4]))
    # the thin line lies beneath the thick one from its start on, so that both dash in step
    assert (thin.x.tolist(), thin.y.tolist()) == ([1, 2, 3, 4, 5, 6], pytest.approx(expected))
    assert thin.line.dash == thick.line.dash != "solid"
    assert thin.line.dash.replace("px", "").replace(",", "").isdigit()  # not by the line's width
    assert [size > 0 for size in thin.marker.size] == [False] * 4 + [True] * 2
    assert (thick.hoverinfo, thick.hovertemplate) == ("skip", None)  # said once
