"""The other measures of the sources: published numbers, worked ones, edges, and plain loops."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer import metrics
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.measures import OTHER_MEASURES, measured
from sdcg_explorer.scoring.selection import select
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainStudy, best_list
from tests.support.plain_other_measures import user_oriented
from tests.support.random_studies import choices, often, studies
from tests.unit.test_every_score import assert_close

USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")
UNDEFINED = [math.nan] * 4


ALL = Filters()


def test_empty_denominator_is_nan_never_0() -> None:
    undefined = [
        metrics.coverage(set(), {"a"}, {"a"}),
        metrics.coverage({"x"}, {"a"}, {"a"}),
        metrics.novelty({"a"}, {"a"}, {"x"}),
        metrics.novelty(set(), set(), set()),
        metrics.relative_recall(set(), 0),
        metrics.relative_recall({"a"}, 0),
        metrics.recall_effort(0, 5),
        metrics.recall_effort(3, 0),
        float(metrics.ldcg([0.0, 0.0], 0)),
        float(metrics.ldcg([3.0, 1.0], 0)),
        float(metrics.ideal_ldcg(0, 0, 5)),
        float(metrics.ideal_ldcg(0, 4, 5)),
        float(metrics.lndcg([0.0, 0.0], 2, 0, 0)),
        float(metrics.lndcg([3.0, 0.0], 0, 3, 1)),
        float(metrics.area(np.array([math.nan, math.nan]))),
    ]
    assert np.isnan(undefined).tolist() == [True] * len(undefined)


def test_area_and_ratios_leave_out_what_is_undefined() -> None:
    assert metrics.area(np.array([[math.nan, 1.0, 0.0], [0.5, 0.0, 0.1]])).tolist() == [
        1 / 2,
        0.6 / 3,
    ]
    curves = metrics.average_curves(
        np.array([[0.0, 1]] * 2), np.array([[0.0, 2]] * 2), np.array([1, 0.5])
    )
    np.testing.assert_array_equal(curves["ncg"], [math.nan, 1 / 2])
    np.testing.assert_array_equal(curves["ndcg"], [math.nan, (1 / 2) / (2 / 2)])
    assert curves["cg"].tolist() == [0, 1]
    assert metrics.coverage({1, 2}, {1, 2, 3}, {2, 3}) == 1 / 2
    assert metrics.gain_per_cost(np.array([3.0]), np.array([2.0])).tolist() == [3 / 2]


@often
@given(studies(), choices(), st.sampled_from((1, 2, 3, 7, 2.5)))
def test_expected_number_equals_plain_loop(
    plain: PlainStudy, chosen: Choices, expected: float
) -> None:
    ours = measured(select(study_of(plain), definition_of(chosen), ALL), OTHER_MEASURES, expected)
    for s, session in enumerate(plain.sessions):
        rows = user_oriented(session.queries, plain.judgments, chosen, expected)
        for q, (topic, _) in enumerate(session.queries):
            said = (
                [*rows[q].values()] if any(best_list(topic, plain.judgments, chosen)) else UNDEFINED
            )
            assert_close([ours[name][s, q] for name in USER_ORIENTED], said)
        assert np.isnan([ours[name][s, len(rows) :] for name in USER_ORIENTED]).all()
