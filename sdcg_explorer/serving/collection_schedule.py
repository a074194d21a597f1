"""Rounds of the garbage collector: beside the scripts, and seldom where they take long.

Streamlit would have one after each script, which costs more than most scripts (`postScriptGC` in
.streamlit/config.toml turns it off).
"""

import threading
import time
from collections.abc import Callable

from sdcg_explorer.study.machine import collect

REST = 1.0  # seconds from a script's start to the next round, at least
SHARE = 0.02  # of the time that rounds may take


class Rounds:
    """A thread that collects once scripts have run, and rests in proportion to what it took."""

    def __init__(
        self,
        collect: Callable[[], None] = collect,
        rest: float = REST,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._collect, self._rest, self._sleep, self._clock = collect, rest, sleep, clock
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self) -> None:
        """A script runs, and will leave something behind."""
        self._asked.set()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._collect_loop, name="rounds", daemon=True
                )
                self._thread.start()

    def _collect_loop(self) -> None:
        took = 0.0
        while True:
            self._asked.wait()
            self._sleep(max(self._rest, took / SHARE))
            self._asked.clear()
            start = self._clock()
            self._collect()
            took = self._clock() - start


ROUNDS = Rounds()
