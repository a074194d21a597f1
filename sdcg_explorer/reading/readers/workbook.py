"""Excel workbooks (xlsx): each sheet with cells is a table.

Their parts are looked through before any is read, how far sheets reach and what cells hold: a sheet
is laid out with room for all within its corners, so a lie about one takes all memory.
"""

from __future__ import annotations

import datetime
import re
import zipfile
import zlib
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np
from python_calamine import CalamineError, CalamineWorkbook

from sdcg_explorer.reading.limits import ALWAYS_BYTES, LONGEST_NAME, MOST_COLUMNS
from sdcg_explorer.reading.mapping import names_nothing
from sdcg_explorer.reading.raw_table import RawTable, as_text, category_columns
from sdcg_explorer.reading.readers.markup import CHUNK, parsed
from sdcg_explorer.reading.readers.tables import LOOKED_AT, header_rows, named, said_of_header
from sdcg_explorer.reading.sources import Readable, Source
from sdcg_explorer.study.problems import (
    PLACES,
    Causes,
    Problem,
    UnusableInputError,
    error,
    in_words,
    refuse,
)
from sdcg_explorer.study.wording import counted

CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
ROW = re.compile(r"[0-9]{1,7}")
INDEX = re.compile(r"[0-9]{1,9}")
COUNT = re.compile(r"[0-9]{1,20}")
READ_AS_XML = (b"sheetData", b"<sst", b":sst")
XML = (".xml", ".rels")
Given = dict[str, str]


@dataclass
class SheetPart:
    """What one part says: handlers for expat, until `sheetData` opens those of what is before it.

    rows, columns : how far cells reach · strings : how many are announced · lengths : letters of
    each shared string · shared : cells that have one · uses : which, where that is asked ·
    without : how many cells hold an error, or a formula whose value was not kept; valueless : the
    first, with their rows · fault : why it can't be read, or "" · sheets : name of each by its
    relation
    targets : part of each relation
    """

    name: str
    rows: int = 0
    columns: int = 0
    strings: int = 0
    lengths: array[int] = field(default_factory=lambda: array("q"))
    shared: int = 0
    uses: array[int] | None = None
    without: int = 0
    valueless: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    fault: str = ""
    sheets: dict[str, str] = field(default_factory=dict[str, str])
    targets: dict[str, str] = field(default_factory=dict[str, str])
    _row: int = 0
    _column: int = 0
    _formula: str = ""
    _index: str | None = None
    _empty_text: bool = False
    _parser: Any = None

    def read(self, data: Readable, unpacked: Callable[[int], object] = bool) -> SheetPart:
        """Look through the part; `fault` says what is wrong; `unpacked` counts its bytes."""
        kept = _Kept(data, unpacked)
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler = self._open
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parsed(parser, kept)
        except expat.ExpatError as fault:
            if self.name.lower().endswith(XML) or kept.to_its_end():
                self.fault = f"{self.name}, line {fault.lineno}: {expat.ErrorString(fault.code)}"
        except UnusableInputError:  # beyond what may be unpacked
            raise
        except (ValueError, LookupError) as fault:  # an unknown encoding is a LookupError
            self.fault = f"{self.name}: {fault}"
        self._close_cell()
        return self

    def _open(self, name: str, given: Given) -> None:
        """An element outside of a sheet's cells."""
        for what in ("count", "uniqueCount"):
            if what in given and COUNT.fullmatch(given[what]):
                self.strings = max(self.strings, int(given[what]))
        match name.rpartition(":")[2]:
            case "sheetData":
                self._parser.StartElementHandler = self._open_within
                self._parser.CharacterDataHandler = None
            case "sst":
                self._parser.CharacterDataHandler = self._count_letters
            case "si":
                self.lengths.append(0)
            case "sheet":
                relation = next((v for k, v in given.items() if k.rpartition(":")[2] == "id"), "")
                self.sheets[relation] = given.get("name", "")
            case "Relationship":
                self.targets[given.get("Id", "")] = given.get("Target", "")
            case _:
                pass

    def _open_within(self, name: str, given: Given) -> None:
        """An element of a sheet: a row, a cell, its formula, its value."""
        if ":" in name:
            name = name.rpartition(":")[2]
        if name == "c":
            self._open_cell(given)
        elif name == "row":
            self._open_row(given)
        elif name == "f":
            self._formula = self._formula or self._called()
        elif name in ("v", "t") and self._formula:
            self._parser.CharacterDataHandler = self._take_value
        elif name == "v" and self._index is not None:
            self._parser.CharacterDataHandler = self._take_index

    def _open_row(self, given: Given) -> None:
        number = given.get("r", "")
        if number and not ROW.fullmatch(number):
            raise ValueError(f"a row called {number[:80]!r}")
        self._row = int(number) if number else self._row + 1
        self._column = 0
        self.rows = max(self.rows, self._row)

    def _open_cell(self, given: Given) -> None:
        self._close_cell()
        name = given.get("r", "")
        if name:
            called = CELL.fullmatch(name)
            if not called:
                raise ValueError(f"a cell called {name[:80]!r}")
            self._column, self._row = number_of(called[1]), int(called[2])
        else:
            self._column += 1
        self.rows, self.columns = max(self.rows, self._row), max(self.columns, self._column)
        kind = given.get("t", "")
        self._empty_text = kind == "str"  # a formula may have the empty text as its value
        if kind == "s":
            self.shared += 1
            self._index = "" if self.uses is not None else None
        if kind == "e":
            self._note(self._called())

    def _count_letters(self, text: str) -> None:
        if self.lengths:
            self.lengths[-1] += len(text)

    def _take_index(self, text: str) -> None:
        self._index = f"{self._index}{text}"

    def _take_value(self, text: str) -> None:
        if text.strip():
            self._formula = ""
            self._parser.CharacterDataHandler = None

    def _close_cell(self) -> None:
        """Note a cell whose formula came without a value, and which shared string it has."""
        if self._index is not None and self.uses is not None:
            place = self._index.strip()
            self.uses.append(int(place) if INDEX.fullmatch(place) else -1)
            self._index, self._parser.CharacterDataHandler = None, None
        if self._formula:
            if not self._empty_text:
                self._note(self._formula)
            self._formula = ""
            self._parser.CharacterDataHandler = None

    def _called(self) -> str:
        return f"{letters_of(self._column)}{self._row}"

    def _note(self, cell: str) -> None:
        self.without += 1
        if len(self.valueless) < PLACES:
            self.valueless.append((self._row, cell))

    def _doctype(self, *_: object) -> None:
        raise ValueError("a DOCTYPE")


