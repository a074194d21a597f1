"""Faults: what breaks a rule of reading, in the words of the readers."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.reading.rules import ROW_RULES, USUAL, RowRule, by_rule
from sdcg_explorer.study.problems import PLACES, Problem, error

# by the name of a fault: what is found, with the row's cells
FOUND = {
    "session": "an empty session",
    "no_query_number": "session {session!r} with an empty query number",
    "query_number": "session {session!r} with a query number that is none",
    "rank": "{place} with a rank that is none",
    "no_rank": "{place} with a document without a rank",
    "no_doc": "{place} with a rank without a document",
    "clicked": "{place} with something else for clicked",
    "examined": "{place} with something else for examined",
    "own_grade": "{place} with a grade that is none",
    "own_large_grade": "{place} with a larger grade",
    "no_query": "{place}, which has results",
    "system": "session {session!r} has a second system, {found!r}",
    "searcher": "session {session!r} has a second searcher, {found!r}",
    "topic": "{place} has a second topic, {found!r}",
    "rank_base": "{place} has rank '0'",
    "same_rank": "document {found!r} at rank {rank} of {place}, where another stands",
    "own_conflicts": "document {found!r} of {place} with two grades of its own",
    "grade": "a grade that is none for {found!r} of topic {session!r}",
    "large_grade": "a larger grade for {found!r} of topic {session!r}",
    "conflicts": "another grade for {found!r} of topic {session!r}",
}
# by the name of a rule of reading: its other value, and what else can be done
OTHERWISE = {
    "rank_base": ("0", "Correct the cell, or read with"),
    "same_rank": ("first", "Correct the rank, or keep the first by name:"),
    "conflicts": ("highest", "Keep one of the two, or choose:"),
}
RULES: dict[str, RowRule] = {
    **ROW_RULES,
    "own_grade": ROW_RULES["grade"],
    "own_large_grade": ROW_RULES["large_grade"],
    "no_query": {
        "rule": "results are of queries that the table of queries has",
        "remedy": "Add the query, or leave out --queries.",
    },
    **{
        name: {"rule": USUAL[name], "remedy": by_rule(name, *otherwise).command}
        for name, otherwise in OTHERWISE.items()
    },
}
OF_JUDGMENTS = ("grade", "large_grade", "conflicts")
ROWS = (
    *("session", "no_query_number", "query_number", "no_rank", "no_doc", "rank"),
    *("clicked", "examined", "own_grade", "own_large_grade", "no_query"),
)
OF_ROWS = {rule: 1 << i for i, rule in enumerate(ROWS)}  # the bit of each in a row's faults


def faults_of(rows: list[dict[str, Any]]) -> list[Problem]:
    """An error for each rule that is broken: how often, and the first three places."""
    rules = [rule for rule in FOUND if any(row["rule"] == rule for row in rows)]
    return [_fault(rule, [row for row in rows if row["rule"] == rule]) for rule in rules]


def _fault(rule: str, rows: list[dict[str, Any]]) -> Problem:
    said = RULES[rule]
    first, *_ = rows = sorted(rows, key=lambda row: row["place"])
    file = "judgments" if rule in OF_JUDGMENTS else "log"
    examples = tuple(f"{file}, {_where(rule, row)}" for row in rows[:PLACES])
    found = FOUND[rule].format(**{**first, "place": _where(rule, first)})
    places = int(first["places"])
    return error(file, None, found, said["rule"], said["remedy"], places, examples)


def _where(rule: str, row: dict[str, Any]) -> str:
    """The place of a fault, by what the row says of itself."""
    if rule in OF_JUDGMENTS:
        return f"{row['found']!r} of topic {row['session']!r}"
    if row["query_number"] is None:
        return f"session {row['session']!r}"
    return f"query {row['query_number']} of session {row['session']!r}"
