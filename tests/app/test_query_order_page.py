"""The page Query order: its answer is the comparison within sessions, its curves the paper's."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from analysis.comparing.last_against_others import last_against_others
from analysis.definition.definition import Definition, Filters
from analysis.query_order import CHOSEN, query_order
from figures.query_order import draw_query_order
from tests.support.plain_figures import figure_one
from tests.support.plain_files import ECIR2008, definition_of, read_plain, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query
from tests.support.screen import charts, first_line, lines_of, opened, small_print
from tests.support.studies import SAMPLES, at_hand

pytestmark = pytest.mark.usefixtures("own_samples")
PAPER = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
NAMES = [f"{system}, {group}" for system in ("System 1", "System 2") for group in ("last", "other")]


def loop(**choices: Any) -> dict[str, list[float]]:
    """Curves of the sample by the plain loop, by their names."""
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    chosen = replace(PAPER, bq=choices.pop("bq", PAPER.bq))
    figure = figure_one(plain, chosen, split="last", others="pooled", depth=20, **choices)
    return {f"{system}, {group}": curve for (system, group), curve in figure.items()}


def test_answer_is_the_comparison_and_the_curves_are_the_papers() -> None:
    app = opened("query_order", {"depth": "20"})
    compared = last_against_others(at_hand(SAMPLES[0]), Definition(), Filters())
    assert first_line(app) == compared.headline()
    beneath = " ".join(small_print(app.main))
    worth = loop()
    assert {name: lines_of(app, "Figure 1.")[name] for name in NAMES} == {
        name: pytest.approx(curve, rel=1e-9) for name, curve in worth.items()
    }
    at_20 = "; ".join(f"{name}: {worth[name][19]:#.3g}" for name in NAMES)
    assert (
        "Queries are discounted by their place, D(q), as in the paper; one-query sessions are "
        f"among the last, as in the paper: 28 of System 1, 21 of System 2. At rank 20: {at_20}. "
        "The answer compares within sessions that have a last query and others: DCG of the top 10, "
        "before D(q), the last less the mean of the others."
    ) in beneath


def test_options_stand_in_the_link_and_leave_the_answer() -> None:
    app = opened("query_order", {"depth": "20", "several": "true", "undiscounted": "true"})
    assert first_line(app) == first_line(opened("query_order"))
    expected = loop(several=True, bq=math.inf)
    drawn = lines_of(app, "Figure 1.")
    for name in NAMES:
        assert drawn[name] == pytest.approx(expected[name], rel=1e-9), name
    (spec,) = charts(app).values()
    assert spec["layout"]["yaxis"]["title"]["text"] == "DCG (gain)"
    assert (
        "Queries are drawn before the query discount, without D(q); only sessions with several "
        "queries are drawn, 49 sessions of one query left out."
    ) in " ".join(small_print(app.main))
    app.toggle(key="undiscounted").set_value(False).run()
    (spec,) = charts(app).values()
    assert spec["layout"]["yaxis"]["title"]["text"] == "sDCG (gain)"


def test_best_query_is_said_to_be_chosen() -> None:
    app = opened("query_order", {"split": "best"})
    assert first_line(app).startswith("At rank 20 in System 1 the best query is worth 40.7, the re")
    assert first_line(app).endswith(f". {CHOSEN}")


def test_best_is_chosen_before_the_discount_where_it_is_left_out() -> None:
    # 3 then 4: sDCG 3 against 4 / 1.5
    queries: list[Query] = [("t", {1: "three"}), ("t", {1: "four"})]
    judged = {("t", "three"): 3.0, ("t", "four"): 4.0}
    plain = study_of(PlainStudy([PlainSession("s", queries)], judged))
    linear = definition_of(Choices({3.0: 3.0, 4.0: 4.0}))
    for discounted, best in ((True, 3.0), (False, 4.0)):
        order = query_order(plain, linear, Filters(), splits=("best",), discounted=discounted)
        assert order.curve("A", "best").mean[0] == best


def test_one_query_sessions_alone_have_curves_and_no_comparison() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("t", "a"): 1.0})
    order = query_order(study_of(plain), Definition(), Filters())
    assert order.answer() == "No session has a last query and others on judged topics."
    assert "as in the paper: 1 of A. At rank 20: A, last: 1.00." in order.behind()
    assert "The answer compares" not in order.behind()
    alone = query_order(study_of(plain), Definition(), Filters(), several=True)
    assert alone.answer() == (
        "Every session left has one query only: draw these, too, or widen the filters under Show."
    )
    assert draw_query_order(order, ("A",)).layout.yaxis.title.text == "sDCG (gain)"
