"""One visitor's slider while another uploads a log of 190 MB: with and without processes apart."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks.latency import FIGURES, PATHS, SERVED, moved, opened
from benchmarks.studies import write_log
from tests.support.server import browser_missing, browsing, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS = 1_950_000
WORDS = "words of a query that says what it is after"
ALONE = 20  # moves without anybody else
LONGEST = 300.0  # seconds


def bench_others() -> None:
    """Print how long a slider takes alone, and while the server reads another's upload."""
    if missing := browser_missing():
        print(f"no slider beside an upload: {missing}")
        return
    with tempfile.TemporaryDirectory() as folder:
        log, judgments = write_log(Path(folder), ROWS, words=WORDS)
        print(f"log of {log.stat().st_size / 1e6:.0f} MB, {ROWS:,} results", flush=True)
        for count in ("0", "2"):
            with _workers(count), serving("--ephemeral") as address:
                _bench(f"{count} processes apart", address, (log, judgments))


@contextmanager
def _workers(count: str) -> Iterator[None]:
    before = os.environ.get("SDCG_WORKERS")
    os.environ["SDCG_WORKERS"] = count
    try:
        yield
    finally:
        os.environ.pop("SDCG_WORKERS")
        if before is not None:
            os.environ["SDCG_WORKERS"] = before


def _bench(words: str, address: str, files: tuple[Path, Path]) -> None:
    name = "query_order"
    with (
        browsing() as browser,
        browser.new_context() as one,
        browser.new_context() as other,
        opened(one, f"{address}/{name}?b=3") as (page, _, _),
    ):
        alone = [moved(page, FIGURES[name], SERVED) for _ in range(ALONE)]
        _print(f"{words}, alone: the server's figure", alone)
        uploading = other.new_page()
        uploading.goto(f"{address}/data")
        uploading.locator("input[type=file]").set_input_files([str(file) for file in files])
        start, curves, served = time.perf_counter(), list[float](), list[float]()
        while not _is_read(uploading) and time.perf_counter() - start < LONGEST:
            curves.append(moved(page, FIGURES[name], PATHS))
            served.append(moved(page, FIGURES[name], SERVED))
        took = time.perf_counter() - start
        print(f"{words}: read and checked after {took:.0f} s")
        _print(f"{words}, meanwhile: the moved curve", curves)
        _print(f"{words}, meanwhile: the server's figure", served)


def _is_read(page: Page) -> bool:
    return page.get_by_role("button", name="Accept and open").count() > 0


def _print(words: str, times: list[float]) -> None:
    high = quantiles(times, n=20)[-1]
    print(
        f"{words}: median {median(times):.0f} ms, 95th percentile {high:.0f}, "
        f"longest {max(times):.0f} ({len(times)} moves)",
        flush=True,
    )


if __name__ == "__main__":
    bench_others()
