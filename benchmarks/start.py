"""Seconds from `sdcg app` to the first answer and to the first page, with and without byte code."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from statistics import median
from urllib.error import URLError
from urllib.request import urlopen

from tests.support.server import free_port

TIMES = 10
PATHS = ("/_stcore/health", "/")


def bench_start() -> None:
    """Print the least, the median and the longest of ten starts each; of processor to their end."""
    with tempfile.TemporaryDirectory() as kept:
        _started(kept)  # writes byte code
        warm = [_started(kept) for _ in range(TIMES)]
    cold = list[tuple[float, ...]]()
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(_started(empty))
    for words, taken in (("byte code there", warm), ("byte code to be made", cold)):
        for path, seconds in zip(
            ("health", "page", "processor"), zip(*taken, strict=True), strict=True
        ):
            least, middle, most = min(seconds), median(seconds), max(seconds)
            print(f"{words}: {path} {least:.2f} · {middle:.2f} · {most:.2f} s", flush=True)


def _started(byte_code: str) -> tuple[float, ...]:
    """Seconds to each answer of a server, whose byte code lies in a folder, and of processor."""
    port = free_port()
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": byte_code}
    environment |= {"STREAMLIT_SERVER_HEADLESS": "true"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "sdcg_explorer", "app", "--ephemeral", f"--port={port}"]
    used, start = _processor(), time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            taken = [_answered(server, f"http://127.0.0.1:{port}{path}", start) for path in PATHS]
        finally:
            server.terminate()
    return *taken, _processor() - used


def _processor() -> float:
    """Seconds of processor of all children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _answered(server: subprocess.Popen[bytes], address: str, start: float) -> float:
    """Seconds since the start until an address answers; a server that has ended is an error."""
    while server.poll() is None:
        try:
            with urlopen(address, timeout=30) as answer:
                answer.read()
            return time.perf_counter() - start
        except (URLError, ConnectionError):
            time.sleep(0.01)
    raise RuntimeError(f"the server ended with {server.returncode} before {address} answered.")
