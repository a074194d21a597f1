"""Estimates that sentences give with a 95% interval, read back as numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

NUMBER = r"[-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?: × 10\^[-−]?\d+)?"
INTERVAL = re.compile(rf"95% interval(?: is|,)? ({NUMBER}) to ({NUMBER})")
BEFORE = re.compile(rf"({NUMBER})(?: %)?((?: [^\d()]+?)?(?: \((?:[^\d()]+; )?|; |, ))$")
TURNED = re.compile(r"\b(more|less|higher|lower|ahead|behind)\b")  # what has a sign of its own


@dataclass(frozen=True)
class Said:
    """An estimate and its interval · between : the words that stand between the two."""

    estimate: float
    low: float
    high: float
    between: str

    @property
    def is_one_way(self) -> bool:
        """Whether the interval is of the number that stands before it, and not turned round."""
        return self.low <= self.estimate <= self.high and not TURNED.search(self.between)


def said(text: str, systems: Sequence[str] = ()) -> list[Said]:
    """Every estimate with an interval; `systems` are names, whose numbers are none of ours."""
    for name in sorted(systems, key=len, reverse=True):
        if re.search(r"[\d()]", name):
            text = text.replace(name, "S")
    found = [_said(text[: match.start()], match) for match in INTERVAL.finditer(text)]
    assert len(found) == len(re.findall(r"interval\W+(?:is )?[-−]?\.?\d[^;)]*? to ", text))
    return found


def text_of(page: bytes) -> str:
    """What a page of HTML says, without its scripts and styles."""
    html = re.sub(r"<(script|style)\b.*?</\1>", "", page.decode(), flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "\n", html))


def _said(before: str, match: re.Match[str]) -> Said:
    low, high = map(_number, match.groups())
    estimate = BEFORE.search(before)
    assert estimate, f"{before[-120:]}{match[0]}"
    return Said(_number(estimate[1]), low, high, estimate[2])


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").replace(" × 10^", "e"))
