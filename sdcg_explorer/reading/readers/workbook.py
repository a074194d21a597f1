"""Workbooks (xlsx, ods): each sheet with cells is a table.

Their parts are looked through before any is read, how far sheets reach and what cells hold: a sheet
is laid out with room for all within its corners, so a lie about one takes all memory.
"""

from __future__ import annotations

import datetime
import re
import zipfile
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any, NoReturn
from xml.parsers import expat

import numpy as np
import pandas as pd
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from sdcg_explorer.reading import limits, mapping, raw_table, sources
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.markup import parse_xml
from sdcg_explorer.reading.readers.tables import LOOKED_AT, header_rows
from sdcg_explorer.study import problems
from sdcg_explorer.study.wording import counted

CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
ROW = re.compile(r"[0-9]{1,7}")
INDEX = re.compile(r"[0-9]{1,9}")
COUNT = re.compile(r"[0-9]{1,20}")
LONGEST_INDEX = 20  # signs of a cell's value that are looked at
XML = (".xml", ".rels")
LINKS = "xl/_rels/workbook.xml.rels"
PATH = re.compile(r"[/\\]")
Given = dict[str, str]


class Part:
    """What one part of a workbook says, as expat goes through it.

    rows, columns : how far cells reach · text : letters of an ods's cells, as often as each stands
    there · strings : how many are announced · lengths : letters of each shared string, and uses :
    which one each cell has · valueless : cells that hold an error, or a formula whose value was not
    kept · sheets : name of each by its relation · targets : part of each
    relation · fault : why it can't be read, or ""
    """

    def __init__(self, name: str) -> None:
        self.name, self.fault = name, ""
        self.rows = self.columns = self.text = self.strings = 0
        self.lengths, self.uses = array("q"), array("i")
        self.valueless = problems.Causes(name)
        self.sheets: Given = {}
        self.targets: Given = {}
        self._row = self._column = self._waiting = self._copies = 0
        self._called = self._kind = self._value = ""  # of the cell that is open
        self._formula = False
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler = self._open
        parser.StartDoctypeDeclHandler = self._note_document_type

    def read(self, data: IO[bytes]) -> Part:
        """Look through the part."""
        try:
            parse_xml(self._parser, data)
        except expat.ExpatError as fault:
            self.fault = f"{self.name}, line {fault.lineno}: {expat.ErrorString(fault.code)}"
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
            case "si":
                self.lengths.append(0)
                self._parser.CharacterDataHandler = self._count_letters
            case "table":  # of an ods
                self._waiting = 0
            case "table-row":  # as often as it says; empty ones count before others
                self._waiting, self._column = self._waiting + _repeat_count(given), 0
                self._row = _repeat_count(given)
            case "table-cell" | "covered-table-cell":
                self._column += _repeat_count(given)
                self._parser.CharacterDataHandler = None
                if any(key.endswith("value-type") for key in given):
                    self.rows, self._waiting = self.rows + self._waiting, 0
                    self.columns = max(self.columns, self._column)
                    self._copies = self._row * _repeat_count(given)
                    self._parser.CharacterDataHandler = self._count_copies
            case "sheet":
                relation = next((v for k, v in given.items() if k.rpartition(":")[2] == "id"), "")
                self.sheets[relation] = given.get("name", "")
            case "Relationship" if self.name.lower() == LINKS:
                self.targets[given.get("Id", "")] = given.get("Target", "")
            case _:
                pass

    def _open_within(self, name: str, given: Given) -> None:
        """An element of a sheet: a row, a cell, its formula, its value."""
        name = name.rpartition(":")[2] if ":" in name else name
        if name == "c":
            self._close_cell()
            self._open_cell(given)
        elif name == "f":
            self._formula = True
        elif name in ("v", "t") and (self._kind == "s" or self._formula):
            self._parser.CharacterDataHandler = self._take_value
        elif name == "row":
            self._close_cell()
            number = given.get("r") or str(self._row + 1)
            if not ROW.fullmatch(number):
                raise ValueError(f"a row called {number[:80]!r}")
            self._row, self._column = int(number), 0
            self.rows = max(self.rows, self._row)

    def _open_cell(self, given: Given) -> None:
        self._kind, name = given.get("t", ""), given.get("r", "")
        if name:
            called = CELL.fullmatch(name)
            if not called:
                raise ValueError(f"a cell called {name[:80]!r}")
            self._column, self._row = column_number(called[1]), int(called[2])
        else:
            self._column += 1
        self._called = name
        self.rows, self.columns = max(self.rows, self._row), max(self.columns, self._column)

    def _count_letters(self, text: str) -> None:
        self.lengths[-1] += len(text)

    def _count_copies(self, text: str) -> None:
        self.text += len(text) * self._copies

    def _take_value(self, text: str) -> None:
        if len(self._value) < LONGEST_INDEX:
            self._value += text.strip()

    def _close_cell(self) -> None:
        """Note a cell without a value of its own, and which shared string one has."""
        if not (self._kind or self._formula):
            return
        if self._kind == "s":
            self.uses.append(int(self._value) if INDEX.fullmatch(self._value) else -1)
        # the value of a formula may be the empty text
        if self._kind == "e" or (self._formula and not self._value and self._kind != "str"):
            called = self._called or f"{self._column} of the row"
            found = f"cell {called} without a value of its own"
            self.valueless.add(self._row, found, VALUED, VALUES)
        self._kind = self._value = ""
        self._formula = False
        self._parser.CharacterDataHandler = None

    def _note_document_type(self, *_: object) -> None:
        raise ValueError("a DOCTYPE")


