"""The top of a table of text: its delimiter, and the names of its columns."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sdcg_explorer.reading.cells import NUMBER
from sdcg_explorer.reading.limits import LONGEST_LINE, MOST_COLUMNS
from sdcg_explorer.reading.mapping import NAMED, looks_like_header, names_nothing
from sdcg_explorer.reading.raw_table import Offer
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Problem, UnusableInputError, error

DELIMITERS = (",", ";", "\t")
LOOKED_AT = 20  # lines by which the delimiter is found
TOO_LONG = (
    "a longer cell",
    f"a cell has at most {LONGEST_LINE:,} letters",
    "Close the quote that it starts with, or shorten it.",
)


@dataclass(frozen=True)
class Top:
    """The delimiter, the names of the columns, and the blank lines above the first row.

    first : that row's cells, where it is one of data and nothing names the columns · offers : to
    leave out rows above the header, and to read two rows of names as one
    """

    delimiter: str
    header: list[str]
    blank: int
    first: tuple[str, ...]
    offers: tuple[Offer, ...] = ()


def top_of(text: Text, delimiters: Sequence[str] = DELIMITERS) -> Top:
    """The top of a table.

    The delimiter is the one that gives the first row the most columns.
    """
    name = text.name
    with text.path.open(encoding="utf-8", newline="") as lines:
        blank = next(i for i, line in enumerate(lines) if line.strip())
    tried = {sign: _records(text, blank, sign) for sign in delimiters}
    if not all(tried.values()):
        raise UnusableInputError([error(name, blank + 1, *TOO_LONG)])
    own = len(delimiters) == 1  # a table of ours, whose first row is its header
    rows = {sign: [row for _, row in tried[sign]] for sign in delimiters}
    at = {sign: (0, 0) if own else header_rows(rows[sign]) for sign in delimiters}
    delimiter = max(delimiters, key=lambda sign: _fits(rows[sign][at[sign][1] :]))
    lines = [blank + number for number, _ in tried[delimiter]]
    offers = offers_of(name, lines, at[delimiter])
    upper, lower = at[delimiter]
    row = in_one(rows[delimiter][upper], rows[delimiter][lower])
    blank = lines[lower] - 1
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
    return Top(delimiter, header, blank, first, offers)


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
    known = next((i for i in named if {lengths[i]} == {*lengths[i + 1 :]}), None)
    return _unknown_header(rows) if known is None else known


def _unknown_header(rows: Sequence[Sequence[str]]) -> int:
    """Which row is the header, where no known word names a column.

    One that fills all columns, several and with texts alone, above rows as long with numbers, and
    below rows that fill half of them at most.
    """
    plain = [[cell.strip() for cell in row] for row in rows]
    used = [i for i in range(len(plain[-1])) if any(row[i : i + 1] != [""] for row in plain)]
    cells = [[row[i] for i in used if i < len(row)] for row in plain]
    for i, row in enumerate(cells[1:-1], start=1):
        below = cells[i + 1 :]
        fills = len({*filter(None, row)}) == len(used) > 2 and not any(map(NUMBER.fullmatch, row))
        under = all(2 * sum(map(bool, above)) <= len(used) for above in cells[:i])
        alike = {len(each) for each in plain[i + 1 :]} == {len(plain[i])}
        if fills and under and alike and any(map(NUMBER.fullmatch, below[0])):
            return i
    return 0


def header_rows(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """The first and the last of the rows of a table that name its columns; one, or two.

    >>> header_rows([["Session", "Query", ""], ["", "number", "text"], ["s1", "1", "tea"]])
    (0, 1)
    """
    at = header_at(rows)
    pairs = ((upper, upper + 1) for upper in (at, at - 1) if 0 <= upper < len(rows) - 1)
    return next((pair for pair in pairs if _are_two(rows[pair[0]], rows[pair[1]])), (at, at))


def _are_two(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether two rows name the columns together: each some of them, and none holds a number."""
    over, under = ([cell.strip() for cell in row] for row in (upper, lower))
    together = len(over) == len(under) and all(map(any, zip(over, under, strict=True)))
    both = together and not all(over) and not all(under)
    known = [name for name, cell in zip(in_one(upper, lower), lower, strict=False) if cell.strip()]
    return both and not any(map(NUMBER.fullmatch, over + under)) and looks_like_header(known)


def in_one(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Names of columns in one row or two: a lower one goes by both where it needs the upper.

    >>> in_one(["Session", "Query", "", ""], ["", "number", "text", "docs"])
    ['Session', 'Query number', 'text', 'docs']
    """
    if upper is lower:
        return [*lower]
    names: list[str] = []
    group = ""
    for above, own in zip(upper, lower, strict=False):
        group = above.strip() or group
        both = f"{group} {own}".strip()
        needed = looks_like_header([both]) and not looks_like_header([own])
        names.append(both if own and (needed or lower.count(own) > 1) else own or above)
    return names


def offers_of(file: str, lines: Sequence[int], at: tuple[int, int]) -> tuple[Offer, ...]:
    """What is offered where the header stands below other rows, or in two.

    lines : of the rows · at : the first and the last of those that name columns
    """
    upper, lower = at
    line, above = lines[lower], tuple(lines[:upper])
    offers = [Offer(file, f"header-row={line}", above, f"the header on line {line}", NAMED)]
    two = f"names of columns on lines {lines[upper]} and {line}"
    offers.append(Offer(file, "two-row-header", (*lines[upper:lower],), two, NAMED))
    return tuple(offer for offer in offers if offer.lines)


def _records(text: Text, blank: int, delimiter: str) -> list[tuple[int, list[str]]]:
    """Rows that start in the first lines and are not blank, each with its line from `blank` on.

    They end before one with a cell that is too long, which is refused where it is read.
    """
    records: list[tuple[int, list[str]]] = []
    start = 1
    with text.path.open(encoding="utf-8", newline="") as lines, suppress(csv.Error):
        reader = cells(islice(lines, blank, None), delimiter, strict=False)
        for row in reader:
            if row:
                records.append((start, row))
            start = reader.line_num + 1
            if start > LOOKED_AT + 1:
                break
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
