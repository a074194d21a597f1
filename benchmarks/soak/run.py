"""The soak: visitors and kills, for as long as it takes.

`python -m benchmarks soak --minutes 1 --kills 5` is a short one; a part of 0 is left out. It ends
with 1 where anything went wrong or was lost.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from benchmarks.soak.kills import soak_kills
from benchmarks.soak.part import Part
from benchmarks.soak.visits import soak_visits
from tests.support.server import browser_missing

NUMBERS = {
    "minutes": (5.0, "how long visitors stay"),
    "visitors": (20, "how many there are"),
    "kills": (20, "of servers, around saving"),
}


def soak(*options: str) -> int:
    """Run every part; 1 where one found errors or losses."""
    asked = _parsed(options)
    if missing := browser_missing() if sys.platform == "linux" else "it reads Linux's /proc":
        print(f"no soak: {missing}")
        return 2
    parts = [run() for run in _parts(asked)]
    return int(any(part.faults for part in parts))


def _parsed(options: tuple[str, ...]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks soak", description=__doc__)
    for name, (number, words) in NUMBERS.items():
        words = f"{words} ({number:g})"
        parser.add_argument(f"--{name}", type=type(number), default=number, help=words)
    return parser.parse_args(options)


def _parts(asked: argparse.Namespace) -> list[Callable[[], Part]]:
    """Those that are asked for."""
    parts: list[tuple[float, Callable[[], Part]]] = [
        (asked.visitors * asked.minutes, lambda: soak_visits(asked.minutes, asked.visitors)),
        (asked.kills, lambda: soak_kills(asked.kills)),
    ]
    return [run for much, run in parts if much]
