"""Rows of a table of text that do not fit, by the line."""

from __future__ import annotations

import csv

from sdcg_explorer.reading.readers.plain_rows import LONGEST_BLOCK
from sdcg_explorer.reading.readers.table_top import TOO_LONG, Top, cells
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Causes, Problem, error
from sdcg_explorer.study.wording import counted


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
                    above = "first row" if top.first else "header"
                    rule = f"the {above} has {counted(len(top.header), 'column')}"
                    remedy = "Complete the row, or quote cells that contain the delimiter."
                    causes.add(start, found, rule, remedy)
                start = reader.line_num + 1
        except csv.Error as fault:
            rule = "quotes come in pairs and stand at a cell's ends"
            misplaced = str(fault), rule, "Correct the quotes."
            causes.add(start, *(TOO_LONG if "field limit" in str(fault) else misplaced))
    return causes.problems


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
