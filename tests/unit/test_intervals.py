"""Intervals of means: beside a plain loop, where there is none, and what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t
from sdcg_explorer.metrics import bootstrap_interval, mean_interval

from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_figures import bootstrap, by_t, share_curve
from tests.support.plain_files import study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy


def clusters(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums of two systems' values at three positions, and their counts, by cluster."""
    chance = np.random.default_rng(7)
    counts = chance.integers(0, 4, (number, 2, 3)).astype(float)
    counts[:5] += 1
    return chance.random((number, 2, 3)) * counts, counts


def test_bootstrap_equals_plain_loop_over_the_same_draws() -> None:
    sums, counts = clusters(20)
    sums[9:, 0, 1] = 0.0  # too few have gained, and here enough, if not all
    sums[1, 1, 2] = 0.0
    draws = np.random.default_rng(2008).integers(0, 20, (1000, 20)).tolist()
    low, high = bootstrap_interval(sums, counts)
    assert np.isnan(low).tolist() == [[False, True, False], [False, False, False]]
    for place in np.ndindex(2, 3):
        own = sums[(slice(None), *place)].tolist(), counts[(slice(None), *place)].tolist()
        expected = bootstrap(own[0], own[1], draws)
        ours = low[place], high[place]
        assert ours == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("number", [2_501, 8_001])  # draws are made, and kept, in batches
def test_bootstrap_of_many_clusters_equals_draws_made_at_once(number: int) -> None:
    sums = np.random.default_rng(8).random((number, 1))
    draws = np.random.default_rng(2008).integers(0, number, (1000, number))
    drawn, mean, error = sums[:, 0][draws], sums.mean(), sums.std() / number**0.5
    t = np.sort((drawn.mean(axis=1) - mean) / (drawn.std(axis=1) / number**0.5))
    low, high = bootstrap_interval(sums, np.ones((number, 1)))
    expected = [mean - t[975] * error, mean - t[24] * error]
    assert [low[0], high[0]] == pytest.approx(expected, rel=1e-12)


def test_bootstrap_is_undefined_under_five_clusters_with_a_value() -> None:
    sums, counts = clusters(5)
    counts[4, 0, 1] = sums[4, 0, 1] = 0
    low, high = bootstrap_interval(sums, counts)
    undefined = [[False, True, False], [False, False, False]]
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == undefined
    low, high = bootstrap_interval(sums[:4], counts[:4])
    assert np.isnan(low).all()
    assert np.isnan(high).all()


@pytest.mark.parametrize(("gained", "of", "shown"), [(8, 9, False), (9, 9, True), (10, 40, True)])
def test_bootstrap_is_undefined_where_too_few_have_gained(
    gained: int, of: int, shown: bool
) -> None:
    sums = np.where(np.arange(of) < gained, np.random.default_rng(3).random(of) + 1, 0.0)
    low, high = bootstrap_interval(sums, np.ones(of))
    assert bool(np.isfinite(low)) == bool(np.isfinite(high)) == shown


def test_bootstrap_is_undefined_where_nearly_all_are_alike() -> None:
    sums = np.ones((8, 3))
    sums[0, 1] = 2.0  # a third of the draws are without it
    sums[:, 2] += np.arange(8)
    low, high = bootstrap_interval(sums, np.ones((8, 1)))
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]


def test_bootstrap_ends_at_0_where_no_sum_is_below_it() -> None:
    sums = np.array([0.001, 0.001, 0.002, 0.4, 0.5, 30.0])
    low, high = bootstrap_interval(np.stack([sums, sums - 0.01], axis=1), np.ones((6, 1)))
    assert low[0] == 0
    assert low[1] < -0.01
    assert high[0] - 0.01 == pytest.approx(high[1])


def test_means_of_few_are_by_t_as_scipy_has_it() -> None:
    scores = np.array([0.26, 0.31, 0.48, 0.59, 0.66])
    low, high = mean_interval(scores, np.ones(5))
    expected = t.interval(0.95, 4, scores.mean(), scores.std(ddof=1) / 5**0.5)
    assert (float(low), float(high)) == pytest.approx(expected, rel=1e-12)


def test_means_of_groups_are_by_t_or_resampled_each_by_its_clusters() -> None:
    sums, counts = clusters(20)
    counts[9:, 0], counts[1:, 1, 0], counts[7:, 1, 1] = 0, 0, 0  # 9 clusters at most, 1, and 7
    sums[counts == 0] = 0
    sums[3, 0, 0] = 0  # of nine one gained nothing
    sums[:, 0, 1] = 0.4 * counts[:, 0, 1]  # all alike
    sums[:, 1, 1] -= 0.1 * counts[:, 1, 1]  # below 0, too
    low, high = mean_interval(sums, counts)
    for place in np.ndindex(2, 3):
        own = sums[(slice(None), *place)].tolist(), counts[(slice(None), *place)].tolist()
        number = sum(count > 0 for count in own[1])
        edges = [each[place] for each in bootstrap_interval(sums, counts)]
        expected = by_t(*own) if number < 10 else edges
        assert (low[place], high[place]) == pytest.approx(expected, rel=1e-9, nan_ok=True), place
    assert np.isnan(low).tolist() == [[False, True, False], [True, False, False]]


def study_with_searchers(names: list[str], *, turned: bool = False) -> PlainStudy:
    """A session for each searcher and one of two systems, gains all different."""
    docs = [f"d{i}" for i in range(9)]
    sessions = [
        PlainSession(f"s{i}", [("t", {i % 5 + 1: "d0", 7: docs[i % 9]})], "AB"[i % 2], name)
        for i, name in enumerate(names)
    ]
    judgments = {("t", doc): float(i % 4) for i, doc in enumerate(docs, start=3)}
    return PlainStudy(sessions[::-1] if turned else sessions, judgments)


def bands(study: Study) -> list[np.ndarray]:
    """Every interval that the figures draw."""
    curves = session_curves(study, Definition(), Filters(), bands=True).curves
    order = query_order(study, Definition(), Filters(), bands=True, depth=10).curves
    own = [edge for of in curves for m in (of.raw, of.normalised) for edge in (m.low, m.high)]
    return own + [edge for curve in order for edge in (curve.low, curve.high)]


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
