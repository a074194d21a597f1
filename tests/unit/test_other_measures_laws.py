"""The other measures of the sources equal a plain loop for any study, and what holds for them."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.definition.definition import Filters
from analysis.other_measures import other_measures
from analysis.scores import scores
from analysis.selection import select
from metrics import (
    coverage,
    ldcg,
    lndcg,
    novelty,
    recall_effort,
    relative_recall,
    user_oriented_scores,
)
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import (
    NAN,
    Choices,
    Judgments,
    PlainStudy,
    Query,
    best_list,
    cells_of,
    counted_gains,
    is_judged,
    mean_defined,
    rank_factor,
)
from tests.support.random_studies import JUDGED_DOCS, SHORT, TOPICS, choices, often, studies

ALL = Filters()
EXACT = 1e-9
USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")
COLUMNS = ("ndcg", "ndcg_area", "ldcg", "lndcg", *USER_ORIENTED)
Row = dict[str, float]


def over(part: float, whole: float) -> float:
    """A share; undefined over nothing."""
    return part / whole if whole else NAN


def worth(grade: float) -> float:
    """Gain of a grade in L14."""
    return 2**grade - 1 if grade > 0 else 0.0


def sum_of_delta(most: int, power: int = 1) -> float:
    """Σ δ(r) of the first ranks, or of its powers."""
    return sum(1 / log2(r + 1) ** power for r in range(1, most + 1))


def shares_of(queries: list[Query], judgments: Judgments, chosen: Choices) -> list[Row]:
    """The nDCG of each query at the end of its own cells, and on average over them."""
    gains = counted_gains(queries, judgments, chosen, chosen.top)
    rows = []
    for q, (topic, _) in enumerate(queries, start=1):
        best = best_list(topic, judgments, chosen)
        dcg = ideal = 0.0
        curve = []
        for r in (rank for of, rank in cells_of(queries, chosen) if of == q):
            factor = rank_factor(r, chosen.b, chosen.form)
            dcg += gains[q - 1].get(r, 0.0) * factor
            ideal += (best[r - 1] if r <= len(best) else 0.0) * factor
            curve.append(over(dcg, ideal))
        rows.append({"ndcg": curve[-1] if curve else NAN, "ndcg_area": mean_defined(curve)})
    return rows


def length_adjusted(query: Query, judgments: Judgments, most: int) -> Row:
    """LDCG and LNDCG of a list, whatever the definition's own gains and repeats."""
    topic, results = query
    length = min(most, max(results, default=0))
    dcg, here = 0.0, set()
    for rank in sorted(rank for rank in results if rank <= length):
        if results[rank] not in here:
            dcg += worth(judgments.get((topic, results[rank]), 0.0)) / log2(rank + 1)
        here.add(results[rank])
    z = 1 / sum_of_delta(most)
    grades = [grade for (of, _), grade in judgments.items() if of == topic]
    reach = min(most, grades.count(highest := max(grades, default=0.0)))
    ideal = over(worth(highest) * sum_of_delta(reach), z * sum_of_delta(reach, 2))
    value = over(dcg, z * sum_of_delta(length, 2))
    told = {"ldcg": value, "lndcg": over(value, ideal)}
    return told if worth(highest) > 0 else dict.fromkeys(told, NAN)


def documents(query: Query, top: int) -> list[str]:
    """Documents of a list within the top, at each rank; "" in a gap."""
    return [query[1].get(rank, "") for rank in range(1, top + 1)]


def user_oriented(
    queries: list[Query], judgments: Judgments, chosen: Choices, expected: float | None = None
) -> list[Row]:
    """Yukawa's measures of each query beside the earlier queries on its topic."""
    rows: list[Row] = []
    for q, query in enumerate(queries, start=1):
        relevant = {
            doc
            for (of, doc), grade in judgments.items()
            if of == query[0] and chosen.gains[grade] > 0
        }
        on_topic = [n for n, other in enumerate(queries[:q], start=1) if other[0] == query[0]]
        known = {doc for n in on_topic[:-1] for doc in documents(queries[n - 1], chosen.top)}
        known, shown = known & relevant, set(documents(query, chosen.top)) & relevant
        wanted = len(relevant) if expected is None else expected
        found: set[str] = set()
        examined = 0
        for n, rank in cells_of(queries, chosen):
            if n in on_topic and len(found) < wanted:
                examined += 1
                found |= {queries[n - 1][1].get(rank, "")} & relevant
        rows.append(
            {
                "coverage": over(len(known & shown), len(known)),
                "novelty": over(len(shown - known), len(shown)),
                "relative_recall": over(len(known | shown), wanted),
                "recall_effort": over(wanted, examined),
            }
        )
    return rows


def other_rows(queries: list[Query], judgments: Judgments, chosen: Choices) -> list[Row]:
    """Every other measure of each query of a session."""
    rows = [
        {**share, **length_adjusted(query, judgments, chosen.top), **user}
        for query, share, user in zip(
            queries,
            shares_of(queries, judgments, chosen),
            user_oriented(queries, judgments, chosen),
            strict=True,
        )
    ]
    if is_judged(queries, judgments):
        return rows
    return [dict.fromkeys(row, NAN) for row in rows]