def column_number(letters: str) -> int:
    """Column of its letters, from 1: Z is 26, AA is 27."""
    return sum(26**i * (ord(letter) - 64) for i, letter in enumerate(reversed(letters.upper())))


def _repeat_count(given: Given) -> int:
    """How often a row or a cell of an ods stands there."""
    told = next((text for key, text in given.items() if key.endswith("-repeated")), "")
    return int(told) if COUNT.fullmatch(told) else 1


REMEDY = "Save the sheet as CSV."
VALUED = "cells hold values, not errors (#N/A) or formulas without a value"
VALUES = "Open it in a spreadsheet, which computes them, and save it; or save the sheet as CSV."


def read_workbook(source: sources.Source) -> list[RawTable]:
    """A table per sheet that has cells, the first row with cells as its header.

    Beside others, a sheet that is none and names no columns that are known is set aside.
    Numbers that are whole have no point; times are ISO. `lines` are the sheet's row numbers.

    Raises
    ------
    UnusableInputError : a broken workbook, or one beyond the limits
    """
    try:
        _check_workbook_parts(source)
        opener: Any = CalamineWorkbook
        book = opener.from_path(str(source.path))
        names = list(book.sheet_names)
        longest = max(map(len, names), default=0)
        if longest > limits.LONGEST_NAME:
            rule = f"names of sheets have at most {limits.LONGEST_NAME} characters"
            _refuse_workbook(source, f"a name of {longest:,}", rule)
        called = names if names[1:] else [""]
        tables = [each for i, name in enumerate(called) for each in _sheet(source, book, i, name)]
    except problems.UnusableInputError:
        raise
    except (CalamineError, *sources.BROKEN) as fault:
        found = f"not a workbook ({problems.in_words(fault)})"
        _refuse_workbook(source, found, "it must be complete, without a password")
    if not tables:
        _refuse_workbook(source, "an empty workbook", "a table has a header and rows")
    return tables


def _sheet(source: sources.Source, book: CalamineWorkbook, place: int, name: str) -> list[RawTable]:
    """The table of a sheet; none where it has no cells."""
    file = f"{source.name} [{name}]" if name else source.name
    sheet = book.get_sheet_by_index(place)
    rows = sheet.to_python(skip_empty_area=False)
    numbered = [(i, row) for i, row in enumerate(rows, start=1) if any(c != "" for c in row)]
    if not numbered:
        return []
    some = ([_as_text(cell, raw_table.as_text) for cell in row] for _, row in numbered[:LOOKED_AT])
    texts = [[" ".join(cell.split("\n")) for cell in row] for row in some]
    lines = [i for i, _ in numbered]
    top = header_rows(texts, lines, source.header_of(file))
    width = max(i for i, cell in enumerate(top.names, start=1) if cell != "")
    others = numbered[lines.index(top.line) + top.rows :]
    causes, rule = problems.Causes(file), f"the header has {counted(width, 'column')}"
    for i in (i for i, row in others if any(cell != "" for cell in row[width:])):
        causes.add(i, "cells right of the header", rule, REMEDY)
    try:
        top = replace(top, names=top.names[:width]).checked(file)
        problems.refuse(causes.problems)
    except problems.UnusableInputError as refused:
        if not name or mapping.looks_like_header(top.names, least=2):
            raise
        why = f"it is no table: {refused.problems[0].found}; {refused.problems[0].rule}"
        return [RawTable(file, pd.DataFrame(), known=raw_table.Known("other", why))]
    filled = _fill_merged(sheet, dict(others))
    columns = {
        name: [_cell_at(file, line, name, row[i]) for line, row in others]
        for i, name in enumerate(top.header)
    }
    table = top.table(file, raw_table.category_columns(columns), [i for i, _ in others])
    rule = "each has the value of those that it is merged with"
    said = problems.note(file, f"cells merged from row to row ({filled:,})", rule, "Nothing to do.")
    return [replace(table, notes=(*table.notes, said)) if filled else table]


