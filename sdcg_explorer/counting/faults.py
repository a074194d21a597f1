"""Faults: what breaks a rule of reading, in the words of the readers."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.reading.rules import by_rule
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.problems import PLACES, Problem, error

FILL = "Fill the cell, or remove the row."
CORRECT = "Correct the cell."
APART = "Give the parts different session ids, or correct the cell."
FLAG = "Correct the cell, or map no column to it."
GRADES, UNJUDGED = "grades are numbers", "Correct the cell or leave it empty for unjudged."
AT_MOST = f"a grade is at most {LARGEST_GRADE}"
DIVIDE = "Divide the grades, or correct the cell."
# by the name of a fault: what is found (with the row's cells), the rule, what to do
FAULTS = {
    "session": ("an empty session", "each row has its session", FILL),
    "no_query_number": (
        "session {session!r} with an empty query number",
        "each row has its query number",
        FILL,
    ),
    "query_number": (
        "session {session!r} with a query number that is none",
        "query numbers are whole numbers from 1",
        CORRECT,
    ),
    "rank": (
        "{place} with a rank that is none",
        "ranks are whole numbers from 1",
        CORRECT,
    ),
    "no_rank": (
        "{place} with a document without a rank",
        "a result has a rank and a document, a query without results has neither",
        "Fill in the rank.",
    ),
    "no_doc": (
        "{place} with a rank without a document",
        "a result has a rank and a document, a query without results has neither",
        "Fill in the document, or empty the rank too.",
    ),
    "clicked": ("{place} with something else for clicked", "clicked is 0 or 1", FLAG),
    "examined": ("{place} with something else for examined", "examined is 0 or 1", FLAG),
    "own_grade": ("{place} with a grade that is none", GRADES, UNJUDGED),
    "own_large_grade": ("{place} with a larger grade", AT_MOST, DIVIDE),
    "no_query": (
        "{place}, which has results",
        "results are of queries that the table of queries has",
        "Add the query, or leave out --queries.",
    ),
    "system": (
        "session {session!r} has a second system, {found!r}",
        "a session is one searcher's work with one system, so it has one system",
        APART,
    ),
    "searcher": (
        "session {session!r} has a second searcher, {found!r}",
        "a session is one searcher's work with one system, so it has one searcher",
        APART,
    ),
    "topic": (
        "{place} has a second topic, {found!r}",
        "a query is judged against one topic",
        CORRECT,
    ),
    "rank_base": (
        "{place} has rank '0'",
        "ranks count from 1",
        by_rule("rank_base", "0", "Correct the cell, or read with").command,
    ),
    "same_rank": (
        "document {found!r} at rank {rank} of {place}, where another stands",
        "a rank of one result list holds one document",
        by_rule("same_rank", "first", "Correct the rank, or keep the first by name:").command,
    ),
    "own_conflicts": (
        "document {found!r} of {place} with two grades of its own",
        "the rows of one result agree on its grade",
        "Keep one of the two.",
    ),
    "grade": ("a grade that is none for {found!r} of topic {session!r}", GRADES, UNJUDGED),
    "large_grade": ("a larger grade for {found!r} of topic {session!r}", AT_MOST, DIVIDE),
    "conflicts": (
        "another grade for {found!r} of topic {session!r}",
        "a document has one grade for a topic",
        by_rule("conflicts", "highest", "Keep one of the two, or choose:").command,
    ),
}
OF_JUDGMENTS = ("grade", "large_grade", "conflicts")
ROWS = (
    *("session", "no_query_number", "query_number", "no_rank", "no_doc", "rank"),
    *("clicked", "examined", "own_grade", "own_large_grade", "no_query"),
)
OF_ROWS = {rule: 1 << i for i, rule in enumerate(ROWS)}  # the bit of each in a row's faults


def faults_of(rows: list[dict[str, Any]]) -> list[Problem]:
    """An error for each rule that is broken: how often, and the first three places."""
    rules = [rule for rule in FAULTS if any(row["rule"] == rule for row in rows)]
    return [_fault(rule, [row for row in rows if row["rule"] == rule]) for rule in rules]


def _fault(rule: str, rows: list[dict[str, Any]]) -> Problem:
    words, says, remedy = FAULTS[rule]
    first, *_ = rows = sorted(rows, key=lambda row: row["place"])
    file = "judgments" if rule in OF_JUDGMENTS else "log"
    examples = tuple(f"{file}, {_where(rule, row)}" for row in rows[:PLACES])
    found = words.format(**{**first, "place": _where(rule, first)})
    return error(file, None, found, says, remedy, int(first["places"]), examples)


def _where(rule: str, row: dict[str, Any]) -> str:
    """The place of a fault, by what the row says of itself."""
    if rule in OF_JUDGMENTS:
        return f"{row['found']!r} of topic {row['session']!r}"
    if row["query_number"] is None:
        return f"session {row['session']!r}"
    return f"query {row['query_number']} of session {row['session']!r}"
