"""What every reader hands on: cells of text in named columns, each row with its place."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.limits import ReadCounter
from sdcg_explorer.study import arrays, bounds, grades
from sdcg_explorer.study.columns import factorised, lengths
from sdcg_explorer.study.problems import Problem, file_names, note
from sdcg_explorer.study.report import Change

Row = dict[str, str]
Object = dict[str, Any]
EMPTY = -1  # place of an object in a list that has none
MAP = "*"  # in the name of a list that was a map, of things by their keys
KINDS = {  # of tables, and what each holds
    "log": "log: what was searched and shown",
    "judgments": "judgments: grades of documents",
    "ratings": "ratings: of sessions, queries or searchers",
    "topics": "topics: what each asks for",
    "clicks": "clicks: which results were opened",
    "queries": "queries: joined to their results",
    "other": "something else: set aside",
}
OF_THE_LOG = ("clicks", "queries")  # which are known by what the log holds


@dataclass(frozen=True)
class Known:
    """What a reader knows of a table whatever its columns are called.

    kind : one of KINDS, and why; "" where the columns tell · scored : scores rank its rows ·
    is_session : its file is one session · calls : its rows are lists of calls, not of queries yet
    """

    kind: str = ""
    why: str = ""
    scored: bool = False
    is_session: bool = False
    calls: bool = False


@dataclass(frozen=True, eq=False)
class Nested:
    """Where the fields of objects in lists of objects stood.

    lists : the lists around each column, by name, the outermost first; places : of each row in
    each list, from 1, 0 where it is in none, ``EMPTY`` where the list is there, but holds nothing;
    path : of the innermost list, where the file has others
    """

    lists: Mapping[str, tuple[str, ...]]
    places: Mapping[tuple[str, ...], arrays.Ints]
    path: str = ""

    def ranks(self, columns: Mapping[str, str]) -> arrays.Ints | None:
        """Places of documents in their list, where these are their ranks; columns go by role.

        A list of results stands within a query. A rank from further out is not a document's own,
        unless each list holds one.
        """
        around = {role: self.lists.get(column, ()) for role, column in columns.items()}
        own = around.get("doc", ())
        queries = [around[role] for role in ("query_number", "session") if role in around]
        if own not in self.places or not queries or own in queries or own[-1].endswith(MAP):
            return None  # keys of a map have no order
        if "rank" in columns:
            further_out = own[: len(around["rank"])] == around["rank"] != own
            if not further_out or self.places[own].max(initial=0) <= 1:
                return None
        return np.maximum(self.places[own], 0)


@dataclass(frozen=True)
class RawTable:
    """A table of text as found in a file, or in several that are read as one.

    `rows` holds one column of categories per column of the file, the distinct texts in order of
    appearance, "" where a cell is empty; `lines` the line of each row, or None where row k (from
    0) stands on line k + 2. `known` is what its reader knows it to be, `withheld` counts queries
    that the file names but whose results it keeps back, `notes` what a reader had to assume,
    `changes` what it had to repair or leave out. `exact` marks tables of our own, whose columns are
    named by role. `parts` are the files and their first rows, where there are several. `own` is
    the row of the files that each row was made of, where rows are no longer these. `nested` says
    where fields of nested objects stood, `first` the first row of a table that names no columns,
    `header_line` where the names of the columns stand, `spent` columns that became rows.
    """

    file: str
    rows: pd.DataFrame
    lines: Sequence[int] | arrays.Ints | None = None
    known: Known = Known()
    withheld: int = 0
    notes: tuple[Problem, ...] = ()
    changes: tuple[Change, ...] = ()
    exact: bool = False
    parts: tuple[tuple[str, int], ...] = ()
    own: arrays.Ints | None = None
    nested: Nested | None = None
    first: tuple[str, ...] = ()
    header_line: int = 1
    spent: tuple[str, ...] = ()

    @property
    def header(self) -> list[str]:
        """Names of the columns."""
        return [str(column) for column in self.rows.columns]

    def text_size(self) -> int:
        """Bytes of all cells, a text's each time it stands in one."""
        columns = (column for _, column in self.rows.items())
        return sum(int(np.append(lengths(c), 0)[c.cat.codes].sum()) for c in columns)

    def line(self, row: int) -> int:
        """Line of a row (from 0) in its file."""
        return int(self.lines[row]) if self.lines is not None else int(row) + 2

    def place(self, row: int) -> tuple[str, int | None]:
        """File and line of a row; of rows that have no lines, what tells them apart."""
        names = [name for name, first in self.parts if first <= row]
        return [self.file, *names][-1], self.line(row)

    def take(self, rows: arrays.Ints) -> RawTable:
        """The same table with these rows alone, ascending; a row may come more than once."""
        starts = tuple((name, int(np.searchsorted(rows, first))) for name, first in self.parts)
        lines, own = self.every_line()[rows], self.file_rows()[rows]
        own_rows = self.rows.take(rows).reset_index(drop=True)
        return replace(self, rows=own_rows, lines=lines, parts=starts, own=own, nested=None)

    def without(self, gone: arrays.Bools) -> RawTable:
        """The same table without some rows, and without texts that stood in these alone."""
        kept = self.take(np.flatnonzero(~gone))
        rows = {name: in_appearance(kept.rows[name]) for name in kept.header}
        return replace(kept, rows=pd.DataFrame(rows))

    def unused(self, without: arrays.Ints) -> dict[str, int]:
        """Rows of each file of which nothing is left without some of this table's rows."""
        own = self.file_rows()
        left = np.isin(own, np.delete(own, without), invert=True)
        return {name: np.unique(own[part][left[part]]).size for name, part in self.each_file()}

    def file_rows(self) -> arrays.Ints:
        """Row of the files that each row was made of."""
        return np.arange(len(self.rows)) if self.own is None else self.own

    def each_file(self) -> list[tuple[str, slice]]:
        """Names of the files that were read as one, and their rows."""
        parts = self.parts or ((self.file, 0),)
        ends = [first for _, first in parts[1:]] + [len(self.rows)]
        return [(name, slice(first, end)) for (name, first), end in zip(parts, ends, strict=True)]

    def changed(self, action: str, rule: str, rows: arrays.Ints) -> list[Change]:
        """One change per file for the rows that a rule repaired or left out."""
        files = self.each_file()
        own = [(name, rows[(rows >= part.start) & (rows < part.stop)]) for name, part in files]
        return [Change(action, rule, name, self.every_line()[at]) for name, at in own if at.size]

    def by_file(self, values: Sequence[Any] | arrays.Ints) -> Any:
        """Each row's value (N,), of those of its files."""
        return np.repeat(values, [rows.stop - rows.start for _, rows in self.each_file()])

    def every_line(self) -> arrays.Ints:
        """Line of each row."""
        if self.lines is None:
            return np.arange(len(self.rows), dtype=np.int64) + 2
        return np.asarray(self.lines, dtype=np.int64)


