"""Estimates that sentences give with a 95 % interval, read back as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

NUMBER = r"[-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?: × 10\^[-−]?\d+)?"
INTERVAL = re.compile(rf"95 % interval(?: is|,)? ({NUMBER}) to ({NUMBER})( by t)?")
BEFORE = re.compile(rf"({NUMBER})(?: %)?((?: [^\d()]+?)?(?: \((?:[^\d()]+; )?|; ))$")
TURNED = re.compile(r"\b(more|less|higher|lower|ahead|behind)\b")  # what has a sign of its own


@dataclass(frozen=True)
class Said:
    """An estimate and its interval · between : the words that stand between the two."""

    estimate: float
    low: float
    high: float
    between: str
    by_t: bool

    @property
    def is_one_way(self) -> bool:
        """Whether the interval is of the very number that stands before it, and not turned round.

        By t the number is in the middle, as far as three digits tell.
        """
        rounded = sum(map(_half_a_digit, (self.low, self.high))) + 2 * _half_a_digit(self.estimate)
        apart = abs(self.low + self.high - 2 * self.estimate)
        middle = not self.by_t or apart <= rounded * (1 + 1e-9)
        return self.low <= self.estimate <= self.high and middle and not TURNED.search(self.between)


def said(text: str, systems: Sequence[str] = ()) -> list[Said]:
    """Every estimate with an interval; `systems` are names, whose numbers are none of ours."""
    for name in sorted(systems, key=len, reverse=True):
        if re.search(r"[\d()]", name):
            text = text.replace(name, "S")
    found = [_said(text[: match.start()], match) for match in INTERVAL.finditer(text)]
    assert len(found) == len(re.findall(r"interval\W+(?:is )?[-−]?\.?\d[^;)]* to ", text))
    return found


def text_of(page: bytes) -> str:
    """What a page of HTML says, without its scripts and styles."""
    html = re.sub(r"<(script|style)\b.*?</\1>", "", page.decode(), flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "\n", html))


def _said(before: str, match: re.Match[str]) -> Said:
    low, high = map(_number, match.groups()[:2])
    estimate = BEFORE.search(before)
    assert estimate, f"{before[-120:]}{match[0]}"
    return Said(_number(estimate[1]), low, high, estimate[2], bool(match[3]))


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").replace(" × 10^", "e"))


def _half_a_digit(value: float) -> float:
    """How far a number of three digits may be from what it was."""
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 2) if value else 0.0
