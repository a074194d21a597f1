"""Rounds of the garbage collector: beside the scripts, and seldom where they take long.

Streamlit would have one after each script, which costs more than most scripts (`postScriptGC` in
.streamlit/config.toml turns it off).
"""

import threading
import time

from sdcg_explorer.study.machine import collect

REST = 1.0  # seconds from a script's start to the next round, at least
SHARE = 0.02  # of the time that rounds may take


class Rounds:
    """A thread that collects once scripts have run, and rests in proportion to what it took."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        threading.Thread(target=self._collect_loop, name="rounds", daemon=True).start()

    def ask(self) -> None:
        """A script runs, and will leave something behind."""
        self._asked.set()

    def _collect_loop(self) -> None:
        took = 0.0
        while True:
            self._asked.wait()
            time.sleep(max(REST, took / SHARE))
            self._asked.clear()
            start = time.perf_counter()
            collect()
            took = time.perf_counter() - start


ROUNDS = Rounds()
