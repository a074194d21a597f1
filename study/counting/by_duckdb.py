"""DuckDB: reads files of this machine, and spills to disk what passes its memory."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from study.counting.engine import ENDINGS
from study.problems import UnusableInputError, error
from study.reading.sources import literal

WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
MEMORY = re.compile(r"\d+(\.\d+)?\s*[KMGT](i?B)?", re.IGNORECASE)  # -1GB and none: no limit
FULL = ("no space left", "failed to offload", "max_temp_directory_size", "file too large")


class DuckDBEngine:
    """An engine whose rows stay within `memory`; the rest goes to `spill`."""

    quote = '"'
    each = "row_number() over ()"

    def __init__(self, memory: str, spill: Path) -> None:
        self.memory, self.spill = memory, spill
        settings = {"preserve_insertion_order": False, "temp_directory": str(spill)}
        wrong = ValueError(f"--memory {memory!r}; it reads 4GB or 500MB. Correct it.")
        if not MEMORY.fullmatch(memory):
            raise wrong
        try:
            self._connection = duckdb.connect(config={**settings, "memory_limit": memory})
        except duckdb.Error:  # too little to begin with, or more than it can count
            raise wrong from None

    def open(self, name: str, place: str) -> dict[str, bool]:
        """Name the table of a file, a folder or a pattern; its columns, and which are whole."""
        files, ending = _files(place)
        listed = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
        if ending == "parquet":
            source = f"read_parquet([{listed}], union_by_name = true)"
        else:
            source = f"read_csv([{listed}], all_varchar = true, header = true)"
        try:
            self.view(name, f"select * from {source}")
            described = self._connection.execute(f"describe {name}").fetchall()
        except duckdb.Error as fault:
            raise _unreadable(place, fault) from None
        return {column: kind in WHOLE for column, kind, *_ in described}

    def view(self, name: str, sql: str) -> None:
        """Name a query, which is run whenever it is asked for."""
        self._run(lambda: self._connection.execute(f'create temp view "{name}" as {sql}'))

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which are kept."""
        self._run(lambda: self._connection.execute(f'create temp table "{name}" as {sql}'))

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        return self._run(lambda: self._connection.sql(sql).to_arrow_table())

    def write(self, sql: str, aside: Path, name: str) -> None:
        """Write a query's rows as Parquet: to a file of the folder aside."""
        (aside / name).parent.mkdir(exist_ok=True)
        pq.write_table(self.rows(sql), aside / name, compression="zstd")

    def put(self, aside: Path, out: str) -> None:
        """All is written."""

    def close(self) -> None:
        """Leave nothing behind."""
        self._connection.close()

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
            raise _unreadable("files", fault) from None


def _unreadable(place: str, fault: duckdb.Error) -> UnusableInputError:
    """A file that DuckDB refuses, in its own first line."""
    found = str(fault).strip().splitlines()[0]
    rule, remedy = "counts are made of Parquet or CSV", "Correct the file, or leave it out."
    return UnusableInputError([error(place, None, found, rule, remedy)])


def _files(place: str) -> tuple[list[str], str]:
    """Files of a path or pattern, in order, and the one ending that they have."""
    path = Path(place)
    if path.is_file():
        found = [path]
    elif path.is_dir():
        found = [p for p in sorted(path.iterdir()) if p.is_file() and _ending(p.name)]
    else:
        anchor = Path(path.anchor)
        found = sorted(anchor.glob(str(path.relative_to(anchor))))
    endings = {"parquet" if _ending(p.name) == "parquet" else "csv" for p in found}
    if not found:
        rule = f"it is a file, a folder or a pattern of files that end in {', '.join(ENDINGS)}"
        refused = error(place, None, "no such file", rule, "Correct the path.")
        raise UnusableInputError([refused])
    if len(endings) > 1:
        rule, remedy = "a table is all Parquet or all CSV", "Name those that are meant."
        raise UnusableInputError([error(place, None, "both Parquet and CSV", rule, remedy)])
    return [literal(p) for p in found], endings.pop()


def _ending(name: str) -> str:
    return next((ending for ending in ENDINGS if name.lower().endswith(f".{ending}")), "")
