"""Markup: TREC's session logs of 2011 to 2014, logs after their pattern, and lists in other trees.

It is read piece by piece: each byte is looked at a few times, however long a tag is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any, NoReturn
from xml.parsers import expat

import numpy as np

from sdcg_explorer.reading import limits, mapping, sources
from sdcg_explorer.reading.raw_table import Known, Object, RawTable, Row, category_columns
from sdcg_explorer.reading.readers.json_files import TreeTables, placed_records, shape_in, tables_of
from sdcg_explorer.study.problems import UnusableInputError, refusal
from sdcg_explorer.study.report import FOLDED, LEFT_OUT, PAGE_CLASH, REPAIRED, Change

CHUNK = 1 << 20
CELLS = 4  # of a table, that take as much memory as an element
WELL_FORMED = "an XML log must be complete and well formed", "Copy the whole file again."


def parse_xml(parser: Any, data: IO[bytes]) -> None:
    """Have expat parse all that is read.

    It begins an unfinished tag anew with each piece that it is given, so that a tag as long as a
    file would be looked at as often as there are pieces.

    Raises
    ------
    ValueError : a tag, comment or instruction beyond LONGEST_LINE
    expat.ExpatError : not well formed
    """
    given = 0
    while piece := data.read(CHUNK):
        parser.Parse(piece, False)
        given += len(piece)
        if given - parser.CurrentByteIndex > limits.LONGEST_LINE:
            raise ValueError(f"a tag or comment of more than {limits.LONGEST_LINE:,} bytes")
    parser.Parse(b"", True)


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, the line where it begins, text, and what stands in it."""

    name: str
    given: dict[str, str]
    line: int
    texts: list[str] = field(default_factory=list[str])
    inner: list[Element] = field(default_factory=list["Element"])

    @property
    def text(self) -> str:
        """Its own text, without blanks around."""
        return "".join(self.texts).strip()

    def all(self) -> Iterator[Element]:
        """All elements that stand in it, at any depth, in the order of the file."""
        for each in self.inner:
            yield each
            yield from each.all()


def refuse(file: str, line: int | None, found: str, rule: str) -> NoReturn:
    """Refuse an element.

    Raises
    ------
    UnusableInputError
    """
    raise refusal(file, line, found, rule, "Correct the file, or export it again.")


def read_elements(
    source: sources.Source, name: str, texts: Collection[str], take: Callable[[Element], None]
) -> None:
    """Take each element of a name once it is whole, or the outermost for ""; others are not kept.

    texts : elements that hold text alone; tags in them are none

    Raises
    ------
    UnusableInputError : not well formed (with the line), a DOCTYPE, elements nested too deeply
    """
    declared = re.match(rb"\s*<\?xml[^>]*encoding=['\"]utf8['\"]", sources.Head(source).data[:200])
    parser = expat.ParserCreate("utf-8" if declared else None)  # expat knows utf-8, not utf8
    open_ones: list[Element] = []
    counted = 0
    kept: list[Element] = []  # of these, from the one that is taken on

    def start(called: str, given: dict[str, str]) -> None:
        nonlocal counted
        one = Element(called, given, parser.CurrentLineNumber)
        open_ones.append(one)
        if len(open_ones) > limits.DEEPEST:
            rule = f"at most {limits.DEEPEST} levels are read"
            refuse(source.name, one.line, "elements nested deeper", rule)
        if kept and kept[-1].name in texts:
            kept.append(kept[-1])  # <em> in a text
        elif kept or name in ("", called):
            counted += CELLS * (not name)
            source.counter.check(source.name, counted)
            for around in kept[-1:]:
                around.inner.append(one)
            kept.append(one)

    def end(_: str) -> None:
        open_ones.pop()
        if kept and (whole := kept.pop()) and not kept:
            take(whole)

    def doctype(*_: object) -> None:
        rule = "logs are read without document types or entities"
        refuse(source.name, parser.CurrentLineNumber, "a DOCTYPE", rule)

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: kept and kept[-1].texts.append(text)
    parser.StartDoctypeDeclHandler = doctype
    try:
        with source.path.open("rb") as data:
            parse_xml(parser, data)
    except UnusableInputError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as fault:  # an encoding of no name
        found, line = str(fault).partition(": line ")[0], parser.CurrentLineNumber
        raise refusal(source.name, line, found, *WELL_FORMED) from None


