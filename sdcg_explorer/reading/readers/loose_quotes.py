"""Quotes of a table of text that do not stand at the ends of cells."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.temporary_files import own_folder

QUOTE = ord('"')
AT_ONCE = 16_000_000  # bytes
SPACED = re.compile(rb'(?:^|[,;\t]) +"', re.MULTILINE)
CELLS = {  # a cell, without the blanks before its quote
    ",": re.compile(rb'(?:^|(?<=,))(?: +(?="))?("(?:[^"]|"")*+"|[^,\n]*+)', re.MULTILINE),
    ";": re.compile(rb'(?:^|(?<=;))(?: +(?="))?("(?:[^"]|"")*+"|[^;\n]*+)', re.MULTILINE),
    "\t": re.compile(rb'(?:^|(?<=\t))(?: +(?="))?("(?:[^"]|"")*+"|[^\t\n]*+)', re.MULTILINE),
}


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
        copy.write_bytes(CELLS[delimiter].sub(rb"\1", text.data))
        yield replace(text, path=copy)
