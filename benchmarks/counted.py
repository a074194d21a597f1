"""A counted study of 10,000 sessions beside the study: figures, widths of bands, sliders."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.latency import bench_study
from sdcg_explorer.analysis.curves.query_order import QueryOrder, query_order
from sdcg_explorer.analysis.curves.session_curves import SessionCurves, session_curves
from sdcg_explorer.analysis.definition.definition import DEFAULT, Filters
from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from sdcg_explorer.counting.count import CountChoices, count
from sdcg_explorer.counting.counted_study import CountedStudy
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.study.observed import Observed
from tests.support.large_studies import random_study, write_files
from tests.support.server import browser_missing

SESSIONS, MOVES = 10_000, 30


def bench_counted() -> None:
    """Largest difference of figures, widths of bands by groups over those by searchers, moves."""
    study = random_study(SESSIONS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engine = DuckDBEngine("2GB", folder / "spill")
        log, judgments = map(str, write_files(study, folder))
        start = time.perf_counter()
        out = folder / "counts"
        out.mkdir()
        counted = CountedStudy(
            count(CountChoices(log, judgments), engine, out, lambda what, share: None)
        )
        engine.close()
        rows = len(counted.counted.tables["counts"])
        print(f"{SESSIONS:,} sessions: {rows:,} counts in {time.perf_counter() - start:.1f} s")
        if not browser_missing():
            bench_study("120 sessions")
            bench_study("counts", str(out))
    _compare(study, counted)
    small = next(each for each in sample_studies() if len(each.sessions) == 120)
    views: dict[str, Callable[..., object]] = {"session": session_curves, "queries": query_order}
    for words, of in (("120 sessions", small), ("counts", counted), (f"{SESSIONS:,}", study)):
        each = ", ".join(f"{view} {_moves(ask, of):.1f} ms" for view, ask in views.items())
        print(f"a slider's move, median, {words}: {each}")


def _compare(study: Observed, counted: Observed) -> None:
    apart, wide = [], []
    for one, two in zip(_curves(study), _curves(counted), strict=True):
        apart.append(np.nanmax(np.abs(one[0] - two[0]) / np.maximum(np.abs(one[0]), 1e-9)))
        wide.append((two[2] - two[1]) / (one[2] - one[1]))
    ratio = np.concatenate(wide)
    ratio = ratio[np.isfinite(ratio)]
    within = float((np.abs(ratio - 1) <= 0.15).mean())
    print(
        f"figures differ by {max(apart):.1g}; widths by groups over those by searchers: median "
        f"{np.median(ratio):.2f}, {ratio.min():.2f} to {ratio.max():.2f}, {within:.0%} within 15 %"
    )


def _curves(study: Observed) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    view = study, DEFAULT, Filters()
    curves: SessionCurves = session_curves(*view, bands=True)
    order: QueryOrder = query_order(*view, depth=DEFAULT.top, bands=True)
    every = [of.curve(measure) for of in curves.curves for measure in ("raw", "normalised")]
    return [(c.mean, c.low, c.high) for c in [*every, *order.curves]]


def _moves(ask: Callable[..., object], study: Observed) -> float:
    """Milliseconds of a new b or bq, median."""
    spent: list[float] = []
    for i in range(MOVES + 3):
        definition = replace(DEFAULT, b=2 + i / 10, bq=4 + i / 10)
        start = time.perf_counter()
        ask(study, definition, Filters())
        spent.append(1000 * (time.perf_counter() - start))
    return median(spent[3:])
