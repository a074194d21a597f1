"""The top of a table of text: its delimiter, and the names of its columns."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sdcg_explorer.reading.limits import LONGEST_LINE, MOST_COLUMNS
from sdcg_explorer.reading.mapping import NAMED, looks_like_header, names_nothing
from sdcg_explorer.reading.raw_table import Offer
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Problem, UnusableInputError, error

DELIMITERS = (",", ";", "\t")
LOOKED_AT = 20  # lines by which the delimiter is found


@dataclass(frozen=True)
class Top:
    """The delimiter, the names of the columns, and the blank lines above the first row.

    first : that row's cells, where it is one of data and nothing names the columns · above : the
    lines of rows above the header
    """

    delimiter: str
    header: list[str]
    blank: int
    first: tuple[str, ...]
    above: tuple[int, ...] = ()


def top_of(text: Text, delimiters: Sequence[str] = DELIMITERS) -> Top:
    """The top of a table.

    The delimiter is the one that gives the first row the most columns.
    """
    name = text.name
    with text.path.open(encoding="utf-8", newline="") as lines:
        blank, line = next((i, line) for i, line in enumerate(lines) if line.strip())
        sample = [line, *islice(lines, LOOKED_AT)]
    tried = {sign: _records(sample, sign) for sign in delimiters}
    own = len(delimiters) == 1  # a table of ours, whose first row is its header
    at = {sign: 0 if own else header_at([row for _, row in tried[sign]]) for sign in delimiters}
    delimiter = max(delimiters, key=lambda sign: _fits([r for _, r in tried[sign][at[sign] :]]))
    line, row = tried[delimiter][at[delimiter]]
    above = tuple(blank + number for number, _ in tried[delimiter][: at[delimiter]])
    blank += line - 1
    first = tuple(row) if len(delimiters) > 1 and names_nothing(row) else ()
    header = named(["" for _ in row] if first else row)
    problems: list[Problem] = []
    if len(header) > MOST_COLUMNS:
        rule = f"a table has at most {MOST_COLUMNS:,} columns"
        problems.append(error(name, 1, f"{len(header):,} columns", rule, "Check the delimiter."))
    twice = [column for column, times in Counter(header).items() if times > 1]
    if twice:
        rule, remedy = "each column has its own name", "Rename one."
        problems.append(error(name, 1, f"column {twice[0]!r} twice", rule, remedy))
    if problems:
        raise UnusableInputError(problems)
    return Top(delimiter, header, blank, first, above)


def header_at(rows: Sequence[Sequence[str]]) -> int:
    """Which of the first rows of a table is its header.

    Below titles, one that names two roles or more, and is as long as all rows beneath.

    >>> header_at([["Study", "", ""], ["", "", ""], ["session", "rank", "x"], ["s1", "1", ""]])
    2
    >>> header_at([["Session", "x"], ["session", "rank"]])
    0
    """
    if not rows or looks_like_header([*rows[0]]):
        return 0
    lengths = [len(row) for row in rows]
    named = (i for i, row in enumerate(rows) if looks_like_header([*row], least=2))
    return next((i for i in named if {lengths[i]} == {*lengths[i + 1 :]}), 0)


def offers_above(file: str, line: int, above: Sequence[int]) -> tuple[Offer, ...]:
    """What is offered where the header stands on a line below others."""
    if not above:
        return ()
    found = f"the header on line {line}"
    return (Offer(file, f"header-row={line}", tuple(above), found, NAMED),)


def _records(sample: Sequence[str], delimiter: str) -> list[tuple[int, list[str]]]:
    """Rows that are not blank lines, each with its first line."""
    reader = cells(sample, delimiter, strict=False)
    records: list[tuple[int, list[str]]] = []
    start = 1
    for row in reader:
        if row:
            records.append((start, row))
        start = reader.line_num + 1
    return records


def _fits(rows: list[list[str]]) -> tuple[bool, int]:
    """How well a delimiter fits: whether all rows are as long as the header, and how long."""
    header, *others = rows
    alike = len(header) > 1 and all(len(row) == len(header) for row in others if row)
    return alike, len(header)


def named(header: Sequence[str]) -> list[str]:
    """Names of columns; one without a name is called by its place.

    >>> named(["", "doc"])
    ['column 1', 'doc']
    """
    return [name if name.strip() else f"column {i}" for i, name in enumerate(header, start=1)]


def cells(lines: Iterable[str], delimiter: str, *, strict: bool = True) -> Any:
    """The csv module's reader, with cells as long as a line may be."""
    csv.field_size_limit(LONGEST_LINE)
    return csv.reader(lines, delimiter=delimiter, strict=strict)


def is_one_line(text: Text) -> bool:
    """Whether it has no line end but those around it."""
    begun = ended = False
    for piece in text.pieces():
        lines = piece if begun else piece.lstrip()
        begun = begun or bool(lines)
        kept = lines.rstrip()
        if kept and (ended or b"\n" in kept):
            return False
        ended = ended or b"\n" in lines
    return True
