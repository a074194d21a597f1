"""Markup read piece by piece: each byte is looked at a few times, however long a tag is."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.reading.limits import LONGEST_LINE
from sdcg_explorer.reading.sources import Readable

CHUNK = 1 << 20
TOO_LONG = f"a tag or comment of more than {LONGEST_LINE:,} bytes"


class LongTagError(ValueError):
    """A tag or comment that does not end."""


def parsed(parser: Any, data: Readable) -> None:
    """Have expat parse all that is read.

    It begins an unfinished tag anew with each piece that it is given, so that a tag as long as a
    file would be looked at as often as there are pieces.

    Raises
    ------
    LongTagError : a tag, comment or instruction beyond LONGEST_LINE
    expat.ExpatError : not well formed
    """
    given = 0
    while piece := data.read(CHUNK):
        parser.Parse(piece, False)
        given += len(piece)
        if given - parser.CurrentByteIndex > LONGEST_LINE:
            raise LongTagError(TOO_LONG)
    parser.Parse(b"", True)
