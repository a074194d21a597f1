"""Tables of text: CSV with comma, semicolon, tab or bar; places of faults are found by csv.

Tables of pages (HTML, Excel's XML of 2003) and databases (SQLite) are each read as its CSV.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html.parser import HTMLParser
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv as arrow_csv

from sdcg_explorer.reading import limits, raw_table, shapes
from sdcg_explorer.reading.cells import MISSING_WORDS, NUMBER, fix_note, rule_of
from sdcg_explorer.reading.mapping import is_row_of_data, looks_like_header
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.sources import Head, Source, Text, open_text, own_folder
from sdcg_explorer.study import problems, report, wording
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.problems import Causes, UnusableInputError, error, refusal, refuse

DELIMITERS = (",", ";", "\t", "|")
LOOKED_AT = 20  # lines by which the delimiter is found
TOO_LONG = (
    "a longer cell",
    f"a cell has at most {limits.LONGEST_LINE:,} letters",
    "Close the quote that it starts with, or shorten it.",
)


@dataclass(frozen=True)
class Top:
    """The rows of a table that name its columns.

    names : of the columns, of one row or two, or the first row of data where none names them ·
    line : of the last of them · above, joined, below : lines of rows over them, of the upper of
    two, and of labels under them · data : the first rows under all that
    """

    names: list[str]
    line: int
    above: Sequence[int]
    joined: Sequence[int]
    below: Sequence[int]
    data: Sequence[Sequence[str]]
    delimiter: str = ""

    @cached_property
    def first(self) -> tuple[str, ...]:
        """The first row of data, where it stands in the place of names."""
        return tuple(self.names) if is_row_of_data(self.names) else ()

    @cached_property
    def header(self) -> list[str]:
        """Names of the columns; one without a name is called by its place."""
        given = enumerate(self.names, start=1)
        return [name if name.strip() and not self.first else f"column {i}" for i, name in given]

    @property
    def rows(self) -> int:
        """How many rows from its line on are none of data."""
        return int(not self.first) + len(self.below)

    def checked(self, file: str) -> Top:
        """The same top, unless it has too many columns, a name twice, or rows parted otherwise."""
        wrong, size = list[problems.Problem](), len(self.names)
        if len(self.header) > limits.MOST_COLUMNS:
            found = f"{len(self.header):,} columns"
            rule = f"a table has at most {limits.MOST_COLUMNS:,} columns"
            wrong.append(error(file, self.line, found, rule, "Check the delimiter."))
        if twice := [column for column, times in Counter(self.header).items() if times > 1]:
            rule = "each column of a table has its own name"
            remedy = "Rename one, or give each table a file or sheet of its own."
            wrong.append(error(file, self.line, f"column {twice[0]!r} twice", rule, remedy))
        for sign in (sign for sign in DELIMITERS if sign != self.delimiter):
            if {len(row) < 2 and row[0].count(sign) + 1 for row in self.data} == {size} != {1}:
                found, remedy = f"cells parted by {sign!r}", f"Write the header with {sign!r}, too."
                rule = f"the header is parted by {self.delimiter!r}; a table has one delimiter"
                wrong.append(error(file, self.line + self.rows, found, rule, remedy))
        refuse(wrong)
        return self

    def table(self, file: str, rows: pd.DataFrame, lines: Any, notes: Any = ()) -> RawTable:
        """The table below it; a header below other rows, in two, or over labels is told."""
        around = np.array([*self.above, *self.joined, *self.below], dtype=np.int64)
        raw = RawTable(file, rows, lines, notes=notes, first=self.first, header_line=self.line)
        if not around.size:
            return raw
        header = " and ".join(map(str, [*self.joined, self.line]))
        below = " and ".join(map(str, self.below))
        labels = f", labels on line{'s' * bool(self.below[1:])} {below}" if below else ""
        found = f"the header on line{'s' * bool(self.joined)} {header}{labels}"
        change = report.Change(report.REPAIRED, rule_of("header-row"), file, around)
        return replace(raw, notes=(*notes, fix_note(file, "header-row", found)), changes=(change,))


def top_of(text: Text, delimiters: Sequence[str] = DELIMITERS) -> Top:
    """The top of a table, by the delimiter that gives the first row the most columns."""
    blank = next(number for number, line in text.lines() if line.strip()) - 1
    tops: list[Top] = []
    for sign in delimiters:
        some: dict[int, list[str]] = {}
        with suppress(UnusableInputError):  # of a cell too long, which is refused where it is read
            for line, end, row in _csv_rows_with_lines(text, blank, sign, strict=False):
                some |= {line: row} if row else {}
                if end - blank > LOOKED_AT:
                    break
        if not some:
            raise refusal(text.name, blank + 1, *TOO_LONG)
        own = len(delimiters) == 1  # a table of ours, whose first row is its header
        top = header_rows([*some.values()], [*some], 1 if own else text.header)
        tops.append(replace(top, delimiter=sign))

    def fits(top: Top) -> tuple[bool, int]:
        size = len(top.names)
        return size > 1 and all(len(row) == size for row in top.data), size

    top = max(tops, key=fits)
    longer = all(len(row) == len(top.names) + 1 and row[0].strip().isdigit() for row in top.data)
    if top.data and longer:  # by the number of each row, as R writes it
        top = replace(top, names=["", *top.names])
    return top.checked(text.name)


def _csv_rows_with_lines(
    text: Text, after: int, delimiter: str, *, strict: bool = True, tight: bool = False
) -> Iterator[tuple[int, int, list[str]]]:
    """Rows below so many lines as the csv module reads them, each with its first and last line.

    tight : without blanks behind a delimiter

    Raises
    ------
    UnusableInputError : a quote out of place, or a cell that is too long
    """
    csv.field_size_limit(limits.LONGEST_LINE)
    with text.path.open(encoding="utf-8", newline="") as lines:
        below = islice(lines, after, None)
        reader = csv.reader(below, delimiter=delimiter, strict=strict, skipinitialspace=tight)
        start = after + 1
        try:
            for row in reader:
                yield start, after + reader.line_num, row
                start = after + reader.line_num + 1
        except csv.Error as fault:
            misplaced = str(fault), PAIRED, "Correct the quotes."
            long = "field limit" in str(fault)
            raise refusal(text.name, start, *(TOO_LONG if long else misplaced)) from None


CORNER = re.compile(r" *[/\\×|] *")  # between what rows and columns are, as in Topic / Document


def header_at(rows: Sequence[Sequence[str]]) -> int:
    """Which of the first rows of a table is its header.

    Below titles, one as long as all rows beneath. It names two roles or more; where none does, it
    fills all columns, several and with texts alone or ids beside a role's name, below rows that
    fill half of them at most, and above a row with numbers if any of these fills more than a cell.

    >>> header_at([["Study", "", ""], ["", "", ""], ["session", "rank", "x"], ["s1", "1", ""]])
    2
    >>> header_at([["Session", "x"], ["session", "rank"]])
    0
    >>> header_at([["Oceny", "", ""], ["Zadanie", "Dokument", "Ocena"], ["Z1", "d1", "istotny"]])
    1
    """
    known = [sum(looks_like_header([cell]) for cell in row) for row in rows[:2]]
    if len(known) == 2 and all(rows[1]) and not all(rows[0]):
        half = 2 * [*rows[0]].count("") >= len(rows[0])
        if known[1] > known[0] + (not half):
            return 1  # below names of groups
    if not rows or known[0]:
        return 0
    even = [i for i, row in enumerate(rows) if {len(row)} == {*map(len, rows[i + 1 :])}]
    if named := [i for i in even if looks_like_header([*rows[i]], least=2)]:
        return named[0]
    plain = [[cell.strip() for cell in row] for row in rows]
    used = [k for k in range(len(plain[-1])) if any(row[k : k + 1] != [""] for row in plain)]
    cells = [[row[k] for k in used if k < len(row)] for row in plain]
    for i in (i for i in even if i):
        fills = all(cells[i]) and len({*cells[i]}) == len(used)
        fills &= len(used) > 2 or looks_like_header(cells[i])
        under = all(2 * sum(map(bool, above)) <= len(used) for above in cells[:i])
        numbers = [any(map(NUMBER.fullmatch, row)) for row in cells[i : i + 2]]
        named = not numbers[0] or looks_like_header(CORNER.split("/".join(cells[i])))
        alone = all(sum(map(bool, above)) <= 1 for above in cells[:i])
        if fills and under and named and (alone or numbers[1:] == [True]):
            return i
    return 0


def header_rows(rows: Sequence[list[str]], lines: Sequence[int], line: int = 0) -> Top:
    """The rows of a table that name its columns: one, or two, and labels beneath.

    Parameters
    ----------
    rows, lines : the first rows of the table, and their lines
    line : of the header, where that is known

    >>> table = [["Session", "Query", ""], ["", "number", "text"], ["s1", "1", "tea"]]
    >>> header_rows(table, [1, 2, 3]).names
    ['Session', 'Query number', 'text']
    >>> header_rows(table, [1, 2, 3], line=1).names
    ['Session', 'Query', '']
    """
    if line:
        upper = lower = next((i for i, at in enumerate(lines) if at >= line), 0)
        last = lower
    else:
        at = header_at(rows)
        pairs = ((upper, upper + 1) for upper in (at, at - 1) if 0 <= upper < len(rows) - 1)
        two = (pair for pair in pairs if _are_two_header_rows(rows[pair[0]], rows[pair[1]]))
        upper, lower = next(two, (at, at))
        last = lower + _count_label_rows(rows[lower + 1 :])
    names, above, joined = headers(rows[upper], rows[lower]), lines[:upper], lines[upper:lower]
    return Top(names, lines[lower], above, joined, lines[lower + 1 : last + 1], rows[last + 1 :])


MOST_LABELS = 3  # rows
IMPORTED = re.compile(r'\{"ImportId": ?".*"\}')  # as Qualtrics has it under each name


def _count_label_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many of the rows under a header say what its columns mean.

    Where Qualtrics has written its ids, all down to these; else rows of words over columns of
    numbers, two at least.

    >>> header = ["Participant", "Ease (1-7)", "Effort"]
    >>> _count_label_rows([header, ["p1", "5", "2"], ["p2", "4", "1"]])
    1
    """
    for i, row in enumerate(rows[:MOST_LABELS]):
        filled = [cell for cell in row if cell.strip()]
        if filled and all(map(IMPORTED.fullmatch, filled)):
            return i + 1
    most = max(0, min(MOST_LABELS, len(rows) - 1))
    for labels in range(most):
        over, *under = ([cell.strip() for cell in row] for row in rows[labels:])
        columns = zip(over, *(row for row in under if len(row) == len(over)), strict=True)
        words = [cell for cell, *cells in columns if any(cells) and all(map(_is_value, cells))]
        if len(words) < 2 or any(cell.isdigit() or not _is_word(cell) for cell in words):
            return labels
    return most


