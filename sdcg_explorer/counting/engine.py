"""What runs the SQL of the counts: DuckDB on one machine, Spark on many (decision 117)."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from sdcg_explorer.study.problems import Problem

ENDINGS = ("parquet", "csv", "csv.gz", "tsv", "tsv.gz", "txt")


@dataclass(frozen=True)
class Opened:
    """What is known of a table that was opened.

    whole : its columns, whole numbers or not · file : as problems name it · bare : the first rows
    of files whose columns nothing names, by file · notes : what readers assumed · is_ascii :
    whether all letters are known to be plain
    """

    whole: dict[str, bool]
    file: str
    bare: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    notes: tuple[Problem, ...] = ()
    is_ascii: bool = False


class Engine(Protocol):
    """Tables by name, made by SQL that both engines read.

    quote : what stands round the name of a column · each : SQL of a whole number that no other row
    of a table has · composed : SQL of a text in NFC, where `{}` is the text
    """

    quote: str
    each: str
    composed: str

    def open(self, name: str, place: str, columns: Mapping[str, Sequence[str]]) -> Opened:
        """Name the table of a file, a folder or a pattern; `columns` name those of bare files."""
        ...

    def view(self, name: str, sql: str) -> None:
        """Name a query, which is run whenever it is asked for."""
        ...

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which are kept."""
        ...

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        ...

    def batches(self, sql: str) -> Iterator[pa.RecordBatch]:
        """The rows of a query, here, some at a time."""
        ...

    def drop(self, *names: str) -> None:
        """Keep these tables no longer."""
        ...

    def write(self, sql: str, aside: Path, name: str) -> None:
        """Write a query's rows as Parquet: a file of the folder aside, at the latest when put."""
        ...

    def put(self, aside: Path, out: str) -> None:
        """Write the rest of a folder aside; on another machine, give it its place there."""
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...
