"""Tables of text: CSV with comma, semicolon or tab; places of faults are found by csv."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from sdcg_explorer.reading.event_tables import with_known_names
from sdcg_explorer.reading.head import Head
from sdcg_explorer.reading.limits import MOST_LINES
from sdcg_explorer.reading.mapping import looks_like_header
from sdcg_explorer.reading.raw_table import RawTable, arrow_categories, category_columns
from sdcg_explorer.reading.readers.plain_rows import plain_rows
from sdcg_explorer.reading.readers.table_faults import passed, places, reading_options, unreadable
from sdcg_explorer.reading.readers.table_top import (
    DELIMITERS,
    LOOKED_AT,
    Top,
    cells,
    header_at,
    is_one_line,
    top_of,
)
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.sources import literal
from sdcg_explorer.study.problems import UnusableInputError, error, refuse

SMALL = 1_000_000  # bytes


def read_table(text: Text) -> list[RawTable]:
    """Every cell of a delimited file with a header, as text; an empty cell is "".

    Raises
    ------
    UnusableInputError : rows that do not fit the header, each with its line
    """
    return [_read(text, DELIMITERS)]


def read_own(text: Text) -> list[RawTable]:
    """A table as we write it, with commas: other signs in its header are part of a name."""
    return [_read(text, DELIMITERS[:1])]


def has_header(head: Head) -> bool:
    """Whether one of its first lines has names that a study's columns go by."""
    for sign in DELIMITERS:
        rows = [line.split(sign) for line in head.lines[:LOOKED_AT]]
        if rows and looks_like_header(rows[header_at(rows)], least=2):
            return True
    return False


def _read(text: Text, delimiters: Sequence[str]) -> RawTable:
    top = top_of(text, delimiters)
    header, first = top.header, top.first
    if is_one_line(text) and not first:
        return RawTable(
            text.name, category_columns({name: [] for name in header}), notes=text.notes
        )
    try:
        rows = (_quoted_rows if text.quoted else plain_rows)(text.path, top)
    except ValueError as failure:
        found = places(text, top)
        raise UnusableInputError(found or [unreadable(text.name, failure)]) from None
    rows.columns = pd.Index(header)
    refuse(passed(text, top, len(rows)) if text.quoted else [])
    ends = _lines(text)
    if ends > MOST_LINES:
        rule, remedy = f"a table has at most {MOST_LINES:,} lines", "Take out the blank ones."
        refuse([error(text.name, None, f"{ends:,} lines", rule, remedy)])
    as_is = ends == len(rows) + 1 and not first and not top.offers
    lines = None if as_is else _record_lines(text, top)
    raw = RawTable(text.name, rows, lines, notes=text.notes, first=first, offers=top.offers)
    return with_known_names(raw)


def _lines(text: Text) -> int:
    """Number of lines."""
    ends, last = 0, b""
    for piece in text.pieces():
        ends, last = ends + piece.count(b"\n"), piece[-1:]
    return ends + (last != b"\n")


def _quoted_rows(path: Path, top: Top) -> pd.DataFrame:
    """Rows of a file with quotes; DuckDB's strict mode refuses those that stand where none may."""
    import duckdb  # most files have no quotes, and need not wait for it

    empty = ", ".join(f"coalesce(c{i}, '') as c{i}" for i in range(len(top.header)))
    sql = f"select {empty} from read_csv($path, {reading_options(top)})"
    try:
        kept = path.stat().st_size <= SMALL
        with _database(os.getpid()).cursor() if kept else _started() as connection:
            read = connection.sql(sql, params={"path": literal(path)})
            return arrow_categories(read.to_arrow_table())
    except duckdb.Error as failure:
        raise ValueError(str(failure)) from None


def _started() -> Any:
    """DuckDB without tables, which remembers nothing of the files it reads."""
    import duckdb

    config: dict[str, Any] = {"threads": 2, "enable_external_file_cache": False}
    return duckdb.connect(":memory:", config=config)


@cache
def _database(process: int) -> Any:
    """The one for small files, which take a fifth of its start; a forked process lacks its threads.

    One that read a large file keeps some of its memory, so those have one each.
    """
    return _started()


def _record_lines(text: Text, top: Top) -> list[int]:
    """First line of each record of data, where it can't be told by its number."""
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = cells(lines, top.delimiter)
        starts: list[int] = []
        start = 1
        for row in reader:
            if row and start > top.blank:
                starts.append(start)
            start = reader.line_num + 1
    return starts if top.first else starts[1:]
