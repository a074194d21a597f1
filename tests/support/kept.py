"""A store's file from without: spoiled, or written to by another app."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sdcg_explorer.study.store import FILE


def change(folder: Path, sql: str, *values: object) -> None:
    """Do something to a store's file."""
    with closing(sqlite3.connect(folder / FILE)) as db, db:
        db.execute(sql, values)


def spoil(folder: Path, table: str) -> None:
    """Have every study's table be other bytes than were written."""
    change(folder, "UPDATE tables SET bytes = x'00' WHERE name = ?", table)


@contextmanager
def another_writer(folder: Path) -> Iterator[None]:
    """Another app writes to the file, for as long as the block."""
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
