"""Processes beside the server, which read and compute for it, each within time and memory.

What one visitor brings can so hold up, fill or end a process, and never the server of all. They
are processes of their own and no forks: nothing of the server's threads and locks is in them, and
they start alike on every system (decision 110).
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from queue import LifoQueue
from typing import IO, Any

from sdcg_explorer.reading.limits import LONGEST_JOB, MOST_MEMORY
from sdcg_explorer.serving import worker_process
from sdcg_explorer.serving.turns import NOBODY, Asker, Turns, UnwantedError, always
from sdcg_explorer.serving.worker_process import DONE, FAILED, NO_MEMORY, REFUSED, SAID, Job
from sdcg_explorer.study.problems import UnusableInputError, error

MOST_HELD = 2  # values that a process keeps
LATE, ENDED, LEFT = "late", "ended", "left"
LOOKED = 0.5  # seconds from one look to the next at whether somebody waits for a job
SMALLER = "Make it smaller, or run sDCG Explorer on a machine of your own, which has no such limit."
WAITING = "Waiting: files of others are read …"


@dataclass(frozen=True)
class Bounds:
    """What a job may take at most."""

    seconds: float = LONGEST_JOB
    bytes: int = MOST_MEMORY

    def refusal(self, where: str, how: str) -> UnusableInputError:
        """Why a job was ended."""
        most = f"at most {self.seconds:g} s and {self.bytes / 1e9:g} GB of memory"
        found = {
            LATE: f"not done after {self.seconds:g} s",
            NO_MEMORY: f"more than {self.bytes / 1e9:g} GB of memory needed",
            ENDED: "its process ended before it was done",
            LEFT: "nobody waits for it any more",
        }[how]
        rule = f"what is read or computed here takes {most}"
        return UnusableInputError([error(where, None, found, rule, SMALLER)])


class Workers:
    """A few processes, started when they are needed; each does one job at a time."""

    def __init__(self, count: int = 2, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self._all = [_Worker(self.bounds) for _ in range(count)]
        self._idle: LifoQueue[_Worker] = LifoQueue()  # who worked last has the study at hand
        for worker in reversed(self._all):
            self._idle.put(worker)
        self._turns = Turns(max(1, count - 1))
        atexit.register(self.close)

    def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        where: str,
        held: tuple[str, Any] | None = None,
        named: dict[str, Any] | None = None,
    ) -> Any:
        """Result of a function with these arguments; `where` is what a refusal names.

        Parameters
        ----------
        held : the function's first argument, which is large, with a name to keep it by over there

        Raises
        ------
        UnusableInputError : as the function does, or because it takes too long or too much memory
        """
        job = Job(function, args, self.bounds.seconds, named or {})
        with self._worker() as worker:
            was_used = worker.jobs > 0
            how, what = worker.answer(job, held)
            if how in (NO_MEMORY, ENDED) and was_used:  # what earlier jobs left counted, too
                worker.close()
                how, what = worker.answer(job, held)
        return self._taken(where, how, what)

    def run_once(
        self,
        function: Callable[..., Any],
        *args: Any,
        where: str,
        named: dict[str, Any] | None = None,
        said: Callable[[str], None] | None = None,
        asker: Asker = NOBODY,
    ) -> Any:
        """As `run`, in a process that does this job alone and then ends; one is left to others.

        Parameters
        ----------
        said : hears of each step, from a function that has a parameter of this name · asker : whose
            turn it has to be
        """
        says = "said" if said else ""
        job = Job(function, args, self.bounds.seconds, named or {}, says=says)
        waits = partial(said, WAITING) if said else bool
        try:
            with self._turns.turn(asker, waits), self._worker() as worker:
                how, what = self._alone(worker, job, said, asker.wanted)
        except UnwantedError:
            how, what = LEFT, None
        return self._taken(where, how, what)

    def _alone(
        self,
        worker: _Worker,
        job: Job,
        said: Callable[[str], None] | None,
        wanted: Callable[[], bool],
    ) -> tuple[str, Any]:
        if worker.jobs:
            worker.close()
        try:
            return worker.answer(job, None, said, wanted)
        finally:
            worker.close()
            worker.start()  # at hand when the next job comes

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.close()

    @contextmanager
    def _worker(self) -> Iterator[_Worker]:
        worker = self._idle.get()
        try:
            yield worker
        finally:
            self._idle.put(worker)

    def _taken(self, where: str, how: str, what: Any) -> Any:
        if how == DONE:
            return what
        if how == REFUSED:
            raise UnusableInputError(what)
        if how == FAILED:
            raise RuntimeError(what)
        raise self.bounds.refusal(where, how)


class _Worker:
    """One process, its folder for what it unpacks, and the names of what it keeps."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds, self.jobs = bounds, 0
        self.process: subprocess.Popen[bytes] | None = None
        self.folder = ""
        self.held: list[str] = []

    def answer(
        self,
        job: Job,
        held: tuple[str, Any] | None,
        said: Callable[[str], None] | None = None,
        wanted: Callable[[], bool] = always,
    ) -> tuple[str, Any]:
        """How a job ended, and what came of it; a process that broke off is ended."""
        process = self.process or self.start()
        self.jobs += 1
        watch = _Watch(process, self.bounds.seconds, wanted)
        watch.start()
        try:
            asked, answers = _pipes(process)
            pickle.dump(self._bringing(job, held), asked, 5)
            asked.flush()
            while (answer := pickle.load(answers))[0] == SAID:
                if said:
                    said(answer[1])
        except (EOFError, OSError, pickle.UnpicklingError):
            self.close()
            return watch.why or ENDED, None
        except BaseException:  # a page that is left raises its own, from `said`
            self.close()
            raise
        finally:
            watch.done.set()
        if watch.why:
            self.close()
        return answer

    def close(self) -> None:
        """End the process; the next job starts another."""
        process, folder = self.process, self.folder
        self.process, self.folder, self.jobs, self.held = None, "", 0, []
        if process:
            process.kill()
            for pipe in _pipes(process):
                with contextlib.suppress(OSError):  # what was not sent is lost
                    pipe.close()
            process.wait()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)

    def start(self) -> subprocess.Popen[bytes]:
        """Begin the process, which takes a while until it is ready."""
        self.folder = tempfile.mkdtemp(prefix="sdcg-")
        own = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self.folder)
        self.process = subprocess.Popen(
            [sys.executable, "-m", worker_process.__name__, str(self.bounds.bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, **own, "SDCG_WORKERS": "0"},
        )
        return self.process

    def _bringing(self, job: Job, held: tuple[str, Any] | None) -> Job:
        """The job with the value that it is about, unless the process has it."""
        if held is None:
            return job
        name, value = held
        known = name in self.held
        self.held = [*(each for each in self.held if each != name), name]
        forget, self.held = tuple(self.held[:-MOST_HELD]), self.held[-MOST_HELD:]
        return replace(job, held=name, brought=None if known else value, forget=forget)


class _Watch(threading.Thread):
    """Ends a process whose job takes too long, or is wanted by nobody; then `why` says which."""

    def __init__(
        self, process: subprocess.Popen[bytes], seconds: float, wanted: Callable[[], bool]
    ) -> None:
        super().__init__(name="job", daemon=True)
        self.process, self.wanted, self.end = process, wanted, time.monotonic() + seconds
        self.done, self.why = threading.Event(), ""

    def run(self) -> None:
        """Look until the job is done."""
        while not self.done.wait(max(0.0, min(LOOKED, self.end - time.monotonic()))):
            if time.monotonic() >= self.end or not self.wanted():
                self.why = LEFT if time.monotonic() < self.end else LATE
                self.process.kill()
                return


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("a worker has both pipes")
    return process.stdin, process.stdout
