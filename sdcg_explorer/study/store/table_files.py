"""A study's four tables as Parquet files, and back, with categories that they share."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

MARKS = ("clicked", "examined")
SHARED = {"session": ("sessions", "queries", "results"), "topic": ("queries", "judgments")}
DOCS = ("results", "judgments")


def write_parquet_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table; ids as text, numbers and marks as they are, missing as null."""
    columns = {str(name): _arrow(table[name]) for name in table.columns}
    pq.write_table(pa.table(columns), path, compression="zstd")


def read_parquet_table(path: Path) -> pd.DataFrame:
    """Read a table back; ids are text."""
    table = pq.read_table(path).to_pandas()
    for name in MARKS:
        if name in table.columns:
            table[name] = table[name].astype("boolean")
    return table


def shared(tables: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """The four tables, with session, topic and doc as categories that they share."""
    tables = {name: table.copy() for name, table in tables.items()}
    for column, names in (*SHARED.items(), ("doc", DOCS)):
        texts = pd.concat([tables[name][column].astype("str") for name in names])
        known = pd.Index(texts.unique())
        for name in names:
            tables[name][column] = pd.Categorical(tables[name][column].astype("str"), known)
    return tables


def _arrow(column: pd.Series) -> Any:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return pa.array(column.astype("str"), pa.string())
    if pd.api.types.is_bool_dtype(column.dtype):
        return pa.array(column, pa.bool_(), from_pandas=True)
    if pd.api.types.is_numeric_dtype(column.dtype):
        return pa.array(column, from_pandas=True)
    return pa.array(column, pa.string(), from_pandas=True)
