"""TREC: Session Track logs in XML, and qrels (topic 0 document grade)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from study.checks import SHOWN, UnusableInputError, error
from study.raw import RawTable, encoded
from study.readers.text import open_text

DOCUMENT_ELEMENTS = ("docno", "clueweb12id", "clueweb09id")
QRELS = {"topic": 0, "doc": 2, "grade": 3}
DEEPEST = 50
COLUMNS = ["session", "topic", "query_number", "text", "time", "rank", "doc", "clicked"]


@dataclass
class _SessionLog:
    """Handlers for expat; a query's rows are written when its element ends."""

    file: str
    parser: expat.XMLParserType
    rows: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    withheld: int = 0
    path: list[str] = field(default_factory=list[str])
    text: list[str] = field(default_factory=list[str])
    session: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, str] = field(default_factory=dict[str, str])
    results: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    clicks: set[str] = field(default_factory=set[str])

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        self.text.clear()
        if len(self.path) > DEEPEST:
            self._refuse("elements nested deeper", f"at most {DEEPEST} levels are read")
        if name == "session":
            self.session = {"session": self._number(attributes, "session"), "topic": ""}
        elif name == "topic" and "session" in self.path:
            self.session["topic"] = self._number(attributes, "topic")
        elif name == "interaction":
            if attributes.get("type") == "page":
                self._refuse("a further page of results", "each interaction is a query")
            line = str(self.parser.CurrentLineNumber)
            self.query = {
                "query_number": self._number(attributes, "interaction"),
                "time": attributes.get("starttime", ""),
                "text": "",
                "line": line,
            }
            self.results, self.clicks = [], set()
        elif name == "currentquery":
            self.withheld += 1
        elif name == "result":
            rank = attributes.get("rank", "")
            line = str(self.parser.CurrentLineNumber)
            self.results.append({"rank": rank, "doc": "", "line": line})

    def end(self, name: str) -> None:
        self.path.pop()
        parent = self.path[-1] if self.path else ""
        found = "".join(self.text).strip()
        self.text.clear()
        if name in DOCUMENT_ELEMENTS and parent == "result":
            self.results[-1]["doc"] = found
        elif name == "query" and parent == "interaction":
            self.query["text"] = found
        elif name == "rank" and parent == "click":
            self.clicks.add(found)
        elif name == "interaction":
            self._write()

    def _write(self) -> None:
        known = {**self.session, **self.query}
        for result in self.results or [{"rank": "", "doc": "", "line": self.query["line"]}]:
            clicked = str(int(result["rank"] in self.clicks)) if self.results else ""
            self.rows.append({**known, **result, "clicked": clicked})

    def _number(self, attributes: dict[str, str], element: str) -> str:
        if "num" not in attributes:
            self._refuse(f"<{element}> without num", f"every {element} has a number")
        return attributes["num"]

    def doctype(self, *_: object) -> None:
        self._refuse("a DOCTYPE", "logs are read without document types or entities")

    def _refuse(self, found: str, rule: str) -> None:
        line = self.parser.CurrentLineNumber
        remedy = "Correct the file, or export it again."
        raise UnusableInputError([error(self.file, line, found, rule, remedy)])


def read_session_log(path: Path) -> RawTable:
    """One row per result of a TREC Session Track log; a query without results has a row too.

    `currentquery` (the next query, whose results the track withheld) is counted, not read.

    Raises
    ------
    UnusableInputError : not well formed (with the line), a DOCTYPE, no session in it
    """
    parser = expat.ParserCreate()
    log = _SessionLog(path.name, parser)
    parser.buffer_text = True
    parser.StartElementHandler = log.start
    parser.EndElementHandler = log.end
    parser.CharacterDataHandler = log.text.append
    parser.StartDoctypeDeclHandler = log.doctype
    try:
        with path.open("rb") as data:
            parser.ParseFile(data)
    except expat.ExpatError as fault:
        found = expat.ErrorString(fault.code)
        rule, remedy = "an XML log is complete and well formed", "Copy the whole file again."
        raise UnusableInputError([error(path.name, fault.lineno, found, rule, remedy)]) from None
    if not log.rows:
        rule = "a Session Track log has sessions with interactions"
        remedy = "Choose the log file of the track."
        raise UnusableInputError([error(path.name, None, "no interaction", rule, remedy)])
    columns = {name: [row[name] for row in log.rows] for name in COLUMNS}
    lines = [int(row["line"]) for row in log.rows]
    return RawTable(path.name, encoded(columns), lines, log.withheld)


def read_qrels(path: Path) -> RawTable:
    """Judgments as TREC writes them: topic, an unused column, document, grade.

    Raises
    ------
    UnusableInputError : lines that do not have four parts
    """
    with open_text(path) as text:
        rows = [line.split() for line in text.data.decode("utf-8").split("\n")]
    numbered = [(number, row) for number, row in enumerate(rows, start=1) if row]
    problems = [
        error(
            path.name,
            number,
            f"{len(row)} parts",
            "a line of qrels reads: topic 0 document grade",
            "Complete the line.",
        )
        for number, row in numbered
        if len(row) != 4
    ]
    if problems:
        raise UnusableInputError(problems[: SHOWN + 1])
    parts = {name: [row[i] for _, row in numbered] for name, i in QRELS.items()}
    return RawTable(path.name, encoded(parts), [number for number, _ in numbered])
