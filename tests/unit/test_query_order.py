"""Query order: shares rank by rank, the best query, and where there is nothing to compare."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.numbers import QueryOrder, query_order
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query
from tests.support.studies import SAMPLES, at_hand


def test_best_is_chosen_before_the_discount_where_it_is_left_out() -> None:
    # 3 then 4: sDCG 3 against 4 / 1.5
    queries: list[Query] = [("t", {1: "three"}), ("t", {1: "four"})]
    judged = {("t", "three"): 3.0, ("t", "four"): 4.0}
    plain = study_of(PlainStudy([PlainSession("s", queries)], judged))
    linear = definition_of(Choices({3.0: 3.0, 4.0: 4.0}))
    for discounted, best in ((True, 3.0), (False, 4.0)):
        order = query_order(plain, linear, Filters(), splits=("best",), discounted=discounted)
        assert order.curve("A", "best").mean[0] == best


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


def test_nothing_that_gains_leaves_no_share_and_an_unknown_measure_is_refused() -> None:
    assert words.answer(shares("three")) == words.NO_IDEAL
    with pytest.raises(ValueError, match=r"^measure 'map'; choose one of sdcg, ndcg, srbp, rbp\.$"):
        query_order(at_hand(SAMPLES[0]), Definition(), Filters(), measure="map")
