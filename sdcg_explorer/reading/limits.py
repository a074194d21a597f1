"""What files may be at most, and the counter of what they stand for, whoever reads them.

Of a study itself, study/bounds.py; as a table, docs/formats.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdcg_explorer.study.problems import refusal

if TYPE_CHECKING:
    from sdcg_explorer.reading.raw_table import RawTable

MB = 1_000_000
MOST_BYTES = 1_000_000_000  # of everything unpacked, and of the text of all cells
MOST_RATIO = 200  # bytes, of either, that a byte as given stands for
ALWAYS_BYTES = 20_000_000  # bytes, of either, that files of any size may stand for
MOST_CELLS = 200_000_000  # of all tables
CELLS_A_BYTE = 20  # cells that a byte as given stands for
ALWAYS_CELLS = 2_000_000  # that files of any size may stand for
WIDE, MOST_WIDE = 40, 10_000_000  # columns beyond which a table has fewer cells
MOST_ENTRIES = 1_000  # of a zip
LONGEST_NAME = 200
MOST_COLUMNS = 1_000
LONGEST_LINE = 1_000_000  # bytes
MOST_LINES = 20_000_000  # of a table
DEEPEST = 50  # levels of XML or JSON
MOST_RESULTS = 2_000_000  # of a log in the browser
MOST_SESSIONS = 500_000  # of it: they take as much memory and time as four times as many results
LONGEST_PATTERN = 1_000  # characters of a pattern for query ids
MOST_GROUPS = 9  # of it, that RE2 gives back by number
IDS_A_SECOND = 100_000  # that it has to match; the usual one matches five times as many
FIRST_SECONDS = 10.0  # that reading may take, and a second more for each MB
LONGEST_JOB = 120.0  # seconds, at most; also of what a server for several computes
FIRST_MEMORY = 1_500_000_000  # bytes of memory that reading may take, libraries with it
MEMORY_A_BYTE = 100  # more of them for each byte that is read
MOST_MEMORY = 3_000_000_000  # at most where several are served; also of what is computed there
MOST_KEPT = 1_000_000_000  # bytes of accepted studies that are in memory alone, and their blocks
UNPACK = "Unpack it, and give the files themselves."
NARROWER = "Leave out columns that you don't need, or split the file."


@dataclass
class ReadCounter:
    """What files stand for, all that are read together: bytes unpacked, cells, and their text.

    A few bytes as given may stand for gigabytes, by repetition. The text of a cell counts each time
    it stands in one. What is small stands for so much, what is larger for so many times as much.
    """

    given: int = 0  # bytes of the files
    bytes: int = 0
    cells: int = 0
    text: int = 0

    def unpack(self, file: str, size: int) -> None:
        """Count bytes that are unpacked.

        Raises
        ------
        UnusableInputError : they are too many; `check` and `hold` likewise
        """
        self.bytes += size
        if self.bytes > (most := self._largest_byte_count()):
            rule = f"packed files unpack to at most {_in_mb(most)}, {RATIO}"
            raise refusal(file, None, f"more than {_in_mb(most)} once unpacked", rule, UNPACK)

    def check(
        self, file: str, cells: int, text: int = 0, *, rows: int = 0, columns: int = 0
    ) -> None:
        """Whether there is room for a table, before it is made."""
        for size, size_most, what in (
            (columns, MOST_COLUMNS, "columns"),
            (rows, MOST_LINES, "rows"),
            (cells, MOST_WIDE if columns > WIDE else MOST_CELLS, "cells"),
        ):
            if size > size_most:
                wide = f" of more than {WIDE} columns" if size_most == MOST_WIDE else ""
                rule = f"a table{wide} has at most {size_most:,} {what}"
                raise refusal(file, None, f"{size:,} {what}", rule, NARROWER)
        most = min(MOST_CELLS, max(ALWAYS_CELLS, CELLS_A_BYTE * self.given))
        if self.cells + cells > most:
            rule = f"files of {self.given:,} bytes have at most {most:,} cells"
            raise refusal(file, None, f"{self.cells + cells:,} cells", rule, NARROWER)
        if self.text + text > (most := self._largest_byte_count()):
            rule = f"text counts each time it appears in a cell, to at most {_in_mb(most)}, {RATIO}"
            raise refusal(file, None, f"more than {_in_mb(most)} of text in cells", rule, NARROWER)

    def hold(self, table: RawTable) -> None:
        """Count a table that was read."""
        rows, columns = table.rows.shape
        text = table.text_size()
        self.check(table.file, rows * columns, text, rows=rows, columns=columns)
        self.cells, self.text = self.cells + rows * columns, self.text + text

    def _largest_byte_count(self) -> int:
        return min(MOST_BYTES, max(ALWAYS_BYTES, MOST_RATIO * self.given))


RATIO = f"or {MOST_RATIO} times their size; never over {MOST_BYTES // MB:,} MB"


def _in_mb(size: int) -> str:
    return f"{size // MB:,} MB"
