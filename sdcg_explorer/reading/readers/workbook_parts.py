"""Parts of a workbook, looked through before any is read: how far sheets reach, what cells hold.

A sheet is laid out with room for all within its corners, so a lie about one takes all memory.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from sdcg_explorer.reading.readers.markup import CHUNK, parsed
from sdcg_explorer.reading.sources import Readable
from sdcg_explorer.study.problems import PLACES, UnusableInputError

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

    def read(self, data: Readable) -> SheetPart:
        """Look through the part; `fault` says what is wrong with it."""
        kept = _Kept(data)
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
    rest: bytes = b""
    like_xml: bool = False

    def read(self, size: int = -1, /) -> bytes:
        piece = self.data.read(size)
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
