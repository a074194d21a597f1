"""Tables of text: CSV with comma, semicolon or tab, read by DuckDB, places found by csv."""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from study.checks import SHOWN, Problem, UnusableInputError, error, refuse
from study.raw import RawTable, encoded_arrow

LONGEST_LINE = 1_000_000
MOST_COLUMNS = 1_000
DELIMITERS = (",", ";", "\t")


def read_table(path: Path) -> RawTable:
    """Every cell of a delimited file with a header, as text; an empty cell is "".

    Parameters
    ----------
    path : a file in UTF-8, UTF-16 (with byte order mark) or Latin-1

    Raises
    ------
    UnusableInputError : empty, binary, or with rows that do not fit the header, each with its line
    """
    with as_utf8(path) as text:
        delimiter, header = _head(text, path.name)
        try:
            rows = _rows(text, delimiter, len(header))
        except duckdb.Error as failure:
            found = _places(text, path.name, delimiter, header)
            raise UnusableInputError(found or [_unreadable(path.name, failure)]) from None
        rows.columns = pd.Index(header)
        lines, signs = _counted(text, delimiter)
        if signs != (len(header) - 1) * (len(rows) + 1):  # DuckDB lets an empty cell too many pass
            refuse(_places(text, path.name, delimiter, header))
        line_of = None if lines == len(rows) + 1 else _record_lines(text, delimiter)
    return RawTable(path.name, rows, line_of, notes=_encoding_notes(path))


def _encoding_notes(path: Path) -> tuple[Problem, ...]:
    if _decoded(path.read_bytes())[1] != "Latin-1":
        return ()
    rule = "a text that is not UTF-8 is read as Latin-1"
    remedy = "Check letters with accents, or save it as UTF-8."
    return (Problem("note", path.name, None, "bytes that are not UTF-8", rule, remedy),)


@contextmanager
def as_utf8(path: Path) -> Generator[Path]:
    """Path of the same text in UTF-8 with plain line ends; the file itself where it is so."""
    data = path.read_bytes()
    if not re.search(rb"\S", data):
        remedy = "Export it again, or choose another file."
        raise UnusableInputError(
            [error(path.name, None, "an empty file", "a table has a header and rows", remedy)]
        )
    text, encoding = _decoded(data)
    if "\0" in text:
        rule, remedy = "a table is text", "Export it as CSV in UTF-8."
        raise UnusableInputError([error(path.name, None, "binary content", rule, remedy)])
    if encoding == "UTF-8" and "\r" not in text:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "table.txt"
        copy.write_text(re.sub(r"\r\n?", "\n", text), encoding="utf-8", newline="")
        yield copy


def _decoded(data: bytes) -> tuple[str, str]:
    """Text of the bytes, without a byte order mark, and how they were encoded."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), "UTF-16"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1"), "Latin-1"
    return (text[1:], "UTF-8 with mark") if text.startswith("\ufeff") else (text, "UTF-8")


def _head(path: Path, name: str) -> tuple[str, list[str]]:
    """Delimiter and header: the delimiter that gives the header the most columns."""
    with path.open(encoding="utf-8", newline="") as lines:
        first = lines.readline(LONGEST_LINE + 1)
    if len(first) > LONGEST_LINE:
        rule = f"a line has at most {LONGEST_LINE:,} characters"
        raise UnusableInputError([error(name, 1, "a longer line", rule, "Check the file.")])
    headers = [next(_cells([first], sign, strict=False)) for sign in DELIMITERS]
    header = max(headers, key=len)
    delimiter = DELIMITERS[headers.index(header)]
    problems: list[Problem] = []
    if len(header) > MOST_COLUMNS:
        rule = f"a table has at most {MOST_COLUMNS:,} columns"
        problems.append(error(name, 1, f"{len(header):,} columns", rule, "Check the delimiter."))
    twice = sorted({column for column in header if header.count(column) > 1})[:5]
    if twice:
        rule, remedy = "each column has its own name", "Rename one."
        problems.append(error(name, 1, f"column {twice[0]!r} twice", rule, remedy))
    if problems:
        raise UnusableInputError(problems)
    return delimiter, header


def _cells(lines: Iterable[str], delimiter: str, *, strict: bool = True) -> Any:
    """The csv module's reader, with cells as long as a line may be."""
    csv.field_size_limit(LONGEST_LINE)
    return csv.reader(lines, delimiter=delimiter, strict=strict)


def _rows(path: Path, delimiter: str, columns: int) -> pd.DataFrame:
    kinds = {f"c{i}": "VARCHAR" for i in range(columns)}
    cells = ", ".join(f"coalesce(c{i}, '') as c{i}" for i in range(columns))
    sql = f"""select {cells} from read_csv($path, auto_detect=false, columns={kinds!r},
        header=true, delim=$delimiter, quote='"', escape='"', comment='', strict_mode=true,
        null_padding=false, max_line_size={LONGEST_LINE}, compression='none')"""
    with duckdb.connect(":memory:", config={"threads": 2}) as connection:
        cells = connection.sql(sql, params={"path": _literal(path), "delimiter": delimiter})
        return encoded_arrow(cells.to_arrow_table())


def _literal(path: Path) -> str:
    """A path in which nothing is a pattern."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _unreadable(name: str, failure: duckdb.Error) -> Problem:
    rule, remedy = "a table is readable as CSV", "Check the file."
    return error(name, None, str(failure).splitlines()[0], rule, remedy)


def _places(path: Path, name: str, delimiter: str, header: list[str]) -> list[Problem]:
    """Lines that keep a table from being read, found by the csv module's strict reader."""
    problems: list[Problem] = []
    with path.open(encoding="utf-8", newline="") as lines:
        reader = _cells(lines, delimiter)
        start = 1
        try:
            for row in reader:
                if row and len(row) != len(header):
                    found = f"{len(row)} cells"
                    rule = f"the header has {len(header)} columns"
                    remedy = "Complete the row, or quote cells that contain the delimiter."
                    problems.append(error(name, start, found, rule, remedy))
                start = reader.line_num + 1
                if len(problems) > SHOWN:
                    break
        except csv.Error as fault:
            rule = "quotes come in pairs and stand at a cell's ends"
            problems.append(error(name, start, str(fault), rule, "Correct the quotes."))
    return problems


def _counted(path: Path, delimiter: str) -> tuple[int, int]:
    """Lines and delimiters of a file."""
    data = path.read_bytes()
    ends = data.count(b"\n") + (not data.endswith(b"\n"))
    return ends, data.count(delimiter.encode())


def _record_lines(path: Path, delimiter: str) -> list[int]:
    """First line of each record, where cells span lines or lines are blank."""
    with path.open(encoding="utf-8", newline="") as lines:
        reader = _cells(lines, delimiter)
        starts: list[int] = []
        start = 1
        for row in reader:
            if row:
                starts.append(start)
            start = reader.line_num + 1
    return starts[1:]
