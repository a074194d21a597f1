"""Excel workbooks (xlsx): each sheet with cells is a table."""

from __future__ import annotations

import datetime
import re
import zipfile
import zlib
from collections import Counter
from typing import Any, NoReturn

import numpy as np
from python_calamine import CalamineError, CalamineWorkbook

from study.problems import Causes, UnusableInputError, error, refuse
from study.reading.limits import MOST_BYTES, MOST_CELLS, MOST_COLUMNS, MOST_RATIO
from study.reading.raw_table import RawTable, encoded
from study.reading.readers.tables import named
from study.reading.sources import Source

BROKEN = (zipfile.BadZipFile, ValueError, OSError)
REMEDY = "Save the sheet as CSV."
CELL = re.compile(rb"""\br\s*=\s*["']([A-Za-z]{0,9})(\d{1,12})["']""")  # of a row, or a cell
UNKNOWN = re.compile(rb"""<c\b[^>]*\bt=["']e["']|<f\b[^>]*?(/>|>[^<]*</f>)\s*</c>""")
LARGEST = 2**53
COUNT = re.compile(rb"""\b(?:uniqueCount|count)\s*=\s*["'](\d{1,20})["']""")
CHUNK = 1 << 20


def read_workbook(source: Source) -> list[RawTable]:
    """A table per sheet that has cells, the first row with cells as its header.

    Numbers that are whole have no point; times are ISO. `lines` are the sheet's row numbers.

    Raises
    ------
    UnusableInputError : a broken workbook, or one beyond the limits
    """
    _check_size(source)
    try:
        book = _opened(str(source.path))
        names = list(book.sheet_names)
        called = names if names[1:] else [""]
        tables = [_sheet(source, book, i, name) for i, name in enumerate(called)]
    except (CalamineError, OverflowError, *BROKEN) as fault:
        if isinstance(fault, UnusableInputError):
            raise
        _refuse(source, f"no workbook ({fault})", "a workbook is whole and has no password")
    found = [table for table in tables if table is not None]
    if not found:
        _refuse(source, "an empty workbook", "a table has a header and rows")
    return found


def _opened(path: str) -> CalamineWorkbook:
    opener: Any = CalamineWorkbook
    return opener.from_path(path)


def _sheet(source: Source, book: CalamineWorkbook, place: int, name: str) -> RawTable | None:
    file = f"{source.name} [{name}]" if name else source.name
    rows = book.get_sheet_by_index(place).to_python(skip_empty_area=False)
    numbered = [(i, row) for i, row in enumerate(rows, start=1) if any(c != "" for c in row)]
    if not numbered:
        return None
    (_, first), *others = numbered
    width = max(i for i, cell in enumerate(first, start=1) if cell != "")
    header = named([" ".join(_cell(cell).splitlines()) for cell in first[:width]])
    line = numbered[0][0]
    twice = [column for column, times in Counter(header).items() if times > 1]
    if twice or width > MOST_COLUMNS:
        found = f"column {twice[0]!r} twice" if twice else f"{width:,} columns"
        rule = f"a table has at most {MOST_COLUMNS:,} columns, each with its own name"
        raise UnusableInputError([error(file, line, found, rule, "Correct the header.")])
    beyond = [i for i, row in others if any(cell != "" for cell in row[width:])]
    causes = Causes(file)
    for i in beyond:
        causes.add(i, "cells right of the header", f"the header has {width} columns", REMEDY)
    refuse(causes.problems)
    cells = [[_cell(cell) for cell in row[:width]] for _, row in others]
    columns = {name: [row[i] for row in cells] for i, name in enumerate(header)}
    lines = np.array([i for i, _ in others], dtype=np.int64)
    return RawTable(file, encoded(columns), lines)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if abs(value) >= LARGEST:
            raise ValueError(f"the number {value:.0f}: Excel keeps 15 digits, longer ids as text")
        return f"{value:.0f}" if value.is_integer() else repr(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise ValueError("a text with a NUL character")
    return text


def _check_size(source: Source) -> None:
    """Sizes are checked before anything is read: a sheet takes room for all within its corners."""
    packed = max(source.path.stat().st_size, 1)
    try:
        with zipfile.ZipFile(source.path) as archive:
            room = min(max(MOST_RATIO * packed, CHUNK), MOST_BYTES)
            for entry in archive.infolist():
                rows, columns, strings, rest = 0, 1, 0, b""
                with archive.open(entry) as data:
                    while chunk := data.read(CHUNK):
                        room -= len(chunk)
                        if room < 0:
                            rule = f"a workbook grows at most {MOST_RATIO} times as it is unpacked"
                            _refuse(source, "a larger ratio", rule)
                        for letters, row in CELL.findall(rest + chunk):
                            rows, columns = max(rows, int(row)), max(columns, _column(letters))
                        if UNKNOWN.search(rest + chunk):
                            rule = (
                                "cells hold values, not errors (#N/A) or formulas without a value"
                            )
                            _refuse(source, "a cell without a value of its own", rule)
                        counts = COUNT.findall(rest + chunk)
                        strings = max(strings, *map(int, counts)) if counts else strings
                        rest = chunk[-80:]
                if rows * columns > MOST_CELLS and "sheet" in entry.filename.lower():
                    found = f"{rows:,} rows × {columns:,} columns"
                    _refuse(source, found, f"a sheet has at most {MOST_CELLS:,} cells")
                if strings > entry.file_size:
                    rule = "a workbook has as many strings as it says"
                    _refuse(source, f"{strings:,} strings in {entry.file_size:,} bytes", rule)
    # RuntimeError is zipfile's word for a password, NotImplementedError for an unknown method
    except (*BROKEN, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
        if isinstance(fault, UnusableInputError):
            raise
        _refuse(source, f"no workbook ({fault})", "a workbook is whole and has no password")


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


def _refuse(source: Source, found: str, rule: str) -> NoReturn:
    raise UnusableInputError([error(source.name, None, found, rule, REMEDY)])
