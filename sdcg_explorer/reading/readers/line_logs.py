"""Logs whose lines are actions: SimIIR's simulated searchers, and click logs of two kinds of lines.

SimIIR has one session a file, ACTION <what> <limit> <seconds so far> <rest>; totals stand on lines
without ACTION. Click logs, as the Yandex challenges have them, have no header row. A query:
session, time, Q, query, region, documents. A click: session, time, C, document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import orjson

from sdcg_explorer.reading.raw_table import Known, RawTable, category_columns
from sdcg_explorer.reading.sources import Head, Text
from sdcg_explorer.study.problems import Causes, refuse

ACTION = re.compile(r"ACTION (\S+) \S+ (\d+(?:\.\d+)?)(?: (.*))?")
DOC = re.compile(r"""\S+ (?:b(['"])(.+)\1|(\S+))""")
ACTION_READS = "a line of SimIIR's logs reads: ACTION what limit seconds, and what it is about"
SHOWN = "what is opened or marked is a result of the query before"
SIMULATED = Known("log", "its lines read: ACTION what limit seconds …", is_session=True)
COMPLETE = "Complete the line."
DOES = ("QUERY", "SERP", "SNIPPET", "DOC", "MARK")  # the last three are about a document
OF_RESULTS = ("rank", "doc", "clicked", "examined", "saved")
OF_QUERIES = ("query_number", "text", "time", "marked", *OF_RESULTS)


@dataclass
class _Query:
    """A query as its lines are read: results seen, each with its line, and what became of them."""

    line: int
    text: str
    seconds: str
    docs: list[str] = field(default_factory=list[str])
    lines: list[int] = field(default_factory=list[int])
    opened: set[int] = field(default_factory=set[int])  # ranks
    marked: set[str] = field(default_factory=set[str])


def is_simiir(head: Head) -> bool:
    """Whether most lines are those of a simulated searcher."""
    fitting = sum(bool(ACTION.fullmatch(line.rstrip())) for line in head.lines)
    return 2 * fitting >= len(head.lines) > 0


def read_simiir(text: Text) -> list[RawTable]:
    """The session of a file: seconds of queries as their times, all results seen as examined.

    How many documents were marked is a column of the query, seconds at the end one of the session.

    Raises
    ------
    UnusableInputError : lines that are not as they should be
    """
    causes, queries, seconds = Causes(text.name), list[_Query](), ""
    for number, line in text.lines():
        fit = ACTION.fullmatch(line.rstrip())
        if not line.startswith("ACTION"):
            continue
        if not fit or fit[1] not in DOES:
            causes.add(number, repr(line[:60].rstrip()), ACTION_READS, COMPLETE)
            continue
        seconds, rest = fit[2], fit[3] or ""
        about = DOC.fullmatch(rest.strip())
        doc = about and (about[2] or about[3])
        if fit[1] == "QUERY":
            queries.append(_Query(number, rest.strip(), seconds))
        elif fit[1] == "SERP":  # whose results come line by line
            continue
        elif not doc:
            causes.add(number, repr(rest[:40]), ACTION_READS, COMPLETE)
        elif not queries:
            causes.add(number, "a result before the first query", ACTION_READS, "Add the query.")
        elif fit[1] == "SNIPPET":  # also where its document stood in the list before
            queries[-1].docs.append(doc)
            queries[-1].lines.append(number)
        elif doc not in (docs := queries[-1].docs):
            causes.add(number, f"document {doc!r}", SHOWN, "Add the line of the result.")
        elif fit[1] == "DOC":  # of a document listed twice the one looked at last
            queries[-1].opened.add(len(docs) - docs[::-1].index(doc))
        else:
            queries[-1].marked.add(doc)
    refuse(causes.problems)
    rows: list[tuple[str, ...]] = []
    for i, asked in enumerate(queries, start=1):
        own = str(i), asked.text, asked.seconds, str(len(asked.marked))
        shown = [
            (*own, str(k), doc, str(int(k in asked.opened)), "1", str(int(doc in asked.marked)))
            for k, doc in enumerate(asked.docs, start=1)
        ]
        rows += shown or [(*own, *("" for _ in OF_RESULTS))]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(OF_QUERIES)}
    table = category_columns({**columns, "seconds": [seconds] * len(rows)})
    lines = [line for asked in queries for line in asked.lines or [asked.line]]
    return [RawTable(text.name, table, lines, SIMULATED, notes=text.notes)]


LINE = re.compile(r"(\S+)\s+(\d+)\s+(?:Q\s+(?P<query>\S+)\s+(\S+)((?:\s+\S+)*)|C\s+(\S+))\s*")
KNOWN = Known("log", "its lines read: session, time, Q, query, region, documents; or C, document")
READS = "a line reads: session, time, Q, query, region and documents; or session, time, C, document"
COLUMNS = ("session", "time", "event", "topic", "docs", "doc")  # no text: each line is a query


def is_click_log(head: Head) -> bool:
    """Whether lines are queries with documents, and clicks."""
    fits = [fit for line in head.lines if (fit := LINE.fullmatch(line))]
    return any(fit["query"] for fit in fits) and 10 * len(fits) >= 9 * len(head.lines)


def read_click_log(text: Text) -> list[RawTable]:
    """A row for each line, as an event; the topic of a query is it and its region, QUERY/REGION.

    Raises
    ------
    UnusableInputError : lines of another kind
    """
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    causes = Causes(text.name)
    for number, line in text.lines():
        if fit := LINE.fullmatch(line):
            session, time, query, region, docs, doc = fit.groups("")
            listed = orjson.dumps(docs.split()).decode()
            own = ("query", f"{query}/{region}", listed, "") if query else ("click", "", "", doc)
            rows.append((session, time, *own))
            lines.append(number)
        elif line.strip():
            causes.add(number, repr(line[:60].rstrip()), READS, "Correct the line.")
    refuse(causes.problems)
    columns = {name: [row[i] for row in rows] for i, name in enumerate(COLUMNS)}
    return [RawTable(text.name, category_columns(columns), lines, KNOWN, notes=text.notes)]
