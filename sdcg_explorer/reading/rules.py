"""Rules that rows of a table keep, and what to do where a row breaks one."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from sdcg_explorer.study.arrays import Floats, Ints
from sdcg_explorer.study.bounds import LARGEST_GRADE


class RowRule(TypedDict):
    """What a rule of rows says, and what to do where a row breaks it."""

    rule: str
    remedy: str


def _filled(what: str) -> RowRule:
    return {"rule": f"each row has its {what}", "remedy": "Fill the cell, or remove the row."}


def _whole(what: str) -> RowRule:
    return {"rule": f"{what}s are whole numbers from 1", "remedy": "Correct the cell."}


def _mark(role: str) -> RowRule:
    return {"rule": f"{role} is 0 or 1", "remedy": "Correct the cell, or map no column to it."}


def _one(role: str) -> RowRule:
    rule = f"a session is one searcher's work with one system, so it has one {role}"
    return {"rule": rule, "remedy": "Give the parts different session ids, or correct the cell."}


NEITHER = "a result has a rank and a document, a query without results has neither"
# by name, for tables (log_rows.py, judgments.py)
ROW_RULES: dict[str, RowRule] = {
    "session": _filled("session"),
    "no_query_number": _filled("query number"),
    "query_number": _whole("query number"),
    "rank": _whole("rank"),
    "no_rank": {"rule": NEITHER, "remedy": "Fill in the rank."},
    "no_doc": {"rule": NEITHER, "remedy": "Fill in the document, or empty the rank too."},
    "clicked": _mark("clicked"),
    "examined": _mark("examined"),
    "saved": _mark("saved"),
    "grade": {
        "rule": "grades are numbers",
        "remedy": "Correct the cell or leave it empty for unjudged.",
    },
    "large_grade": {
        "rule": f"a grade is at most {LARGEST_GRADE}",
        "remedy": "Divide the grades, or correct the cell.",
    },
    "system": _one("system"),
    "searcher": _one("searcher"),
    "topic": {"rule": "a query is judged against one topic", "remedy": "Correct the cell."},
    "own_conflicts": {
        "rule": "the rows of one result agree on its grade",
        "remedy": "Keep one of the two.",
    },
}
# by the name of a rule of reading: what holds unless it is chosen otherwise; the ways out, which
# depend on the rows beside, are worded where it is broken
USUAL = {
    "rank_base": "ranks count from 1",
    "same_rank": "a rank of one result list holds one document",
    "conflicts": "a document has one grade for a topic",
}


def chosen(groups: Ints, values: Floats, which: str) -> Ints:
    """Row that counts in each group of rows: the first, the last, or the one of the highest value.

    >>> chosen(np.array([0, 1, 0]), np.array([1.0, 5.0, 2.0]), "highest").tolist()
    [2, 1]
    """
    order = np.arange(groups.size)
    if which == "highest":
        rows = np.lexsort((order, -values, groups))
    else:
        rows = np.lexsort((order if which == "first" else -order, groups))
    return rows[np.unique(groups[rows], return_index=True)[1]]
