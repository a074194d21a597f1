"""Tables of text: CSV with comma, semicolon or tab; places of faults are found by csv."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

import pandas as pd

from sdcg_explorer.reading.event_tables import with_known_names
from sdcg_explorer.reading.head import Head
from sdcg_explorer.reading.mapping import looks_like_header
from sdcg_explorer.reading.raw_table import RawTable, category_columns
from sdcg_explorer.reading.readers.loose_quotes import has_loose_quote, tightened
from sdcg_explorer.reading.readers.plain_rows import plain_rows
from sdcg_explorer.reading.readers.table_faults import (
    longest_row,
    places,
    swallowed_lines,
    unreadable,
)
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
from sdcg_explorer.study.problems import Problem, UnusableInputError, refuse


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
    if not (text.quoted and has_loose_quote(text, top.delimiter)):
        return _table(text, top)
    with tightened(text, top.delimiter) as tight:
        top = top_of(tight, delimiters)
        refuse(places(tight, top))  # pyarrow takes such a quote as a letter, wherever it stands
        return _table(tight, top)


def _table(text: Text, top: Top) -> RawTable:
    header, first = top.header, top.first
    if not first and _is_header_alone(text, top):
        return RawTable(
            text.name, category_columns({name: [] for name in header}), notes=text.notes
        )
    ends = _lines(text)
    cells = text.count(top.delimiter.encode()) + ends
    text.counter.check(text.name, cells, rows=ends, columns=len(header))
    try:
        rows = plain_rows(text.path, top, quoted=text.quoted)
    except ValueError as failure:
        raise UnusableInputError(_faults(text, top, failure)) from None
    rows.columns = pd.Index(header)
    as_is = ends == len(rows) + 1 and not first and not top.offers
    lines = None if as_is else _record_lines(text, top)
    raw = RawTable(text.name, rows, lines, notes=text.notes, first=first, offers=top.offers)
    if text.quoted and lines is not None:
        refuse(swallowed_lines(text.name, top, rows, raw.line))
    return with_known_names(raw)


def _is_header_alone(text: Text, top: Top) -> bool:
    """Whether no row follows the header, which may take several lines in quotes."""
    if is_one_line(text) or not text.quoted:
        return is_one_line(text)
    with text.path.open(encoding="utf-8", newline="") as lines, suppress(csv.Error):
        reader = cells(lines, top.delimiter)
        filled = (row for row in reader if row and reader.line_num > top.blank)
        return len([*islice(filled, 2)]) < 2
    return False


def _faults(text: Text, top: Top, failure: ValueError) -> list[Problem]:
    """What keeps pyarrow from reading a table."""
    if found := places(text, top):
        return found
    is_long = "straddl" in str(failure)  # parts of a row lie in three blocks
    return [longest_row(text, top) if is_long else unreadable(text.name, failure)]


def _lines(text: Text) -> int:
    """Number of lines."""
    ends, last = 0, b""
    for piece in text.pieces():
        ends, last = ends + piece.count(b"\n"), piece[-1:]
    return ends + (last != b"\n")


def _record_lines(text: Text, top: Top) -> list[int]:
    """First line of each record of data, where it can't be told by its number."""
    starts: list[int] = []
    start = 1
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = cells(lines, top.delimiter)
        try:
            for row in reader:
                if row and start > top.blank:
                    starts.append(start)
                start = reader.line_num + 1
        except csv.Error:  # a cell of many lines, which is too long
            raise UnusableInputError(places(text, top)) from None
    return starts if top.first else starts[1:]
