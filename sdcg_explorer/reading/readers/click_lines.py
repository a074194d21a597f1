"""Click logs of two kinds of lines, as the Yandex challenges have them, without a header row.

A query: session, time, Q, query, region, documents. A click: session, time, C, document.
"""

from __future__ import annotations

import re

import orjson

from sdcg_explorer.reading.raw_table import Known, RawTable, category_columns
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.sources import Head
from sdcg_explorer.study.problems import Causes, refuse

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