def _is_value(cell: str) -> bool:
    """Whether a cell is a number, maybe with a decimal comma, or empty."""
    return not cell or bool(NUMBER.fullmatch(cell.replace(",", ".")))


def _is_word(cell: str) -> bool:
    """Whether a cell says something in letters, and not merely that there is nothing."""
    return any(map(str.isalpha, cell)) and cell.casefold() not in MISSING_WORDS


def _are_two_header_rows(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether two rows name the columns together: each some of them, and none holds a number.

    The lower may name all, below a row that is half empty and that a role's name needs. Columns of
    one name are told apart by the upper.
    """
    over, under = ([cell.strip() for cell in row] for row in (upper, lower))
    together = len(over) == len(under) and all(map(any, zip(over, under, strict=True)))
    both, half = together and not all(over), 2 * over.count("") >= len(over)
    names = headers(upper, lower)
    known = [name for name, cell in zip(names, lower, strict=False) if cell.strip()]
    named = looks_like_header(known)
    if all(under):
        both_known, own = (sum(looks_like_header([n]) for n in row) for row in (names, lower))
        named = half and both_known > own
    again = max(Counter(filter(None, under)).values(), default=0) > 1
    named = named or (again and looks_like_header(names))
    return both and named and not any(map(NUMBER.fullmatch, over + under))


def headers(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Names of columns in one row or two: a lower one goes by both where it needs the upper.

    >>> headers(["Session", "Query", "", ""], ["", "number", "text", "docs"])
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


# pyright: basic
# pyarrow ships no types.


LONGEST_BLOCK = 16_000_000  # bytes
# parts with one blank between them, none around, and no other sign; some blanks are beyond ASCII
PLAIN = re.compile(rb"[!-\x7f]++(?:[ \n][!-\x7f]++)*+\n?")


def split_rows(text: Text, size: int, columns: Mapping[str, int]) -> tuple[pd.DataFrame, Ints]:
    """Lines of so many parts between blanks, the named ones as columns; and each row's line.

    What stands as an object behind them is left out.

    Raises
    ------
    ValueError : lines with fewer or more parts
    """
    by_place = {place: name for name, place in columns.items()}
    names = [by_place.get(i, f"part {i}") for i in range(size)]
    if PLAIN.fullmatch(text.data):
        with suppress(ValueError):
            rows = _read_as_arrow(text.path, names, " ", kept=[*columns])
            return rows, np.arange(len(rows), dtype=np.int32) + 1
    plain, lines = bytearray(), array("i")
    for number, line in text.lines():
        if parts := line.split():
            is_object = len(parts) > size and parts[size].startswith(("[", "{"))
            plain += f"{' '.join(parts[:size] if is_object else parts)}\n".encode()
            lines.append(number)
    rows = _read_as_arrow(pa.BufferReader(plain), names, " ", kept=[*columns])
    return rows, np.frombuffer(lines, dtype=np.int32)


def _read_as_arrow(
    file: Any, names: Any, delimiter: str, kept: Any = (), above: Any = (0, 0), quoted: Any = False
) -> pd.DataFrame:
    """Cells below so many lines, and rows; of some columns alone where these are `kept`.

    quoted : what stands behind a closing quote is taken along then: look before
    """
    reads = arrow_csv.ReadOptions(column_names=names, block_size=LONGEST_BLOCK)
    reads.skip_rows, reads.skip_rows_after_names = above
    parses = arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=quoted)
    parses.quote_char = '"' if quoted else False
    types = dict.fromkeys(names, pa.string())
    converts = arrow_csv.ConvertOptions(include_columns=kept or names, column_types=types)
    return raw_table.arrow_categories(arrow_csv.read_csv(file, reads, parses, converts))


DIGITS = re.compile(r"\d+")
PAIRED = "quotes come in pairs, at the ends of a cell"


def swallowed_lines(raw: RawTable, delimiter: str) -> list[problems.Problem]:
    """Cells that hold ends of rows, since a quote opened in one row and closed in another.

    Their lines have as many cells as the rows that they would be, with numbers, or ids of the same
    form (s1, s12), where all other rows have these; where no column has, each line has a text that
    another row has in its place.
    """
    causes, width = Causes(raw.file), len(raw.header)
    texts = [raw_table.texts_of(raw.rows[name]) for name in raw.header]
    plain = [{text.strip() for text in own if text.strip() and "\n" not in text} for own in texts]
    forms = [{*map(_digit_pattern, own)} for own in plain]
    alike = {k: one.pop() for k, one in enumerate(forms) if len(one) == 1 and "" not in one}
    for k, name in enumerate(raw.header if width > 1 else ()):
        for code, text in enumerate(texts[k]):
            lines = [line.split(delimiter) for line in (delimiter * k + text).split("\n")]
            if len(lines) == 1 or [*map(len, lines)] != [width] * (len(lines) - 1) + [k + 1]:
                continue
            filled = [[(i, c.strip()) for i, c in enumerate(line) if c.strip()] for line in lines]
            fits = [_digit_pattern(cell) == alike[i] for i, cell in chain(*filled) if i in alike]
            if not alike:
                fits = [any(cell in plain[i] for i, cell in line) for line in filled]
            if fits and all(fits):
                line = raw.line(int(np.argmax(raw.rows[name].cat.codes.to_numpy() == code)))
                end = line + len(lines) - 1
                found = f"a quotation mark that opens in {name!r} and closes on line {end}"
                causes.add(line, found, PAIRED, "Correct the quotes.")
    return causes.problems


def _digit_pattern(text: str) -> str:
    """What a number, or an id with digits, has in common with others; nothing of other texts."""
    if NUMBER.fullmatch(text):
        return "number"
    return DIGITS.sub("0", text) if DIGITS.search(text) else ""


SPACED = re.compile(rb'(?:^|[,;\t|]) +"', re.MULTILINE)
MOST_FOOT = 20  # rows


def has_loose_quote(text: Text, delimiter: str) -> bool:
    """Whether some quote stands neither at an end of a cell nor beside another, or has no pair.

    It may be a letter of its cell; the csv module knows, which takes three times as long.
    """
    paired = rf'(?:[^"]*+(?<![^{delimiter}\n"])"[^"]*+"(?![^{delimiter}\n"]))*+[^"]*+'
    return re.fullmatch(paired.encode(), text.data) is None


def _tidied_copy(text: Text, top: Top, folder: str) -> Text:
    """A copy as the csv module reads a text, line by line the same.

    Blanks before quotes are gone, as people type them, and last rows of one cell, as notes have,
    are filled up.

    Raises
    ------
    UnusableInputError : rows with too few or too many cells, or quotes out of place
    """
    copy, causes, width = Path(folder) / "table.txt", Causes(text.name), len(top.header)
    above = "first row" if top.first else "header"
    rule = f"the {above} has {wording.counted(width, 'column')}"
    remedy = " the row, or quote cells that contain the delimiter."
    spaced = SPACED.search(text.data) is not None
    records = _csv_rows_with_lines(text, top.line - 1, top.delimiter, tight=spaced)
    faults = foot = 0
    with copy.open("w", encoding="utf-8", newline="") as tidy:
        tidy.writelines(line for _, line in islice(text.lines(), top.line - 1))
        rows = csv.writer(tidy, delimiter=top.delimiter, lineterminator="\n")
        try:
            for line, end, row in records:
                if row and line > top.line:
                    fits, alone = len(row) == width, len(row) == 1 and width > 2
                    faults, foot = faults + (not fits), foot + 1 if alone else 0
                    if not fits:
                        closes = f", with a quotation mark that closes on line {end}"
                        found = f"{wording.counted(len(row), 'cell')}{closes * (end > line)}"
                        do = "Complete" if len(row) < width else "Shorten"
                        causes.add(line, found, rule, do + remedy)
                    row += [""] * (width - 1) * alone
                rows.writerow(row)
        except UnusableInputError as fault:
            refuse([*causes.problems, *fault.problems])
    refuse(causes.problems if faults > min(foot, MOST_FOOT) else [])
    return replace(text, path=copy)


def has_header(head: Head) -> bool:
    """Whether one of its first lines has names that a study's columns go by."""
    tables = ([line.split(sign) for line in head.lines[:LOOKED_AT]] for sign in DELIMITERS)
    return any(rows and looks_like_header(rows[header_at(rows)], least=2) for rows in tables)


def read_table(text: Text, delimiters: Sequence[str] = DELIMITERS) -> list[RawTable]:
    """Every cell of a delimited file with a header, as text; an empty cell is "".

    Raises
    ------
    UnusableInputError : rows that do not fit the header, each with its line
    """
    top = top_of(text, delimiters)
    # pyarrow takes a loose quote as a letter, wherever it stands
    if not (text.quoted and has_loose_quote(text, top.delimiter)):
        with suppress(pa.ArrowInvalid):
            return [_table_below(text, top)]
    with own_folder() as own:
        copy = _tidied_copy(text, top, own)
        top = top_of(copy, delimiters)
        try:
            return [_table_below(copy, top)]
        except pa.ArrowInvalid as failure:
            raise _unreadable_table_refusal(copy, top, str(failure)) from None


def read_own(text: Text) -> list[RawTable]:
    """A table as we write it, with commas: other signs in its header are part of a name."""
    return read_table(text, DELIMITERS[:1])


def _table_below(text: Text, top: Top) -> RawTable:
    """The table below a top.

    Raises
    ------
    ArrowInvalid : pyarrow does not read it
    """
    ends = text.count(b"\n") + (not text.data.endswith(b"\n"))
    cells, size = text.count(top.delimiter.encode()) + ends, len(top.header)
    text.counter.check(text.name, cells, rows=ends, columns=size)
    above = top.line - 1, top.rows
    rows = _read_as_arrow(text.path, top.header, top.delimiter, above=above, quoted=text.quoted)
    lines = None
    if ends != len(rows) + 1 or top.line > 1 or top.rows != 1:
        every = _csv_rows_with_lines(text, top.line - 1, top.delimiter)
        lines = [line for line, _, row in every if row][top.rows :]
    raw = top.table(text.name, rows, lines, text.notes)
    if text.quoted and lines is not None:
        refuse(swallowed_lines(raw, top.delimiter))
    return shapes.with_known_names(raw)


def _unreadable_table_refusal(text: Text, top: Top, failure: str) -> UnusableInputError:
    """What is said where pyarrow refuses a table, and csv finds nothing in it."""
    if "straddl" in failure:  # parts of a row lie in three blocks
        records = _csv_rows_with_lines(text, top.line - 1, top.delimiter)
        at, *_ = max(records, key=lambda each: sum(map(len, each[2])))
        rule = f"a row has at most {LONGEST_BLOCK:,} bytes"
        return refusal(text.name, at, "a longer row", rule, "Shorten its cells.")
    rule, remedy = "a table is readable as CSV", "Check the file."
    return refusal(text.name, None, failure.splitlines()[0], rule, remedy)


EXCEL = "urn:schemas-microsoft-com:office:spreadsheet"
ROW_TAGS, CELL_TAGS = ("tr", "row"), ("td", "th", "cell")
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
        elif tag in ROW_TAGS and self.tables:
            self.tables[-1].append((self.getpos()[0], []))
        elif tag in CELL_TAGS and self.tables and self.tables[-1]:
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
        self._is_open &= tag not in CELL_TAGS

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
            raise refusal(source.name, None, "no row", rule, "Export it as CSV.")
        names = [f"{source.name} [{i}]" if tables[1:] else source.name for i in range(len(tables))]
        named = (replace(text, name=name) for name in names)
        read = [_read_as_csv(*each, read_table) for each in zip(named, tables, strict=True)]
        return [raw for own in read for raw in own]


NAMES_OF_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def read_database(source: Source) -> list[RawTable]:
    """The tables of a database that have rows.

    Raises
    ------
    UnusableInputError : beyond the limits, broken, or no table
    """
    import sqlite3  # the build for the browser alone has none

    found, data = "no table with rows", bytearray(source.path.read_bytes())
    data[18:20] = b"\1\1"  # no log of what isn't written yet is beside it
    try:
        with closing(sqlite3.connect(":memory:")) as base:
            base.deserialize(bytes(data))
            base.execute("PRAGMA trusted_schema = OFF")
            base.text_factory = partial(str, encoding="utf-8", errors="replace")
            names = [name for (name,) in base.execute(NAMES_OF_TABLES)]
            tables = [table for name in names for table in _database_table(source, base, name)]
    except UnusableInputError:
        raise
    except (sqlite3.Error, ValueError, OverflowError) as fault:
        found, tables = f"a database that can't be read ({problems.in_words(fault)})", []
    if not tables:
        rule, remedy = "a database is complete, and has a table with rows", "Export it as CSV."
        raise refusal(source.name, None, found, rule, remedy)
    return tables


def _database_table(source: Source, base: Any, name: str) -> list[RawTable]:
    """A table of a database; none where it has no rows."""
    quoted = name.replace('"', '""')
    (size,) = base.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()
    given = base.execute(f'SELECT * FROM "{quoted}"')
    header = [column for column, *_ in given.description]
    source.counter.check(source.name, size * len(header), rows=size, columns=len(header))

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        yield 1, header
        for row in given:
            yield 0, [raw_table.cell_text(c.hex() if isinstance(c, bytes) else c) for c in row]

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
