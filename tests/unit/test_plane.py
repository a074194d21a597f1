"""Scores over a plane of b and bq, and their differences, are those of each point alone."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import given

from sdcg_explorer.questions.robustness.numbers import session_scores_over
from sdcg_explorer.scoring import base_grid, selection
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.measures import SESSION_SCORES, Measured
from tests.support import plain_files, random_studies
from tests.support.plain_loop import Choices, PlainStudy

BASES = (1.3, math.inf), (2.0, 30.0)


@random_studies.often
@given(random_studies.studies(), random_studies.choices())
def test_scores_over_a_plane_are_those_of_each_point(plain: PlainStudy, chosen: Choices) -> None:
    study, definition = plain_files.study_of(plain), plain_files.definition_of(chosen)
    plane = base_grid.BaseGrid(selection.select(study, definition, Filters()), *BASES)
    values = {name: session_scores_over(plane, name) for name in SESSION_SCORES}
    for i, b in enumerate(plane.b):
        for k, bq in enumerate(plane.bq):
            of = Measured(selection.select(study, replace(definition, b=b, bq=bq), Filters()))
            for name, score in SESSION_SCORES.items():
                alone = np.where(of.chosen.sample.judged, score.function(of), np.nan)
                own = values[name][:, i, k]
                np.testing.assert_allclose(own, alone, 1e-12, 1e-12, err_msg=name)
