"""Odd studies, where a difference, its interval or its words could mislead."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems.numbers import Pair, compare, omnibus
from sdcg_explorer.questions.compare_systems.numbers import holm as corrected
from sdcg_explorer.questions.compare_systems.words import leads, too_few
from tests.support.plain_permutation import exact_p, holm
from tests.support.plain_statistics import Row, scored, topic_centred


def rows_of(*lines: str) -> list[Row]:
    """Sessions as words: score, system, searcher (- for none), topic; "× 3" for three of them."""
    rows: list[Row] = []
    for line in lines:
        told, _, times = line.partition(" × ")
        score, system, searcher, topic = told.split()
        for i in range(int(times or 1)):
            name = {"-": ""}.get(searcher, searcher.replace("*", str(i)))
            rows.append(Row(Fraction(score), system, name, topic))
    return rows


def of(*lines: str) -> Pair:
    return compare(scored(rows_of(*lines)), 0, 1)


P_VALUES = [
    ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # Holm's own steps: × 4, 3, 2, 1
    ([0.02], [0.02]),
    ([0.5, 0.9, 0.7], [1, 1, 1]),
    ([math.nan, 0.02, math.nan, 0.03], [math.nan, 0.04, math.nan, 0.04]),
    ([math.nan, math.nan], [math.nan, math.nan]),
    ([], []),
]


@pytest.mark.parametrize(("p", "expected"), P_VALUES)
def test_holm_by_hand_by_loops_and_as_the_product_has_it(
    p: list[float], expected: list[float]
) -> None:
    assert holm(p) == pytest.approx(expected, nan_ok=True)
    assert corrected(np.array(p, dtype=float)).tolist() == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("seed", range(10))
def test_omnibus_is_that_of_every_arrangement(seed: int) -> None:
    rng = np.random.default_rng(seed)
    both = [("p", "A"), ("p", "B"), ("q", "A"), ("q", "C")]
    alone = [("r", "A"), ("s", "B"), ("w", "C"), ("x", "C")]
    rows = [
        Row(Fraction(int(rng.integers(9)), 4), system, who, str(rng.choice(["t", "u"])))
        for who, system in both + alone + both[:2]
    ]
    cells: dict[tuple[str, str], list[Fraction]] = {}
    for row, value in zip(rows, topic_centred(rows), strict=True):
        cells.setdefault((row.searcher, row.system), []).append(value)
    values = [sum(each, Fraction(0)) / len(each) for each in cells.values()]
    met = {system: {row.topic for row in rows if row.system == system} for system in "ABC"}
    crossed = met["A"] == met["B"] == met["C"]
    own = {who: frozenset(row.topic for row in rows if row.searcher == who) for who, _ in cells}
    strata = [who if who in "pq" else "" if crossed else own[who] for who, _ in cells]
    expected, others = exact_p(values, [system for _, system in cells], strata)
    assert omnibus(scored(rows)) == (pytest.approx(expected), others)
    assert not crossed or others == 2 * 2 * 12 - 1


def test_single_searchers_of_one_system_alone_leave_nothing_to_compare() -> None:
    pair = of("1 A p t", "2 B p t", "3 A q t", "4 B q t", "1 A r* t × 4")
    assert (pair.design, pair.both, pair.single) == ("mixed", 2, 4)
    assert "can't be compared" not in leads(pair, "sDCG")[0]


def test_two_searchers_on_two_topics_are_not_without_error() -> None:
    pair = of("1 A p t", "3 B p u", "2 B q t", "9 A q u")  # raw differences 2 and −7
    assert math.isnan(pair.low) or pair.low < pair.high


def test_two_pairs_of_searchers_on_their_own_two_topics_are_two_observations() -> None:
    pair = of(
        *("1 A p t", "3 B p u", "2 A q u", "6 B q t"),  # topics taken off: 3 and 3
        *("1 A r v", "3 B r w", "2 A s w", "5 B s v"),  # 2.5 and 2.5
    )
    half = 12.706 * 0.25  # t, df = 1
    assert pair.high - pair.low == pytest.approx(2 * half, rel=0.01)


def test_two_equal_differences_make_no_interval_of_no_width() -> None:
    pair = of("1 A p t", "2 B p t", "4 A q t", "5 B q t")
    assert math.isnan(pair.low) or pair.low < pair.high


TENTHS = ("1/10 A p* t × 2", "1/10 B r* t × 1", "1/10 A u* u × 3", "1/10 B v* u × 4")


def test_scores_all_alike_are_level() -> None:
    pair = of(*TENTHS)
    assert (pair.p_permutation, pair.superiority) == (1.0, 0.5)
    assert leads(pair, "sDCG")[0] == (
        "A and B don't differ clearly: B − A = 0 sDCG (no interval, p = 1)"
    )


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (TENTHS, "searchers show no variation."),
        (
            ("1 A p t", "2 B p t", "4 A q t", "5 B q t"),
            "searchers show no variation.",
        ),
        (
            ("1 A p t", "2 B p u", "3 A q u", "7 B q t", "2 A r t", "9 B r u"),
            "too few searchers remain once topic effects are removed.",
        ),
        (("1 A p t", "2 A q t", "4 B r t"), None),
    ],
)
def test_why_there_is_no_interval_is_the_reason_that_holds(
    rows: tuple[str, ...], why: str | None
) -> None:
    pair = of(*rows)
    assert math.isnan(pair.low)
    reason = [said for said in too_few(pair) if said.startswith("There is no interval")]
    assert reason == ([f"There is no interval: {why}"] if why else [])
    assert too_few(pair)


def test_scores_all_alike_leave_no_interval_or_order_of_rounding() -> None:
    pair = of(*TENTHS)
    assert "e-" not in leads(pair, "sDCG")[0]
    assert math.isnan(pair.superiority_low)


def test_difference_is_whole_however_topics_are_shared() -> None:
    pair = of(
        *("1 A p t", "2 B p u", "1 A q t", "2 B q u"),
        *("2 B r t × 5", "1 A s u × 5"),
    )
    assert pair.difference == pytest.approx(1)  # B scores 1 more than A throughout


def test_systems_never_on_one_topic_have_no_superiority() -> None:
    pair = of("1 A p t", "2 A q t", "3 B r u", "4 B s u")
    assert math.isnan(pair.difference)
    assert math.isnan(pair.superiority)


def test_omnibus_moves_nobody_where_no_pair_can() -> None:
    rows = rows_of("1 A p* t × 3", "2 B q* u × 3", "4 C r* v × 3")
    assert math.isnan(compare(scored(rows), 0, 1).p_permutation)
    assert omnibus(scored(rows))[1] == 0
