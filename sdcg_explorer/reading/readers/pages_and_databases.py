"""Tables of pages (HTML, Excel's XML of 2003) and databases (SQLite), each read as its CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

from sdcg_explorer.reading.raw_table import RawTable, cell_text
from sdcg_explorer.reading.readers.tables import read_own, read_table
from sdcg_explorer.reading.sources import Head, Source, Text, open_text, own_folder
from sdcg_explorer.study.problems import UnusableInputError, error, in_words

EXCEL = "urn:schemas-microsoft-com:office:spreadsheet"
ROWS, CELLS = ("tr", "row"), ("td", "th", "cell")
Rows = Iterable[tuple[int, Sequence[str]]]  # with the line of each


class _Page(HTMLParser):
    """The rows of each table of a page as it is read; of several columns a cell fills the first."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.tables: list[list[tuple[int, list[str]]]] = []
        self._source, self._cells, self._is_open = source, 0, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell."""
        if tag == "table":
            self.tables.append([])
        elif tag in ROWS and self.tables:
            self.tables[-1].append((self.getpos()[0], []))
        elif tag in CELLS and self.tables and self.tables[-1]:
            row, given = self.tables[-1][-1][1], {name: text or "" for name, text in attrs}
            told = [given.get(name, "") for name in ("ss:index", "colspan")]
            place, columns = (min(int(text), 999) if text.isdecimal() else 1 for text in told)
            more = max(place - 1 - len(row), 0) + columns
            row += [""] * more
            self._cells += more
            self._source.counter.check(self._source.name, self._cells, columns=len(row))
            self._at, self._is_open = len(row) - columns, True
        elif tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        self._is_open &= tag not in CELLS

    def handle_data(self, data: str) -> None:
        """Text of a cell."""
        if self._is_open:
            self.tables[-1][-1][1][self._at] += data


def is_page(head: Head) -> bool:
    """Whether a file is a page with a table in it, as many programs write for Excel."""
    text = head.text.lower() if head.text.startswith("<") else ""
    return ("<table" in text and "<tr" in text) or EXCEL in text


def read_page(source: Source) -> list[RawTable]:
    """The tables of a page that have rows, the first row as header.

    Raises
    ------
    UnusableInputError : beyond the limits, or no table
    """
    with open_text(source, by_lines=False) as text:
        page = _Page(source)
        page.feed(text.data.decode())
        page.close()
        tables = [rows for rows in page.tables if any(row for _, row in rows)]
        if not tables:
            rule = "a page has a table with rows"
            found = [error(source.name, None, "no row", rule, "Export it as CSV.")]
            raise UnusableInputError(found)
        names = [f"{source.name} [{i}]" if tables[1:] else source.name for i in range(len(tables))]
        read = [
            _read_as_csv(replace(text, name=name), rows, read_table)
            for name, rows in zip(names, tables, strict=True)
        ]
        return [raw for own in read for raw in own]


def read_database(source: Source) -> list[RawTable]:
    """The tables of a database that have rows.

    Raises
    ------
    UnusableInputError : beyond the limits, broken, or no table
    """
    sqlite: Any = import_module("sqlite3")  # the build for the browser alone has none
    found, data = "no table with rows", bytearray(source.path.read_bytes())
    data[18:20] = b"\1\1"  # no log of what isn't written yet is beside it
    try:
        with closing(sqlite.connect(":memory:")) as base:
            base.deserialize(bytes(data))
            base.execute("PRAGMA trusted_schema = OFF")
            base.text_factory = partial(str, encoding="utf-8", errors="replace")
            rows = (
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
            names = [name for (name,) in base.execute(rows)]
            tables = [table for name in names for table in _table(source, base, name)]
    except UnusableInputError:
        raise
    except (sqlite.Error, ValueError, OverflowError) as fault:
        found, tables = f"a database that can't be read ({in_words(fault)})", []
    if not tables:
        rule, remedy = "a database is complete, and has a table with rows", "Export it as CSV."
        raise UnusableInputError([error(source.name, None, found, rule, remedy)])
    return tables


def _table(source: Source, base: Any, name: str) -> list[RawTable]:
    """A table of a database; none where it has no rows."""
    quoted = name.replace('"', '""')
    (size,) = base.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()
    given = base.execute(f'SELECT * FROM "{quoted}"')
    header = [column for column, *_ in given.description]
    source.counter.check(source.name, size * len(header), rows=size, columns=len(header))

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        yield 1, header
        for row in given:
            yield 0, [cell_text(c.hex() if isinstance(c, bytes) else c) for c in row]

    text = Text(f"{source.name} [{name}]", Path(), counter=source.counter)
    return _read_as_csv(text, rows(), read_own) if size else []


def _read_as_csv(text: Text, rows: Rows, read: Callable[[Text], list[RawTable]]) -> list[RawTable]:
    """Rows as CSV, each on its own line as far as that can be, and what is read of it."""
    with own_folder() as folder:
        path, at = Path(folder) / "table.csv", 1
        with path.open("w", encoding="utf-8", newline="") as copy:
            writer = csv.writer(copy, lineterminator="\n")
            for line, row in rows:
                copy.write("\n" * (line - at))
                writer.writerow([cell.strip() for cell in row])
                at = max(at, line) + 1
        return read(replace(text, path=path))
