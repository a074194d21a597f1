"""What a soak found, as a section of docs/performance.md."""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path

from benchmarks.soak.part import Part
from benchmarks.soak.processes import total_memory

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
SECTION = re.compile(r"^## Soak\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
INTRODUCTION = """## Soak

What `make soak` found last (`benchmarks/soak/`). Visitors think some 4 s between two acts, and a
rerun is from a browser's message to the end of the script. What is measured and who measures it
share one machine: {machine}.
"""


def section(parts: list[Part]) -> str:
    """The section: machine, day, and a table of every figure."""
    machine = (
        f"{os.cpu_count()} cores, {total_memory() / 2**30:.0f} GB of memory, {platform.system()}, "
        f"Python {platform.python_version()}, {datetime.date.today():%d %B %Y}"
    )
    rows = [f"| {part.words} | {what} | {said} |" for part in parts for what, said in part.rows]
    table = "\n".join(["| part | what | figure |", "|---|---|---|", *rows])
    return f"{INTRODUCTION.format(machine=machine)}\n{table}\n"


def replaced(page: str, written: str) -> str:
    """The page with this section in the place of the last one, or at its end."""
    there = SECTION.search(page)
    if there is None:
        return f"{page.rstrip()}\n\n{written}"
    after = page[there.end() :]
    return page[: there.start()] + written + (f"\n{after}" if after else "")
