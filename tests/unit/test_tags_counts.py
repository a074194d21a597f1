"""Tags counted by system against plain loops, whatever the filters leave."""

from __future__ import annotations

import random
from dataclasses import replace
from math import nan
from statistics import fmean
from typing import Any

import pytest

from sdcg_explorer.questions.data.numbers import Tagged, tagged
from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.tags import SUGGESTED, Tags, cleaned
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, query_scores
from tests.support.random_studies import GRADES, random_study

OWN = ["own", "Own", "查询", "a,b", "=1", "<b>"]
CHOICES = Choices(gains={grade: max(grade, 0.0) for grade in GRADES})
FILTERS = {
    "none": Filters(),
    "one system": Filters(systems=("A",)),
    "one topic": Filters(topics=("t1",)),
    "several queries": Filters(min_queries=2, max_queries=3),
    "nothing left": Filters(min_queries=50),
}
Row = tuple[str, str, int, float, float]


def plain_study(seed: int) -> PlainStudy:
    """A random study of sessions called in no order, with topic t1 and system A among others."""
    chance = random.Random(seed)
    while True:
        plain = random_study(chance)
        topics = {topic for session in plain.sessions for topic, _ in session.queries}
        shown = any(results for session in plain.sessions for _, results in session.queries)
        if shown and "t1" in topics and "A" in {session.system for session in plain.sessions}:
            break
    names = chance.sample(["b", "a", "Z", "10", "9", "é", "-1"], len(plain.sessions))
    sessions = [replace(each, name=name) for each, name in zip(plain.sessions, names, strict=True)]
    return PlainStudy(sessions, plain.judgments)


def random_tags(plain: PlainStudy, seed: int) -> Tags:
    """Tags of some queries, and of sessions and queries that are not in the study."""
    chance = random.Random(seed)
    every = [(each.name, q) for each in plain.sessions for q in range(1, len(each.queries) + 3)]
    every += [("nowhere", 1), ("Nowhere", 7)]
    chance.shuffle(every)
    some = chance.sample(every, chance.randint(1, len(every)))
    return {each: cleaned(chance.sample([*SUGGESTED, *OWN], chance.randint(1, 4))) for each in some}


def left(plain: PlainStudy, filters: Filters) -> list[PlainSession]:
    """Sessions that the filters leave."""
    return [
        session
        for session in plain.sessions
        if session.system in (filters.systems or session.system)
        and (not filters.topics or {topic for topic, _ in session.queries} <= {*filters.topics})
        and filters.min_queries <= len(session.queries) <= (filters.max_queries or 99)
    ]


def loop(plain: PlainStudy, tags: Tags, filters: Filters) -> tuple[list[Row], int, int, int]:
    """Rows of the table, tagged queries, queries, and tagged ones elsewhere."""
    sessions = left(plain, filters)
    asked: dict[str, int] = {}
    worth: dict[tuple[str, str], list[float]] = {}
    found = 0
    for session in sessions:
        asked[session.system] = asked.get(session.system, 0) + len(session.queries)
        for q, row in enumerate(query_scores(session.queries, plain.judgments, CHOICES), start=1):
            given = tags.get((session.name, q), ())
            found += bool(given)
            for tag in given:
                worth.setdefault((tag, session.system), []).append(row["dcg"])
    used = {tag for tag, _ in worth}
    order = [*(tag for tag in SUGGESTED if tag in used), *sorted(used - {*SUGGESTED})]
    rows: list[Row] = []
    for tag in order:
        for system in sorted(asked):
            if values := worth.get((tag, system)):
                known = [value for value in values if value == value]
                mean = fmean(known) if known else nan
                rows.append((tag, system, len(values), len(values) / asked[system], mean))
    return rows, found, sum(asked.values()), len(tags) - found


def counted(study: Study, tags: Tags, filters: Filters = FILTERS["none"]) -> Tagged:
    return tagged(study, definition_of(CHOICES), filters, tags=tags)


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("seed", range(2))
def test_tags_are_counted_as_a_loop_counts_them(seed: int, filters: str) -> None:
    plain = plain_study(seed)
    tags = random_tags(plain, seed)
    seen = counted(study_of(plain), tags, FILTERS[filters])
    rows, found, asked, elsewhere = loop(plain, tags, FILTERS[filters])
    assert (seen.tagged, seen.queries, seen.elsewhere) == (found, asked, elsewhere)
    assert list(seen.table.columns) == [
        *("tag", "system", "queries", "share of its queries", "mean dcg"),
    ]
    got: list[Any] = seen.table.to_numpy().tolist()
    assert [tuple(row[:3]) for row in got] == [row[:3] for row in rows]
    for row, expected in zip(got, rows, strict=True):
        assert row[3:] == pytest.approx(expected[3:], rel=1e-9, nan_ok=True)


ONE = PlainSession("s", [("t", {1: "a"}), ("t", {})], "B")
TWO = PlainSession("u", [("t", {1: "a"})], "A")
SAID: list[tuple[Tags, str]] = [
    ({}, "No query is tagged."),
    ({("s", 1): ("typo",)}, "1 of 3 queries tagged; most often with B: typo (1)."),
    (
        {("s", 1): ("own",), ("s", 2): ("typo", "own"), ("u", 1): ("x", "y")},
        "3 of 3 queries tagged; most often with A: x (1); B: own (2).",
    ),
    ({("gone", 1): ("typo",)}, "No query is tagged (1 outside the filters)."),
    (
        {("u", 1): ("a; b",), ("u", 2): ("typo",)},
        "1 of 3 queries tagged (1 outside the filters); most often with A: a; b (1).",
    ),
]


@pytest.mark.parametrize(("tags", "said"), SAID)
def test_counts_are_said(tags: Tags, said: str) -> None:
    study = study_of(PlainStudy([ONE, TWO], {("t", "a"): 1.0}))
    assert session_words.tags(tagged(study, DEFAULT, Filters(), tags=tags)) == said
