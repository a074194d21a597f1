"""Parquet, every column as text; lists stay lists, objects in lists become rows."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from study.problems import UnusableInputError, cut, error
from study.reading.limits import MOST_BYTES, MOST_COLUMNS
from study.reading.raw_table import RawTable
from study.reading.sources import Source

MOST_ROWS = 20_000_000
LARGEST = 2**53
REMEDY = "Write it again, or export it as CSV."
RULE = "a cell is a text, a number, or a time of the years 1 to 9999"
NO_TEXT = (ValueError, OverflowError, LookupError)  # of text and times that Python does not know


def read_parquet(source: Source) -> list[RawTable]:
    """Cells as text, as a CSV file would hold them; `lines` count rows from 1.

    Raises
    ------
    UnusableInputError : a broken file, objects in cells, too many columns, rows or bytes
    """
    try:
        file = pq.ParquetFile(source.path)
        _check_size(source, file.metadata)
        schema = file.schema_arrow
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        table = pq.ParquetFile(source.path, read_dictionary=texts).read()
        columns = {str(name): table.column(i) for i, name in enumerate(table.column_names)}
        if len(columns) < len(table.column_names):
            _refuse(source, "a name twice", "each column has its own name")
        rows = pd.DataFrame({name: _texts(source, name, c) for name, c in columns.items()})
    except UnusableInputError:
        raise
    except (pa.ArrowException, OSError, *NO_TEXT, MemoryError, RecursionError) as fault:
        found = str(fault).splitlines()[0][:200] if str(fault) else type(fault).__name__
        _refuse(source, found, "a Parquet file is whole")
        raise
    return [RawTable(source.name, rows, np.arange(len(rows)) + 1)]


def _check_size(source: Source, about: Any) -> None:
    size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    limits = (
        (about.num_columns, MOST_COLUMNS, "columns"),
        (about.num_rows, MOST_ROWS, "rows"),
        (size, MOST_BYTES, "bytes unpacked"),
    )
    for found, most, what in limits:
        if found > most:
            _refuse(source, f"{found:,} {what}", f"a table has at most {most:,} {what}")


def _refuse(source: Source, found: str, rule: str) -> None:
    raise UnusableInputError([error(source.name, None, found, rule, REMEDY)])


def _texts(source: Source, name: str, column: Any) -> Any:
    """A column as categories: each distinct value is turned into text once."""
    kind = column.type
    if pa.types.is_nested(kind):
        if _has_objects(kind):
            rule = "a cell holds a value, or a list of values"
            _refuse(source, f"objects in column {name!r}", rule)
        values = _each(source, name, column, _list, lambda i: i)
        codes, distinct = pd.factorize(np.array(values, dtype=object))
    else:
        whole = column.combine_chunks()
        coded = whole if pa.types.is_dictionary(kind) else whole.dictionary_encode()
        if isinstance(coded, pa.ChunkedArray):
            coded = coded.unify_dictionaries().combine_chunks()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        texts = _each(source, name, coded.dictionary, _text, lambda i: int(np.argmax(codes == i)))
        distinct = np.array([*texts, ""], object)
        codes, distinct = _plain(codes, distinct)
    return pd.Categorical.from_codes(codes, pd.Index(distinct, dtype="str"))


def _each(
    source: Source, name: str, values: Any, text: Callable[[Any], str], row: Callable[[int], int]
) -> list[str]:
    """Values as texts; one that has none is refused in its row (from 0), which `row` knows."""
    try:
        return [text(value) for value in values.to_pylist()]
    except NO_TEXT:
        pass
    for i in range(len(values)):
        try:
            text(values[i].as_py())
        except NO_TEXT as fault:
            what = "a time beyond these" if isinstance(fault, OverflowError) else fault
            found = f"{what} in column {cut(name)!r}"
            refused = [error(source.name, row(i) + 1, found, RULE, REMEDY)]
            raise UnusableInputError(refused) from None
    return []


def _plain(codes: Any, texts: Any) -> tuple[Any, Any]:
    """Codes of the texts that are used, each once, in order of appearance; −1 is the last text."""
    place, plain = pd.factorize(texts)
    used, first = pd.factorize(place[codes])
    return used, plain[first]


def _has_objects(kind: Any) -> bool:
    if pa.types.is_struct(kind) or pa.types.is_map(kind):
        return True
    return any(pa.types.is_nested(kind.field(i).type) for i in range(kind.num_fields))


def _list(values: Any) -> str:
    """A list of values as JSON."""
    return "" if values is None else json.dumps([_text(v) for v in values], ensure_ascii=False)


def _text(value: Any) -> str:
    """A value as text: whole numbers without a point, true as 1, nothing as empty."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if abs(value) >= LARGEST:
            raise ValueError(f"the number {value:.0f} as a float: ids beyond 2⁵³ stand as text")
        return f"{value:.0f}" if value.is_integer() else repr(value)
    text = value.decode("utf-8") if isinstance(value, bytes) else str(value)
    if "\0" in text:
        raise ValueError("a text with a NUL character")
    return text.replace("\r\n", "\n").replace("\r", "\n")
