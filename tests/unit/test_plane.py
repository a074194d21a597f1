"""Scores over a plane of b and bq, and their differences, are those of each point alone."""

import math

import numpy as np
import pytest
from hypothesis import given

from sdcg_explorer.questions.robustness.numbers import session_scores_over
from sdcg_explorer.scoring.base_grid import BaseGrid
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.measures import SESSION_SCORES, Measured
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.statistics.two_way import Sessions, TwoWay, differences
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainStudy
from tests.support.random_studies import choices, often, studies

BASES = (1.3, math.inf), (2.0, 30.0)
DESIGNS = {  # systems of searchers' sessions: chosen by chance, by searcher, or both
    "within": lambda unit, chance: chance,
    "between": lambda unit, chance: unit % 3,
    "mixed": lambda unit, chance: np.where(unit % 2 == 0, chance, unit % 3),
}


@often
@given(studies(), choices())
def test_scores_over_a_plane_are_those_of_each_point(plain: PlainStudy, chosen: Choices) -> None:
    study = study_of(plain)
    plane = BaseGrid(select(study, definition_of(chosen), Filters()), *BASES)
    values = {name: session_scores_over(plane, name) for name in SESSION_SCORES}
    for i, b in enumerate(plane.b):
        for k, bq in enumerate(plane.bq):
            of = Measured(select(study, plane.definition(b, bq), Filters()))
            for name, score in SESSION_SCORES.items():
                alone = np.where(of.chosen.sample.judged, score.function(of), np.nan)
                own = values[name][:, i, k]
                np.testing.assert_allclose(own, alone, 1e-12, 1e-12, err_msg=name)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("seed", range(3))
def test_differences_of_many_scores_are_those_of_each_alone(design: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    number, searchers = int(rng.integers(12, 90)), int(rng.integers(4, 30))
    unit = np.unique(rng.integers(0, searchers, number), return_inverse=True)[1]
    system = DESIGNS[design](unit, rng.integers(0, 3, number))
    topic = np.unique(rng.integers(0, 5, number), return_inverse=True)[1]
    sessions = Sessions(np.unique(system, return_inverse=True)[1], unit, topic)
    own = rng.normal(size=(searchers, 4))[unit] @ (rng.random((4, 9)) * rng.integers(0, 4, 9))
    scores = own + rng.normal(size=(number, 3)) @ rng.random((3, 9)) + 0.3 * topic[:, None]
    found = differences(scores, sessions, 0, 1)
    alone = [TwoWay(score, sessions).difference(0, 1) for score in scores.T]
    for name, digits in (("value", 1e-11), ("error", 1e-11), ("df", 1e-8)):
        expected = [getattr(each, name) for each in alone]
        np.testing.assert_allclose(getattr(found, name), expected, digits, err_msg=name)
    assert len({each.df for each in alone}) > 1, "else one fit would have done"
