"""Session logs in XML: TREC's Session Track of 2011 to 2014, and logs written after its pattern."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from sdcg_explorer.reading.raw_table import Known, RawTable, category_columns
from sdcg_explorer.reading.readers.markup import Element, read_elements, refused, tables_of_elements
from sdcg_explorer.reading.sources import Head, Source
from sdcg_explorer.study.problems import UnusableInputError, error
from sdcg_explorer.study.report import FOLDED, LEFT_OUT, PAGE_CLASH, REPAIRED, Change

DOCUMENTS = ("docno", "clueweb12id", "clueweb09id", "id", "url")  # the first that a result has
TEXTS = ("query", "title", "desc", *DOCUMENTS)
COLUMNS = ("session", "topic", "query_number", "text", "time", "rank", "doc", "clicked")
MAYBE = ("searcher", "satisfaction", "query_satisfaction", "grade")
AGAIN = "results that a further page shows again merged"
UNMET = "clicks on results that were not shown"
EMPTY = "sessions without a query"
ACTIONS = {
    FOLDED: REPAIRED,
    AGAIN: REPAIRED,
    PAGE_CLASH: LEFT_OUT,
    UNMET: LEFT_OUT,
    EMPTY: LEFT_OUT,
}
KNOWN = Known("log", "it is XML with sessions of interactions")
Row = dict[str, str]


@dataclass
class _Query:
    """One query with its results, the first of each rank, and its clicks; pages add to it."""

    about: Row
    results: list[Row] = field(default_factory=list[Row])
    ranks: dict[str, Row] = field(default_factory=dict[str, Row])
    clicks: dict[tuple[str, str], Row] = field(default_factory=dict[tuple[str, str], Row])


@dataclass
class _SessionLog:
    """Sessions as they are read: rows, what was withheld, and lines of what was changed by rule."""

    file: str
    rows: list[Row] = field(default_factory=list[Row])
    withheld: int = 0
    known: set[str] = field(default_factory=set[str])
    changed: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def take(self, session: Element) -> None:
        """Write the rows of a session: one per result, or one for a query without."""
        number = self._number(session)
        if number in self.known:
            rule = "each session has its own number"
            refused(self.file, session.line, f"session {number!r} again", rule)
        self.known.add(number)
        about = {"session": number, "searcher": session.given.get("userid", ""), "topic": ""}
        queries: list[_Query] = []
        page = False
        for each in session.all():
            inner = {one.name: one.text for one in reversed(each.inner)}
            match each.name:
                case "session":
                    rule = "sessions stand beside each other"
                    refused(self.file, each.line, "a session within a session", rule)
                case "topic":  # those of 2011 have no number
                    named = each.given.get("num"), inner.get("title"), inner.get("desc")
                    about["topic"] = next((name for name in named if name), "")
                case "interaction":
                    page = each.given.get("type") == "page" and bool(queries)
                    time, text = each.given.get("starttime", ""), inner.get("query", "")
                    if page:
                        self.changed[FOLDED].append(each.line)
                        continue
                    own = {"query_number": self._number(each), "time": time, "text": text}
                    queries.append(_Query({**own, "line": str(each.line)}))
                case "result":
                    self._result(each, queries, page=page)
                case "click" if queries:  # by its document, or else its rank
                    key = ("doc", inner["docno"]) if inner.get("docno") else None
                    said = [e.given.get("score", "") for e in each.all() if e.name == "annotation"]
                    click = {"line": str(each.line), **({"grade": said[-1]} if said else {})}
                    queries[-1].clicks.setdefault(key or ("rank", inner.get("rank", "")), click)
                case "currentquery":
                    self.withheld += 1
                case "query_satisfaction" if queries and "score" in each.given:
                    queries[-1].about.setdefault(each.name, each.given["score"])
                case "satisfaction" if "score" in each.given:
                    about[each.name] = each.given["score"]
                case _:
                    pass
        for query in queries:
            met: set[tuple[str, str]] = set()
            for result in query.results:
                keys = ("doc", result["doc"]), ("rank", result["rank"])
                click = next((query.clicks[key] for key in keys if key in query.clicks), None)
                grade = {"grade": click.get("grade", "")} if click else {}
                own = {**result, "clicked": str(int(click is not None)), **grade}
                self.rows.append({**about, **query.about, **own})
                met |= {*keys}
            if not query.results:
                self.rows.append({**about, **query.about})
            unmet = [click for key, click in query.clicks.items() if key not in met]
            self.changed[UNMET] += [int(click["line"]) for click in unmet]
        if not queries:
            self.changed[EMPTY].append(session.line)

    def _result(self, given: Element, queries: list[_Query], *, page: bool) -> None:
        """Add a result, unless an earlier page of the query has its rank already."""
        if not queries:
            rule = "results belong to a query"
            refused(self.file, given.line, "a result outside of an interaction", rule)
        named: Row = {}
        for one in (one for one in given.inner if one.name in DOCUMENTS):
            if named.setdefault(one.name, one.text) != one.text:
                refused(self.file, one.line, f"a second <{one.name}>", "a result has one document")
        doc = next((named[name] for name in DOCUMENTS if named.get(name)), "")
        result = {"rank": given.given.get("rank", ""), "doc": doc, "line": str(given.line)}
        there = queries[-1].ranks.setdefault(result["rank"], result)
        if there is result or not page:
            queries[-1].results.append(result)
        else:
            self.changed[AGAIN if there["doc"] == doc else PAGE_CLASH].append(given.line)

    def _number(self, given: Element) -> str:
        if "num" not in given.given:
            what, rule = f"<{given.name}> without num", f"every {given.name} has a number"
            refused(self.file, given.line, what, rule)
        return given.given["num"]

    def table(self) -> RawTable:
        """A row per result, and one for each query without."""
        more = [name for name in MAYBE if any(row.get(name) for row in self.rows)]
        columns = {name: [row.get(name, "") for row in self.rows] for name in (*COLUMNS, *more)}
        changes = tuple(
            Change(action, rule, self.file, np.array(self.changed[rule]))
            for rule, action in ACTIONS.items()
            if self.changed[rule]
        )
        lines = np.array([int(row["line"]) for row in self.rows], dtype=np.int64)
        rows = category_columns(columns)
        return RawTable(self.file, rows, lines, KNOWN, self.withheld, changes=changes)


def read_session_log(source: Source) -> list[RawTable]:
    """One row per result of a session log; a query without results has a row too.

    Of another file the lists of its elements are tables, as those of JSON are.

    `currentquery` (the next query, whose results the track withheld) is counted, not read. An
    interaction of type "page" belongs to the query before it. Documents go by docno, else the
    ClueWeb id, id or url; what a searcher said of a clicked result is its own grade.

    Raises
    ------
    UnusableInputError : not well formed (with the line), a DOCTYPE, no session in it
    """
    log = _SessionLog(source.name)
    read_elements(source, "session", TEXTS, log.take)
    if not log.rows:
        tables = tables_of_elements(source)
        if any(len(raw.rows.columns) for raw in tables):
            return tables
        rule = "a session log has sessions with interactions"
        remedy = "Choose the log file."
        raise UnusableInputError([error(source.name, None, "no interaction", rule, remedy)])
    return [log.table()]


def has_session(head: Head) -> bool:
    """Whether a session begins anywhere in the file."""
    return b"<session" in head.source.path.read_bytes()