def assert_close(ours: object, theirs: object) -> None:
    """Equal but for rounding, undefined in the same places."""
    np.testing.assert_allclose(
        np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float), rtol=EXACT, atol=EXACT
    )


@pytest.mark.parametrize("short", SHORT)
@often
@given(studies(), choices())
def test_other_measures_equal_plain_loop(
    short: str | int, plain: PlainStudy, chosen: Choices
) -> None:
    chosen = replace(chosen, short=short)
    table = scores(study_of(plain), definition_of(chosen), ALL).queries
    rows = [row for s in plain.sessions for row in other_rows(s.queries, plain.judgments, chosen)]
    for name in COLUMNS:
        assert_close(table[name], [row[name] for row in rows])


@often
@given(studies(), choices(), st.sampled_from((1, 2, 3, 7, 2.5)))
def test_expected_number_equals_plain_loop(
    plain: PlainStudy, chosen: Choices, expected: float
) -> None:
    ours = other_measures(select(study_of(plain), definition_of(chosen), ALL), expected)
    for s, session in enumerate(plain.sessions):
        rows = user_oriented(session.queries, plain.judgments, chosen, expected)
        for q, (topic, _) in enumerate(session.queries):
            if any(best_list(topic, plain.judgments, chosen)):
                assert_close([ours[name][s, q] for name in USER_ORIENTED], [*rows[q].values()])
        assert np.isnan([ours[name][s, len(rows) :] for name in USER_ORIENTED]).all()


@often
@given(studies(), choices(), st.integers(1, 3), st.integers(1, 4))
def test_filters_never_change_another_measure(
    plain: PlainStudy, chosen: Choices, least: int, most: int
) -> None:
    study, definition = study_of(plain), definition_of(chosen)
    numbers = [len(s.queries) for s in plain.sessions for _ in s.queries]
    kept = scores(study, definition, Filters(min_queries=least, max_queries=most)).queries
    own = scores(study, definition, ALL).queries.loc[[least <= n <= most for n in numbers]]
    assert_close(kept[[*COLUMNS]], own[[*COLUMNS]])


@often
@given(studies(), choices())
def test_other_measures_keep_their_bounds(plain: PlainStudy, chosen: Choices) -> None:
    table = scores(study_of(plain), definition_of(chosen), ALL).queries
    for name in ("coverage", "novelty", "relative_recall", "ndcg", "ndcg_area"):
        defined = table[name].dropna()
        assert ((defined >= 0) & (defined <= 1 + EXACT)).all()
    assert (table["recall_effort"].dropna() > 0).all()
    assert not (table[["ldcg", "lndcg"]] < 0).any(axis=None)
    for _, recall in table.groupby(["session", "topic"], observed=True)["relative_recall"]:
        assert recall.isna().all() or (recall.notna().all() and recall.is_monotonic_increasing)


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


@st.composite
def graded_lists(draw: st.DrawFn) -> tuple[list[int], int, int]:
    """Grades of a list of up to M results, the highest grade there is, and M."""
    most, highest = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    grades = draw(st.lists(st.integers(-1, highest), min_size=1, max_size=most))
    return grades, highest, most


def ldcg_of(grades: list[int], most: int) -> float:
    """Our LDCG of a list of results with these grades, cut at M."""
    gains = [worth(grade) for grade in grades] + [0.0] * most
    return float(ldcg(gains[:most], len(grades)))


@often
@given(graded_lists())
def test_ldcg_obeys_constraint_1_another_best_result_raises_it(
    drawn: tuple[list[int], int, int],
) -> None:
    grades, highest, most = drawn
    before, after = ldcg_of(grades, most), ldcg_of([*grades, highest], most)
    assert after > before if len(grades) < most else after == before  # beyond M nothing counts


@often
@given(graded_lists())
def test_ldcg_obeys_constraint_2_a_worthless_result_lowers_it(
    drawn: tuple[list[int], int, int],
) -> None:
    grades, _, most = drawn
    before, after = ldcg_of(grades, most), ldcg_of([*grades, 0], most)
    assert after < before if before > 0 and len(grades) < most else after == before


@often
@given(graded_lists(), st.integers(1, 40))
def test_lndcg_of_the_perfect_list_is_1(drawn: tuple[list[int], int, int], number: int) -> None:
    _, highest, most = drawn
    length = min(number, most)
    gains = [worth(highest)] * length + [0.0] * (most - length)
    assert_close(lndcg(gains, length, worth(highest), number), 1.0)


@often
@given(graded_lists(), st.integers(1, 40), st.integers(0, 50))
def test_lndcg_does_not_depend_on_m_beyond_list_and_best_documents(
    drawn: tuple[list[int], int, int], number: int, more: int
) -> None:
    grades, highest, most = drawn
    least = max(most, number)
    gains = [worth(grade) for grade in grades]
    few, many = (
        lndcg(gains + [0.0] * (m - len(grades)), len(grades), worth(highest), number)
        for m in (least, least + more)
    )
    assert_close(few, many)
