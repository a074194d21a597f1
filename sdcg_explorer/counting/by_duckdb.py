"""DuckDB: reads files of this machine, and spills to disk what passes its memory."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.counting.engine import Opened
from sdcg_explorer.counting.texts import RULE, Table, open_tables, opened_as, plain_files, sql_of
from sdcg_explorer.reading.sources import literal, own_folder
from sdcg_explorer.study.problems import UnusableInputError, error, refuse

WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
MEMORY = re.compile(r"\d+(\.\d+)?\s*[KMGT](i?B)?", re.IGNORECASE)  # -1GB and none: no limit
AS_WRITTEN = "join_order,build_side_probe_side"  # what reads a text without guessing tells no size
BATCH = 250_000  # rows
FULL = ("no space left", "failed to offload", "max_temp_directory_size", "file too large")


class DuckDBEngine:
    """An engine whose rows stay within `memory`; the rest goes to `spill`."""

    quote = '"'
    each = "row_number() over ()"
    composed = "nfc_normalize({})"

    def __init__(self, memory: str, spill: Path) -> None:
        self.memory, self.spill = memory, spill
        self._stack, self._tables = ExitStack(), list[Table]()
        settings = {"preserve_insertion_order": False, "temp_directory": str(spill)}
        settings |= {"disabled_optimizers": AS_WRITTEN}
        wrong = ValueError(f"--memory {memory!r}; it reads 4GB or 500MB. Correct it.")
        if not MEMORY.fullmatch(memory):
            raise wrong
        try:
            self._connection = duckdb.connect(config={**settings, "memory_limit": memory})
        except duckdb.Error:  # too little to begin with, or more than it can count
            raise wrong from None

    def open(self, name: str, place: str, columns: Mapping[str, Sequence[str]]) -> Opened:
        """Name the table of a file, a folder or a pattern; `columns` name those of bare files."""
        self.spill.mkdir(parents=True, exist_ok=True)
        unpacked = self._stack.enter_context(own_folder(self.spill))
        sources, form = plain_files(place, Path(unpacked))
        if form == "table":
            tables = open_tables(sources, columns, self._stack, self.spill)
            for table in tables:
                table.refuse_misfits(self._connection if table.text.quoted else None)
            self._tables += tables
            self.view(name, sql_of(tables))
            return opened_as(tables)
        listed = ", ".join("'" + literal(each.path).replace("'", "''") + "'" for each in sources)
        try:
            self.view(name, f"select * from read_parquet([{listed}], union_by_name = true)")
            described = self._connection.execute(f"describe {name}").fetchall()
        except duckdb.Error as fault:
            raise _unreadable(place, fault) from None
        whole = {column: kind in WHOLE for column, kind, *_ in described}
        return Opened(whole, ", ".join(each.name for each in sources))

    def view(self, name: str, sql: str) -> None:
        """Name a query, which is run whenever it is asked for."""
        self._run(lambda: self._connection.execute(f'create temp view "{name}" as {sql}'))

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which are kept."""
        self._run(lambda: self._connection.execute(f'create temp table "{name}" as {sql}'))

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        return self._run(lambda: self._connection.sql(sql).to_arrow_table())

    def batches(self, sql: str) -> Iterator[pa.RecordBatch]:
        """The rows of a query, here, some at a time."""
        return self._run(lambda: self._connection.sql(sql).to_arrow_reader(BATCH))

    def drop(self, *names: str) -> None:
        """Keep these tables no longer."""
        for name in names:
            self._run(lambda name=name: self._connection.execute(f'drop table "{name}"'))

    def write(self, sql: str, aside: Path, name: str) -> None:
        """Write a query's rows as Parquet: to a file of the folder aside."""
        (aside / name).parent.mkdir(exist_ok=True)
        pq.write_table(self.rows(sql), aside / name, compression="zstd")

    def put(self, aside: Path, out: str) -> None:
        """All is written."""

    def close(self) -> None:
        """Leave nothing behind."""
        self._connection.close()
        self._stack.close()

    def _run(self, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except duckdb.Error as fault:
            text = str(fault).lower()
            if any(words in text for words in FULL):
                raise OSError(errno.ENOSPC, "No space left on device", str(self.spill)) from None
            if isinstance(fault, duckdb.OutOfMemoryException):
                rule, remedy = f"counting keeps within {self.memory}", "Give more: --memory."
                found = "more than memory holds"
                raise UnusableInputError([error("log", None, found, rule, remedy)]) from None
            refuse([problem for table in self._tables for problem in table.faults])
            raise _unreadable("files", fault) from None


def _unreadable(place: str, fault: duckdb.Error) -> UnusableInputError:
    """A file that DuckDB refuses, in its own first line."""
    found = str(fault).strip().splitlines()[0]
    remedy = "Correct the file, or leave it out."
    return UnusableInputError([error(place, None, found, RULE, remedy)])
