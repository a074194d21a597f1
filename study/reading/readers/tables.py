"""Tables of text: CSV with comma, semicolon or tab; places of faults are found by csv."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from study.problems import Causes, Problem, UnusableInputError, error, refuse
from study.reading.head import Head
from study.reading.limits import LONGEST_LINE, MOST_COLUMNS, MOST_LINES
from study.reading.mapping import looks_like_header, names_nothing
from study.reading.raw_table import RawTable, encoded, encoded_arrow
from study.reading.readers.plain_rows import plain_rows
from study.reading.readers.text import Text, open_text
from study.reading.sources import Source, literal

DELIMITERS = (",", ";", "\t")
LOOKED_AT = 20  # lines by which the delimiter is found
SMALL = 1_000_000  # bytes


def read_table(source: Source) -> list[RawTable]:
    """Every cell of a delimited file with a header, as text; an empty cell is "".

    Parameters
    ----------
    source : a file in UTF-8, UTF-16 (with byte order mark) or Latin-1

    Raises
    ------
    UnusableInputError : empty, binary, or with rows that do not fit the header, each with its line
    """
    return [_read(source, DELIMITERS)]


def read_own(source: Source) -> list[RawTable]:
    """A table as we write it, with commas: other signs in its header are part of a name."""
    return [_read(source, DELIMITERS[:1])]


def has_header(head: Head) -> bool:
    """Whether its first line has names that a study's columns go by."""
    first = head.text.splitlines()[0] if head.text else ""
    return any(looks_like_header(first.split(sign), least=2) for sign in DELIMITERS)


def _read(source: Source, delimiters: Sequence[str]) -> RawTable:
    with open_text(source) as text:
        top = _top(text, delimiters)
        header, first = top.header, top.first
        if _is_one_line(text) and not first:
            return RawTable(source.name, encoded({name: [] for name in header}), notes=text.notes)
        read = _quoted_rows if any(b'"' in piece for piece in text.pieces()) else plain_rows
        try:
            rows = read(text.path, top.delimiter, len(header), top.blank, header=not first)
        except ValueError as failure:
            found = _places(text, top)
            raise UnusableInputError(found or [_unreadable(source.name, failure)]) from None
        rows.columns = pd.Index(header)
        signs = (len(header) - 1) * (len(rows) + (not first))
        if read is _quoted_rows and text.count(top.delimiter.encode()) != signs:
            refuse(_places(text, top))  # DuckDB lets an empty cell too many pass
        ends = _lines(text)
        if ends > MOST_LINES:
            rule, remedy = f"a table has at most {MOST_LINES:,} lines", "Take out the blank ones."
            refuse([error(text.name, None, f"{ends:,} lines", rule, remedy)])
        try:
            as_is = ends == len(rows) + 1 and not first
            lines = None if as_is else _record_lines(text, top)
        except csv.Error:  # DuckDB lets a blank between quote and delimiter pass
            raise UnusableInputError(_places(text, top)) from None
        return RawTable(source.name, rows, lines, notes=text.notes, first=first)


@dataclass(frozen=True)
class _Top:
    """The delimiter, the names of the columns, and the blank lines above the first row.

    first : that row's cells, where it is one of data and nothing names the columns
    """

    delimiter: str
    header: list[str]
    blank: int
    first: tuple[str, ...]


def _top(text: Text, delimiters: Sequence[str]) -> _Top:
    """The top of a table.

    The delimiter is the one that gives the first row the most columns.
    """
    name = text.name
    _check_lines(text)
    with text.path.open(encoding="utf-8", newline="") as lines:
        blank, line = next((i, line) for i, line in enumerate(lines) if line.strip())
        sample = [line, *islice(lines, LOOKED_AT)]
    tried = {sign: list(_cells(sample, sign, strict=False)) for sign in delimiters}
    delimiter = max(delimiters, key=lambda sign: _fits(tried[sign]))
    cells = tried[delimiter][0]
    first = tuple(cells) if len(delimiters) > 1 and names_nothing(cells) else ()
    header = named(["" for _ in cells] if first else cells)
    problems: list[Problem] = []
    if len(header) > MOST_COLUMNS:
        rule = f"a table has at most {MOST_COLUMNS:,} columns"
        problems.append(error(name, 1, f"{len(header):,} columns", rule, "Check the delimiter."))
    twice = [column for column, times in Counter(header).items() if times > 1]
    if twice:
        rule, remedy = "each column has its own name", "Rename one."
        problems.append(error(name, 1, f"column {twice[0]!r} twice", rule, remedy))
    if problems:
        raise UnusableInputError(problems)
    return _Top(delimiter, header, blank, first)


