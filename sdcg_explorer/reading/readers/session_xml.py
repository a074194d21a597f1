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
COLUMNS = ("session", "searcher", "topic", "query_number", "text", "time", "rank", "doc", "clicked")
EXTRAS = ("satisfaction", "query_satisfaction", "grade")
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
    """One query with its results by rank; pages that follow add to it."""

    about: Row
    results: list[Row] = field(default_factory=list[Row])
    ranks: dict[str, Row] = field(default_factory=dict[str, Row])
    clicks: dict[tuple[str, str], Row] = field(default_factory=dict[tuple[str, str], Row])

    def rows(self) -> list[Row]:
        """One row per result, or one where there is none."""
        rows: list[Row] = []
        for result in self.results:
            doc, rank = ("doc", result["doc"]), ("rank", result["rank"])
            click = self.clicks.get(doc) or self.clicks.get(rank)
            grade = {"grade": click.get("grade", "")} if click else {}
            clicked = str(int(click is not None))
            rows.append({**self.about, **result, "clicked": clicked, **grade})
        return rows or [self.about]

    def unmet(self) -> list[int]:
        """Lines of the clicks on results that are not in the list."""
        met = {("doc", result["doc"]) for result in self.results}
        met |= {("rank", rank) for rank in self.ranks}
        return [int(click["line"]) for key, click in self.clicks.items() if key not in met]


@dataclass
class _SessionLog:
    """Sessions as they are read: rows, what was withheld, and lines of what was changed by rule."""

    file: str
    rows: list[Row] = field(default_factory=list[Row])
    withheld: int = 0
    known: set[str] = field(default_factory=set[str])
    changed: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def take(self, session: Element) -> None:
        """Write the rows of a session."""
        number = self._number(session)
        if number in self.known:
            refused(
                self.file,
                session.line,
                f"session {number!r} again",
                "each session has its own number",
            )
        self.known.add(number)
        about = {"session": number, "searcher": session.given.get("userid", ""), "topic": ""}
        queries: list[_Query] = []
        page = False
        for each in session.all():
            if each.name == "session":
                rule = "sessions stand beside each other"
                refused(self.file, each.line, "a session within a session", rule)
            elif each.name == "topic":
                inner = {one.name: one.text for one in reversed(each.inner)}
                # 2011's topics have no number
                named = each.given.get("num"), inner.get("title"), inner.get("desc")
                about["topic"] = next((name for name in named if name), "")
            elif each.name == "interaction":
                page = each.given.get("type") == "page" and bool(queries)
                if page:
                    self.changed[FOLDED].append(each.line)
                else:
                    queries.append(self._query(each))
            elif each.name == "result":
                self._result(each, queries, page=page)
            elif each.name == "click":
                self._click(each, queries)
            elif each.name == "currentquery":
                self.withheld += 1
            elif each.name == "query_satisfaction" and queries and "score" in each.given:
                queries[-1].about.setdefault(each.name, each.given["score"])
            elif each.name == "satisfaction" and "score" in each.given:
                about[each.name] = each.given["score"]
        for query in queries:
            self.rows += [{**about, **row} for row in query.rows()]
            self.changed[UNMET] += query.unmet()
        if not queries:
            self.changed[EMPTY].append(session.line)

    def _query(self, given: Element) -> _Query:
        number, time = self._number(given), given.given.get("starttime", "")
        about = {"query_number": number, "time": time, "line": str(given.line)}
        text = next((one.text for one in given.inner if one.name == "query"), "")
        return _Query({**about, "text": text})

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

    def _click(self, given: Element, queries: list[_Query]) -> None:
        """Keep a click, by its document or else its rank, with what was said of it."""
        inner = {one.name: one.text for one in given.inner}
        click = {"line": str(given.line)}
        for one in (one for one in given.all() if one.name == "annotation"):
            click["grade"] = one.given.get("score", "")
        doc = inner.get("docno")
        key = ("doc", doc) if doc else ("rank", inner.get("rank", ""))
        for query in queries[-1:]:
            query.clicks.setdefault(key, click)

    def _number(self, given: Element) -> str:
        if "num" not in given.given:
            what, rule = f"<{given.name}> without num", f"every {given.name} has a number"
            refused(self.file, given.line, what, rule)
        return given.given["num"]

    def table(self) -> RawTable:
        """A row per result, and one for each query without."""
        more = [name for name in EXTRAS if any(row.get(name) for row in self.rows)]
        columns = {name: [row.get(name, "") for row in self.rows] for name in (*COLUMNS, *more)}
        if not any(columns["searcher"]):
            del columns["searcher"]
        changes = tuple(
            Change(ACTIONS[rule], rule, self.file, np.array(self.changed[rule]))
            for rule in ACTIONS
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
