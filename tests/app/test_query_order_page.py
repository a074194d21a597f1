"""The page Query order: what its curves say, the paper's, then the comparison within sessions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.figure import draw_query_order
from sdcg_explorer.questions.query_order.numbers import (
    QueryOrder,
    last_against_others,
    query_order,
)
from sdcg_explorer.questions.query_order.words import NO_IDEAL
from sdcg_explorer.questions.wording import plus
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_figures import figure_one
from tests.support.plain_files import ECIR2008, definition_of, read_plain, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query
from tests.support.screen import charts, first_line, lines_of, opened, small_print
from tests.support.studies import SAMPLES, at_hand

pytestmark = pytest.mark.usefixtures("own_samples")
PAPER = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
SYSTEMS = ("System 1", "System 2")
NAMES = [f"{system}, {group}" for system in SYSTEMS for group in ("last", "other")]
FILES = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"


def apart(worth: dict[str, list[float]], one: str, two: str, unit: str = "") -> str:
    """The first sentence: by how much the curves of either system are apart at rank 20."""
    gaps = {s: worth[f"{s}, {one}"][19] - worth[f"{s}, {two}"][19] for s in SYSTEMS}
    high, low = sorted(SYSTEMS, key=lambda system: -gaps[system])
    lead = f"At rank 20, {one} queries differ from the others by"
    return f"{lead} {high} {plus(gaps[high])}, {low} {plus(gaps[low])}{unit}."


def drawn_apart(worth: dict[str, list[float]]) -> str:
    """How far last queries and others are apart at rank 20: System 2 and then System 1."""
    gaps = (worth[f"{name}, last"][19] - worth[f"{name}, other"][19] for name in SYSTEMS[::-1])
    return ", ".join(f"{gap:+.0f}" for gap in gaps)


def loop(**choices: Any) -> dict[str, list[float]]:
    """Curves of the sample by the plain loop, by their names."""
    plain = read_plain(*FILES)
    chosen = replace(PAPER, bq=choices.pop("bq", PAPER.bq))
    figure = figure_one(plain, chosen, split="last", others="pooled", depth=20, **choices)
    return {f"{system}, {group}": curve for (system, group), curve in figure.items()}


def test_answer_is_about_the_papers_curves_first_and_then_within_sessions() -> None:
    app = opened("query_order", {"depth": "20"})
    compared = last_against_others(at_hand(SAMPLES[0]), Definition(), Filters())
    beneath = " ".join(small_print(app.main))
    worth = loop()
    assert {name: lines_of(app, "Figure 1.")[name] for name in NAMES} == {
        name: pytest.approx(curve, rel=1e-9) for name, curve in worth.items()
    }
    assert first_line(app) == (
        "Last queries gain more than the others of their session before the query discount "
        f"(System 2 +54, System 1 +54) and after it (+24, +28; in the figure {drawn_apart(worth)})."
    )
    within, at_20 = (table.value for table in app.dataframe)
    assert within.to_dict("list") == {
        "system": ["System 1", "System 1", "System 2", "System 2"],
        "measure": ["DCG", "sDCG (discounted)"] * 2,
        "sessions": [32, 32, 39, 39],
        "searchers": [23, 23, 25, 25],
        "last − others": [of.difference for of in compared.differences],
        "low": [of.interval[0] for of in compared.differences],
        "high": [of.interval[1] for of in compared.differences],
    }
    assert at_20["mean"].tolist() == pytest.approx([worth[name][19] for name in NAMES])
    assert at_20["queries"].tolist() == [60, 92, 60, 131]
    ends = [sum(value < 0.99 * worth[name][-1] for value in worth[name]) for name in NAMES]
    assert at_20["levels off at rank"].tolist() == [1 + rank for rank in ends]
    assert "every query once, including those of one-query sessions, and is read at" in beneath
    assert (
        "Queries are discounted by their position, as in the paper; one-query sessions count as "
        "last queries (28 of System 1 and 21 of System 2)."
    ) in beneath
    assert words.CAVEAT in beneath
    app.session_state["data_query_order"] = True  # the fold, open
    (methods,) = [text.value for text in app.run().text]
    assert (
        "system by system: DCG of the top 10 before the query discount, averaged by searcher (or "
        "by session, where none is named), with 95 % intervals by t. p is from a permutation test "
        "(last and other queries swapped within searchers, at most 10,000 arrangements), or from t "
        "with fewer than 39 arrangements.\n"
    ) in methods


def test_options_stand_in_the_link_and_leave_the_answer() -> None:
    app = opened("query_order", {"depth": "20", "several": "true", "undiscounted": "true"})
    expected = loop(several=True, bq=math.inf)
    assert f"+54; in the figure {drawn_apart(expected)}) and after it" in first_line(app)
    drawn = lines_of(app, "Figure 1.")
    for name in NAMES:
        assert drawn[name] == pytest.approx(expected[name], rel=1e-9), name
    (spec,) = charts(app).values()
    assert spec["layout"]["yaxis"]["title"]["text"] == "DCG (gain)"
    assert (
        "Queries are not discounted by their position; 49 sessions with one query are left out."
    ) in " ".join(small_print(app.main))
    app.toggle(key="undiscounted").set_value(False).run()
    (spec,) = charts(app).values()
    assert spec["layout"]["yaxis"]["title"]["text"] == "sDCG (gain)"


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
    assert words.answer(order) == ("There is nothing to compare: every session has only one query.")
    assert "one-query sessions count as last queries (1 of A)." in words.behind(order)
    assert words.at_rank(order) == "At rank 10: A, last: 1.00."
    alone = query_order(study_of(plain), Definition(), Filters(), several=True)
    assert words.answer(alone) == words.ALONE
    assert draw_query_order(order, ("A",)).layout.yaxis.title.text == "sDCG (gain)"


BEST = 3 + 2 / 2 + 1 / (1 + math.log2(3))  # DCG of a topic's 3, 2, 1, from rank 3 on
NDCG: dict[tuple[str, str], float] = {("t", "a"): 1, ("t", "b"): 2, ("t", "c"): 3, ("u", "z"): 0}
ASKED: dict[str, list[Query]] = {
    "one": [("t", {1: "a", 2: "b"}), ("t", {2: "c"})],
    "two": [("t", {}), ("u", {1: "z"}), ("t", {1: "c"})],
    "three": [("u", {1: "z"})],
}


def shares(*names: str, **choices: Any) -> QueryOrder:
    plain = PlainStudy([PlainSession(name, ASKED[name]) for name in names], NDCG)
    linear = Definition(weights="linear", others=choices.pop("others", "pooled"))
    return query_order(study_of(plain), linear, Filters(), measure="ndcg", depth=4, **choices)


def test_shares_of_single_queries_are_averaged_rank_by_rank() -> None:
    order = shares("one", "two", "three")
    last, other = order.curve("A", "last"), order.curve("A", "other")
    # ideal 3, 4, BEST, BEST; last are (0 3/2 …) and (3 …), others (1 2/2 …) and the empty list
    assert last.mean.tolist() == pytest.approx(
        [(0 + 3 / 3) / 2, (1.5 / 4 + 3 / 4) / 2, *[(1.5 + 3) / BEST / 2] * 2]
    )
    assert other.mean.tolist() == pytest.approx([1 / 3 / 2, 2 / 4 / 2, *[2 / BEST / 2] * 2])
    assert [(c.queries, c.undefined) for c in (last, other)] == [(2, 1), (2, 1)]
    assert " Left out: 2 queries whose ideal list gains nothing." in words.behind(order)
    assert order.paired is None
    assert order.reading_rank_table()["levels off at rank"].isna().all()
    assert words.answer(order) == (
        f"At rank 4, last queries differ from the others by A +{2.5 / BEST / 2:.2f} nDCG."
    )


def test_nothing_that_gains_leaves_no_share_and_is_said() -> None:
    assert words.answer(shares("three")) == NO_IDEAL
    with pytest.raises(ValueError, match=r"^measure 'map'; choose one of sdcg, ndcg, srbp, rbp\.$"):
        query_order(at_hand(SAMPLES[0]), Definition(), Filters(), measure="map")


def test_page_draws_shares_and_says_so() -> None:
    app = opened("query_order", {"depth": "20", "curve": "ndcg", "undiscounted": "true"})
    assert not app.exception
    expected, drawn = loop(measure="ndcg"), lines_of(app, "Figure 1.")
    for name in NAMES:
        assert drawn[name] == pytest.approx(expected[name], rel=1e-9), name
    (spec,) = charts(app).values()
    assert spec["layout"]["yaxis"]["title"]["text"] == "nDCG (share of the ideal list)"
    assert first_line(app) == apart(expected, "last", "other", " nDCG")
    assert app.toggle(key="undiscounted").disabled
    app.main.button_group(key="curve").set_value("sdcg").run()
    (spec,) = charts(app).values()
    assert spec["layout"]["yaxis"]["title"]["text"] == "DCG (gain)"