def as_text(value: Any) -> str:
    """A cell's value as text: whole numbers without a point, true as 1, line ends as one sign.

    Raises
    ------
    ValueError : a text with a NUL character
    """
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else repr(value)
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise ValueError("a text with a NUL character")
    return text


def cell_text(value: Any) -> str:
    """A cell's value, where numbers may have lost digits, as text; nothing as empty.

    Raises
    ------
    ValueError : such a number, or a text with a NUL character
    """
    if value is None or value != value:
        return ""
    if isinstance(value, float) and abs(value) >= 2**53:
        raise ValueError(f"the number {value:.0f}: numbers keep 15 digits, longer ids are texts")
    return as_text(value)


def cell(value: Any) -> str:
    """A value as text: lists as JSON, true as 1, nothing as empty."""
    if value is None or value == []:
        return ""
    if isinstance(value, float) and abs(value) >= 2**63:
        rule = "numbers beyond 2⁶³ are written in quotes"
        raise FaultError(f"the number {value!r}", rule, "Write it in quotes.")
    if isinstance(value, list):
        given = cast("list[Any]", value)
        nested = any(isinstance(one, list | dict) for one in given)
        return orjson.dumps(given if nested else [cell(one) for one in given]).decode()
    try:
        return as_text(value)
    except ValueError as fault:
        rule, remedy = "texts hold letters and signs", "Remove the character."
        raise FaultError(str(fault), rule, remedy) from None


def texts_of(column: pd.Series) -> list[str]:
    """Distinct texts of a column of categories."""
    return column.cat.categories.to_numpy(dtype=object).tolist()


