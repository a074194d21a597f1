"""How long the map over b and bq takes, beside one comparison of systems."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.studies import random_study
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.analysis.systems.compare_systems import compare_systems

SIZES, TIMES = (120, 10_000), 5


def bench_robustness() -> None:
    """Median seconds of a map of 576 points, and of Compare systems at one, each anew."""
    for sessions in SIZES:
        study = random_study(sessions)
        study.block()
        taken: dict[str, list[float]] = {"map": [], "one": []}
        for i in range(TIMES + 1):
            for name, ask in (("one", compare_systems), ("map", robustness)):
                start = time.perf_counter()
                ask(study, Definition(b=2 + i / 50), Filters())
                taken[name].append(time.perf_counter() - start)
        whole, one = (float(np.median(taken[name][1:])) * 1e3 for name in ("map", "one"))
        print(
            f"{sessions:>7,} sessions, map of b × bq, 576 points: {whole:,.0f} ms; "
            f"Compare systems at one: {one:,.0f} ms"
        )
