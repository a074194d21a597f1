"""Intervals of means: beside a plain loop, where there is none, and what they promise."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import pytest
from sdcg_explorer.metrics import bootstrap_interval, mean_interval

from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_figures import bootstrap, by_t, share_curve
from tests.support.plain_files import study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy

Array: TypeAlias = np.ndarray[Any, Any]
CHANCE = np.random.default_rng(7)
COUNTS = CHANCE.integers(0, 4, 20).astype(float) + 1
SUMS = CHANCE.random(20) * COUNTS
PLACE = np.arange(20)
# sums and counts of clusters, and whether there is an interval by resampling, and by t where few
CASES: dict[str, tuple[Array, Array, bool, bool]] = {
    "twenty": (SUMS, COUNTS, True, True),
    "some without a value": (SUMS * (PLACE % 3 > 0), COUNTS * (PLACE % 3 > 0), True, True),
    "nine gained of twenty": (SUMS * (PLACE < 9), COUNTS, False, False),
    "ten gained of twenty": (SUMS * (PLACE < 10), COUNTS, True, True),
    "eight gained of nine": (SUMS[:9] * (PLACE[:9] > 0), COUNTS[:9], False, True),
    "nine of nine": (SUMS[:9], COUNTS[:9], True, True),
    "five": (SUMS[:5], COUNTS[:5], True, True),
    "four": (SUMS[:4], COUNTS[:4], False, True),
    "four of five": (SUMS[:5] * (PLACE[:5] > 0), COUNTS[:5] * (PLACE[:5] > 0), False, True),
    "one": (SUMS[:1], COUNTS[:1], False, False),
    "all alike": (0.4 * COUNTS, COUNTS, False, False),
    "all but one alike": (np.where(PLACE[:8], 1.0, 2.0), np.ones(8), False, True),
    "ends at 0": (np.array([0.001, 0.001, 0.002, 0.4, 0.5, 30.0]), np.ones(6), True, True),
}


@pytest.mark.parametrize("name", CASES)
def test_intervals_equal_plain_loops_over_the_same_draws(name: str) -> None:
    sums, counts, is_resampled, is_defined = CASES[name]
    draws = np.random.default_rng(2008).integers(0, sums.size, (1000, sums.size)).tolist()
    resampled = bootstrap(sums.tolist(), counts.tolist(), draws)
    low, high = bootstrap_interval(sums, counts)
    assert (float(low), float(high)) == close(resampled)
    assert np.isfinite([low, high]).tolist() == [is_resampled] * 2
    few = np.count_nonzero(counts) < 10
    expected = by_t(sums.tolist(), counts.tolist()) if few else resampled
    assert [float(end) for end in mean_interval(sums, counts)] == close([*expected])
    assert math.isfinite(expected[0]) == is_defined


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def test_intervals_of_several_curves_are_those_of_each_and_go_below_0() -> None:
    sums, counts = np.stack([SUMS, SUMS[::-1] - 1], axis=1), np.stack([COUNTS] * 2, axis=1)
    for of in (bootstrap_interval, mean_interval):
        each = [of(sums[:, i], COUNTS) for i in (0, 1)]
        assert np.array(of(sums, counts)).T.tolist() == [
            close([*map(float, ends)]) for ends in each
        ]
    low, high = bootstrap_interval(CASES["ends at 0"][0] - 0.01, np.ones(6))
    assert low < -0.01
    assert bootstrap_interval(CASES["ends at 0"][0], np.ones(6))[1] - 0.01 == pytest.approx(high)


@pytest.mark.parametrize("number", [2_501, 8_001])  # draws are made, and kept, in batches
def test_bootstrap_of_many_clusters_equals_draws_made_at_once(number: int) -> None:
    sums = np.random.default_rng(8).random((number, 1))
    draws = np.random.default_rng(2008).integers(0, number, (1000, number))
    drawn, mean, error = sums[:, 0][draws], sums.mean(), sums.std() / number**0.5
    t = np.sort((drawn.mean(axis=1) - mean) / (drawn.std(axis=1) / number**0.5))
    low, high = bootstrap_interval(sums, np.ones((number, 1)))
    expected = [mean - t[975] * error, mean - t[24] * error]
    assert [low[0], high[0]] == pytest.approx(expected, rel=1e-12)


def study_with_searchers(names: list[str], *, turned: bool = False) -> PlainStudy:
    """A session for each searcher and one of two systems, gains all different."""
    docs = [f"d{i}" for i in range(9)]
    sessions = [
        PlainSession(f"s{i}", [("t", {i % 5 + 1: "d0", 7: docs[i % 9]})], "AB"[i % 2], name)
        for i, name in enumerate(names)
    ]
    judgments = {("t", doc): float(i % 4) for i, doc in enumerate(docs, start=3)}
    return PlainStudy(sessions[::-1] if turned else sessions, judgments)


def test_intervals_of_curves_resample_searchers() -> None:
    names = [f"p{i % 12:02}" for i in range(24)]  # each searcher's two sessions are on one system
    plain = study_with_searchers(names)
    study = study_of(plain)
    choices = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
    curves: SessionCurves = session_curves(study, Definition(), Filters(), bands=True)
    draws = np.random.default_rng(2008).integers(0, 12, (1000, 12)).tolist()
    for of in curves.curves:
        sums, counts = [0.0] * 12, [0.0] * 12
        for session in plain.sessions:
            if session.system == of.system:
                sums[int(session.searcher[1:])] += share_curve(session, plain, choices, 10)[-1]
                counts[int(session.searcher[1:])] += 1
        expected = bootstrap(sums, counts, draws)
        ours = of.normalised.low[-1], of.normalised.high[-1]
        assert ours == pytest.approx(expected, rel=1e-9)