def category_columns(columns: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Columns of text as categories in order of appearance."""
    return pd.DataFrame({name: category(column) for name, column in columns.items()}, copy=False)


def with_texts(column: pd.Series[Any], texts: Sequence[str]) -> Any:
    """A column with another text in the place of each of its distinct ones."""
    place, distinct = pd.factorize(np.array(texts, dtype=object))
    codes = column.cat.codes.to_numpy()
    return _categorical_from_codes(place[codes] if place.size else codes, distinct)


def category(texts: Any) -> Any:
    """Texts as categories in order of appearance; each object is hashed once, however long."""
    known: dict[str, int] = {}
    every = np.asarray(texts, dtype=object).tolist()
    places = (known.setdefault(text, len(known)) for text in every)
    return _categorical_from_codes(np.fromiter(places, np.int64, len(every)), list(known))


def in_appearance(column: pd.Series) -> pd.Series:
    """A column with its categories in order of appearance, and no others."""
    codes: Any = pd.unique(column.cat.codes.to_numpy())
    return column.cat.set_categories(column.cat.categories.take(codes))


def arrow_categories(table: Any) -> pd.DataFrame:
    """Columns of a pyarrow Table of text as categories in order of appearance.

    Two are worked on at once, and each leaves the table as it is taken over.
    """
    coded: dict[str, Future[tuple[Any, Any]]] = {}
    with ThreadPoolExecutor(max_workers=2) as at_once:
        for name in table.column_names:
            coded[name] = at_once.submit(factorised, table.column(0))
            table = table.remove_column(0)
    own = {name: _categorical_from_codes(*column.result()) for name, column in coded.items()}
    return pd.DataFrame(own, copy=False)


def join_tables(tables: Sequence[RawTable]) -> RawTable:
    """Several tables as one with the columns of all; a column that one lacks is empty there."""
    first, *others = tables
    if not others:
        return first
    pairs: list[Any] = [(table.rows, category([""] * len(table.rows))) for table in tables]
    columns: dict[str, Any] = {
        name: pd.api.types.union_categoricals([rows.get(name, empty) for rows, empty in pairs])
        for name in dict.fromkeys(name for table in tables for name in table.header)
    }
    starts = np.cumsum([0, *(len(table.rows) for table in tables)]).tolist()
    owns = [table.file_rows() for table in tables]
    before = np.cumsum([0, *(own.max(initial=-1) + 1 for own in owns)])
    return replace(
        first,
        file=file_names([table.file for table in tables]),
        rows=pd.DataFrame(columns),
        lines=np.concatenate([table.every_line() for table in tables]),
        withheld=sum(table.withheld for table in tables),
        notes=tuple(note for table in tables for note in table.notes),
        changes=tuple(change for table in tables for change in table.changes),
        parts=tuple((table.file, start) for table, start in zip(tables, starts, strict=False)),
        own=np.concatenate([own + n for own, n in zip(owns, before[:-1], strict=True)]),
        nested=None,
    )


class FaultError(ValueError):
    """What is wrong with one object: found, the rule, and what to do."""


@dataclass
class GrowingColumns:
    """Columns that grow row by row, each text held once; lines of rows.

    file, counter : whose rows they are, and of what all files stand for
    """

    file: str = "files"
    counter: ReadCounter = field(default_factory=ReadCounter)
    rows: int = 0
    text: int = 0
    lines: array[int] = field(default_factory=lambda: array("q"))
    columns: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    known: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, row: Row, line: int) -> None:
        """One more row; a column that it lacks is empty there."""
        self.lines.append(line)
        for name, text in row.items():
            column = self.columns.setdefault(name, [])
            column += [""] * (self.rows - len(column))
            column.append(self.known.setdefault(text, text))
        self.rows += 1
        self.text += sum(map(len, row.values()))
        columns = len(self.columns)
        self.counter.check(self.file, self.rows * columns, self.text, columns=columns)

    def table(self) -> pd.DataFrame:
        """Columns of categories, in order of appearance."""
        for column in self.columns.values():
            column += [""] * (self.rows - len(column))
        return category_columns(self.columns)


def _categorical_from_codes(codes: Any, texts: Any) -> Any:
    distinct: pd.Index[str] = pd.Index(texts, dtype="str")
    return pd.Categorical.from_codes(codes, distinct)


SCORED = Known(scored=True)  # its kind is found out: the numbers may be grades
SCORE = "score"  # the column of the numbers
SCORE_NAMES = (SCORE, "scores", "rsv", "retrieval_score", "similarity", "sim")
LISTED = "listed"  # the column of documents that are listed, whose worth is 1
NUMBERS = (SCORE, "grade", "rank", LISTED)  # of which such a table has one
CLICK_TIME = "time of the click"  # a column of results; the time of a row is its query's
NAMES = "it gives numbers to names, none of which is a document of the other files"
ASKED = "its rows by query and document may be a run or judgments"


def column_of_numbers(rows: pd.DataFrame) -> str:
    """The column of numbers by query and document; "" where there is none."""
    return next((name for name in NUMBERS if name in rows), "")


def are_few(column: pd.Series[Any]) -> bool:
    """Whether the numbers of a column are few and whole, as grades are."""
    numbers = [float(text) for text in texts_of(column)]
    are_whole = all(n.is_integer() and abs(n) <= bounds.LARGEST_GRADE for n in numbers)
    return are_whole and len(numbers) <= grades.FEW_GRADES


def lists_without_grades_note(file: str) -> Problem:
    """Note of judgments that list documents, and no grades."""
    rule = "each document that is listed is judged 1"
    return note(file, "judgments without grades", rule, "Give the grades, if there are any.")


def may_be_grades(raw: RawTable) -> bool:
    """Whether the numbers of such a table are few and whole, and none that count each list."""
    number = column_of_numbers(raw.rows)
    return number != "rank" and are_few(raw.rows[number])


def kind_of_scored(raw: RawTable, kinds: Collection[str], graded: int) -> tuple[str, str]:
    """What such a table is, and why; kind "" where that is to be asked.

    Scores are never taken for grades where judgments are given: every such table is a run then.

    Parameters
    ----------
    kinds : what the tables of other forms are
    graded : how many of the tables of this form have numbers that are few and whole
    """
    few = may_be_grades(raw)
    if "judgments" in kinds:
        return "log", "it has rows by query and document, and another file has the judgments"
    if few and graded == 1:
        return "judgments", "its rows by query and document have numbers as grades are, or none"
    if graded != 1 and (few or "log" in kinds):
        return "", ASKED
    return "log", "its numbers by query and document are scores that rank them, not grades"
