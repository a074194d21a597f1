"""Tables of text: CSV with comma, semicolon or tab; places of faults are found by csv."""

from __future__ import annotations

import csv
import re
from array import array
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv as arrow_csv

from sdcg_explorer.reading.cells import MISSING_WORDS, NUMBER, made, rule_of
from sdcg_explorer.reading.limits import LONGEST_LINE, MOST_COLUMNS
from sdcg_explorer.reading.mapping import looks_like_header, names_nothing
from sdcg_explorer.reading.raw_table import (
    RawTable,
    arrow_categories,
    category_columns,
    texts_of,
)
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.shapes import with_known_names
from sdcg_explorer.reading.sources import Head, own_folder
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.problems import Causes, Problem, UnusableInputError, error, refuse
from sdcg_explorer.study.report import LEFT_OUT, REPAIRED, Change
from sdcg_explorer.study.wording import counted

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

    first : that row's cells, where it is one of data and nothing names the columns · labels : rows
    below the names that say what they mean · changes, notes : rows that were no data
    """

    delimiter: str
    header: list[str]
    blank: int
    first: tuple[str, ...]
    labels: int = 0
    changes: tuple[Change, ...] = ()
    notes: tuple[Problem, ...] = ()


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
    lines = {sign: [blank + number for number, _ in tried[sign]] for sign in delimiters}
    at = {
        sign: header_rows(rows[sign], lines[sign], 1 if own else text.header) for sign in delimiters
    }
    delimiter = max(delimiters, key=lambda sign: _fits(at[sign].names, at[sign].data))
    names = at[delimiter]
    row = names.names
    if names.data and all(_is_numbered(data, len(row)) for data in names.data):
        row = ["", *row]
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
    changes, notes = said_of_header(name, names)
    return Top(delimiter, header, names.line - 1, first, names.labels, changes, notes)


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


@dataclass(frozen=True)
class NameRows:
    """The rows of a table that name its columns.

    names : of the columns, of one row or two · line : of the last of them · above, joined, below :
    lines of rows over them, of the upper of two, and of labels under them · data : the first rows
    under all that
    """

    names: list[str]
    line: int
    above: Sequence[int]
    joined: Sequence[int]
    below: Sequence[int]
    data: Sequence[Sequence[str]]

    @property
    def labels(self) -> int:
        """Number of the rows of labels."""
        return len(self.below)


def header_rows(rows: Sequence[list[str]], lines: Sequence[int], line: int = 0) -> NameRows:
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
        two = (pair for pair in pairs if _are_two(rows[pair[0]], rows[pair[1]]))
        upper, lower = next(two, (at, at))
        last = lower + _labels(rows[lower + 1 :])
    return NameRows(
        in_one(rows[upper], rows[lower]),
        lines[lower],
        lines[:upper],
        lines[upper:lower],
        lines[lower + 1 : last + 1],
        rows[last + 1 :],
    )


MOST_LABELS = 3  # rows
IMPORTED = re.compile(r'\{"ImportId": ?".*"\}')  # as Qualtrics has it under each name


def _labels(rows: Sequence[Sequence[str]]) -> int:
    """How many of the rows under a header say what its columns mean.

    Where Qualtrics has written its ids, all down to these; else rows of words over columns of
    numbers, two at least.

    >>> _labels([["Participant", "Ease (1-7)", "Effort"], ["p1", "5", "2"], ["p2", "4", "1"]])
    1
    """
    for i, row in enumerate(rows[:MOST_LABELS]):
        if any(row) and all(IMPORTED.fullmatch(cell) for cell in row if cell.strip()):
            return i + 1
    labels = 0
    while labels < min(MOST_LABELS, len(rows) - 1):
        over, *under = ([cell.strip() for cell in row] for row in rows[labels:])
        columns = zip(over, *(row for row in under if len(row) == len(over)), strict=True)
        words = [cell for cell, *cells in columns if any(cells) and all(map(_is_value, cells))]
        if len(words) < 2 or any(cell.isdigit() or not _is_word(cell) for cell in words):
            break
        labels += 1
    return labels


def _is_value(cell: str) -> bool:
    """Whether a cell is a number, maybe with a decimal comma, or empty."""
    return not cell or bool(NUMBER.fullmatch(cell.replace(",", ".")))


def _is_word(cell: str) -> bool:
    """Whether a cell says something in letters, and not merely that there is nothing."""
    return any(map(str.isalpha, cell)) and cell.casefold() not in MISSING_WORDS


def _is_numbered(row: Sequence[str], columns: int) -> bool:
    """Whether a row has its number before as many cells as there are columns, as R writes it."""
    return len(row) == columns + 1 and row[0].strip().isdigit()


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


def said_of_header(file: str, rows: NameRows) -> tuple[tuple[Change, ...], tuple[Problem, ...]]:
    """What is said where the header stands below other rows, in two, or over labels."""
    rule = rule_of("header-row")
    changes = tuple(
        Change(action, rule, file, np.array(lines, dtype=np.int64))
        for action, lines in (
            (LEFT_OUT, rows.above),
            (REPAIRED, rows.joined),
            (LEFT_OUT, rows.below),
        )
        if lines
    )
    if not changes:
        return (), ()
    at = f"lines {rows.joined[0]} and {rows.line}" if rows.joined else f"line {rows.line}"
    labels = f", labels on line {' and '.join(map(str, rows.below))}" if rows.below else ""
    return changes, (made(file, "header-row", f"the header on {at}{labels}"),)


def _records(text: Text, blank: int, delimiter: str) -> list[tuple[int, list[str]]]:
    """Rows that start in the first lines and are not blank, each with its line from `blank` on.

    They end before one with a cell that is too long, which is refused where it is read.
    """
    records: list[tuple[int, list[str]]] = []
    with text.path.open(encoding="utf-8", newline="") as lines, suppress(csv.Error):
        reader = cells(islice(lines, blank, None), delimiter, strict=False)
        for start, row in _started(reader):
            if row:
                records.append((start, row))
            if reader.line_num > LOOKED_AT:
                break
    return records


def _fits(header: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[bool, int]:
    """How well a delimiter fits: whether all rows are as long as the header, and how long."""
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


def _started(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Rows of the csv module's reader, each with the line that it starts on."""
    start = 1
    for row in reader:
        yield start, row
        start = reader.line_num + 1


