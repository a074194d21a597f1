"""Rows of a text as pyarrow parts them: by a delimiter, or by blanks."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from sdcg_explorer.reading.raw_table import arrow_categories
from sdcg_explorer.reading.readers.table_top import Top
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.arrays import Ints

LONGEST_BLOCK = 16_000_000  # bytes
BLANKS = re.compile(r"[^\S\n]+")
EDGES = re.compile(r"^ | $", re.MULTILINE)
WIDE = re.compile(  # blanks that take several bytes
    b"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)


def plain_rows(path: Path, top: Top, *, quoted: bool = False) -> pd.DataFrame:
    """Every row below blank lines and the header, if any; columns named c0, c1 and so on.

    Cells may be `quoted`; what stands behind a closing quote is taken along, so look before.

    Raises
    ------
    ValueError : rows with too few or too many cells, or too long
    """
    names = [f"c{i}" for i in range(len(top.header))]
    above = top.blank, int(not top.first)
    return arrow_categories(_read(path, names, names, top.delimiter, above=above, quoted=quoted))


def parted_rows(
    text: Text, size: int, columns: Mapping[str, int], *, measured: Sequence[str] = ()
) -> tuple[pd.DataFrame, Ints]:
    """Lines of so many parts between blanks, the named ones as columns; and each row's line.

    Columns that are `measured` go by their numbers, where all are finite: these are told apart in
    half the time that texts take, and have the shortest text that says the number.

    Raises
    ------
    ValueError : lines with fewer or more parts
    """
    names = [f"c{i}" for i in range(size)]
    plain, lines = (None, None) if _is_plain(text) else _with_single_blanks(text)

    def read(kinds: Mapping[str, Any]) -> pa.Table:
        source = text.path if plain is None else pa.BufferReader(plain)
        return _read(source, names, [names[i] for i in columns.values()], kinds=kinds)

    table = _measured(read, [names[columns[name]] for name in measured])
    rows = arrow_categories(table)
    rows.columns = pd.Index(columns)
    return rows, np.arange(len(rows), dtype=np.int32) + 1 if lines is None else lines


def _measured(read: Callable[[Mapping[str, Any]], pa.Table], names: Sequence[str]) -> pa.Table:
    """A table with numbers in the named columns, or with texts where one is no finite number."""
    if names:
        with suppress(pa.ArrowInvalid):
            table = read(dict.fromkeys(names, pa.float64()))
            chunks = [chunk for name in names for chunk in table[name].chunks]
            if all(np.isfinite(chunk.to_numpy()).all() for chunk in chunks):
                return table
    return read({})


def _read(
    source: Any,
    names: list[str],
    kept: list[str],
    delimiter: str = " ",
    *,
    above: tuple[int, int] = (0, 0),  # lines, and below them rows
    quoted: bool = False,
    kinds: Mapping[str, Any] | None = None,
) -> pa.Table:
    lines, rows = above
    return csv.read_csv(
        source,
        csv.ReadOptions(
            column_names=names,
            skip_rows=lines,
            skip_rows_after_names=rows,
            block_size=LONGEST_BLOCK,
        ),
        csv.ParseOptions(
            delimiter=delimiter, quote_char='"' if quoted else False, newlines_in_values=quoted
        ),
        csv.ConvertOptions(
            include_columns=kept,
            column_types=dict.fromkeys(names, pa.string()) | dict(kinds or {}),
            null_values=[],
            strings_can_be_null=False,
            check_utf8=False,  # as it was before
        ),
    )


def _is_plain(text: Text) -> bool:
    """Whether parts have one blank between them, none around, and no line is empty."""
    last = b"\n"
    for piece in text.pieces():
        signs = np.frombuffer(last + piece, np.uint8)
        blank = signs <= ord(" ")
        odd = blank & (signs != ord(" ")) & (signs != ord("\n"))
        if odd.any() or (blank[1:] & blank[:-1]).any():
            return False
        if not piece.isascii() and WIDE.search(last + piece):
            return False
        last = piece[-1:]
    return last != b" "


def _with_single_blanks(text: Text) -> tuple[memoryview, Ints]:
    """The same text with one blank between parts, and the lines that are not empty."""
    plain, lines, first = BytesIO(), array("i"), 1
    with text.path.open(encoding="utf-8", newline="\n") as every:
        while block := every.read(LONGEST_BLOCK) + every.readline():
            parted = EDGES.sub("", BLANKS.sub(" ", block))
            filled = np.array([line != "" for line in parted.split("\n")])
            lines.frombytes((np.flatnonzero(filled) + first).astype(np.int32).tobytes())
            first += block.count("\n")
            plain.write(parted.encode())
    return plain.getbuffer(), np.frombuffer(lines, dtype=np.int32)
