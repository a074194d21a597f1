"""Sessions and queries equals plain loops over any study: cells, ends, filters and orders."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sdcg_explorer.figures.style import FAINT
from sdcg_explorer.questions.individual_sessions import numbers
from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.questions.individual_sessions.figure import (
    HUES,
    STRENGTHS,
    spread,
    wall_colours,
    zero_mark_counts,
)
from sdcg_explorer.questions.individual_sessions.numbers import (
    ENDS,
    ONLY,
    ORDERS,
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.ratings import session_rating_columns
from sdcg_explorer.study.study import Study
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, is_judged, query_scores
from tests.support.random_studies import BASES, GAINS, GRADES, random_judgments, random_session
from tests.support.thorough import THOROUGH

ALL = Filters()
LINEAR = Definition(weights="linear")


def gained(session: PlainSession, plain: PlainStudy, chosen: Choices) -> list[bool | None]:
    """Whether each query gained; None where nobody judged its topic."""
    scores = query_scores(session.queries, plain.judgments, chosen)
    return [None if math.isnan(q["dcg"]) else q["dcg"] > 0 for q in scores]


def end(won: list[bool | None]) -> str:
    last, before = won[-1], won[-2] if len(won) > 1 else False
    if last is None or (last and before is None):
        return "undefined"
    return list(ENDS)[1 if before else 0] if last else list(ENDS)[2]


def passes(won: list[bool | None], only: str) -> bool:
    """What each filter says, query by query."""
    if only == "all":
        return True
    if None in won:
        return False
    if only == "gained nothing":
        return not any(won)
    if only == "only the last gained":
        return len(won) > 1 and bool(won[-1]) and not any(won[:-1])
    first = won.index(True) if True in won else len(won)
    return first < len(won) - 1 and not any(won[first + 1 :])


def seen_of(seed: int) -> tuple[PlainStudy, Choices, Study]:
    """Forty awkward sessions on one set of judgments, and a definition."""
    chance = random.Random(seed)
    sessions = [random_session(chance, f"s{i}") for i in range(40)]
    plain = PlainStudy(sessions, random_judgments(chance))
    gains = {grade: chance.choice(GAINS) for grade in GRADES}
    chosen = Choices(gains, b=chance.choice(BASES), top=chance.randint(1, 6))
    return plain, replace(chosen, repeats=chance.choice(["every", "first"])), study_of(plain)


@pytest.mark.parametrize("seed", range(2 * THOROUGH))
def test_cells_ends_and_filters_equal_plain_loop(seed: int) -> None:
    plain, chosen, study = seen_of(seed)
    own = [s for s in plain.sessions if is_judged(s.queries, plain.judgments)]
    won = {s.name: gained(s, plain, chosen) for s in own}
    for only in ONLY:
        seen = individual_sessions(study, definition_of(chosen), ALL, only=only)
        assert {*seen.names} == {name for name, each in won.items() if passes(each, only)}
        assert only == "all" or seen.by_filter[only] == len(seen.names)
    seen, ends = (
        individual_sessions(study, definition_of(chosen), ALL),
        Counter(map(end, won.values())),
    )
    assert seen.by_end == {name: ends[name] for name in ENDS}
    assert seen.not_whole == sum(None in each for each in won.values()) > 0
    for session in own:
        row = seen.names.index(session.name)
        assert seen.ended_so[row] == end(won[session.name])
        scores = query_scores(session.queries, plain.judgments, chosen)
        check_cells((seen, row), session, scores, chosen.top)
        expected = relevant_found(session, plain, chosen)
        ours = seen.brought["relevant_found"][row][: len(expected)].tolist()
        assert ours == pytest.approx(expected, nan_ok=True)


def check_cells(
    of: tuple[IndividualSessions, int],
    session: PlainSession,
    expected: list[dict[str, float]],
    top: int,
) -> None:
    """Values of a row, and what its cells lack."""
    (seen, row), number = of, len(expected)
    for score in ("dcg", "change_dcg"):
        ours = seen.brought[score][row].tolist()
        assert ours[:number] == pytest.approx([q[score] for q in expected], nan_ok=True)
        assert all(map(math.isnan, ours[number:]))
    assert seen.asked[row].sum() == number
    assert not seen.unjudged[row, number:].any()
    for query, (_, results) in enumerate(session.queries):
        assert int(seen.results[row, query]) == sum(rank <= top for rank in results)
        assert seen.unjudged[row, query] == math.isnan(expected[query]["dcg"])


def relevant_found(session: PlainSession, plain: PlainStudy, chosen: Choices) -> list[float]:
    """Relevant documents of each query that no earlier one showed."""
    judged, known = {topic for topic, _ in plain.judgments}, set[tuple[str, str]]()
    found: list[float] = []
    for topic, results in session.queries:
        things = {(topic, doc) for rank, doc in results.items() if rank <= chosen.top}
        relevant = {t for t in things if chosen.gains.get(plain.judgments.get(t, -9), 0) > 0}
        found.append(len(relevant - known) if topic in judged else math.nan)
        known |= relevant
    return found


@cache
def toys() -> Study:
    """Sessions that gained at 2 · 1, 3 · never · 1 of 2, by three searchers on two topics."""
    wins = {"late": "012", "none": "00", "gave": "10", "only": "01"}
    sessions = [
        PlainSession(
            name,
            [(f"t{i % 2}", {1: "hit" if w != "0" else "miss"}) for w in won],
            "BA"[i % 2],
            f"p{3 - i}",
        )
        for i, (name, won) in enumerate(wins.items())
    ]
    study = study_of(PlainStudy(sessions, {("t0", "hit"): 1.0, ("t1", "hit"): 1.0}))
    study.sessions["mood"] = [3.0, math.nan, 1.0, 2.0]
    study.sessions["words"] = ["x"] * 4
    return study


def test_orders_are_those_they_are_called() -> None:
    study = toys()
    assert session_rating_columns(study) == ("mood",)
    expected = {
        "length": ["late", "none", "gave", "only"],
        "first gain": ["gave", "late", "only", "none"],
        "searcher": ["only", "gave", "none", "late"],
        "topic": ["late", "gave", "none", "only"],
        "system": ["none", "only", "late", "gave"],
        "log": ["late", "none", "gave", "only"],
        "rating: mood": ["late", "only", "gave", "none"],
        "worth": ["late", "gave", "only", "none"],
    }
    assert {*expected} == {*ORDERS, "rating: mood"}
    for order, names in expected.items():
        assert list(individual_sessions(study, LINEAR, ALL, order=order).names) == names, order


def test_the_sentence_counts_ends_and_filters() -> None:
    assert session_words.of_wall(individual_sessions(toys(), LINEAR, ALL)) == (
        "How they ended: 1 found something and stopped, 1 stopped while still gaining and 2 "
        "stopped without gain. 1 gained nothing at all, 1 gave up after a first success and 1 "
        "gained only with the last of several queries."
    )


def test_a_cell_shows_its_query_and_only_what_is_unknown_shows_nothing() -> None:
    hits = {("t", "hit"): 1.0}
    asked = {
        "gains": [("t", {1: "hit"}), ("t", {})],  # the second list is empty, which is worth 0
        "unknown": [("u", {1: "hit"}), ("t", {1: "hit"}), ("t", {1: "miss"})],
    }
    sessions = [PlainSession(name, queries) for name, queries in asked.items()]
    study = study_of(PlainStudy(sessions, hits))
    seen = individual_sessions(study, LINEAR, ALL, order="log")
    assert seen.shown_values.tolist() == [
        pytest.approx([1, 0, math.nan], nan_ok=True),
        pytest.approx([math.nan, 1, 0], nan_ok=True),
    ]
    strong, grey = f"rgba({HUES[0]},{STRENGTHS[-1]})", FAINT
    assert grounds(seen) == [[strong, "", ""], [grey, strong, ""]]
    assert session_words.heatmap_note(seen).startswith(
        "Each row is a session, Q1, Q2 … its queries. Cells show DCG: DCG of the query, before the "
        "query discount. Grey: topic unjudged."
    )
    changes = individual_sessions(study, LINEAR, ALL, order="log", shade="change of dcg")
    lost = f"rgba({HUES[1]},{STRENGTHS[-1]})"
    # of a first query, and of one after an unknown one, there is no change
    assert grounds(changes)[0] == ["", lost, ""]
    assert grounds(changes)[1][-1] == lost


def grounds(seen: IndividualSessions) -> list[list[str]]:
    """The colour of each cell."""
    return [[css.partition(": ")[2] for css in row] for row in wall_colours(seen).tolist()]


@pytest.mark.parametrize("limit", ["MOST_CELLS", "MOST_QUERIES"])
def test_beyond_so_many_cells_or_queries_there_is_no_colour_and_that_is_said(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert individual_sessions(toys(), LINEAR, ALL).is_coloured
    assert "too large to colour" not in session_words.heatmap_note(
        individual_sessions(toys(), LINEAR, ALL)
    )
    monkeypatch.setattr(numbers, limit, 2)
    seen = individual_sessions(toys(), LINEAR, ALL)
    assert not seen.is_coloured
    assert "too large to colour" in session_words.heatmap_note(seen)


def test_marks_on_each_other_are_spread_and_those_at_0_counted() -> None:
    x, y = np.array([10, 10, 10, 10, 20, 20]), np.array([0.0, 0.0, 0.2, 0.0, 5.0, 0.0])
    at = spread(x, y, 100.0, 10)
    assert at == pytest.approx([8.8, 10, 10, 11.2, 20, 20])
    counts = zero_mark_counts(x, y, np.arange(6))
    assert counts is not None
    assert (counts["text"], counts["x"].tolist()) == (["×3 at 0"], [10])
    assert zero_mark_counts(x[4:], y[4:], np.arange(2)) is None
    many = spread(np.full(50, 10), np.zeros(50), 100.0, 10)
    assert (many.min(), many.max()) == pytest.approx((7, 13))
    assert np.diff(many) == pytest.approx(6 / 49)
