"""Files of this machine that are counted: found, unpacked, and texts opened as readers do."""

# pyright: basic
# duckdb's types leave open what it hands out.

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from sdcg_explorer.counting.engine import ENDINGS, Opened
from sdcg_explorer.reading.assemble import no_row
from sdcg_explorer.reading.formats import reader_of
from sdcg_explorer.reading.limits import LONGEST_LINE
from sdcg_explorer.reading.readers.tables import Top, is_one_line, places, top_of, unreadable
from sdcg_explorer.reading.readers.text import Text, open_text
from sdcg_explorer.reading.sources import Head, Source, files_of, literal, sources_of
from sdcg_explorer.reading.table_kinds import names_for
from sdcg_explorer.study.problems import Problem, UnusableInputError, error, refuse

READ = ("Parquet", "table")  # forms of file that are counted, by their readers
DOTTED = tuple(f".{ending}" for ending in ENDINGS)
RULE = "counts are made of Parquet or CSV"
AFTER_QUOTE = re.compile(rb'" +[,;\t\r\n]')


@dataclass(frozen=True)
class Table:
    """A table of text: its file as it lies there, its text in UTF-8, and its top."""

    file: Path
    text: Text
    top: Top

    @property
    def faults(self) -> list[Problem]:
        """Rows that do not fit, by the line."""
        return places(self.text, self.top)

    def refuse_misfits(self, connection: Any = None) -> None:
        """Refuse rows that do not fit, of which DuckDB lets some pass.

        Parameters
        ----------
        connection : of DuckDB, which parses the rows to count them; without, they are the lines
        """
        try:
            rows = self.text.filled_lines() - (not self.top.first)
            if connection is not None:
                rows = connection.sql(f"select count(*) from ({_sql([self])})").fetchall()[0][0]
        except duckdb.Error as failure:
            refuse(self.faults or [unreadable(self.text.name, failure)])
        refuse(_passed(self.text, self.top, rows))


def plain_files(place: str, folder: Path) -> tuple[list[Source], str]:
    """Files of a path or pattern, unpacked, and the one form that they have: Parquet or table.

    Raises
    ------
    UnusableInputError : none, one of another form, or some of either
    """
    named = [each for each in _named(Path(place)) if not each.unread]
    if not named:
        rule = f"it is a file, a folder or a pattern of files that end in {', '.join(ENDINGS)}"
        refuse([error(place, None, "no such file", rule, "Correct the path.")])
    sources = [each for each in sources_of(named, folder, bounded=False) if not each.unread]
    forms = {source.name: reader_of(Head(source)).name for source in sources}
    remedy = "Write it as one of these, or leave it out."
    refuse([error(n, None, form, RULE, remedy) for n, form in forms.items() if form not in READ])
    if len({*forms.values()}) > 1:
        rule, remedy = "a table is all Parquet or all CSV", "Name those that are meant."
        refuse([error(place, None, "both Parquet and CSV", rule, remedy)])
    return sources, next(iter(forms.values()))


def open_tables(
    sources: Sequence[Source],
    columns: Mapping[str, Sequence[str]],
    stack: ExitStack,
    folder: Path | None = None,
) -> list[Table]:
    """Texts with their tops, for as long as the stack is open.

    Parameters
    ----------
    columns : names of the columns of tables without a header row, by file
    folder : for copies of what is no UTF-8

    Raises
    ------
    UnusableInputError : what is wrong with any of them
    """
    tables: list[Table] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            text = stack.enter_context(open_text(source, folder=folder, pairs=True))
            top = top_of(text)
        except UnusableInputError as refused:
            problems += refused.problems
            continue
        for offer in top.offers:
            about = text.name, offer.lines[0], offer.found, offer.rule
            problems.append(error(*about, "Remove the rows above it."))
        if is_one_line(text) and not top.first:
            problems.append(no_row(text.name))
        header = names_for(text.name, top.header, columns) if top.first else top.header
        tables.append(Table(source.path, text, replace(top, header=header)))
    refuse(problems)
    return tables


def alike(tables: Sequence[Table]) -> list[list[Table]]:
    """Tables in groups that one reading can take: the same top, and the same encoding."""

    def form(table: Table) -> tuple[Any, ...]:
        top = table.top
        return top.delimiter, top.header, top.blank, bool(top.first), table.text.encoding

    return [[*group] for _, group in groupby(sorted(tables, key=form), form)]


def sql_of(tables: Sequence[Table]) -> str:
    """What DuckDB reads tables by."""
    return " union all by name ".join(map(_sql, alike(tables)))


def _sql(tables: Sequence[Table]) -> str:
    top = tables[0].top
    files = ", ".join("'" + literal(each.text.path).replace("'", "''") + "'" for each in tables)
    names = (name.replace('"', '""') for name in top.header)
    cells = ", ".join(f'c{i} as "{name}"' for i, name in enumerate(names))
    return f"select {cells} from read_csv([{files}], {_reading_options(top)})"


def _reading_options(top: Top) -> str:
    """What DuckDB's `read_csv` is told, to guess nothing; columns are c0, c1 and so on."""
    kinds = {f"c{i}": "VARCHAR" for i in range(len(top.header))}
    return f"""auto_detect=false, columns={kinds!r}, header={not top.first}, skip={top.blank},
        delim='{top.delimiter}', quote='"', escape='"', comment='', strict_mode=true,
        null_padding=false, max_line_size={LONGEST_LINE}, compression='none'"""


def _passed(text: Text, top: Top, rows: int) -> list[Problem]:
    """Faults that DuckDB lets pass in so many rows of data.

    They are an empty cell too many, and a blank between a quote and the delimiter.
    """
    expected = (len(top.header) - 1) * (rows + (not top.first))
    fits = text.count(top.delimiter.encode()) == expected
    if fits and not (text.quoted and text.has_match(AFTER_QUOTE)):
        return []
    return places(text, top)


def opened_as(tables: Sequence[Table]) -> Opened:
    """What is known of tables before their rows are read."""
    names = dict.fromkeys(name for table in tables for name in table.top.header)
    bare = [table for table in tables if table.top.first]
    return Opened(
        dict.fromkeys(names, False),
        ", ".join(table.text.name for table in tables),
        {table.text.name: table.top.first for table in bare},
        tuple(note for table in tables for note in table.text.notes),
        is_ascii=all(table.text.is_ascii for table in tables),
    )


def _named(path: Path) -> list[Source]:
    """Files of a path; of a folder those that lie in it and end as tables do."""
    if not path.is_dir():
        try:
            return files_of(path)
        except UnusableInputError:  # in the words of this command
            return []
    found = sorted(p for p in path.iterdir() if p.is_file() and p.name.lower().endswith(DOTTED))
    return [Source(each.name, each, path.name) for each in found]