def is_one_line(text: Text) -> bool:
    """Whether it has no line end but those around it."""
    with text.path.open("rb") as lines:
        return len([*islice((line for line in lines if line.strip()), 2)]) < 2


# pyright: basic
# pyarrow ships no types.


LONGEST_BLOCK = 16_000_000  # bytes
BLANKS = re.compile(r"[^\S\n]+")
EDGES = re.compile(r"^ | $", re.MULTILINE)
WIDE = re.compile(  # blanks that take several bytes
    b"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)


def plain_rows(path: Path, top: Top, *, quoted: bool = False) -> pd.DataFrame:
    """Every row below blank lines and the header, if any; columns named c0, c1 and so on.

    Cells may be `quoted`; what stands behind a closing quote is taken along, so look before.

    Raises
    ------
    ValueError : rows with too few or too many cells, or too long
    """
    names = [f"c{i}" for i in range(len(top.header))]
    above = top.blank, int(not top.first) + top.labels
    return arrow_categories(
        _read_as_arrow(path, names, names, top.delimiter, above=above, quoted=quoted)
    )


def parted_rows(
    text: Text, size: int, columns: Mapping[str, int], *, measured: Sequence[str] = ()
) -> tuple[pd.DataFrame, Ints]:
    """Lines of so many parts between blanks, the named ones as columns; and each row's line.

    Columns that are `measured` go by their numbers, where all are finite: these are told apart in
    half the time that texts take, and have the shortest text that says the number.

    Raises
    ------
    ValueError : lines with fewer or more parts
    """
    names = [f"c{i}" for i in range(size)]
    plain, lines = (None, None) if _is_plain(text) else _with_single_blanks(text)

    def read(kinds: Mapping[str, Any]) -> pa.Table:
        source = text.path if plain is None else pa.BufferReader(plain)
        return _read_as_arrow(source, names, [names[i] for i in columns.values()], kinds=kinds)

    table = _measured(read, [names[columns[name]] for name in measured])
    rows = arrow_categories(table)
    rows.columns = pd.Index(columns)
    return rows, np.arange(len(rows), dtype=np.int32) + 1 if lines is None else lines


def _measured(read: Callable[[Mapping[str, Any]], pa.Table], names: Sequence[str]) -> pa.Table:
    """A table with numbers in the named columns, or with texts where one is no finite number."""
    if names:
        with suppress(pa.ArrowInvalid):
            table = read(dict.fromkeys(names, pa.float64()))
            chunks = [chunk for name in names for chunk in table[name].chunks]
            if all(np.isfinite(chunk.to_numpy()).all() for chunk in chunks):
                return table
    return read({})


def _read_as_arrow(
    source: Any,
    names: list[str],
    kept: list[str],
    delimiter: str = " ",
    *,
    above: tuple[int, int] = (0, 0),  # lines, and below them rows
    quoted: bool = False,
    kinds: Mapping[str, Any] | None = None,
) -> pa.Table:
    lines, rows = above
    return arrow_csv.read_csv(
        source,
        arrow_csv.ReadOptions(
            column_names=names,
            skip_rows=lines,
            skip_rows_after_names=rows,
            block_size=LONGEST_BLOCK,
        ),
        arrow_csv.ParseOptions(
            delimiter=delimiter, quote_char='"' if quoted else False, newlines_in_values=quoted
        ),
        arrow_csv.ConvertOptions(
            include_columns=kept,
            column_types=dict.fromkeys(names, pa.string()) | dict(kinds or {}),
            null_values=[],
            strings_can_be_null=False,
            check_utf8=False,  # as it was before
        ),
    )


def _is_plain(text: Text) -> bool:
    """Whether parts have one blank between them, none around, and no line is empty."""
    last = b"\n"
    for piece in text.pieces():
        signs = np.frombuffer(last + piece, np.uint8)
        blank = signs <= ord(" ")
        odd = blank & (signs != ord(" ")) & (signs != ord("\n"))
        if odd.any() or (blank[1:] & blank[:-1]).any():
            return False
        if not piece.isascii() and WIDE.search(last + piece):
            return False
        last = piece[-1:]
    return last != b" "


def _with_single_blanks(text: Text) -> tuple[memoryview, Ints]:
    """The same text with one blank between parts, and the lines that are not empty."""
    plain, lines, first = BytesIO(), array("i"), 1
    with text.path.open(encoding="utf-8", newline="\n") as every:
        while block := every.read(LONGEST_BLOCK) + every.readline():
            parted = EDGES.sub("", BLANKS.sub(" ", block))
            filled = np.array([line != "" for line in parted.split("\n")])
            lines.frombytes((np.flatnonzero(filled) + first).astype(np.int32).tobytes())
            first += block.count("\n")
            plain.write(parted.encode())
    return plain.getbuffer(), np.frombuffer(lines, dtype=np.int32)


DIGITS = re.compile(r"\d+")
PAIRED = "quotes come in pairs and stand at a cell's ends"


def places(text: Text, top: Top) -> list[Problem]:
    """Lines that keep a table from being read, found by the csv module's strict reader."""
    causes = Causes(text.name)
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = cells(lines, top.delimiter)
        start = 1
        try:
            for row in reader:
                if row and start > top.blank and len(row) != len(top.header):
                    found = counted(len(row), "cell")
                    if reader.line_num > start:
                        found += f", with a quotation mark that closes on line {reader.line_num}"
                    above = "first row" if top.first else "header"
                    rule = f"the {above} has {counted(len(top.header), 'column')}"
                    remedy = "Complete the row, or quote cells that contain the delimiter."
                    causes.add(start, found, rule, remedy)
                start = reader.line_num + 1
        except csv.Error as fault:
            misplaced = str(fault), PAIRED, "Correct the quotes."
            causes.add(start, *(TOO_LONG if "field limit" in str(fault) else misplaced))
    return causes.problems


def swallowed_lines(
    file: str, top: Top, rows: pd.DataFrame, line_of: Callable[[int], int]
) -> list[Problem]:
    """Cells that hold ends of rows, since a quote opened in one row and closed in another.

    Their lines have as many cells as the rows that they would be, with numbers where the other
    rows have numbers; where no column has, with ids of the same form (s1, s12), or each line with
    a text that another row has in its place. line_of : the line of a row
    """
    causes, width = Causes(file), len(top.header)
    texts = [texts_of(rows[name]) for name in rows.columns]
    plain = [[text for text in own if text.strip() and "\n" not in text] for own in texts]
    known = [{*own} for own in plain]
    form, alike = _number, _one_form_each(_number, plain)
    if not alike:
        form, alike = _id, _one_form_each(_id, plain)
    if width < 2:
        return []
    for k, own in enumerate(texts):
        for code in (code for code, text in enumerate(own) if "\n" in text):
            parts = [line.split(top.delimiter) for line in own[code].split("\n")]
            parts[0] = [*[""] * k, *parts[0]]
            sizes = [len(part) for part in parts]
            if sizes != [width] * (len(parts) - 1) + [k + 1]:
                continue
            filled = [
                [(at, cell.strip()) for at, cell in enumerate(part) if cell.strip()]
                for part in parts
            ]
            forms = [form(cell) == alike[at] for line in filled for at, cell in line if at in alike]
            swallowed = bool(forms) and all(forms)
            if not alike:
                swallowed = all(any(cell in known[at] for at, cell in line) for line in filled)
            if swallowed:
                row = int(np.argmax(rows.iloc[:, k].cat.codes.to_numpy() == code))
                line = line_of(row)
                end = line + own[code].count("\n")
                found = f"a quotation mark that opens in {top.header[k]!r} and closes on line {end}"
                causes.add(line, found, PAIRED, "Correct the quotes.")
    return causes.problems


def _number(text: str) -> str:
    """Whether a text is a number, in a word."""
    return "number" if NUMBER.fullmatch(text.strip()) else ""


def _id(text: str) -> str:
    """The form of an id with digits: what stands around them."""
    return DIGITS.sub("0", text.strip()) if DIGITS.search(text) else ""


def _one_form_each(form: Callable[[str], str], plain: list[list[str]]) -> dict[int, str]:
    """The one form of all texts of a column, by its place, where they have one."""
    forms = {k: {*map(form, own)} for k, own in enumerate(plain)}
    return {k: one.pop() for k, one in forms.items() if len(one) == 1 and "" not in one}


def longest_row(text: Text, top: Top) -> Problem:
    """The longest row, where pyarrow found one longer than it takes."""
    with text.path.open(encoding="utf-8", newline="") as lines:
        rows = _started(cells(lines, top.delimiter))
        at, _ = max(rows, key=lambda each: sum(map(len, each[1])), default=(1, []))
    rule = f"a row has at most {LONGEST_BLOCK:,} bytes"
    return error(text.name, at, "a longer row", rule, "Shorten its cells.")


def unreadable(name: str, failure: Exception) -> Problem:
    """What is said where a reader refuses a table, and csv finds nothing in it."""
    rule, remedy = "a table is readable as CSV", "Check the file."
    return error(name, None, str(failure).splitlines()[0], rule, remedy)


QUOTE = ord('"')
AT_ONCE = 16_000_000  # bytes
SPACED = re.compile(rb'(?:^|[,;\t]) +"', re.MULTILINE)
CELLS = {  # a cell in quotes, whose last group is empty where it goes on
    ",": re.compile(rb'[\n,] *("[^"]*+(?:""[^"]*+)*+("|\Z))'),
    ";": re.compile(rb'[\n;] *("[^"]*+(?:""[^"]*+)*+("|\Z))'),
    "\t": re.compile(rb'[\n\t] *("[^"]*+(?:""[^"]*+)*+("|\Z))'),
}
LONGEST_CELL = 5 * LONGEST_LINE  # bytes; the csv module refuses a longer one


def has_loose_quote(text: Text, delimiter: str) -> bool:
    """Whether some quote stands neither at an end of a cell nor beside another, or has no pair.

    It may be a letter of its cell; the csv module knows, which takes three times as long.
    """
    data = np.memmap(text.path, np.uint8, "r")
    fits = np.zeros(256, bool)
    fits[[ord(delimiter), ord("\n"), QUOTE]] = True
    seen = 0
    for start in range(0, len(data), AT_ONCE):
        at = np.flatnonzero(data[start : start + AT_ONCE] == QUOTE) + start
        opens = (seen + np.arange(len(at))) % 2 == 0
        beside = np.where(opens, at - 1, at + 1)
        inside = (beside >= 0) & (beside < len(data))
        if not fits[data[beside[inside]]].all():
            return True
        seen += len(at)
    return bool(seen % 2)


@contextmanager
def tightened(text: Text, delimiter: str) -> Generator[Text]:
    """The text without the blanks that stand between a delimiter and a quote, as people type it."""
    if not text.has_match(SPACED):
        yield text
        return
    with own_folder() as own:
        copy = Path(own) / "table.txt"
        with copy.open("wb") as tight:
            tight.writelines(_tight(text, CELLS[delimiter]))
        yield replace(text, path=copy)


def _tight(text: Text, cell: re.Pattern[bytes]) -> Iterator[bytes]:
    """Its bytes, some whole lines at a time; a cell that goes on waits for the next ones."""
    waiting, above = b"\n", 1  # a line end before the first line, which is not handed on
    pieces = text.pieces()
    for piece in pieces:
        block = waiting + piece
        tight, end = _tight_block(block, cell, block.rfind(b"\n"))
        yield tight[above:]
        waiting, above = block[end:], above - min(above, len(tight))
        if len(waiting) > LONGEST_CELL:
            break
    tight, end = _tight_block(waiting, cell, len(waiting))
    rest = waiting[end:]
    yield (tight + rest[:1] + rest[1:].lstrip(b" "))[above:]
    yield from pieces


def _tight_block(block: bytes, cell: re.Pattern[bytes], end: int) -> tuple[bytes, int]:
    """A block up to its end or to a cell that goes on behind it, and where that is."""
    kept: list[bytes] = []
    at = 0
    for found in cell.finditer(block, 0, end):
        if not found[2]:
            end = found.start()
            break
        if found.start(1) > found.start() + 1:
            kept.append(block[at : found.start() + 1])
            at = found.start(1)
    return b"".join([*kept, block[at:end]]), end


def read_table(text: Text) -> list[RawTable]:
    """Every cell of a delimited file with a header, as text; an empty cell is "".

    Raises
    ------
    UnusableInputError : rows that do not fit the header, each with its line
    """
    return [_read(text, DELIMITERS)]


def read_own(text: Text) -> list[RawTable]:
    """A table as we write it, with commas: other signs in its header are part of a name."""
    return [_read(text, DELIMITERS[:1])]


def has_header(head: Head) -> bool:
    """Whether one of its first lines has names that a study's columns go by."""
    for sign in DELIMITERS:
        rows = [line.split(sign) for line in head.lines[:LOOKED_AT]]
        if rows and looks_like_header(rows[header_at(rows)], least=2):
            return True
    return False


def _read(text: Text, delimiters: Sequence[str]) -> RawTable:
    top = top_of(text, delimiters)
    if not (text.quoted and has_loose_quote(text, top.delimiter)):
        return _table(text, top)
    with tightened(text, top.delimiter) as tight:
        top = top_of(tight, delimiters)
        refuse(places(tight, top))  # pyarrow takes such a quote as a letter, wherever it stands
        return _table(tight, top)


def _table(text: Text, top: Top) -> RawTable:
    header, first = top.header, top.first
    if not first and _is_header_alone(text, top):
        return RawTable(
            text.name, category_columns({name: [] for name in header}), notes=text.notes
        )
    ends = _lines(text)
    cells = text.count(top.delimiter.encode()) + ends
    text.counter.check(text.name, cells, rows=ends, columns=len(header))
    try:
        rows = plain_rows(text.path, top, quoted=text.quoted)
    except ValueError as failure:
        if foot := _foot(text, top):
            with own_folder() as own:
                return _table(_filled_up(text, top, foot, Path(own) / "table.txt"), top)
        raise UnusableInputError(_faults(text, top, failure)) from None
    rows.columns = pd.Index(header)
    as_is = ends == len(rows) + 1 and not first and not top.changes
    lines = None if as_is else _record_lines(text, top)
    notes = text.notes + top.notes
    raw = RawTable(text.name, rows, lines, notes=notes, changes=top.changes, first=first)
    if text.quoted and lines is not None:
        refuse(swallowed_lines(text.name, top, rows, raw.line))
    return with_known_names(raw)


MOST_FOOT = 20  # rows


def _foot(text: Text, top: Top) -> set[int]:
    """Lines at the end of a table that have one cell each, as notes have; none where others do."""
    foot: list[int] = []
    with text.path.open(encoding="utf-8", newline="") as lines, suppress(csv.Error):
        for line, row in _started(cells(lines, top.delimiter, strict=False)):
            if line <= top.blank + 1 + top.labels or not row:
                continue
            if len(row) == 1 and len(top.header) > 2:
                foot.append(line)
            elif foot or len(row) != len(top.header):
                return set()
    return {*foot} if len(foot) <= MOST_FOOT else set()


def _filled_up(text: Text, top: Top, foot: set[int], copy: Path) -> Text:
    """A copy of a text whose last rows have as many cells as the others."""
    blanks = top.delimiter * (len(top.header) - 1)
    with copy.open("w", encoding="utf-8", newline="") as filled:
        for number, line in text.lines():
            end = f"{blanks}\n" if number in foot else ""
            filled.write(f"{line.rstrip()}{end}" if end else line)
    return replace(text, path=copy)


def _is_header_alone(text: Text, top: Top) -> bool:
    """Whether no row follows the header, which may take several lines in quotes."""
    if is_one_line(text) or not text.quoted:
        return is_one_line(text)
    with text.path.open(encoding="utf-8", newline="") as lines, suppress(csv.Error):
        reader = cells(lines, top.delimiter)
        filled = (row for row in reader if row and reader.line_num > top.blank)
        return len([*islice(filled, 2)]) < 2
    return False


def _faults(text: Text, top: Top, failure: ValueError) -> list[Problem]:
    """What keeps pyarrow from reading a table."""
    if found := places(text, top):
        return found
    is_long = "straddl" in str(failure)  # parts of a row lie in three blocks
    return [longest_row(text, top) if is_long else unreadable(text.name, failure)]


def _lines(text: Text) -> int:
    """Number of lines."""
    ends, last = 0, b""
    for piece in text.pieces():
        ends, last = ends + piece.count(b"\n"), piece[-1:]
    return ends + (last != b"\n")


def _record_lines(text: Text, top: Top) -> list[int]:
    """First line of each record of data, where it can't be told by its number."""
    with text.path.open(encoding="utf-8", newline="") as lines:
        rows = _started(cells(lines, top.delimiter))
        try:
            starts = [start for start, row in rows if row and start > top.blank]
        except csv.Error:  # a cell of many lines, which is too long
            raise UnusableInputError(places(text, top)) from None
    return starts if top.first else starts[1 + top.labels :]
