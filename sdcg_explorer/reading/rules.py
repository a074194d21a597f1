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


def _row(rule: str, remedy: str) -> RowRule:
    return {"rule": rule, "remedy": remedy}


CORRECT = "Correct the cell."
NEITHER = "a result has a rank and a document, a query without results has neither"
# by name, for tables (log_rows.py, judgments.py)
ROW_RULES: dict[str, RowRule] = {
    **{
        name: _row(f"each row needs its {what}", "Fill the cell, or remove the row.")
        for name, what in (("session", "session"), ("no_query_number", "query number"))
    },
    "query_number": _row("query numbers are whole numbers from 1", CORRECT),
    "rank": _row("ranks are whole numbers from 1", CORRECT),
    "no_rank": _row(NEITHER, "Fill in the rank."),
    "no_doc": _row(NEITHER, "Fill in the document, or empty the rank too."),
    **{
        role: _row(f"{role} is 0 or 1", "Correct the cell, or map no column to it.")
        for role in ("clicked", "examined", "saved")
    },
    "grade": _row("grades are numbers", "Correct the cell or leave it empty for unjudged."),
    "large_grade": _row(
        f"a grade is at most {LARGEST_GRADE}", "Divide the grades, or correct the cell."
    ),
    **{
        role: _row(
            "a session is one searcher's work with one system",
            "Give the parts different session ids, or correct the cell.",
        )
        for role in ("system", "searcher")
    },
    "topic": _row("a query has one topic", CORRECT),
    "own_conflicts": _row("rows of one result must agree on its grade", "Keep one of the two."),
}
# by the name of a rule of reading: what holds unless it is chosen otherwise; the ways out, which
# depend on the rows beside, are worded where it is broken
USUAL = {
    "rank_base": "ranks count from 1",
    "same_rank": "a rank in a result list holds one document",
    "conflicts": "a document may have only one grade per topic",
}


def counting_rows(groups: Ints, values: Floats, which: str) -> Ints:
    """Row that counts in each group of rows: the first, the last, or the one of the highest value.

    >>> counting_rows(np.array([0, 1, 0]), np.array([1.0, 5.0, 2.0]), "highest").tolist()
    [2, 1]
    """
    order = np.arange(groups.size)
    if which == "highest":
        rows = np.lexsort((order, -values, groups))
    else:
        rows = np.lexsort((order if which == "first" else -order, groups))
    return rows[np.unique(groups[rows], return_index=True)[1]]
