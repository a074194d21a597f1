"""How wide a text is drawn, and the lines that a long name breaks into, so that none is cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from html import escape, unescape
from typing import Any

from sdcg_explorer.study.wording import in_short

BREAK = "<br>"
LINE = 1.3  # height of a line, in sizes of its text, as Plotly sets it
# thousandths of the size that DejaVu Sans takes for each character; Arial and Source Sans take less
ADVANCES = {
    275: "'",
    278: "ijl",
    295: "IJ",
    318: " ,.\t\n",
    337: "/:;\\|",
    361: "-f",
    401: "()[]t!",
    411: "r",
    460: '"',
    500: "*_`",
    531: "sz?",
    557: "cL",
    579: "kF",
    592: "vxy",
    615: "PTYoae",
    636: "Ehnu$0123456789{}Sbdgpq",
    656: "K",
    698: "AVXZBRC",
    752: "UNH",
    787: "DGOQ&",
    838: "w#+<=>^~",
    863: "M",
    1000: "%mW@",
}
EMS = {char: advance / 1000 for advance, chars in ADVANCES.items() for char in chars}
MOST_ROOM = 30.0  # beyond, a name takes more lines and not more room
ACCENT, WIDE, WIDEST = 0.2, 1.2, 1.35  # of an accent, of other letters, and of pictures
SCALED = ("size", "width", "thickness", "standoff")
PIECE = re.compile(r"[^\s_\-/]*[\s_\-/]+|[^\s_\-/]+")


@lru_cache(4096)
def _em(char: str) -> float:
    """At most what a character takes: as its letters, with room for an accent."""
    if char in EMS:
        return EMS[char]
    letters = [part for part in unicodedata.normalize("NFKD", char) if part in EMS]
    if letters:
        return ACCENT + sum(EMS[letter] for letter in letters)
    if unicodedata.combining(char):
        return 0.0
    return WIDEST if unicodedata.category(char) == "So" or ord(char) > 0xFFFF else WIDE


def width(text: str) -> float:
    """Width of a plain text, in sizes of it.

    >>> round(width("Wide"), 3)
    2.529
    """
    return sum(map(_em, text))


def plotly_safe(text: str, *names: str) -> str:
    """A name, or a text with names in it, as Plotly shows it, long names in short.

    Tags, links among them, and entities would act otherwise.

    >>> plotly_safe("<b>A & B"), len(plotly_safe("x" * 10_000))
    ('&lt;b&gt;A &amp; B', 60)
    """
    return escape(in_short(text, *names), quote=False)


def as_it_reads(text: str) -> str:
    """A text as it reads, without the marks of its lines and of what looks like a tag."""
    return unescape(text.replace(BREAK, ""))


def lines(text: str) -> list[str]:
    """Lines of a text as Plotly shows it, as they read."""
    return [unescape(line).rstrip() for line in text.split(BREAK)]


def widest(texts: Sequence[str]) -> float:
    """Width of the widest line of texts as Plotly shows them."""
    return max((width(line) for text in texts for line in lines(text)), default=0.0)


def longest_piece(text: str) -> float:
    """Width of the longest part of a text that only a break within a word would part."""
    return max((width(piece.rstrip()) for piece in PIECE.findall(as_it_reads(text))), default=0.0)


@lru_cache(4096)
def wrapped(text: str, room: float) -> str:
    """A text as Plotly shows it, in lines no wider than `room`; no character is lost.

    A line ends after a blank, _, - or /, and anywhere else only where a part alone is too wide.

    >>> wrapped("a_long_name & more", 5)
    'a_long_<br>name &amp; <br>more'
    """
    found = [""]
    for piece in PIECE.findall(as_it_reads(text)):
        for part in [piece] if width(piece.rstrip()) <= room else piece:
            if found[-1] and width((found[-1] + part).rstrip()) > room:
                found.append("")
            found[-1] += part
    return BREAK.join(escape(line, quote=False) for line in found)


def room_for(texts: Sequence[str], most: int, least: float = 6.0) -> float:
    """The least room in which each text takes at most so many lines, up to ``MOST_ROOM``."""
    room = least
    while room < MOST_ROOM and any(wrapped(text, room).count(BREAK) >= most for text in texts):
        room += 0.5
    return room


def scaled(part: Any, by: float) -> None:
    """Scale sizes, widths and dashes anywhere in a figure."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if key in SCALED and _is_number(value):
            part[key] = value * by
        elif key in SCALED and isinstance(value, list):
            part[key] = [each * by for each in value]
        elif key == "dash" and value:
            part[key] = re.sub("[0-9.]+", lambda found: f"{float(found[0]) * by:.3g}", value)
        elif key == "contours":  # whose size is a step of the numbers
            scaled(value.get("labelfont", {}), by)
        elif isinstance(value, dict | list):
            scaled(value, by)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
