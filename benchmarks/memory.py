"""What a server keeps while a slider is moved on a large study: growth of its memory."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.studies import random_study
from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.results import RESULTS
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.study.memory import give_back
from sdcg_explorer.study.study import Study

SESSIONS, MOVES = 100_000, 2_000
MORE = 1.1  # times the budget that memory may grow by
QUESTIONS = (compare_systems, query_order, session_curves)


def resident() -> float:
    """MB that the process holds in memory (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * 4096 / 1e6


def bench_memory(moves: int = MOVES, sessions: int = SESSIONS) -> None:
    """Print growth while b moves and answers are asked for as pages ask them."""
    study = random_study(sessions)
    _moved(study, 1.5)
    RESULTS.clear()
    give_back()
    before, start = resident(), time.perf_counter()
    most = RESULTS.budget / 1e6 * MORE
    for move in range(moves):
        _moved(study, 2 + move / moves)
        if move % max(1, moves // 20) == 0 or move == moves - 1:
            grown, kept = resident() - before, RESULTS.bytes / 1e6
            said = f"grown {grown:,.0f} MB, {kept:,.0f} MB of results in {len(RESULTS.keys())}"
            print(f"{sessions:,} sessions, {move + 1:,} moves: {said} (at most {most:,.0f} MB)")
    print(f"{(time.perf_counter() - start) / moves:.2f} s a move")


def _moved(study: Study, b: float) -> None:
    """Ask what Overview and Compare systems ask, and use the answers as they do."""
    definition, filters = Definition(b=b), Filters()
    for question in QUESTIONS:
        key = question.__name__, definition, filters
        RESULTS.of(key, lambda ask=question: ask(study, definition, filters)).table()
