"""What every reader hands on: cells of text in named columns, each row with its line."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class RawTable:
    """A table of text as found in a file.

    `rows` holds one str column per column of the file, "" where a cell is empty; `lines` the line
    of each row, or None where row k (from 0) stands on line k + 2. `withheld` counts queries that
    the file names but whose results it keeps back.
    """

    file: str
    rows: pd.DataFrame
    lines: list[int] | None = None
    withheld: int = 0
    first_line: int = 2

    def line(self, row: int) -> int:
        """Line of a row (from 0) in the file."""
        return self.lines[row] if self.lines is not None else int(row) + self.first_line