def _fill_merged(sheet: CalamineSheet, rows: dict[int, list[Any]]) -> int:
    """Fill cells of rows (by line) that the sheet says are merged with one above; how many.

    Cells that are merged over several columns are titles.
    """
    count, done = 0, dict[int, int]()
    for (first, left), (last, right) in sorted(sheet.merged_cell_ranges or ()):
        above = rows.get(first + 1, [])
        if left != right or left >= len(above) or first < done.get(left, 0):
            continue
        done[left] = last + 1
        for line in range(first + 2, min(last + 1, max(rows)) + 1):
            if line in rows:
                rows[line][left] = above[left]
                count += above[left] != ""
    return count


def _as_text(value: Any, plain: Callable[[Any], str] = raw_table.cell_text) -> str:
    is_time = isinstance(value, datetime.datetime | datetime.date | datetime.time)
    return value.isoformat() if is_time else plain(value)


def _cell_at(file: str, line: int, column: str, value: Any) -> str:
    """The text of a cell, of which one that lost digits is refused."""
    try:
        return _as_text(value)
    except ValueError as fault:
        found, _, rule = str(fault).partition(": ")
        remedy = "Format the column as text, and enter the ids again."
        found = f"{found} in column {problems.cut(column)!r}"
        raise problems.refusal(file, line, found, rule, remedy) from None


def _check_workbook_parts(source: sources.Source) -> None:
    """Look through the parts before any is read.

    What each unpacks to, where its cells lie, and that each of them has a value of its own: an
    error is none, nor a formula that nobody computed.
    """
    with zipfile.ZipFile(source.path) as archive:
        parts: list[Part] = []
        for entry in archive.infolist():
            source.counter.unpack(source.name, entry.file_size)
            with archive.open(entry) as data:
                parts.append(Part(entry.filename).read(data))
            if parts[-1].strings > entry.file_size:
                rule = "a workbook has as many strings as it says"
                strings = counted(parts[-1].strings, "string")
                _refuse_workbook(source, f"{strings} in {counted(entry.file_size, 'byte')}", rule)
    names = {relation: name for part in parts for relation, name in part.sheets.items()}
    targets = [each for part in parts for each in part.targets.items()]
    sheets = {_file_name(target): names.get(relation, "") for relation, target in targets}
    for part in parts:
        if part.fault and (part.name.lower().endswith(XML) or _file_name(part.name) in sheets):
            rule = "its cells are named like B7, and its XML has no document type"
            _refuse_workbook(source, part.fault, f"a workbook is whole, {rule}")
    lengths = np.concatenate([np.frombuffer(part.lengths, np.int64) for part in parts])
    places = np.concatenate([np.frombuffer(part.uses, np.int32) for part in parts])
    # shared strings are copied into each cell that has one as a sheet is opened
    text = int(lengths[places[(places >= 0) & (places < lengths.size)]].sum())
    text += sum(part.text for part in parts)
    source.counter.check(source.name, sum(part.rows * part.columns for part in parts), text)
    for part in parts:
        sheet = sheets.get(_file_name(part.name), part.name)
        part.valueless.file = f"{source.name} [{sheet}]" if len(names) > 1 else source.name
    problems.refuse([problem for part in parts for problem in part.valueless.problems])


def _file_name(path: str) -> str:
    """The last part of a path, in small letters."""
    return PATH.split(path.lower())[-1]


def _refuse_workbook(source: sources.Source, found: str, rule: str) -> NoReturn:
    raise problems.refusal(source.name, None, found, rule, REMEDY)
