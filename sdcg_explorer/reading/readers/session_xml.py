"""Session logs in XML: TREC's Session Track of 2011 to 2014, and logs written after its pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

import numpy as np

from sdcg_explorer.reading.limits import DEEPEST
from sdcg_explorer.reading.raw_table import Known, RawTable, category_columns
from sdcg_explorer.reading.readers.markup import LongTagError, parsed
from sdcg_explorer.reading.sources import Head, Source
from sdcg_explorer.study.problems import UnusableInputError, error
from sdcg_explorer.study.report import FOLDED, LEFT_OUT, PAGE_CLASH, REPAIRED, Change

DOCUMENTS = ("docno", "clueweb12id", "clueweb09id", "id", "url")  # the first that a result has
TEXTS = ("query", "title", "desc", *DOCUMENTS)
COLUMNS = ("session", "searcher", "topic", "query_number", "text", "time", "rank", "doc", "clicked")
EXTRAS = ("satisfaction", "query_satisfaction")
AGAIN = "results that a further page shows again merged"
KNOWN = Known("log", "it is XML with sessions of interactions")
Row = dict[str, str]


@dataclass
class _Query:
    """One query with its results by rank; pages that follow add to it."""

    about: Row
    results: list[Row] = field(default_factory=list[Row])
    ranks: dict[str, Row] = field(default_factory=dict[str, Row])
    clicked: dict[str, Row] = field(default_factory=dict[str, Row])

    def rows(self) -> list[Row]:
        """One row per result, or one where there is none."""
        if not self.results:
            return [self.about]
        clicks = self.clicked.values()
        by_doc = {click["doc"]: click for click in clicks if click.get("doc")}
        by_rank = {click["rank"]: click for click in clicks if not click.get("doc")}
        rows: list[Row] = []
        for result in self.results:
            rank, doc = result["rank"], _document(result)
            click = by_doc.get(doc) or by_rank.get(rank)
            grade = {"grade": click.get("grade", "")} if click else {}
            clicked = str(int(click is not None))
            row = {"rank": rank, "doc": doc, "line": result["line"], "clicked": clicked}
            rows.append({**self.about, **row, **grade})
        return rows

    def unmet(self) -> list[int]:
        """Lines of the clicks on results that are not in the list."""
        docs = {_document(result) for result in self.results}
        return [
            int(click["line"])
            for click in self.clicked.values()
            if (click["doc"] not in docs if click.get("doc") else click["rank"] not in self.ranks)
        ]


def _document(result: Row) -> str:
    return next((result[name] for name in DOCUMENTS if result.get(name)), "")


@dataclass
class _SessionLog:
    """Handlers for expat; a session's rows are written when its element ends."""

    file: str
    parser: expat.XMLParserType
    rows: list[Row] = field(default_factory=list[Row])
    withheld: int = 0
    page: bool = False
    folded: list[int] = field(default_factory=list[int])
    again: list[int] = field(default_factory=list[int])
    unmet: list[int] = field(default_factory=list[int])
    empty: list[int] = field(default_factory=list[int])
    known: set[str] = field(default_factory=set[str])
    clashes: list[int] = field(default_factory=list[int])
    path: list[str] = field(default_factory=list[str])
    text: list[str] = field(default_factory=list[str])
    session: Row = field(default_factory=dict[str, str])
    queries: list[_Query] = field(default_factory=list[_Query])
    result: Row = field(default_factory=dict[str, str])
    click: Row = field(default_factory=dict[str, str])

    def start(self, name: str, given: Row) -> None:
        """Take what an element's attributes say."""
        within = bool(self.path) and self.path[-1] in TEXTS
        self.path.append(name)
        if len(self.path) > DEEPEST:
            self._refuse("elements nested deeper", f"at most {DEEPEST} levels are read")
        if within:  # <em> in a query's text
            return
        self.text.clear()
        line = str(self.parser.CurrentLineNumber)
        if name in STARTS:
            STARTS[name](self, given, line)
        elif "score" in given:
            self._take_score(name, given["score"])

    def end(self, name: str) -> None:
        """Take what an element's text says."""
        self.path.pop()
        parent = self.path[-1] if self.path else ""
        if parent in TEXTS:
            return
        found = "".join(self.text).strip()
        self.text.clear()
        if parent == "result" and name in DOCUMENTS:
            if self.result.get(name, found) != found:
                self._refuse(f"a second <{name}>", "a result has one document")
            self.result[name] = found
        elif parent == "click" and name in ("rank", "docno"):
            self.click["doc" if name == "docno" else name] = found
        elif parent == "topic" and name in ("title", "desc") and not self.session.get("topic"):
            self.session["topic"] = found  # 2011's topics have no number
        elif parent == "interaction" and name == "query" and self.queries:
            self.queries[-1].about.setdefault("text", found)
        elif name in ENDS:
            ENDS[name](self)

    def open_topic(self, given: Row, _: str) -> None:
        """Take the topic's number."""
        if "session" in self.path:
            self.session["topic"] = given.get("num", "")

    def open_result(self, given: Row, line: str) -> None:
        """Begin a result."""
        self.result = {"rank": given.get("rank", ""), "line": line}

    def open_click(self, _: Row, line: str) -> None:
        """Begin a click."""
        self.click = {"rank": "", "line": line}

    def withhold(self, _: Row, __: str) -> None:
        """Count a query whose results are withheld."""
        self.withheld += 1

    def close_click(self) -> None:
        """Keep a click."""
        if self.queries:
            clicked = self.queries[-1].clicked
            clicked.setdefault(self.click.get("doc") or self.click["rank"], self.click)

    def close_session(self) -> None:
        """Write the rows of a session."""
        for query in self.queries:
            self.rows += [{**self.session, **row} for row in query.rows()]
            self.unmet += query.unmet()
        if not self.queries:
            self.empty.append(int(self.session["line"]))

    def _take_score(self, name: str, score: str) -> None:
        """Keep what the searcher said of a session, a query or a clicked result."""
        if name == "annotation" and "click" in self.path:
            self.click["grade"] = score
        elif name == "query_satisfaction" and self.queries:
            self.queries[-1].about.setdefault(name, score)
        elif name == "satisfaction":
            self.session[name] = score

    def open_session(self, given: Row, line: str) -> None:
        """Begin a session."""
        if "session" in self.path[:-1]:
            self._refuse("a session within a session", "sessions stand beside each other")
        number = self._number(given, "session")
        if number in self.known:
            self._refuse(f"session {number!r} again", "each session has its own number")
        self.known.add(number)
        self.session = {"session": number, "topic": "", "line": line}
        self.session["searcher"] = given.get("userid", "")
        self.queries = []

    def open_query(self, given: Row, line: str) -> None:
        """Begin a query, or a further page of it."""
        self.page = given.get("type") == "page" and bool(self.queries)
        if self.page:
            self.folded.append(int(line))
            return
        number = self._number(given, "interaction")
        about = {"query_number": number, "time": given.get("starttime", ""), "line": line}
        self.queries.append(_Query(about))

    def take_result(self) -> None:
        """Add a result, unless an earlier page of the query has its rank already."""
        if not self.queries:
            self._refuse("a result outside of an interaction", "results belong to a query")
        query, line = self.queries[-1], int(self.result["line"])
        there = query.ranks.setdefault(self.result["rank"], self.result)
        if there is self.result or not self.page:
            query.results.append(self.result)
        elif _document(there) == _document(self.result):
            self.again.append(line)
        else:
            self.clashes.append(line)

    def _number(self, given: Row, element: str) -> str:
        if "num" not in given:
            self._refuse(f"<{element}> without num", f"every {element} has a number")
        return given["num"]

    def doctype(self, *_: object) -> None:
        """Refuse document types, and with them all entities of their own."""
        self._refuse("a DOCTYPE", "logs are read without document types or entities")

    def _refuse(self, found: str, rule: str) -> None:
        line = self.parser.CurrentLineNumber
        remedy = "Correct the file, or export it again."
        raise UnusableInputError([error(self.file, line, found, rule, remedy)])


