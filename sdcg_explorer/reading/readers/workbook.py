"""Excel workbooks (xlsx): each sheet with cells is a table."""

from __future__ import annotations

import datetime
import zipfile
import zlib
from array import array
from collections import Counter
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from python_calamine import CalamineError, CalamineWorkbook

from sdcg_explorer.reading.limits import ALWAYS_BYTES, LONGEST_NAME, MOST_COLUMNS
from sdcg_explorer.reading.mapping import names_nothing
from sdcg_explorer.reading.raw_table import RawTable, category_columns
from sdcg_explorer.reading.readers.tables import (
    LOOKED_AT,
    header_rows,
    in_one,
    named,
    offers_of,
)
from sdcg_explorer.reading.readers.workbook_parts import SheetPart
from sdcg_explorer.reading.sources import Readable, Source
from sdcg_explorer.study.problems import (
    Causes,
    Problem,
    UnusableInputError,
    error,
    in_words,
    refuse,
)
from sdcg_explorer.study.wording import counted

BROKEN = (zipfile.BadZipFile, ValueError, OSError)
REMEDY = "Save the sheet as CSV."
VALUES = "Open it in a spreadsheet, which computes them, and save it; or save the sheet as CSV."
EXACT_BELOW = 2**53


def read_workbook(source: Source) -> list[RawTable]:
    """A table per sheet that has cells, the first row with cells as its header.

    Numbers that are whole have no point; times are ISO. `lines` are the sheet's row numbers.

    Raises
    ------
    UnusableInputError : a broken workbook, or one beyond the limits
    """
    _check(source)
    try:
        book = _opened(str(source.path))
        names = list(book.sheet_names)
        longest = max(map(len, names), default=0)
        if longest > LONGEST_NAME:
            rule = f"names of sheets have at most {LONGEST_NAME} characters"
            _refuse(source, f"a name of {longest:,}", rule)
        called = names if names[1:] else [""]
        tables = [_sheet(source, book, i, name) for i, name in enumerate(called)]
    except (CalamineError, OverflowError, *BROKEN) as fault:
        if isinstance(fault, UnusableInputError):
            raise
        _refuse(
            source, f"no workbook ({in_words(fault)})", "a workbook is whole and has no password"
        )
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
    texts = [[_cell(cell) for cell in row] for _, row in numbered[:LOOKED_AT]]
    at = upper, lower = header_rows(texts)
    offers = offers_of(file, [i for i, _ in numbered], at)
    top, numbered = in_one(texts[upper], texts[lower]), numbered[lower:]
    width = max(i for i, cell in enumerate(top, start=1) if cell != "")
    texts = [" ".join(cell.splitlines()) for cell in top[:width]]
    first = tuple(texts) if names_nothing(texts) else ()
    header, others = named(["" for _ in texts] if first else texts), numbered[not first :]
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
    return RawTable(file, category_columns(columns), lines, first=first, offers=offers)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if abs(value) >= EXACT_BELOW:
            raise ValueError(f"the number {value:.0f}: Excel keeps 15 digits, longer ids as text")
        return f"{value:.0f}" if value.is_integer() else repr(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise ValueError("a text with a NUL character")
    return text


def _check(source: Source) -> None:
    """Look through the parts before any is read: what each unpacks to, and where its cells lie."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            parts = [_looked_through(source, archive, entry) for entry in archive.infolist()]
            cells = sum(part.rows * part.columns for part in parts)
            source.counter.check(source.name, cells, _most_text(archive, parts))
    # RuntimeError is zipfile's word for a password, NotImplementedError for an unknown method
    except (*BROKEN, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
        if isinstance(fault, UnusableInputError):
            raise
        _refuse(
            source, f"no workbook ({in_words(fault)})", "a workbook is whole and has no password"
        )
    _check_values(source, parts)


@dataclass
class _Counted:
    """A part's bytes, which are counted as they are unpacked."""

    source: Source
    data: Readable

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        piece = self.data.read(size)
        self.source.counter.unpack(self.source.name, len(piece))
        return piece


def _most_text(archive: zipfile.ZipFile, parts: list[SheetPart]) -> int:
    """Letters of shared strings in all cells; they are copied into each as a sheet is opened.

    No cell has more than the longest; where that would be much, all are looked up.
    """
    lengths = np.concatenate([np.frombuffer(part.lengths, np.int64) for part in parts])
    sharing = [part for part in parts if part.shared]
    most = int(lengths.max(initial=0)) * sum(part.shared for part in sharing)
    if most <= ALWAYS_BYTES:
        return most
    total = 0
    for part in sharing:
        with archive.open(part.name) as data:
            uses = SheetPart(part.name, uses=array("q")).read(data).uses
        places = np.frombuffer(uses or b"", np.int64)
        total += int(lengths[places[(places >= 0) & (places < lengths.size)]].sum())
    return total


def _looked_through(source: Source, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> SheetPart:
    """A part, refused where a reader could not read it, or not within memory."""
    with archive.open(entry) as data:
        part = SheetPart(entry.filename).read(_Counted(source, data))
    if part.fault:
        _refuse(
            source,
            part.fault,
            "a workbook is whole, its cells are called as B7, and its XML has no document type",
        )
    if part.strings > entry.file_size:
        rule = "a workbook has as many strings as it says"
        _refuse(
            source, f"{counted(part.strings, 'string')} in {counted(entry.file_size, 'byte')}", rule
        )
    return part


def _check_values(source: Source, parts: list[SheetPart]) -> None:
    """Each cell has a value of its own: an error is none, nor a formula that nobody computed."""
    names = {relation: name for part in parts for relation, name in part.sheets.items()}
    sheets = {
        target.rpartition("/")[2]: names[relation]
        for part in parts
        for relation, target in part.targets.items()
        if relation in names
    }
    rule = "cells hold values, not errors (#N/A) or formulas without a value"
    problems: list[Problem] = []
    for part in (part for part in parts if part.without):
        sheet = sheets.get(part.name.rpartition("/")[2], part.name)
        file = f"{source.name} [{sheet}]" if len(names) > 1 else source.name
        (row, cell), *_ = part.valueless
        places = tuple(f"{file}, line {line}" for line, _ in part.valueless)
        found = f"cell {cell} without a value of its own"
        problems.append(error(file, row, found, rule, VALUES, part.without, places))
    refuse(problems)


def _refuse(source: Source, found: str, rule: str) -> NoReturn:
    raise UnusableInputError([error(source.name, None, found, rule, REMEDY)])
