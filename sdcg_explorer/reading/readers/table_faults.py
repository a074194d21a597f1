"""Rows of a table of text that do not fit, by the line; DuckDB refuses most, and lets some pass."""

from __future__ import annotations

import csv
import re

from sdcg_explorer.reading.limits import LONGEST_LINE
from sdcg_explorer.reading.readers.table_top import Top, cells
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Causes, Problem, error

AFTER_QUOTE = re.compile(rb'" +[,;\t\r\n]')


def reading_options(top: Top) -> str:
    """What DuckDB's `read_csv` is told, to guess nothing; columns are c0, c1 and so on."""
    kinds = {f"c{i}": "VARCHAR" for i in range(len(top.header))}
    return f"""auto_detect=false, columns={kinds!r}, header={not top.first}, skip={top.blank},
        delim='{top.delimiter}', quote='"', escape='"', comment='', strict_mode=true,
        null_padding=false, max_line_size={LONGEST_LINE}, compression='none'"""


def passed(text: Text, top: Top, rows: int) -> list[Problem]:
    """Faults that DuckDB lets pass in so many rows of data.

    They are an empty cell too many, and a blank between a quote and the delimiter.
    """
    expected = (len(top.header) - 1) * (rows + (not top.first))
    fits = text.count(top.delimiter.encode()) == expected
    if fits and not (text.quoted and text.has_match(AFTER_QUOTE)):
        return []
    return places(text, top)


def places(text: Text, top: Top) -> list[Problem]:
    """Lines that keep a table from being read, found by the csv module's strict reader."""
    causes = Causes(text.name)
    with text.path.open(encoding="utf-8", newline="") as lines:
        reader = cells(lines, top.delimiter)
        start = 1
        try:
            for row in reader:
                if row and start > top.blank and len(row) != len(top.header):
                    found = f"{len(row)} cells"
                    above = "first row" if top.first else "header"
                    rule = f"the {above} has {len(top.header)} columns"
                    remedy = "Complete the row, or quote cells that contain the delimiter."
                    causes.add(start, found, rule, remedy)
                start = reader.line_num + 1
        except csv.Error as fault:
            rule = "quotes come in pairs and stand at a cell's ends"
            causes.add(start, str(fault), rule, "Correct the quotes.")
    return causes.problems


def unreadable(name: str, failure: Exception) -> Problem:
    """What is said where a reader refuses a table, and csv finds nothing in it."""
    rule, remedy = "a table is readable as CSV", "Check the file."
    return error(name, None, str(failure).splitlines()[0], rule, remedy)
