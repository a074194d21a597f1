"""The other measures of the sources at their edges: undefined, shapes, files, choices of gain."""

from __future__ import annotations

import math
from dataclasses import replace
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from sdcg_explorer.metrics import (
    area,
    average_curves,
    coverage,
    ideal_ldcg,
    ldcg,
    lndcg,
    novelty,
    recall_effort,
    relative_recall,
)

from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, Judgments, PlainStudy, Query
from tests.support.random_studies import choices, often, studies
from tests.support.tables import read
from tests.unit.test_other_measures_golden import columns

ALL = Filters()
USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")
COLUMNS = ("ndcg", "ndcg_area", "ldcg", "lndcg", *USER_ORIENTED)
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


@often
@given(studies(), choices())
def test_condensed_measures_are_those_of_judged_results_alone(
    plain: PlainStudy, chosen: Choices
) -> None:
    sessions = [
        replace(s, queries=[judged_alone(query, plain.judgments) for query in s.queries])
        for s in plain.sessions
    ]
    condensed = replace(definition_of(chosen), unjudged="condense")
    ours = scores(study_of(plain), condensed, ALL)
    alone = scores(study_of(replace(plain, sessions=sessions)), definition_of(chosen), ALL)
    for one, two, names in (
        (ours.queries, alone.queries, [*COLUMNS]),
        (ours.sessions, alone.sessions, ["final", "final_normalised"]),
    ):
        np.testing.assert_allclose(one[names], two[names], rtol=1e-9, atol=1e-9)


def judged_alone(query: Query, judgments: Judgments) -> Query:
    """A query without its unjudged results, ranks counted anew."""
    topic, results = query
    docs = [results[rank] for rank in sorted(results) if (topic, results[rank]) in judgments]
    return topic, dict(enumerate(docs, start=1))


def logged(folder: Path, *rows: str) -> Study:
    """A study of these rows of a log: session, system, query, topic, rank, doc, clicked, grade."""
    return read(folder, log_csv=HEADER + "\n".join(rows) + "\n", judgments_csv=JUDGMENTS)


def test_what_was_not_observed_is_neither_shown_nor_examined(tmp_path: Path) -> None:
    of = logged(
        tmp_path,
        *("s,A,1,t,1,a,1,", "s,A,1,t,2,c,1,", "s,A,1,t,3,b,0,"),  # observed to rank 2
        *("s,A,2,t,1,b,0,", "s,A,2,t,4,a,0,"),  # nothing recorded: to the top
    )
    choices = {"short_lists": "observed", "top": 3}
    assert columns(of, *USER_ORIENTED[1:], **choices) == [
        [2 / 2, 1 / 1],
        [2 / 3, 3 / 3],
        [3 / 2, 3 / (2 + 1)],
    ]
    (covered, share) = columns(of, "coverage", "ndcg", **choices)
    assert covered == pytest.approx([math.nan, 0 / 2], nan_ok=True)
    assert share == pytest.approx([(1 + 2 / 2) / (3 + 2 / 2), 3 / (3 + 2 / 2 + 1 / (1 + log2(3)))])


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


def test_condensed_length_is_that_of_the_judged_results_whatever_was_observed(
    tmp_path: Path,
) -> None:
    of = logged(
        tmp_path,
        *("s,A,1,t,1,u,1,", "s,A,1,t,2,a,1,", "s,A,1,t,3,b,0,"),  # a b are left, a observed
        *("s,A,2,t,1,u,1,", "s,A,2,t,2,b,0,"),  # b is left, nothing of it observed
    )
    (adjusted,) = columns(of, "ldcg", short_lists="observed", unjudged="condense", top=3)
    delta, two = 1 + 1 / log2(3) + 1 / 2, 1 + 1 / log2(3) ** 2
    assert adjusted == pytest.approx([1 * delta / two, 0 * delta / 1], rel=1e-14)


def test_document_graded_relevant_only_when_shown_again_is_found(tmp_path: Path) -> None:
    of = logged(tmp_path, "s,A,1,t,1,b,,0", "s,A,2,t,1,b,,2", "r,A,1,t,1,c,,1")
    (recall,) = columns(of, "relative_recall", grades="searcher")
    assert recall == [0, 1 / 2, 1 / 2]  # of b and c, which searchers found relevant


def test_coverage_never_exceeds_1_where_the_searcher_s_grades_change(tmp_path: Path) -> None:
    rows = ("s,A,1,t,1,a,,2", "s,A,1,t,2,b,,0", "s,A,2,t,1,a,,2", "s,A,2,t,2,b,,2")
    (covered,) = columns(logged(tmp_path, *rows), "coverage", grades="searcher")
    assert covered[1] == 1  # of {a}, known and relevant then, or of {a, b}: both are shown again
