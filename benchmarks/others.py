"""One visitor's slider while another uploads a log of 190 MB: with and without processes apart."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from benchmarks.studies import write_log
from benchmarks.visit import Session
from sdcg_explorer.analysis.definition.bases import SCALE, in_full
from tests.support.server import serving

ROWS = 1_950_000
WORDS = "words of a query that says what it is after"
ALONE = 30  # moves without anybody else


def bench_others() -> None:
    """Print how long a slider takes alone, and while the server reads another's upload."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_log(Path(folder), ROWS, words=WORDS)
        print(f"log of {files[0].stat().st_size / 1e6:.0f} MB, {ROWS:,} results", flush=True)
        for count in ("0", "2"):
            with _workers(count), serving("--ephemeral") as address:
                _bench(f"{count} processes apart", address, files)


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


def _bench(words: str, address: str, files: tuple[Path, ...]) -> None:
    done = list[tuple[bool, float]]()

    def upload() -> None:
        with Session(address, "data") as other:
            start = time.perf_counter()
            done.append((other.upload(files, "files"), time.perf_counter() - start))

    with Session(address, "query_order", "b=3") as one:
        for _ in range(3):
            _moved(one, 0)  # what is imported at first
        _print(f"{words}, alone", [_moved(one, i) for i in range(ALONE)])
        thread, times = threading.Thread(target=upload), list[float]()
        thread.start()
        while thread.is_alive():
            times.append(_moved(one, len(times)))
            time.sleep(0.2)
        thread.join()
    read = "; ".join(f"{'read' if well else 'not read'} after {took:.0f} s" for well, took in done)
    _print(f"{words}, beside an upload ({read or 'failed'})", times)


def _moved(session: Session, i: int) -> float:
    """Milliseconds that the page takes once b is another."""
    session.values[session.widgets["b_slider"]] = in_full(SCALE[20 + i % 70])
    return 1e3 * session.run()


def _print(words: str, times: list[float]) -> None:
    high = quantiles(times, n=20)[-1]
    print(
        f"{words}: median {median(times):.0f} ms, 95th percentile {high:.0f}, "
        f"longest {max(times):.0f} ({len(times)} moves)",
        flush=True,
    )


if __name__ == "__main__":
    bench_others()