def tables_of_elements(source: sources.Source) -> list[RawTable]:
    """Tables of the lists of elements in a file, each with what stands outside it.

    Raises
    ------
    UnusableInputError : as `read_elements`, and beyond the limits
    """
    outermost: list[Element] = []
    read_elements(source, "", (), outermost.append)
    whole = _element_as_object(outermost[0])
    shape = shape_in(source.name, [whole])
    around, lists = TreeTables(source.name, source.counter, shape).split(whole, {}, ())

    def lines(name: str) -> Iterator[int]:
        return (each.line for each in outermost[0].inner if each.name == name)

    records = partial(placed_records, lists, around, lines)
    return tables_of(source.name, source.counter, shape, records)


def _element_as_object(element: Element) -> Object:
    """Attributes, texts and lists of an element by their names."""
    inner: Object = {}
    for each in element.inner:
        plain = not each.inner and not each.given
        inner.setdefault(each.name, []).append(each.text if plain else _element_as_object(each))
    for name, values in inner.items():
        if all(isinstance(value, str) for value in values):
            inner[name] = values[0] if len(values) == 1 else values
        else:
            inner[name] = [v if isinstance(v, dict) else {"value": v} for v in values]
    own = {"text": element.text} if element.text and not element.inner else {}
    return {**own, **element.given, **inner}


DOCUMENTS = ("docno", "clueweb12id", "clueweb09id", "id", "url")  # the first that a result has
TEXTS = ("query", "title", "desc", *DOCUMENTS)
COLUMNS = ("session", "topic", "query_number", "text", "time", "rank", "doc", "clicked")
MAYBE = ("searcher", "satisfaction", "query_satisfaction", "grade", "dwell")
CLOCK = re.compile(r"(?:([0-9]{1,2}):([0-9]{2}):)?([0-9]{1,9}(?:[.][0-9]{1,9})?)")
AGAIN = "results repeated on a further page merged"
UNMET = "clicks on results that were not shown"
EMPTY = "sessions without a query"
RULES = {FOLDED: REPAIRED, AGAIN: REPAIRED, PAGE_CLASH: LEFT_OUT, UNMET: LEFT_OUT, EMPTY: LEFT_OUT}
KNOWN = Known("log", "it is XML with sessions of interactions")


