"""What runs the SQL of the counts: DuckDB on one machine, Spark on many."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pyarrow as pa

ENDINGS = ("parquet", "csv", "csv.gz", "tsv", "tsv.gz", "txt")


class Engine(Protocol):
    """Tables by name, made by SQL that both engines read.

    quote : what stands round the name of a column · each : SQL of a whole number that no other row
    of a table has
    """

    quote: str
    each: str

    def open(self, name: str, place: str) -> dict[str, bool]:
        """Name the table of a file, a folder or a pattern; its columns, and which are whole."""
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

    def write(self, sql: str, aside: Path, name: str) -> None:
        """Write a query's rows as Parquet: a file of the folder aside, at the latest when put."""
        ...

    def put(self, aside: Path, out: str) -> None:
        """Write the rest of a folder aside; on another machine, give it its place there."""
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...
