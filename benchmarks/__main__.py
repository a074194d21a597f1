"""Run the benchmarks: times beside loops and other tools, and what simulated studies show."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import duckdb
import numpy as np

from benchmarks import plain_script
from benchmarks.agents import bench_agents
from benchmarks.agreement import bench_agreement
from benchmarks.bands import bench_bands
from benchmarks.counted import bench_counted
from benchmarks.counting import bench_counting
from benchmarks.fits import bench_fits
from benchmarks.latency import bench_latency
from benchmarks.measures import bench_measures
from benchmarks.memory import bench_memory
from benchmarks.others import bench_others
from benchmarks.outcomes import bench_outcomes
from benchmarks.peers import bench_peers
from benchmarks.power import bench_power
from benchmarks.reruns import bench_reruns
from benchmarks.robustness import bench_robustness
from benchmarks.simulated import bench_promises
from benchmarks.simulated_topics import bench_topics
from benchmarks.sizes import bench_sizes
from benchmarks.soak.run import soak
from benchmarks.start import bench_start
from benchmarks.studies import random_study, write_files, write_log
from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.analysis.selection.results import RESULTS
from sdcg_explorer.figures.query_order import draw_query_order
from sdcg_explorer.figures.session_curves import draw_session_curves
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study

SIZES = (120, 10_000, 100_000)
SYSTEMS = ("A", "B")


def timed(run: Callable[[int], object], times: int) -> float:
    """Median seconds of a run, which gets its number so that no two are alike."""
    seconds = []
    for i in range(times + 1):
        start = time.perf_counter()
        run(i)
        seconds.append(time.perf_counter() - start)
    return median(seconds[1:])


def moved(i: int) -> Definition:
    """A definition that no run before has seen: b, bq and a weight moved."""
    gains = tuple(zip((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 10.0, 90.0 - i), strict=True))
    return Definition(b=2 + i / 50, bq=4 + i / 50, weights=gains)


def bench_figures(study: Study, sessions: int) -> None:
    """New definition to finished Plotly figure."""
    for bands in (False, True):
        times = 30 if sessions <= 10_000 and not bands else 5

        def first(i: int, bands: bool = bands) -> object:
            order = query_order(study, moved(i), Filters(), bands=bands)
            return draw_query_order(order, SYSTEMS)

        def second(i: int, bands: bool = bands) -> object:
            curves = session_curves(study, moved(i), Filters(), bands=bands)
            return draw_session_curves(curves, SYSTEMS)

        words = "bands on " if bands else "bands off"
        print_figures(f"{sessions:>7,} sessions, {words}", first, second, times)
        if not bands:
            place = f"{sessions:>7,} sessions, top or filter moved"
            print_figures(place, anew(first), anew(second), 5)


def anew(draw: Callable[[int], object]) -> Callable[[int], object]:
    """Draw with nothing kept from an earlier definition but the block."""

    def forgetful(i: int) -> object:
        RESULTS.clear()
        return draw(i)

    return forgetful


def print_figures(
    words: str, first: Callable[[int], object], second: Callable[[int], object], times: int
) -> None:
    """Print the median times of both figures."""
    print(
        f"{words}: Figure 1 {timed(first, times) * 1e3:.1f} ms, "
        f"Figure 2 {timed(second, times) * 1e3:.1f} ms"
    )


def bench_arrays(study: Study, folder: Path) -> None:
    """Mean normalised curves: arrays alone beside the plain loop, files read beforehand."""
    log, judgments = write_files(study, folder)
    read = plain_script.read(str(log), str(judgments))
    start = time.perf_counter()
    plain = plain_script.mean_curves(read)
    loop = time.perf_counter() - start
    curves = session_curves(study, DEFAULT, Filters())
    for of in curves.curves:
        np.testing.assert_allclose(of.normalised.mean, plain[of.system][1], rtol=1e-9)
        np.testing.assert_allclose(of.raw.mean, plain[of.system][0], rtol=1e-9)
    arrays = timed(lambda i: session_curves(study, moved(i), Filters()), 30)
    print(
        f"{len(study.sessions):>7,} sessions, mean curves: arrays {arrays * 1e3:.1f} ms, "
        f"plain loop {loop * 1e3:,.0f} ms: {loop / arrays:.0f} times (equal to 9 digits)"
    )


def bench_score(study: Study, folder: Path) -> None:
    """`sdcg score` end to end, intervals included, beside the plain script without them."""
    log, judgments = write_files(study, folder)
    files = [str(log), str(judgments)]
    ours = [sys.executable, "-m", "sdcg_explorer", "score", *files, "--out", str(folder / "ours")]
    plain = [sys.executable, plain_script.__file__, *files, str(folder)]
    seconds = [
        timed(
            lambda _, command=command: subprocess.run(command, check=True, capture_output=True), 3
        )
        for command in (ours, plain)
    ]
    print(
        f"{len(study.sessions):>7,} sessions, sdcg score: {seconds[0]:.2f} s, "
        f"plain script {seconds[1]:.2f} s: {seconds[1] / seconds[0]:.1f} times"
    )


def bench_reading(folder: Path, rows: int = 1_000_000) -> None:
    """CSV to Study beside DuckDB's all-text `create table` of the same file."""
    files = write_log(folder, rows)

    def table(_: int) -> None:
        with duckdb.connect(":memory:", config={"threads": 2}) as connection:
            sql = "create table log as select * from read_csv($path, all_varchar=true)"
            connection.execute(sql, {"path": str(files[0])})

    plain = timed(table, 3)
    ours = timed(lambda _: read_study(*files), 3)
    print(
        f"{rows:>7,} results, CSV to Study: {rows / ours / 1e3:,.0f} thousand rows a second, "
        f"DuckDB's all-text table {rows / plain / 1e3:,.0f}: {ours / plain:.1f} times its time"
    )


def main(*names: str) -> None:
    """Print every figure in one run, but for those of peers, or those of the parts named."""
    parts = {
        "numbers": bench_numbers,
        "latency": bench_latency,
        "promises": bench_promises,
        "outcomes": bench_outcomes,
        "bands": bench_bands,
        "topics": bench_topics,
        "power": bench_power,
        "agreement": bench_agreement,
        "robustness": bench_robustness,
        "fits": bench_fits,
        "measures": bench_measures,
        "others": bench_others,
        "counting": bench_counting,
        "agents": bench_agents,
        "memory": bench_memory,
        "reruns": bench_reruns,
        "start": bench_start,
        "sizes": bench_sizes,
        "counted": bench_counted,
        "peers": bench_peers,
    }
    alone = {"peers", "sizes"}  # they install what is measured, and take minutes
    for name in names or [name for name in parts if name not in alone]:
        parts[name]()


def bench_numbers() -> None:
    """Reading, figures, arrays and `sdcg score`."""
    with tempfile.TemporaryDirectory() as name:
        bench_reading(Path(name))
    for sessions in SIZES:
        study = random_study(sessions)
        start = time.perf_counter()
        study.block()
        print(f"{sessions:>7,} sessions: block built once in {time.perf_counter() - start:.2f} s")
        bench_figures(study, sessions)
        if sessions == 10_000:
            with tempfile.TemporaryDirectory() as name:
                bench_arrays(study, Path(name))
                bench_score(study, Path(name))


if __name__ == "__main__":
    if sys.argv[1:2] == ["soak"]:  # of minutes, and no part of the benchmarks
        sys.exit(soak(*sys.argv[2:]))
    main(*sys.argv[1:])