STARTS = {
    "session": _SessionLog.open_session,
    "topic": _SessionLog.open_topic,
    "interaction": _SessionLog.open_query,
    "currentquery": _SessionLog.withhold,
    "result": _SessionLog.open_result,
    "click": _SessionLog.open_click,
}
ENDS = {
    "result": _SessionLog.take_result,
    "click": _SessionLog.close_click,
    "session": _SessionLog.close_session,
}


def read_session_log(source: Source) -> list[RawTable]:
    """One row per result of a session log; a query without results has a row too.

    `currentquery` (the next query, whose results the track withheld) is counted, not read. An
    interaction of type "page" belongs to the query before it. Documents go by docno, else the
    ClueWeb id, id or url; what a searcher said of a clicked result is its own grade.

    Raises
    ------
    UnusableInputError : not well formed (with the line), a DOCTYPE, no session in it
    """
    with source.path.open("rb") as data:
        declared = re.match(rb"\s*<\?xml[^>]*encoding=['\"]utf8['\"]", data.read(200))
    parser = expat.ParserCreate("utf-8" if declared else None)  # expat knows utf-8, not utf8
    log = _SessionLog(source.name, parser)
    parser.buffer_text = True
    parser.StartElementHandler = log.start
    parser.EndElementHandler = log.end
    parser.CharacterDataHandler = log.text.append
    parser.StartDoctypeDeclHandler = log.doctype
    rule, remedy = "an XML log is complete and well formed", "Copy the whole file again."
    try:
        with source.path.open("rb") as data:
            parsed(parser, data)
    except expat.ExpatError as fault:
        found = expat.ErrorString(fault.code)
        raise UnusableInputError([error(source.name, fault.lineno, found, rule, remedy)]) from None
    except UnusableInputError:
        raise
    except LongTagError as fault:
        line = parser.CurrentLineNumber
        raise UnusableInputError([error(source.name, line, str(fault), rule, remedy)]) from None
    except (LookupError, ValueError) as fault:  # an encoding that Python does not know
        raise UnusableInputError([error(source.name, 1, str(fault), rule, remedy)]) from None
    if not log.rows:
        rule = "a session log has sessions with interactions"
        remedy = "Choose the log file."
        raise UnusableInputError([error(source.name, None, "no interaction", rule, remedy)])
    return [_table(source.name, log)]


def has_session(head: Head) -> bool:
    """Whether a session begins anywhere in the file."""
    return b"<session" in head.source.path.read_bytes()


def _table(file: str, log: _SessionLog) -> RawTable:
    columns = {name: [row.get(name, "") for row in log.rows] for name in COLUMNS}
    for name in (*EXTRAS, "grade"):
        if any(row.get(name) for row in log.rows):
            columns[name] = [row.get(name, "") for row in log.rows]
    if not any(columns["searcher"]):
        del columns["searcher"]
    changes = [
        Change(action, rule, file, np.array(lines))
        for action, rule, lines in (
            (REPAIRED, FOLDED, log.folded),
            (REPAIRED, AGAIN, log.again),
            (LEFT_OUT, PAGE_CLASH, log.clashes),
            (LEFT_OUT, "clicks on results that were not shown", log.unmet),
            (LEFT_OUT, "sessions without a query", log.empty),
        )
        if lines
    ]
    lines: Any = np.array([int(row["line"]) for row in log.rows])
    rows = category_columns(columns)
    return RawTable(file, rows, lines, KNOWN, log.withheld, changes=tuple(changes))
