"""The soak: visitors and kills, for as long as it takes.

`python -m benchmarks soak --minutes 1 --kills 5` is a short one; a part of 0 is left out. It ends
with 1 where anything went wrong or was lost.
"""

import argparse
import sys

from benchmarks.soak import kills, visits
from benchmarks.soak.part import Part
from tests.support.server import browser_missing

NUMBERS = {
    "minutes": (5.0, "how long visitors stay"),
    "visitors": (20, "how many there are"),
    "kills": (20, "of servers, around saving"),
}


def soak(*options: str) -> int:
    """Run every part that is asked for; 1 where one found errors or losses."""
    parser = argparse.ArgumentParser("python -m benchmarks soak", description=__doc__)
    for name, (number, words) in NUMBERS.items():
        words = f"{words} ({number:g})"
        parser.add_argument(f"--{name}", type=type(number), default=number, help=words)
    asked, parts = parser.parse_args(options), list[Part]()
    if missing := browser_missing() if sys.platform == "linux" else "it reads Linux's /proc":
        print(f"no soak: {missing}")
        return 2
    if asked.visitors * asked.minutes:
        parts.append(visits.soak_visits(asked.minutes, asked.visitors))
    if asked.kills:
        parts.append(kills.soak_kills(asked.kills))
    return int(any(part.faults for part in parts))
