"""Quotes of a table of text that do not stand at the ends of cells."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from sdcg_explorer.reading.limits import LONGEST_LINE
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.temporary_files import own_folder

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
