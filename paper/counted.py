"""The numbers of paper.md by name: counted from the code, looked up in the docs, or measured."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.examples.literature import literature
from sdcg_explorer.analysis.ratings.agreement import agreement
from sdcg_explorer.analysis.ratings.ratings import RatingChoices
from sdcg_explorer.analysis.robustness.all_definitions import VARIED
from sdcg_explorer.analysis.sessions.scores import scores
from sdcg_explorer.reading.formats import FORMATS
from tests.support.studies import DATA, REAL, at_hand

ROOT = Path(__file__).resolve().parent.parent
PERCENT = re.compile(r"([\d.]+) %")
MEASURED = re.compile(r"RBP \(p .8\), ERR \(gdeval\) and nDCG@10 are (\S+), (\S+) and (\S+) from")
ROWS = re.compile(
    r"(\d+) rows: (\d+) equal, (\d+) slip in the source, (\d+) holds, (\d+) DIFFERS\."
)
SPEED = re.compile(r"after \.(\d+) to \.(\d+) of the time of the pytrec_eval before it \(run\)")
DESIGNS, TOPICS = "design | scores | t calls different", "topics | each searcher meets"


class NotHereError(Exception):
    """A number that can't be counted on this machine, and why."""


def _doc(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def _column(head: str, number: int) -> list[float]:
    """Per cents of a column (from 0) of the table in docs/statistics.md whose head begins so."""
    table = _doc("statistics").partition(f"| {head}")[2].partition("\n\n")[0]
    return [float(PERCENT.findall(line)[number]) for line in table.splitlines()[2:]]


def _said(page: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    """What a page says in the sentence of a pattern."""
    found = pattern.search(" ".join(_doc(page).split()))
    if not found:
        raise ValueError(f"docs/{page}.md no longer says {pattern.pattern!r}.")
    return found.groups()


def _version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def _tests() -> str:
    """Hundreds of tests that pytest collects, browsers' among them."""
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    said = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    number = re.findall(r"^(\d+) tests collected", said, re.MULTILINE)
    return f"{int(number[-1]) // 100 * 100:,}"


def _real(count: Callable[[], float], form: str) -> Callable[[], str]:
    """A number of the logs that researchers released, where they are at hand."""

    def counted() -> str:
        if not DATA.is_dir():
            raise NotHereError("no folder of real logs; SDCG_SHARED names it")
        return format(count(), form).replace("-", "−")

    return counted


@cache
def _satisfaction() -> dict[str, float]:
    """THUIR's sessions, linear gain: how final goes with queries, and with satisfaction."""
    study, definition = at_hand("thuir-usefulness"), Definition(weights="linear")
    asked = RatingChoices("satisfaction", "final")
    _, _, versions = agreement(study, definition, Filters(), asked=asked).found["final"]
    table = scores(study, definition, Filters()).sessions
    together = np.corrcoef(table["final"], table["queries"])[0, 1]
    return {"queries": together, **{name: of.value for name, of in versions.items()}}


CHEAP: dict[str, Callable[[], str]] = {
    "definitions": lambda: f"{math.prod(map(len, VARIED.values())):,}",
    "readers": lambda: str(len(FORMATS)),
    "version": _version,
    "printed": lambda: str(sum(len(check.given) for check in literature())),
    "slips": lambda: str(sum(len(check.slips) for check in literature())),
    **{
        name: partial(lambda at: _said("reproduced", ROWS)[at], at)
        for at, name in enumerate(("reproduced", "equal", "row_slips", "holds", "differs"))
    },
    "harmless_by_t": lambda: f"{max(_column(TOPICS, 0)):.1f}",
    "harmless_by_model": lambda: f"{max(_column(TOPICS, 1)):.1f}",
    "designs": lambda: str(len(_column(DESIGNS, 3))),
    "least_covered": lambda: f"{min(_column(DESIGNS, 3)):.1f}",
    "most_covered": lambda: f"{max(_column(DESIGNS, 3)):.1f}",
    "rbp_apart": lambda: _said("performance", MEASURED)[0],
    "err_apart": lambda: _said("performance", MEASURED)[1],
    "ndcg_apart": lambda: _said("performance", MEASURED)[2],
    "least_time": lambda: f"0.{_said('performance', SPEED)[0]}",
    "most_time": lambda: f"0.{_said('performance', SPEED)[1]}",
}
HEAVY: dict[str, Callable[[], str]] = {
    "tests": _tests,
    "real_sessions": _real(lambda: sum(len(at_hand(name).sessions) for name in REAL), "d"),
    "final_with_queries": _real(lambda: _satisfaction()["queries"], ".2f"),
    "final_with_satisfaction": _real(lambda: _satisfaction()["raw"], ".2f"),
    "partial_satisfaction": _real(lambda: _satisfaction()["partial"], ".2f"),
}
