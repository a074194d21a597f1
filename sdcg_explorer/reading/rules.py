"""Rules of reading: what to do where a file can be taken in more than one way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

import numpy as np

from sdcg_explorer.reading.patterns import (
    columns_fault,
    events_fault,
    gap_fault,
    grade_fault,
    name_fault,
    pattern_fault,
)
from sdcg_explorer.study.arrays import Floats, Ints
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.problems import Remedy, cut

QUERY_ID = r"(?P<session>.+?)(?:[-_. :/]+[qQ]?|[qQ])(?P<query>\d+)"
FOLD = "How doubtful input is taken"
# by the name of a rule: what a page asks by it
ASKED = {
    "rank_base": "Ranks count",
    "same_rank": "A second document at a rank is",
    "conflicts": "Of grades that disagree",
    "query_numbers": "Gaps in query numbers are",
    "missing_sessions": "What are sessions that a system lacks?",
    "topics_by": "What is a topic?",
    "judged_by": "Judgments go",
    "order": "Results of a run stand",
    "query_id": "Query ids split by",
    "system_by_file": "Each log file is a system of its own",
    "file_name": "Names of the log's files read",
    "events": "Events mean",
    "session_by": "A session goes by",
    "session_gap": "A session ends with a pause of",
    "assessors": "Of several assessors counts",
    "fix": "Repairs",
    "search_tools": "Tools that search",
    "open_tools": "Tools that open a document",
    "doc_id": "Documents are taken out of ids by",
    "grade": "Files of judgments stand for a grade each",
    "parts": "Parts of a task are named by",
}
# by the name of a repair: what it does
FIXES = {
    "header-row": "Rows above the header are left out",
    "two-row-header": "Names of columns that stand in two rows are read as one",
    "blank-rows": "Rows without anything in their cells are left out",
    "total-rows": "Rows of totals at the foot are left out",
    "merged-cells": "Blank cells of merged ones take what stands above",
    "decimal-comma": "A comma within a number is its point",
    "thousands": "Signs between thousands are no part of a number",
    "percent": "A number with a percent sign is read without the sign",
    "yes-no": "Words and signs for yes and no are 1 and 0",
    "serial-dates": "Numbers of days since 1900 are dates",
    "text-case": "Query texts are one where they differ by case or blanks alone",
}
# whose grades count of several assessors, beside those of one by name
ASSESSORS = {
    "": "nobody where they differ",
    "mean": "the mean of their grades",
    "max": "the highest of their grades",
}
ALL = "all"  # repairs: every one that is offered
# by the name of a rule: its values, the usual one first, and what each means
OFFERED = {
    "rank_base": {"auto": "from 0 where a file has a rank 0", "0": "from 0", "1": "from 1"},
    "same_rank": {"error": "refused", "first": "the first counts"},
    "conflicts": {
        "error": "refused",
        "first": "the first counts",
        "last": "the last counts",
        "highest": "the highest counts",
    },
    "query_numbers": {
        "": "queries without results where ids name the queries, else closed",
        "renumber": "closed",
        "keep": "queries without results",
    },
    "missing_sessions": {
        "": "refused",
        "empty": "sessions without results: it found nothing there",
        "absent": "left out: it was not asked there",
    },
    "topics_by": {
        "": "refused",
        "one": "All queries are on one topic, with one ideal",
        "session": "Each session is a topic of its own, judged by the documents that it showed",
    },
    "judged_by": {
        "": "by the first of topic, query text and session that both name",
        "topic": "by topic",
        "text": "by query text, each for itself where grades of a topic disagree",
        "session": "by session, each for itself where grades of a topic disagree",
    },
    "order": {
        "rank": "by their ranks",
        "score": "by score, then document name, as trec_eval has them",
    },
}


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


def values_of(name: str) -> str:
    """The values of a rule, as they are given; "" for one that takes any.

    >>> values_of("topics_by")
    'one, session'
    """
    return ", ".join(value for value in OFFERED.get(name, ()) if value)


@dataclass(frozen=True)
class Rules:
    """How doubtful input is taken.

    rank_base : ranks start at 0 or 1; auto: at 0 where a file has a rank 0
    same_rank : two documents at one rank are an error, or the first counts
    conflicts : grades that disagree are an error, or the first, last or highest counts
    query_numbers : gaps are closed, or queries without results; "": the latter where numbers are
        read off query ids, which tell what is missing
    missing_sessions : sessions that other systems' runs have and one lacks are empty, or absent
        from it; "" is an error
    query_id : how a run's query id splits into session, query and (if named so) topic
    system_by_file : each log file is a system of its own, called as the file
    most_results : rows that a log may have, or None
    topics_by : where nothing names a topic, all is one, or each session is one; "" is an error
    judged_by : what judgments go by; "": the first of topic, text, session that the log has too
    order : results of runs stand by their ranks, or by their scores
    most_sessions : sessions that a log may have, or None
    file_name : what names of the log's files say, as in {system}-{topic}; "" is nothing
    fix : repairs to take, as decimal-comma,yes-no or header-row=3; all takes every one
    events : what events of a log are, as event=action,query=gesucht,none=open
    session_by : columns or roles that tell sessions apart, as searcher,task; "" has the log's own
    session_gap : the longest pause within a session, as 30m, 90s or 1h; "" is any
    assessors : of several, their mean or max counts, or the one of this name; "" is an error
    search_tools, open_tools : tools of agents that search, and that open a document, as a,b; those
        of other names go by theirs
    doc_id : a pattern whose group doc is the document in an id of a chunk; "" has ids as they are
    grade : what each row of a file of judgments is worth, as gold.txt=2,evidence.txt=1
    parts : column of the judgments that names the parts of its task a document answers

    Raises
    ------
    ValueError : a value that is not offered, or a pattern that can't be used
    """

    rank_base: str = "auto"
    same_rank: str = "error"
    conflicts: str = "error"
    query_numbers: str = ""
    query_id: str = QUERY_ID
    system_by_file: bool = False
    most_results: int | None = None
    topics_by: str = ""
    judged_by: str = ""
    order: str = "rank"
    most_sessions: int | None = None
    file_name: str = ""
    fix: str = ""
    events: str = ""
    session_by: str = ""
    session_gap: str = ""
    assessors: str = ""
    search_tools: str = ""
    open_tools: str = ""
    doc_id: str = ""
    grade: str = ""
    parts: str = ""
    missing_sessions: str = ""

    @property
    def fixes(self) -> frozenset[str]:
        """Names of the repairs to take."""
        return frozenset(name.strip() for name in self.fix.split(",") if name.strip())

    @property
    def tools(self) -> tuple[list[str], list[str]]:
        """Tools that search, and those that open a document, as said."""
        said = self.search_tools, self.open_tools
        search, opening = ([n.strip() for n in names.split(",") if n.strip()] for names in said)
        return search, opening

    def __post_init__(self) -> None:
        for name, offered in OFFERED.items():
            if getattr(self, name) not in offered:
                option = name.replace("_", "-")
                raise ValueError(
                    f"--{option} {getattr(self, name)!r}; it is {values_of(name)}. Correct it."
                )
        for name, fault_of in FAULTS.items():
            value = getattr(self, name)
            if value not in ("", QUERY_ID) and (fault := fault_of(value)):
                option = name.replace("_", "-")
                raise ValueError(f"--{option} {cut(value)!r}; {fault}. Correct it.")


def _fix_fault(said: str) -> str:
    names = (name.strip().partition("=")[0] for name in said.split(",") if name.strip())
    known = {*names} <= {*FIXES, ALL}
    return "" if known else f"repairs are {', '.join(FIXES)}, or {ALL}"


# by the name of a rule: why a value of it can't be used, "" where it can
FAULTS: dict[str, Callable[[str], str]] = {
    "query_id": pattern_fault,
    "doc_id": partial(pattern_fault, parts=("doc",)),
    "grade": grade_fault,
    "file_name": name_fault,
    "fix": _fix_fault,
    "events": events_fault,
    "session_by": columns_fault,
    "session_gap": gap_fault,
}


def by_rule(name: str, values: str, command: str, page: str = "") -> Remedy:
    """What a rule can do: words before its option, and before its field (the same unless given).

    >>> by_rule("rank_base", "0", "Read with", "Choose")[0]
    'Read with --rank-base 0.'
    >>> by_rule("rank_base", "0", "Read with", "Choose")[1]
    'Choose under “How doubtful input is taken”: Ranks count.'
    """
    option = f"--{name.replace('_', '-')} {values}"
    plain = command.removesuffix(":")
    return Remedy(f"{command} {option}.", f"{page or plain} under “{FOLD}”: {ASKED[name]}.")


def by_fix(fix: str) -> Remedy:
    """How a repair is taken.

    >>> by_fix("yes-no")[0]
    'Correct the file, or take the repair: --fix yes-no.'
    """
    what = FIXES[fix.partition("=")[0]]
    page = f"Correct the file, or tick “{what}” under “{ASKED['fix']}”."
    return Remedy(f"Correct the file, or take the repair: --fix {fix}.", page)


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
