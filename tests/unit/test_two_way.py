"""The model of systems, searchers and topics: textbook t to ten digits, and laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.statistics import two_way
from sdcg_explorer.statistics.two_way import Estimate, Sessions, TwoWay

TEN = 1e-10


def crossed(searchers: int, topics: int, seed: int) -> tuple[Sessions, Any]:
    """Every searcher with both systems on every topic; each has effects of its own."""
    rng = np.random.default_rng(seed)
    unit, topic, system = (each.ravel() for each in np.indices((searchers, topics, 2)))
    score = rng.normal(size=searchers)[unit] + rng.normal(size=topics)[topic] + 0.4 * system
    score = score + rng.normal(size=searchers)[unit] * system + rng.normal(size=unit.size)
    return Sessions(system, unit, topic), score


def by_t(found: Estimate) -> list[float]:
    return [found.value, found.t, found.df, *found.interval(), found.p]


@pytest.mark.parametrize("seed", range(3))
def test_balanced_and_complete_it_is_the_paired_t(seed: int) -> None:
    sessions, score = crossed(7, 3, seed)
    d = score.reshape(7, 3, 2).mean(axis=1) @ [-1, 1]
    t, p = stats.ttest_1samp(d, 0)
    reach = stats.t.ppf(0.975, 6) * d.std(ddof=1) / np.sqrt(7)
    expected = [d.mean(), t, 6, d.mean() - reach, d.mean() + reach, p]
    found = TwoWay(score, sessions).difference(0, 1)
    assert by_t(found) == pytest.approx(expected, rel=TEN, abs=TEN)


@pytest.mark.parametrize("sizes", [(5, 15), (8, 8), (3, 9)])
def test_between_searchers_it_is_welchs_t_on_their_means(sizes: tuple[int, int]) -> None:
    of = np.repeat([0, 1], sizes)
    sessions, score = crossed(of.size, 4, sum(sizes))
    sessions = Sessions(of[sessions.unit], sessions.unit, sessions.topic)
    means = score.reshape(of.size, -1).mean(axis=1)
    welch = stats.ttest_ind(means[of == 1], means[of == 0], equal_var=False)
    ends = welch.confidence_interval()
    expected = [float(np.subtract(*(means[of == s].mean() for s in (1, 0)))), *welch[:1]]
    found = TwoWay(score, sessions).difference(0, 1)
    assert by_t(found)[:2] == pytest.approx(expected, rel=TEN)
    assert found.interval() == pytest.approx((ends.low, ends.high), rel=TEN)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_scale_shift_and_topics_own_effects(scale: float) -> None:
    sessions, score = crossed(6, 4, 5)
    kept = np.random.default_rng(2).random(score.size) < 0.6
    some = Sessions(sessions.system[kept], sessions.unit[kept], sessions.topic[kept])
    found = TwoWay(score[kept], some).difference(0, 1)
    moved = TwoWay(scale * (score[kept] + 7.0 * some.topic - 3.0), some).difference(0, 1)
    expected = (scale * found.value, scale * found.error, found.df)
    assert (moved.value, moved.error, moved.df) == pytest.approx(expected, rel=1e-6)


def test_a_searcher_of_many_sessions_is_one_unit() -> None:
    sessions, score = crossed(2, 201, 3)  # more than are gone through session by session
    found = TwoWay(score, sessions).difference(0, 1)
    assert found.df == pytest.approx(1.0, rel=1e-6)


def test_searchers_of_many_sessions_are_adjusted_as_all_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sessions, score = crossed(6, 5, 4)
    kept = np.random.default_rng(3).random(score.size) < 0.7
    some = Sessions(sessions.system[kept], sessions.unit[kept], sessions.topic[kept])
    expected = by_t(TwoWay(score[kept], some).difference(0, 1))
    monkeypatch.setattr(two_way, "MOST_SESSIONS", 3)
    assert by_t(TwoWay(score[kept], some).difference(0, 1)) == pytest.approx(expected, rel=1e-8)
