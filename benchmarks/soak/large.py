"""Large logs from several visitors at once: what the server and all processes beside it hold."""

from __future__ import annotations

import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.soak.part import Part, megabytes, times_in_words
from benchmarks.soak.processes import memory_of, server_of, traceback_of
from benchmarks.studies import write_log
from benchmarks.visit import Session
from tests.support.server import serving

ROWS = 953_000  # 93 MB
WORDS = "words of a query that says what it is after"
MOST = 3_000_000_000  # bytes that all processes may hold together
OFTEN = 0.2  # seconds from one look at them to the next


def soak_large(uploads: int) -> Part:
    """Have so many visitors drop a log of 93 MB in the same second."""
    part, peak, done = Part(f"{uploads} uploads of 93 MB at once"), [0], threading.Event()
    with tempfile.TemporaryDirectory() as folder, serving("--ephemeral") as address:
        files = write_log(Path(folder), ROWS, words=WORDS)
        server = server_of(address)

        def look() -> None:
            while not done.wait(OFTEN):
                peak.append(sum(memory_of(server)))

        watching = threading.Thread(target=look)
        watching.start()
        with ThreadPoolExecutor(uploads) as pool:
            took = [*pool.map(lambda i: _upload(address, i, files, part), range(uploads))]
        done.set()
        watching.join()
        if found := traceback_of(server):
            part.blame(f"the server said: {found}")
    part.add("until the last can be accepted", f"{max(took):.0f} s")
    part.add("each", times_in_words(took))
    part.add("all processes, at most", megabytes(max(peak)))
    if max(peak) > MOST:
        part.blame(f"more than {megabytes(MOST)}")
    part.add("errors", f"{len(part.faults)}")
    return part


def _upload(address: str, i: int, files: tuple[Path, ...], part: Part) -> float:
    start = time.monotonic()
    with Session(address, "data", seen_as=f"198.51.100.{i + 1}") as visitor:
        if not visitor.upload(files, "files"):
            part.blame("an upload can't be accepted")
    return time.monotonic() - start
