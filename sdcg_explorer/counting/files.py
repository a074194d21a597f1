"""The Parquet files of counts, by what they say of themselves before a row of them is read."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.counting.validation import COUNT_AGAIN
from sdcg_explorer.reading.limits import ALWAYS_BYTES, MB, MOST_COUNTED, MOST_RATIO
from sdcg_explorer.study.problems import Problem, UnusableInputError, error, in_words, refuse
from sdcg_explorer.study.wording import counted

SMALLER = "Count it to fewer ranks; or open the folder where it lies, from the command line."
LAID_OUT = 8  # bytes of a cell once more, where pages count by it
Kinds = Mapping[str, Mapping[str, str]]


def read_tables(folder: Path, kinds: Kinds, *, bounded: bool) -> dict[str, pd.DataFrame]:
    """Tables of a counts folder, which have the columns of `kinds` and no others.

    Parameters
    ----------
    bounded : whether they may take only so much memory, as of strangers

    Raises
    ------
    UnusableInputError : a file that can't be read, other columns, empty cells, or too many rows
    """
    said: dict[str, Any] = {}
    for name in kinds:
        with _opened(folder, name) as file:
            said[name] = file.schema_arrow, file.metadata
    refuse([each for name in kinds for each in _other_columns(name, kinds[name], said[name][0])])
    if bounded:
        refuse([*_beyond(folder, kinds, {name: about for name, (_, about) in said.items()})])
    tables: dict[str, Any] = {}
    for name in kinds:
        with _opened(folder, name) as file:
            tables[name] = file.read()
    refuse([each for name in kinds for each in _empty_cells(name, tables[name])])
    return {name: table.to_pandas() for name, table in tables.items()}


@contextmanager
def _opened(folder: Path, name: str) -> Iterator[Any]:
    """A table's file; what is wrong with it is told."""
    try:
        with pq.ParquetFile(folder / f"{name}.parquet") as file:
            yield file
    except (pa.ArrowException, OSError, ValueError, MemoryError) as fault:
        found = in_words(fault) or "nothing that can be read"
        rule = "a Parquet file is whole"
        raise UnusableInputError(
            [error(f"{name}.parquet", None, found, rule, COUNT_AGAIN)]
        ) from None


def _other_columns(name: str, columns: Mapping[str, str], schema: Any) -> Iterator[Problem]:
    """Whether a file has other columns than counts have, or of other kinds."""
    found = [f"{column.name} {column.type}" for column in schema]
    known = [f"{column} {kind}" for column, kind in columns.items()]
    if found != known:
        other = ", ".join(each for each in found if each not in known) or counted(
            len(found), "column"
        )
        rule = f"its columns are {', '.join(known)}"
        yield error(f"{name}.parquet", None, other, rule, COUNT_AGAIN)


def _beyond(folder: Path, kinds: Kinds, said: Mapping[str, Any]) -> Iterator[Problem]:
    """Tables that would take more memory than counts may, or than their bytes can stand for."""
    taken = {name: _bytes(kinds[name], about) for name, about in said.items()}
    for name, size in taken.items():
        packed = (folder / f"{name}.parquet").stat().st_size
        if size > max(ALWAYS_BYTES, MOST_RATIO * packed):
            found = f"{counted(said[name].num_rows, 'row')} in {packed:,} bytes"
            rule = f"a file of counts grows at most {MOST_RATIO} times as it is read"
            yield error(f"{name}.parquet", None, found, rule, COUNT_AGAIN)
    if (total := sum(taken.values())) > MOST_COUNTED:
        largest = max(taken, key=taken.__getitem__)
        rows = counted(said[largest].num_rows, "row")
        found = f"{rows}, with which counts take {total // MB:,} MB"
        rule = f"here counts take at most {MOST_COUNTED // MB} MB of memory"
        yield error(f"{largest}.parquet", None, found, rule, SMALLER)


def _bytes(columns: Mapping[str, str], about: Any) -> int:
    """What a table takes, with what is laid out of it; or its pages, if they take more."""
    row = sum(np.dtype(kind).itemsize + LAID_OUT for kind in columns.values())
    chunks = (
        about.row_group(i).column(j).total_uncompressed_size
        for i in range(about.num_row_groups)
        for j in range(about.num_columns)
    )
    return max(row * about.num_rows, sum(chunks))


def _empty_cells(name: str, table: Any) -> Iterator[Problem]:
    """The first empty cell of each column."""
    for column in table.column_names:
        if count := table[column].null_count:
            row = int(np.argmax(table[column].is_null().to_numpy())) + 1
            rule = "each row of counts has every number"
            yield error(f"{name}.parquet", row, f"no {column}", rule, COUNT_AGAIN, count)
