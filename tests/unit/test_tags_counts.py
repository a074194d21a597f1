"""Tags counted by system, whatever the filters leave, and what is said of them."""

from __future__ import annotations

from math import nan

import pytest

from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.tags import Tags
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

PLAIN = PlainStudy(
    [
        PlainSession("s", [("t", {1: "a", 2: "b"}), ("t", {})], "B"),
        PlainSession("r", [("u", {1: "a"}), ("t", {1: "b"})], "B"),
        PlainSession("u", [("t", {1: "a"})], "A"),
    ],
    {("t", "a"): 1.0, ("t", "b"): 2.0},
)
TAGS: Tags = {
    ("s", 1): ("typo", "own"),
    ("s", 2): ("own",),
    ("r", 1): ("own",),  # unjudged
    ("r", 2): ("typo",),
    ("u", 1): ("=1", "查询"),
    ("gone", 1): ("typo",),
}
# gains: s, query 1 has 1 + 2/2 = 2, query 2 none; r, query 2 has 2; u has 1
OF_B = [("typo", "B", 2, 2 / 4, 2.0), ("own", "B", 3, 3 / 4, 1.0)]
OF_A = [("=1", "A", 1, 1.0, 1.0), ("查询", "A", 1, 1.0, 1.0)]
COUNTED = {  # rows, tagged queries, queries, tagged ones elsewhere
    "none": (Filters(), [OF_B[0], OF_A[0], OF_B[1], OF_A[1]], 5, 5, 1),
    "one system": (Filters(systems=("A",)), OF_A, 1, 1, 5),
    "one topic": (
        Filters(topics=("t",), min_queries=2),
        [("typo", "B", 1, 1 / 2, 2.0), ("own", "B", 2, 2 / 2, 1.0)],
        *(2, 2, 4),
    ),
    "unjudged alone": (Filters(topics=("u", "t"), systems=("B",), max_queries=2), OF_B, 4, 4, 2),
    "nothing left": (Filters(min_queries=50), [], 0, 0, 6),
}


@pytest.mark.parametrize("filters", COUNTED)
def test_tags_are_counted(filters: str) -> None:
    chosen, rows, found, asked, elsewhere = COUNTED[filters]
    seen = tagged(study_of(PLAIN), Definition(weights="linear"), chosen, tags=TAGS)
    assert (seen.tagged, seen.queries, seen.elsewhere) == (found, asked, elsewhere)
    assert [*seen.table] == ["tag", "system", "queries", "share of its queries", "mean dcg"]
    table = [*seen.table.itertuples(index=False, name=None)]
    assert [row[:3] for row in table] == [row[:3] for row in rows]
    assert [row[3:] for row in table] == [pytest.approx(row[3:]) for row in rows]
    turned = dict(reversed(TAGS.items()))
    again = tagged(study_of(PLAIN), Definition(weights="linear"), chosen, tags=turned)
    assert again.table.equals(seen.table)
    alone = tagged(study_of(PLAIN), Definition(), Filters(), tags={("r", 1): ("own",)})
    assert alone.table["mean dcg"].tolist() == pytest.approx([nan], nan_ok=True)


SAID: list[tuple[Tags, str]] = [
    ({}, "No query is tagged."),
    ({("s", 1): ("typo",)}, "1 of 5 queries tagged; most often with B: typo (1)."),
    (
        {("s", 1): ("own",), ("s", 2): ("typo", "own"), ("u", 1): ("x", "y")},
        "3 of 5 queries tagged; most often with A: x (1); B: own (2).",
    ),
    ({("s", 0): ("typo",)}, "No query is tagged (1 outside the filters)."),
    ({("s", 2**64): ("typo",)}, "No query is tagged (1 outside the filters)."),
    (
        {("u", 1): ("a; b",), ("u", 2): ("typo",)},
        "1 of 5 queries tagged (1 outside the filters); most often with A: a; b (1).",
    ),
]


@pytest.mark.parametrize(("tags", "said"), SAID)
def test_counts_are_said(tags: Tags, said: str) -> None:
    assert session_words.tags(tagged(study_of(PLAIN), Definition(), Filters(), tags=tags)) == said
