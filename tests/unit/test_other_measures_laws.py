"""What holds for the other measures of docs/metrics.md, for any study."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sdcg_explorer.metrics import (
    coverage,
    novelty,
    recall_effort,
    relative_recall,
    user_oriented_scores,
)

from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.measures import OTHER_MEASURES, measured
from sdcg_explorer.scoring.selection import select
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import NAN, Choices, PlainStudy, best_list
from tests.support.plain_other_measures import documents, user_oriented
from tests.support.random_studies import JUDGED_DOCS, TOPICS, choices, often, studies

ALL = Filters()
EXACT = 1e-9
USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")
COLUMNS = ("ndcg", "ndcg_area", "ldcg", "lndcg", *USER_ORIENTED)
Row = dict[str, float]


def assert_close(ours: object, theirs: object) -> None:
    """Equal but for rounding, undefined in the same places."""
    np.testing.assert_allclose(
        np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float), rtol=EXACT, atol=EXACT
    )


@often
@given(studies(), choices(), st.sampled_from((1, 2, 3, 7, 2.5)))
def test_expected_number_equals_plain_loop(
    plain: PlainStudy, chosen: Choices, expected: float
) -> None:
    ours = measured(select(study_of(plain), definition_of(chosen), ALL), OTHER_MEASURES, expected)
    for s, session in enumerate(plain.sessions):
        rows = user_oriented(session.queries, plain.judgments, chosen, expected)
        for q, (topic, _) in enumerate(session.queries):
            if any(best_list(topic, plain.judgments, chosen)):
                assert_close([ours[name][s, q] for name in USER_ORIENTED], [*rows[q].values()])
        assert np.isnan([ours[name][s, len(rows) :] for name in USER_ORIENTED]).all()


@often
@given(studies(), st.sets(st.sampled_from(JUDGED_DOCS)), st.integers(1, 8), st.integers(1, 6))
def test_array_function_equals_set_functions(
    plain: PlainStudy, relevant: set[str], top: int, expected: int
) -> None:
    most = max(len(s.queries) for s in plain.sessions)
    shape = (len(plain.sessions), most)
    gained, again = np.zeros((2, *shape, top), dtype=bool)
    topics, cells = np.full(shape, -1), np.zeros(shape, dtype=int)
    sets: dict[tuple[int, int], list[float]] = {}
    for s, session in enumerate(plain.sessions):
        known: dict[str, set[str]] = {topic: set() for topic in TOPICS}
        examined: dict[str, int] = dict.fromkeys(TOPICS, 0)
        for q, query in enumerate(session.queries):
            topic, docs = query[0], documents(query, top)
            before = known[topic]
            topics[s, q], cells[s, q] = TOPICS.index(topic), top
            for r, doc in enumerate(docs):
                gained[s, q, r] = doc in relevant and doc not in docs[:r]
                again[s, q, r] = doc in before
                examined[topic] += len((before | set(docs[:r])) & relevant) < expected
            found = (before | set(docs)) & relevant
            sets[s, q] = [
                coverage(before, relevant, set(docs)),
                novelty(before, relevant, set(docs)),
                relative_recall(found, expected),
                recall_effort(expected, examined[topic]),
            ]
            known[topic] = before | set(docs)
    ours = user_oriented_scores(gained, again, topics, cells, np.full(len(TOPICS), expected * 1.0))
    for place in np.ndindex(shape):
        assert_close([ours[name][place] for name in USER_ORIENTED], sets.get(place, [NAN] * 4))
