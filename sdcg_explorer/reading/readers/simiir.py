"""SimIIR: what a simulated searcher did, line by line, one session a file.

ACTION <what> <limit> <seconds so far> <rest>; totals stand on lines without ACTION.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from sdcg_explorer.reading.raw_table import Known, RawTable, category_columns
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.sources import Head
from sdcg_explorer.study.problems import Causes, refuse

LINE = re.compile(r"ACTION (\S+) \S+ (\d+(?:\.\d+)?)(?: (.*))?")
DOC = re.compile(r"""\S+ (?:b(['"])(.+)\1|(\S+))""")
READS = "a line of SimIIR's logs reads: ACTION what limit seconds, and what it is about"
SHOWN = "what is opened or marked is a result of the query before"
KNOWN = Known("log", "its lines read: ACTION what limit seconds …", is_session=True)
COMPLETE = "Complete the line."


@dataclass
class _Session:
    """A session as its lines are read: queries, results seen, and what became of them."""

    causes: Causes
    queries: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    results: list[list[str]] = field(default_factory=list[list[str]])
    opens: list[set[int]] = field(default_factory=list[set[int]])
    marked: list[set[str]] = field(default_factory=list[set[str]])
    lines: list[list[int]] = field(default_factory=list[list[int]])
    seconds: str = ""

    def query(self, line: int, text: str) -> None:
        """A query: its text, and when."""
        self.queries.append((text.strip(), self.seconds))
        self.results.append([])
        self.opens.append(set())
        self.marked.append(set())
        self.lines.append([line])

    def page(self, line: int, rest: str) -> None:
        """A page of results, which come line by line."""

    def result(self, line: int, rest: str) -> None:
        """The next result of the list, also where its document stood there before."""
        if doc := self._doc(line, rest):
            self.results[-1].append(doc)
            self.lines[-1].append(line)

    def opened(self, line: int, rest: str) -> None:
        """A result that was opened: of a document listed twice the one looked at last."""
        if doc := self._known(line, rest):
            shown = self.results[-1]
            self.opens[-1].add(len(shown) - shown[::-1].index(doc))

    def kept(self, line: int, rest: str) -> None:
        """A result that was marked as relevant."""
        if doc := self._known(line, rest):
            self.marked[-1].add(doc)

    def _known(self, line: int, rest: str) -> str:
        doc = self._doc(line, rest)
        if doc and doc not in self.results[-1]:
            self.causes.add(line, f"document {doc!r}", SHOWN, "Add the line of the result.")
            return ""
        return doc

    def _doc(self, line: int, rest: str) -> str:
        fit = DOC.fullmatch(rest.strip())
        if not fit:
            self.causes.add(line, repr(rest[:40]), READS, COMPLETE)
        elif not self.queries:
            self.causes.add(line, "a result before the first query", READS, "Add the query.")
        else:
            return fit[2] or fit[3]
        return ""

    def columns(self) -> tuple[dict[str, list[str]], list[int]]:
        """A row for each result, and for each query without; and the line of each."""
        rows: list[tuple[str, ...]] = []
        lines: list[int] = []
        for i, (text, seconds) in enumerate(self.queries):
            asked = str(i + 1), text, seconds, str(len(self.marked[i]))
            shown, opens = self.results[i], self.opens[i]
            seen = [(str(k), doc, str(int(k in opens))) for k, doc in enumerate(shown, start=1)]
            rows += [(*asked, *each, "1") for each in seen] or [(*asked, "", "", "", "")]
            lines += self.lines[i][1:] or self.lines[i]
        names = ("query_number", "text", "time", "marked", "rank", "doc", "clicked", "examined")
        columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
        return {**columns, "seconds": [self.seconds] * len(rows)}, lines


DOES: dict[str, Callable[[_Session, int, str], None]] = {
    "QUERY": _Session.query,
    "SNIPPET": _Session.result,
    "DOC": _Session.opened,
    "MARK": _Session.kept,
    "SERP": _Session.page,
}


def is_simiir(head: Head) -> bool:
    """Whether most lines are those of a simulated searcher."""
    fitting = sum(bool(LINE.fullmatch(line.rstrip())) for line in head.lines)
    return 2 * fitting >= len(head.lines) > 0


def read_simiir(text: Text) -> list[RawTable]:
    """The session of a file: seconds of queries as their times, all results seen as examined.

    How many documents were marked is a column of the query, seconds at the end one of the session.

    Raises
    ------
    UnusableInputError : lines that are not as they should be
    """
    session = _Session(Causes(text.name))
    for number, line in enumerate(text.data.decode("utf-8").split("\n"), start=1):
        if not line.startswith("ACTION"):
            continue
        fit = LINE.fullmatch(line.rstrip())
        if fit and fit[1] in DOES:
            session.seconds = fit[2]
            DOES[fit[1]](session, number, fit[3] or "")
        else:
            session.causes.add(number, repr(line[:60].rstrip()), READS, COMPLETE)
    refuse(session.causes.problems)
    columns, lines = session.columns()
    return [RawTable(text.name, category_columns(columns), lines, KNOWN, notes=text.notes)]
