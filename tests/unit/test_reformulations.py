"""Reformulations across a study: shares, bests and means by query number, worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sdcg_explorer.questions.reformulations import words
from sdcg_explorer.questions.reformulations.numbers import Reformulations, reformulations
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.support.three_documents import ALL, GRADES, LINEAR, NOTHING, A, B, C

NOBODY: Query = ("v", {1: "a"})  # on a topic that nobody judged


def asked(*sessions: list[Query], systems: str = "") -> Reformulations:
    """Linear gain: DCG is 1 for A, 2 for B, 3 for C, at rank 1."""
    plain = [
        PlainSession(f"s{i}", queries, systems[i] if systems else "A")
        for i, queries in enumerate(sessions)
    ]
    return reformulations(study_of(PlainStudy(plain, GRADES)), LINEAR, ALL)


@pytest.mark.parametrize(
    ("sessions", "reformulated", "gained", "lost", "several", "last_best"),
    [
        ([[A, B, B, A], [C], [NOTHING, C]], 4, 2, 1, 2, 1),
        # the last is best only where no earlier one is worth as much
        ([[A, B], [C, C], [NOTHING, NOTHING], [A, A, C]], 5, 2, 0, 4, 2),
        ([[A, B], [NOBODY, NOBODY]], 1, 1, 0, 1, 1),
        ([[A, B, NOBODY], [A, NOBODY, B]], 1, 1, 0, 1, 1),  # the second: 2 against 1
    ],
)
def test_reformulations_that_gain_lose_and_stay_and_last_queries_are_counted(
    sessions: list[list[Query]],
    reformulated: int,
    gained: int,
    lost: int,
    several: int,
    last_best: int,
) -> None:
    shown = asked(*sessions)
    (of,) = shown.systems
    assert (of.reformulations, of.gained, of.lost) == (reformulated, gained, lost)
    assert (of.several, of.last_best) == (several, last_best)
    assert shown.without_judgments == sessions.count([NOBODY, NOBODY])


def test_gains_and_best_queries_are_both_before_the_query_discount_and_said_to_be() -> None:
    # D(2) = 1/1.5: after the discount C, 2, is worth no more than B before it
    shown = asked([B, C], [A, B], systems="AB")
    assert [(of.gained, of.last_best) for of in shown.systems] == [(1, 1), (1, 1)]
    assert words.answer(shown) == (
        "With A, the one reformulation does better; with B, the one reformulation does better than "
        "the query before (DCG before the query discount)."
    )
    many = words.answer(asked([A, B], [B, A], [A, C], [C, A], systems="ABCD"))
    assert many.startswith("Of 4 reformulations, 50% do better and 50% worse than the query ")
    assert many.endswith(
        "before (DCG before the query discount): most often better with C (100%), least often with "
        "B (0%)."
    )


def test_changes_found_novelty_coverage_and_first_queries_are_worked_out() -> None:
    changes = asked([A, B], [A, C], [C, A, B], systems="ABB").changes
    rows = changes[["system", "step", "number", "p50"]].to_numpy().tolist()
    # A: 2 − 1; B, step 2: 3 − 1 and 1 − 3; step 3: 2 − 1
    assert rows == [["A", 2, 1, 1.0], ["B", 2, 2, 0.0], ["B", 3, 1, 1.0]]
    both: Query = ("t", {1: "a", 2: "b"})
    table = asked([A, both], [B, B, C]).by_query
    assert table["found"].tolist() == [1, (2 + 1) / 2, 2]
    assert table["found_sessions"].tolist() == [2, 2, 1]
    # query 2: one of two relevant is new, none of one; the known one comes again in both
    assert table["novelty"].tolist() == [1, (1 / 2 + 0) / 2, 1]
    assert math.isnan(table["coverage"][0])
    assert table["coverage"].tolist()[1:] == [1, 0]
    shown = asked([C], [B, A], [A, A, A], [A, A, A])
    first = shown.first[["queries", "number", "p50"]].to_numpy().tolist()
    assert first == [[1, 1, 3.0], [2, 1, 2.0], [3, 2, 1.0]]
    assert shown.systems[0].first_with_queries == pytest.approx(-1)


@pytest.mark.parametrize(
    ("known", "low", "high", "said"),
    [
        (-0.3, -0.5, -0.1, "lower|−.30 with A (95% interval −.50 to −.10)"),
        (0.3, 0.1, 0.5, "higher|.30 with A (95% interval .10 to .50)"),
        (0.5, -0.1, 0.9, ""),
        (0.5, math.nan, math.nan, ""),
    ],
)
def test_first_queries_are_said_to_foretell_more_where_the_interval_excludes_0(
    known: float, low: float, high: float, said: str
) -> None:
    shown = asked([C], [B, A])
    (of,) = shown.systems
    of = replace(of, first_with_queries=known, first_interval=(low, high))
    word, _, around = said.partition("|")
    first = f"The more queries follow, the {word} the DCG of the first query: rank correlation"
    advised = words.advice(replace(shown, systems=(of,)))
    assert advised == [*([f"{first} {around}."] if said else []), words.LATER]


def test_without_reformulations_the_answer_says_what_to_change() -> None:
    assert words.answer(asked([A], [B])) == (
        "No session has several scored queries, so there are no reformulations."
    )
    study = study_of(PlainStudy([PlainSession("s", [A, B])], GRADES))
    nothing = reformulations(study, LINEAR, replace(ALL, min_queries=9))
    said = "The filters leave no session on a judged topic: widen them."
    assert words.answer(nothing) == said
