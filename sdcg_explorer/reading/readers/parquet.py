"""Parquet, every column as text; lists stay lists, objects in lists become rows.

A few hundred bytes can stand for gigabytes: what the file says of itself is checked first, then it
is decoded batch by batch, texts once each, until they are more than a table may hold.
"""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.reading.limits import (
    LONGEST_LINE,
    MOST_COLUMNS,
)
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.parquet_cells import NO_TEXT, CellError, Column
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.problems import UnusableInputError, cut, error, in_words

REMEDY = "Write it again, or export it as CSV."
RULE = "a cell is a text, a number, or a time of the years 1 to 9999"
HELD = 24_000_000  # bytes of a batch
PREFIXED = {"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"}  # texts that can't be read once each
MOST = 524_288  # rows of a batch: a row group's dictionary is copied for each


def read_parquet(source: Source) -> list[RawTable]:
    """Cells as text, as a CSV file would hold them; `lines` count rows from 1.

    Raises
    ------
    UnusableInputError : a broken file, objects in cells, too many columns, rows, cells or bytes
    """
    try:
        file = pq.ParquetFile(source.path)
        _check_size(source, file.metadata)
        names = [str(field.name) for field in file.schema_arrow]
        if len({*names}) < len(names):
            _refuse(source, "a name twice", "each column has its own name")
        for column in file.schema_arrow:
            _check_kind(source, column)
        rows = _read(source, file)
    except UnusableInputError:
        raise
    except (pa.ArrowException, OSError, *NO_TEXT, MemoryError, RecursionError) as fault:
        found = in_words(fault)[:200] or "nothing that can be read"
        _refuse(source, found, "a Parquet file is whole")
        raise
    return [RawTable(source.name, rows, np.arange(len(rows)) + 1)]


def _check_size(source: Source, about: Any) -> None:
    """What the file says of itself: its own sizes are those before anything is repeated."""
    chunks = _chunks(about) if about.num_columns <= MOST_COLUMNS else []
    rows, columns = about.num_rows, about.num_columns
    cells = rows * columns + _listed(about, chunks)
    source.counter.check(source.name, cells, rows=rows, columns=columns)
    source.counter.unpack(source.name, sum(chunk.total_uncompressed_size for chunk in chunks))


def _chunks(about: Any) -> list[Any]:
    return [
        about.row_group(i).column(j)
        for i in range(about.num_row_groups)
        for j in range(about.num_columns)
    ]


def _listed(about: Any, chunks: list[Any]) -> int:
    """Values of columns whose cells are lists."""
    columns = [about.schema.column(i) for i in range(about.num_columns)]
    listed = {column.path for column in columns if column.max_repetition_level}
    return sum(chunk.num_values for chunk in chunks if chunk.path_in_schema in listed)


def _prefixed(chunks: list[Any]) -> int:
    """Bytes of texts as differences, thousands in few: none of them is longer than that."""
    return sum(c.total_uncompressed_size for c in chunks if PREFIXED & {*c.encodings})


def _check_kind(source: Source, column: Any) -> None:
    kind = column.type
    if pa.types.is_nested(kind) and _has_objects(kind):
        rule = "a cell holds a value, or a list of values"
        _refuse(source, f"objects in column {str(column.name)[:100]!r}", rule)
    if _width(kind) > LONGEST_LINE:
        rule = f"a line has at most {LONGEST_LINE:,} bytes"
        _refuse(source, f"a column of {_width(kind):,} bytes a cell", rule)


def _width(kind: Any) -> int:
    """Bytes of a value of a fixed width, the lists of fixed length that it is in included."""
    if pa.types.is_fixed_size_list(kind):
        return kind.list_size * _width(kind.value_type)
    return kind.byte_width if pa.types.is_fixed_size_binary(kind) else 8


def _refuse(source: Source, found: str, rule: str) -> None:
    raise UnusableInputError([error(source.name, None, found, rule, REMEDY)])


def _read(source: Source, file: Any) -> pd.DataFrame:
    """All cells, batch by batch, as long as their texts stay within the limits."""
    columns = [Column(column.type) for column in file.schema_arrow]
    names = [str(column.name) for column in file.schema_arrow]
    for batch in _batches(source, file):
        for name, column, values in zip(names, columns, batch.columns, strict=True):
            _made(source, name, partial(column.add, values))
            if column.longest > LONGEST_LINE:
                rule = f"a cell has at most {LONGEST_LINE:,} characters"
                _refuse(source, f"{column.longest:,} characters", rule)
        source.counter.check(source.name, 0, sum(column.bytes for column in columns))
    named = zip(names, columns, strict=True)
    return pd.DataFrame({name: _made(source, name, own.categories) for name, own in named})


def _made(source: Source, name: str, make: Callable[[], Any]) -> Any:
    """What is made of a column's cells; one that has no text is refused in its row."""
    try:
        return make()
    except CellError as fault:
        found = f"{fault} in column {cut(name)!r}"
        refused = [error(source.name, fault.row + 1, found, RULE, REMEDY)]
        raise UnusableInputError(refused) from None


def _batches(source: Source, file: Any) -> Iterator[Any]:
    """Batches of rows, their texts once each where the file has them so."""
    about, chunks = file.metadata, _chunks(file.metadata)
    columns = [about.schema.column(i) for i in range(about.num_columns)]
    prefixed = {c.path_in_schema for c in chunks if PREFIXED & {*c.encodings}}
    texts = [
        column.path
        for column in columns
        if column.physical_type == "BYTE_ARRAY"
        and column.logical_type.type != "DECIMAL"
        and column.path not in prefixed
    ]
    width = sum(_width(column.type) for column in file.schema_arrow) + _prefixed(chunks)
    rows = min(max(HELD // max(width, 1), 1), MOST)
    return pq.ParquetFile(source.path, read_dictionary=texts).iter_batches(batch_size=rows)


def _has_objects(kind: Any) -> bool:
    if pa.types.is_struct(kind) or pa.types.is_map(kind):
        return True
    return any(pa.types.is_nested(kind.field(i).type) for i in range(kind.num_fields))
