"""Parquet, every column as text; lists stay lists."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from study.checks import UnusableInputError, error
from study.limits import MOST_BYTES, MOST_COLUMNS
from study.raw import RawTable, encoded
from study.sources import Source

MOST_ROWS = 100_000_000


def read_parquet(source: Source) -> RawTable:
    """Cells as text, as a CSV file would hold them; `lines` count rows from 1.

    Raises
    ------
    UnusableInputError : a broken file, nested columns, too many columns or bytes
    """
    remedy = "Write it again, or export it as CSV."
    try:
        file = pq.ParquetFile(source.path)
        about = file.metadata
        size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        limits = (
            (about.num_columns, MOST_COLUMNS, "columns"),
            (about.num_rows, MOST_ROWS, "rows"),
            (size, MOST_BYTES, "bytes unpacked"),
        )
        for found, most, what in limits:
            if found > most:
                rule = f"a table has at most {most:,} {what}"
                refused = [error(source.name, None, f"{found:,} {what}", rule, remedy)]
                raise UnusableInputError(refused)
        table = file.read()
        names = [str(name) for name in table.column_names]
        texts = [_texts(table.column(i)) for i in range(len(names))]
    except (pa.ArrowException, OSError, ValueError, MemoryError) as fault:
        if isinstance(fault, UnusableInputError):
            raise
        found = str(fault).splitlines()[0][:200] if str(fault) else type(fault).__name__
        rule = "a Parquet file is whole"
        raise UnusableInputError([error(source.name, None, found, rule, remedy)]) from None
    if len(set(names)) < len(names):
        rule = "each column has its own name"
        raise UnusableInputError([error(source.name, None, "a name twice", rule, "Rename one.")])
    lines = np.arange(table.num_rows) + 1
    rows = encoded(dict(zip(names, texts, strict=True))) if names else pd.DataFrame()
    return RawTable(source.name, rows, lines, form="Parquet")


def _texts(column: Any) -> list[str]:
    """A column as text: whole numbers without a point, true as 1, nothing as empty."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_floating(kind):
        return [_number(value) for value in column.to_pylist()]
    if pa.types.is_boolean(kind):
        column = pc.cast(column, pa.int8())
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return [_nested(value) for value in column.to_pylist()]
    texts = pc.cast(column, pa.string()).fill_null("").to_pylist()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return [text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "") for text in texts]
    return texts


def _number(value: float | None) -> str:
    if value is None or value != value:
        return ""
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 2**63 else repr(value)


def _nested(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace").replace("\0", "")
    return json.dumps(value, ensure_ascii=False, default=str)