def _check_lines(text: Text) -> None:
    """Refuse a line that is too long; one within a piece is not."""
    line, size = 1, 0
    for piece in text.pieces():
        first = piece.find(b"\n")
        size += first if first >= 0 else len(piece)
        if size > LONGEST_LINE:
            rule = f"a line has at most {LONGEST_LINE:,} bytes"
            found = error(text.name, line, "a longer line", rule, "Check the file.")
            raise UnusableInputError([found])
        if first >= 0:
            line += piece.count(b"\n")
            size = len(piece) - piece.rfind(b"\n") - 1


def _is_one_line(text: Text) -> bool:
    """Whether it has no line end but those around it."""
    begun = ended = False
    for piece in text.pieces():
        lines = piece if begun else piece.lstrip()
        begun = begun or bool(lines)
        kept = lines.rstrip()
        if kept and (ended or b"\n" in kept):
            return False
        ended = ended or b"\n" in lines
    return True


def _lines(text: Text) -> int:
    """Number of lines."""
    ends, last = 0, b""
    for piece in text.pieces():
        ends, last = ends + piece.count(b"\n"), piece[-1:]
    return ends + (last != b"\n")


def _fits(rows: list[list[str]]) -> tuple[bool, int]:
    """How well a delimiter fits: whether all rows are as long as the header, and how long."""
    header, *others = rows
    alike = len(header) > 1 and all(len(row) == len(header) for row in others if row)
    return alike, len(header)


def named(header: Sequence[str]) -> list[str]:
    """Names of columns; one without a name is called by its place.

    >>> named(["", "doc"])
    ['column 1', 'doc']
    """
    return [name if name.strip() else f"column {i}" for i, name in enumerate(header, start=1)]


def _cells(lines: Iterable[str], delimiter: str, *, strict: bool = True) -> Any:
    """The csv module's reader, with cells as long as a line may be."""
    csv.field_size_limit(LONGEST_LINE)
    return csv.reader(lines, delimiter=delimiter, strict=strict)


def _quoted_rows(
    path: Path, delimiter: str, columns: int, blank: int, *, header: bool
) -> pd.DataFrame:
    """Rows of a file with quotes; DuckDB's strict mode refuses those that stand where none may."""
    import duckdb  # most files have no quotes, and need not wait for it

    kinds = {f"c{i}": "VARCHAR" for i in range(columns)}
    cells = ", ".join(f"coalesce(c{i}, '') as c{i}" for i in range(columns))
    sql = f"""select {cells} from read_csv($path, auto_detect=false, columns={kinds!r},
        header={header}, skip={blank}, delim=$sign, quote='"', escape='"', comment='',
        strict_mode=true, null_padding=false, max_line_size={LONGEST_LINE}, compression='none')"""
    given = {"path": literal(path), "sign": delimiter}
    try:
        kept = path.stat().st_size <= SMALL
        with _database(os.getpid()).cursor() if kept else _started() as connection:
            return encoded_arrow(connection.sql(sql, params=given).to_arrow_table())
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


def _unreadable(name: str, failure: Exception) -> Problem:
    rule, remedy = "a table is readable as CSV", "Check the file."
    return error(name, None, str(failure).splitlines()[0], rule, remedy)


def _places(text: Text, top: _Top) -> list[Problem]:
    """Lines that keep a table from being read, found by the csv module's strict reader."""
    causes = Causes(text.name)
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = _cells(lines, top.delimiter)
        start = 1
        try:
            for row in reader:
                if row and len(row) != len(top.header):
                    found = f"{len(row)} cells"
                    above = "first row" if top.first else "header"
                    rule = f"the {above} has {len(top.header)} columns"
                    remedy = "Complete the row, or quote cells that contain the delimiter."
                    causes.add(start, found, rule, remedy)
                start = reader.line_num + 1
        except csv.Error as fault:
            rule = "quotes come in pairs and stand at a cell's ends"
            causes.add(start, str(fault), rule, "Correct the quotes.")
    return causes.problems


def _record_lines(text: Text, top: _Top) -> list[int]:
    """First line of each record of data, where it can't be told by its number."""
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = _cells(lines, top.delimiter)
        starts: list[int] = []
        start = 1
        for row in reader:
            if row and start > top.blank:
                starts.append(start)
            start = reader.line_num + 1
    return starts if top.first else starts[1:]