def _seconds_between(given: Mapping[str, str]) -> str:
    """Seconds from a click's start to its end, numbers or times of day; "" where they aren't known.

    >>> _seconds_between({"starttime": "8.5", "endtime": "38"})
    '29.5'
    >>> _seconds_between({"starttime": "10:00:59", "endtime": "10:01:02.5"})
    '3.5'
    """
    moments = [CLOCK.fullmatch(given.get(name, "")) for name in ("starttime", "endtime")]
    at = [3600 * int(m[1] or 0) + 60 * int(m[2] or 0) + float(m[3]) for m in moments if m]
    return f"{at[1] - at[0]:.12g}" if len(at) == 2 and at[0] <= at[1] else ""


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
    other: Element | None = None
    withheld: int = 0
    known: set[str] = field(default_factory=set[str])
    changed: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def take(self, session: Element) -> None:
        """Write the rows of a session: one per result, or one for a query without."""
        if "num" not in session.given and all(e.name != "interaction" for e in session.all()):
            self.other = self.other or session  # of another make
            return
        number = self.number_of(session)
        if number in self.known:
            rule = "each session has its own number"
            refuse(self.file, session.line, f"session {number!r} again", rule)
        self.known.add(number)
        about = {"session": number, "searcher": session.given.get("userid", ""), "topic": ""}
        queries: list[_Query] = []
        page = False
        for each in session.all():
            inner = {one.name: one.text for one in reversed(each.inner)}
            match each.name:
                case "session":
                    rule = "sessions are not nested"
                    refuse(self.file, each.line, "a session within a session", rule)
                case "topic":  # those of 2011 have no number
                    named = each.given.get("num"), inner.get("title"), inner.get("desc")
                    about["topic"] = next((name for name in named if name), "")
                case "interaction":
                    page = each.given.get("type") == "page" and bool(queries)
                    time, text = each.given.get("starttime", ""), inner.get("query", "")
                    if page:
                        self.changed[FOLDED].append(each.line)
                        continue
                    own = {"query_number": self.number_of(each), "time": time, "text": text}
                    queries.append(_Query({**own, "line": str(each.line)}))
                case "result":
                    self._result(each, queries, page=page)
                case "click" if queries:  # by its document, or else its rank
                    key = ("doc", inner["docno"]) if inner.get("docno") else None
                    said = [e.given.get("score", "") for e in each.all() if e.name == "annotation"]
                    click = {"grade": ["", *said][-1], "dwell": _seconds_between(each.given)}
                    click["line"] = str(each.line)
                    queries[-1].clicks.setdefault(key or ("rank", inner.get("rank", "")), click)
                case "currentquery":
                    self.withheld += 1
                case "query_satisfaction" if queries and "score" in each.given:
                    queries[-1].about.setdefault(each.name, each.given["score"])
                case "satisfaction" if "score" in each.given:
                    about[each.name] = each.given["score"]
                case name if name in mapping.SEARCHER.names:
                    about["searcher"] = about["searcher"] or each.text
                case _:
                    pass
        for query in queries:
            met = [(("doc", own["doc"]), ("rank", own["rank"])) for own in query.results]
            for result, keys in zip(query.results, met, strict=True):
                click = next((query.clicks[key] for key in keys if key in query.clicks), Row())
                own = {**click, **result, "clicked": str(int(bool(click)))}
                self.rows.append({**about, **query.about, **own})
            self.rows += [] if query.results else [{**about, **query.about}]
            shown, clicks = {key for keys in met for key in keys}, query.clicks.items()
            self.changed[UNMET] += [int(own["line"]) for key, own in clicks if key not in shown]
        if not queries:
            self.changed[EMPTY].append(session.line)

    def _result(self, given: Element, queries: list[_Query], *, page: bool) -> None:
        """Add a result, unless an earlier page of the query has its rank already."""
        if not queries:
            rule = "results belong to a query"
            refuse(self.file, given.line, "a result outside of an interaction", rule)
        named: Row = {}
        for one in (one for one in given.inner if one.name in DOCUMENTS):
            if named.setdefault(one.name, one.text) != one.text:
                refuse(self.file, one.line, f"a second <{one.name}>", "a result has one document")
        doc = next((named[name] for name in DOCUMENTS if named.get(name)), "")
        result = {"rank": given.given.get("rank", ""), "doc": doc, "line": str(given.line)}
        there = queries[-1].ranks.setdefault(result["rank"], result)
        if there is result or not page:
            queries[-1].results.append(result)
        else:
            self.changed[AGAIN if there["doc"] == doc else PAGE_CLASH].append(given.line)

    def number_of(self, given: Element) -> str:
        if "num" not in given.given:
            what, rule = f"<{given.name}> without num", f"every {given.name} has a number"
            refuse(self.file, given.line, what, rule)
        return given.given["num"]

    def table(self) -> RawTable:
        """A row per result, and one for each query without."""
        more = [name for name in MAYBE if any(row.get(name) for row in self.rows)]
        columns = {name: [row.get(name, "") for row in self.rows] for name in (*COLUMNS, *more)}
        changes = tuple(
            Change(action, rule, self.file, np.array(self.changed[rule]))
            for rule, action in RULES.items()
            if self.changed[rule]
        )
        lines = np.array([int(row["line"]) for row in self.rows], dtype=np.int64)
        rows = category_columns(columns)
        return RawTable(self.file, rows, lines, KNOWN, self.withheld, changes=changes)


def read_session_log(source: sources.Source) -> list[RawTable]:
    """One row per result of a session log; a query without results has a row too.

    Of another file the lists of its elements are tables, as those of JSON are.

    `currentquery` (the next query, whose results the track withheld) is counted, not read. An
    interaction of type "page" belongs to the query before it. Documents go by docno, else the
    ClueWeb id, id or url; what a searcher said of a clicked result is its own grade.

    Raises
    ------
    UnusableInputError : not well formed (with the line), a DOCTYPE, no session in it, one without
        its number
    """
    log = _SessionLog(source.name)
    read_elements(source, "session", TEXTS, log.take)
    if log.rows and log.other:
        log.number_of(log.other)
    if not log.rows:
        tables = tables_of_elements(source)
        if any(len(raw.rows.columns) for raw in tables):
            return tables
        rule = "a session log has sessions with interactions"
        raise refusal(source.name, None, "no interaction", rule, "Choose the log file.")
    return [log.table()]


def has_session(head: sources.Head) -> bool:
    """Whether a session begins anywhere in the file."""
    return b"<session" in head.source.path.read_bytes()
