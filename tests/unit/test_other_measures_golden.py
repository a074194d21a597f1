"""The other measures of the sources: published numbers, worked ones, edges, and plain loops."""

import math
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sdcg_explorer.metrics import (
    area,
    average_curves,
    coverage,
    gain_per_cost,
    ideal_ldcg,
    ldcg,
    lndcg,
    novelty,
    recall_effort,
    relative_recall,
)

from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import OTHER_MEASURES, measured
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.study import Study
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainStudy, best_list
from tests.support.plain_other_measures import user_oriented
from tests.support.random_studies import choices, often, studies
from tests.support.tables import read
from tests.unit.test_every_score import assert_close

USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")
UNDEFINED = [math.nan] * 4


def columns(study: Study, *names: str, **choices: Any) -> list[list[float]]:
    """Columns of the table of queries; linear gain unless said."""
    chosen = Definition(**{"weights": "linear", **choices})
    table = scores(study, chosen, Filters()).queries
    return [table[name].tolist() for name in names]


ALL = Filters()
HEADER = "session,system,query_number,topic,rank,doc,clicked,grade\n"
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,3\nt,c,2\n"


def test_empty_denominator_is_nan_never_0() -> None:
    undefined = [
        coverage(set(), {"a"}, {"a"}),
        coverage({"x"}, {"a"}, {"a"}),
        novelty({"a"}, {"a"}, {"x"}),
        novelty(set(), set(), set()),
        relative_recall(set(), 0),
        relative_recall({"a"}, 0),
        recall_effort(0, 5),
        recall_effort(3, 0),
        float(ldcg([0.0, 0.0], 0)),
        float(ldcg([3.0, 1.0], 0)),
        float(ideal_ldcg(0, 0, 5)),
        float(ideal_ldcg(0, 4, 5)),
        float(lndcg([0.0, 0.0], 2, 0, 0)),
        float(lndcg([3.0, 0.0], 0, 3, 1)),
        float(area(np.array([math.nan, math.nan]))),
    ]
    assert np.isnan(undefined).tolist() == [True] * len(undefined)


def test_area_and_ratios_leave_out_what_is_undefined() -> None:
    assert area(np.array([[math.nan, 1.0, 0.0], [0.5, 0.0, 0.1]])).tolist() == [1 / 2, 0.6 / 3]
    curves = average_curves(np.array([[0.0, 1]] * 2), np.array([[0.0, 2]] * 2), np.array([1, 0.5]))
    np.testing.assert_array_equal(curves["ncg"], [math.nan, 1 / 2])
    np.testing.assert_array_equal(curves["ndcg"], [math.nan, (1 / 2) / (2 / 2)])
    assert curves["cg"].tolist() == [0, 1]
    assert coverage({1, 2}, {1, 2, 3}, {2, 3}) == 1 / 2
    assert gain_per_cost(np.array([3.0]), np.array([2.0])).tolist() == [3 / 2]


def logged(folder: Path, *rows: str) -> Study:
    """A study of these rows of a log: session, system, query, topic, rank, doc, clicked, grade."""
    return read(folder, log_csv=HEADER + "\n".join(rows) + "\n", judgments_csv=JUDGMENTS)


def test_what_was_not_observed_is_paid_for_in_length_adjusted_dcg(tmp_path: Path) -> None:
    of = logged(
        tmp_path,
        *("s,A,1,t,1,a,1,", "s,A,1,t,2,c,1,", "s,A,1,t,3,b,0,"),  # three results, two observed
        *("s,A,2,t,1,b,1,", "s,A,2,t,2,c,0,"),  # two, one observed
        *("s,A,3,t,1,b,0,", "s,A,3,t,4,a,0,"),  # nothing recorded: to the top of three
    )
    delta = [1, 1 / log2(3), 1 / 2]
    two, three = 1 + 1 / log2(3) ** 2, 1 + 1 / log2(3) ** 2 + 1 / 4  # Σ δ² of N results
    seen = [(1 + 3 / log2(3)) / three, 7 / two, 7 / three]  # a 1, c 3, b 7; b unseen at first
    whole = [(1 + 3 / log2(3) + 7 / 2) / three, (7 + 3 / log2(3)) / two, 7 / three]
    for short_lists, gained in (("observed", seen), ("pad", whole), ("as-is", whole)):
        choices = {"short_lists": short_lists, "top": 3}
        adjusted, share = columns(of, "ldcg", "lndcg", **choices)
        assert adjusted == pytest.approx([worth * sum(delta) for worth in gained], rel=1e-14)
        assert share == pytest.approx([worth / 7 for worth in gained], rel=1e-14)  # ILDCG: b alone


def test_coverage_never_exceeds_1_where_the_searcher_s_grades_change(tmp_path: Path) -> None:
    rows = ("s,A,1,t,1,a,,2", "s,A,1,t,2,b,,0", "s,A,2,t,1,a,,2", "s,A,2,t,2,b,,2")
    (covered,) = columns(logged(tmp_path, *rows), "coverage", grades="searcher")
    assert covered[1] == 1  # of {a}, known and relevant then, or of {a, b}: both are shown again


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
