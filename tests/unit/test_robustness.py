"""The map of b and bq, and all definitions at once, say what Compare systems says at each point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.all_definitions import (
    RATIO,
    VARIED,
    AllDefinitions,
    all_definitions,
    linearised,
)
from analysis.compare_systems import compare_systems
from analysis.definition.definition import DEFAULT, Definition, Filters
from analysis.plane import GRID, Plane
from analysis.robustness import robustness
from analysis.selection import select
from study.reading.samples import sample_studies
from study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

ALL = Filters()
FLIPS = Definition(weights=((0.0, 0.0), (1.0, 1 / (1 + np.log(3) / np.log(4))), (2.0, 1.0)))


@pytest.fixture(scope="module")
def study() -> Study:
    return next(each for each in sample_studies() if each.name.startswith("ECIR"))


def flipping() -> Study:
    """A gains at its first query what B gains at its third where bq is 4; two of six more."""
    sessions = []
    for searcher in range(6):
        more = {2: "fine"}
        a = [("t", {1: "good"} | more if searcher < 2 else {1: "good"}), ("t", {}), ("t", {})]
        b = [("t", more if searcher > 3 else {}), ("t", {}), ("t", {1: "best"})]
        for system, queries in (("A", a), ("B", b)):
            name = f"{system}{searcher}"
            sessions.append(PlainSession(name, queries, system, f"searcher {searcher}"))
    return study_of(
        PlainStudy(sessions, {("t", "good"): 1.0, ("t", "fine"): 1.0, ("t", "best"): 2.0})
    )


@pytest.mark.parametrize("score", ["final_normalised", "average_normalised", "best"])
def test_map_is_compare_systems_at_each_point(study: Study, score: str) -> None:
    seen = robustness(study, DEFAULT, ALL, score=score)
    for i, k in np.random.default_rng(1).integers(0, len(GRID), (20, 2)):
        there = replace(DEFAULT, b=seen.b[i], bq=seen.bq[k])
        pair = compare_systems(study, there, ALL, score=score).pairs[0]
        own = [values[i, k] for values in (seen.value, seen.low, seen.high)]
        expected = [pair.difference, pair.low, pair.high]
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-14)


def test_planted_study_changes_its_order_at_a_bq_of_four() -> None:
    seen = robustness(flipping(), FLIPS, ALL, score="final")
    ahead = np.greater(GRID, 4.0)
    assert (np.sign(seen.value) == np.where(ahead, 1, -1)).all()
    points, clear = 24 * int(ahead.sum()), seen.clear & ahead
    assert seen.answer() == (
        f"B is ahead at {points} of 576 points of this grid, A at {576 - points}; its interval "
        f"excludes 0 at {clear.sum()}, that of A at {(seen.clear & ~ahead).sum()}."
    )
    assert 0 < clear.sum() < points
    assert seen.table().query("bq > 4")["difference"].gt(0).all()


def test_one_system_is_its_mean_and_the_order_of_its_sessions(study: Study) -> None:
    first = study.block().system_names[0]
    one = Filters(systems=(first,))
    seen, chosen = robustness(study, DEFAULT, one), select(study, DEFAULT, one)
    scores = Plane(chosen).scores(RATIO)
    known = ~np.isnan(scores[:, 0, 0])
    now = stats.rankdata(chosen.session_scores[RATIO][known])
    for i, k in ((0, 0), (5, 20)):
        there = scores[known, i, k]
        assert seen.value[i, k] == pytest.approx(there.mean())
        assert seen.correlation[i, k] == pytest.approx(stats.spearmanr(there, now)[0])
    assert seen.answer().startswith(f"{first}: the mean is between ")
    none = robustness(study, DEFAULT, replace(one, min_queries=99))
    assert none.answer() == "No session with this score is left: widen the filters under Show."


@pytest.fixture(scope="module")
def every(study: Study) -> AllDefinitions:
    found = all_definitions(study, DEFAULT, ALL)
    assert found
    return found


def test_all_definitions_are_compared_as_each_alone(study: Study, every: AllDefinitions) -> None:
    assert every.value.shape == tuple(len(options) for options in VARIED.values())
    whole = every.table()
    for _, row in whole[whole["average"] == "mean-of-ratios"].sample(12, random_state=1).iterrows():
        own = replace(DEFAULT, **{name: row[name] for name in VARIED})
        pair = compare_systems(study, own, ALL).pairs[0]
        expected = [pair.difference, pair.low, pair.high]
        assert row[["difference", "low", "high"]].tolist() == pytest.approx(expected, rel=1e-10)
        assert row["bounded"] == ((own.repeats, own.ideal) != ("every", "spread"))
    assert whole["difference"].is_monotonic_increasing
    share = 100 * (whole["difference"] > 0).mean()
    assert every.answer().startswith(f"System 2 is ahead under {share:.0f} % of 7,200 definitions")


def test_ratio_of_means_enters_by_scores_that_have_it_as_their_mean(study: Study) -> None:
    plane = Plane(select(study, DEFAULT, ALL), (2.0,), (4.0, 9.0))
    linear, sample = linearised(plane), plane.chosen.sample
    for k in range(2):
        of = plane.at(2.0, plane.bq[k])
        final, ideal = of.session_scores["final"], of.worth.ideal[:, -1, -1]
        for system in sample.shown_systems:
            own = (sample.systems == system) & (ideal > 0)
            assert linear[own, 0, k].mean() == pytest.approx(final[own].sum() / ideal[own].sum())


def test_choices_are_weighed_by_what_they_move_alone(study: Study, every: AllDefinitions) -> None:
    axis = list(every.choices).index("ideal")
    one, two = np.moveaxis(every.value, axis, 0)
    assert every.moved()["ideal"] == pytest.approx(np.abs(one - two).mean())
    assert [*every.moved().values()] == sorted(every.moved().values(), reverse=True)
    found = all_definitions(study, DEFAULT, ALL, score="mean_dcg")
    assert found
    assert found.idle == ("ideal", "average", "bq")
    assert found.unit == "standard deviations of sessions"
    alone = replace(ALL, systems=study.block().system_names[:1])
    assert all_definitions(study, DEFAULT, alone) is None
