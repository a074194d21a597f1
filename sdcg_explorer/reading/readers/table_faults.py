"""Rows of a table of text that do not fit, by the line."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER
from sdcg_explorer.reading.raw_table import texts_of
from sdcg_explorer.reading.readers.plain_rows import LONGEST_BLOCK
from sdcg_explorer.reading.readers.table_top import TOO_LONG, Top, cells
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Causes, Problem, error
from sdcg_explorer.study.wording import counted

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
    longest, at, start = 0, 1, 1
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = cells(lines, top.delimiter)
        for row in reader:
            if (size := sum(map(len, row))) > longest:
                longest, at = size, start
            start = reader.line_num + 1
    rule = f"a row has at most {LONGEST_BLOCK:,} bytes"
    return error(text.name, at, "a longer row", rule, "Shorten its cells.")


def unreadable(name: str, failure: Exception) -> Problem:
    """What is said where a reader refuses a table, and csv finds nothing in it."""
    rule, remedy = "a table is readable as CSV", "Check the file."
    return error(name, None, str(failure).splitlines()[0], rule, remedy)
