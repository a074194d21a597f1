"""Each further measure beside sDCG's own scores, over 10,000 sessions."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.studies import random_study
from sdcg_explorer.analysis.definition.definition import DEFAULT, Filters
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.registry import session_score_of

SESSIONS, TIMES = 10_000, 5
OURS = "final"


def least(run: Callable[[], object]) -> float:
    """Seconds of the quickest of some runs."""
    taken: list[float] = []
    for _ in range(TIMES):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def bench_measures() -> None:
    """Print the time of each measure as a multiple of sDCG's."""
    study = random_study(SESSIONS)
    select(study, DEFAULT, Filters())  # makes what all of them share

    def seconds(score: str) -> float:
        return least(lambda: session_score_of(score, select(study, DEFAULT, Filters())))

    ours = seconds(OURS)
    print(f"{SESSIONS:,} sessions, {OURS}: {1000 * ours:.0f} ms")
    for score in ("rbp", "srbp", "inst", "err", "esndcg"):
        print(f"  {score}: {seconds(score) / ours:.1f} × {OURS}")