@dataclass
class _Kept:
    """What is read of a part, and whether it may be taken for a sheet though it is no XML."""

    data: Readable
    unpacked: Callable[[int], object]
    rest: bytes = b""
    like_xml: bool = False

    def read(self, size: int = -1, /) -> bytes:
        piece = self.data.read(size)
        self.unpacked(len(piece))
        seen = self.rest + piece
        self.like_xml = self.like_xml or any(sign in seen for sign in READ_AS_XML)
        self.rest = piece[-16:]
        return piece

    def to_its_end(self) -> bool:
        """Read what is left; whether any of it looks like a sheet or its strings."""
        while self.read(CHUNK):
            pass
        return self.like_xml


def number_of(letters: str) -> int:
    """Column of its letters, from 1."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number


def letters_of(column: int) -> str:
    """Letters of a column, from 1: Z is 26, AA is 27."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


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
    try:
        _check(source)
        opener: Any = CalamineWorkbook
        book = opener.from_path(str(source.path))
        names = list(book.sheet_names)
        longest = max(map(len, names), default=0)
        if longest > LONGEST_NAME:
            rule = f"names of sheets have at most {LONGEST_NAME} characters"
            _refuse(source, f"a name of {longest:,}", rule)
        called = names if names[1:] else [""]
        tables = [_sheet(source, book, i, name) for i, name in enumerate(called)]
    except UnusableInputError:
        raise
    # RuntimeError is zipfile's word for a password, NotImplementedError for an unknown method
    except (CalamineError, OverflowError, zlib.error, EOFError, RuntimeError, *BROKEN) as fault:
        _refuse(
            source, f"no workbook ({in_words(fault)})", "a workbook is whole and has no password"
        )
    found = [table for table in tables if table is not None]
    if not found:
        _refuse(source, "an empty workbook", "a table has a header and rows")
    return found


def _sheet(source: Source, book: CalamineWorkbook, place: int, name: str) -> RawTable | None:
    file = f"{source.name} [{name}]" if name else source.name
    rows = book.get_sheet_by_index(place).to_python(skip_empty_area=False)
    numbered = [(i, row) for i, row in enumerate(rows, start=1) if any(c != "" for c in row)]
    if not numbered:
        return None
    texts = [[_cell(cell) for cell in row] for _, row in numbered[:LOOKED_AT]]
    lines = [i for i, _ in numbered]
    names = header_rows(texts, lines, source.header_of(file))
    changes, notes = said_of_header(file, names)
    top, line, numbered = names.names, names.line, numbered[lines.index(names.line) :]
    width = max(i for i, cell in enumerate(top, start=1) if cell != "")
    texts = [" ".join(cell.splitlines()) for cell in top[:width]]
    first = tuple(texts) if names_nothing(texts) else ()
    header = named(["" for _ in texts] if first else texts)
    others = numbered[int(not first) + names.labels :]
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
    rows = np.array([i for i, _ in others], dtype=np.int64)
    return RawTable(
        file, category_columns(columns), rows, notes=notes, changes=changes, first=first
    )


def _cell(value: Any) -> str:
    if isinstance(value, float) and abs(value) >= EXACT_BELOW:
        raise ValueError(f"the number {value:.0f}: Excel keeps 15 digits, longer ids as text")
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return as_text(value)


def _check(source: Source) -> None:
    """Look through the parts before any is read: what each unpacks to, and where its cells lie."""
    with zipfile.ZipFile(source.path) as archive:
        parts = [_looked_through(source, archive, entry) for entry in archive.infolist()]
        cells = sum(part.rows * part.columns for part in parts)
        source.counter.check(source.name, cells, _most_text(archive, parts))
    _check_values(source, parts)


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
        counted_bytes = partial(source.counter.unpack, source.name)
        part = SheetPart(entry.filename).read(data, counted_bytes)
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
