"""A process that reads for app, command line and notebook, within limits of memory and time.

What is read there can neither fill nor hold up nor end the process that asks. It is a process of
its own and no fork: nothing of the asker's threads and locks is in it, and it starts alike on
every system. It takes jobs from its input and answers where its output was.
"""

import atexit
import contextlib
import glob
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, BinaryIO

from sdcg_explorer.reading import limits
from sdcg_explorer.reading.sources import own_folder
from sdcg_explorer.study.problems import UnusableInputError, error

READY, AT, DONE, RAISED, NO_MEMORY, LATE, ENDED = range(7)
BUSY = 3  # times the seconds of a processor that a job may take by the clock, up to the longest
NICE = 5  # a server for several, which answers sliders, goes first
FIRST_TO_GO = "500"  # where the machine itself has no memory left, before the server
MOST_HELD = 2  # values that a process keeps
LARGE = 10 * limits.MB  # bytes of files after which a process goes, with the memory that it took
# of a process: what jobs need is there before the first comes
BEGUN = "import sdcg_explorer.reading.read; from sdcg_explorer.reading import worker; worker.main()"
WAITING = "Waiting: other files are read …"
Hears = Callable[[str], object]  # of each file as it is read
Held = tuple[str, Any] | None  # a name to keep a value by, and the value
LESS = "Leave out columns or rows that you don't need, or split it."


@dataclass(frozen=True)
class Bounds:
    """What a job may take at most, and what to do where it takes more.

    seconds : of a processor, for other work on the machine is no fault of a file
    """

    seconds: float = limits.LONGEST_JOB
    bytes: int = limits.MOST_MEMORY
    remedy: str = LESS

    def refusal(self, where: str, how: int) -> UnusableInputError:
        """Why a job was ended."""
        memory = f"{self.bytes / 1e9:.1f} GB of memory"
        found = {
            LATE: f"not done after {self.seconds:.3g} s",
            NO_MEMORY: f"more than {memory} needed",
            ENDED: "its process ended before it was done",
        }[how]
        rule = f"what is read or computed here takes at most {self.seconds:.3g} s and {memory}"
        return UnusableInputError([error(where, None, found, rule, self.remedy)])


def bounds_of(size: int) -> Bounds:
    """What reading so many bytes may take: of a machine of one's own up to half of its memory.

    >>> [(of.seconds, of.bytes / 1e9) for of in map(bounds_of, (0, 2 * limits.MB))]
    [(10.0, 1.5), (12.0, 1.7)]
    """
    seconds = min(limits.FIRST_SECONDS + size / limits.MB, limits.LONGEST_JOB)
    most = limits.MOST_MEMORY
    if not os.environ.get("SDCG_MODE") and hasattr(os, "sysconf"):
        most = max(most, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    return Bounds(seconds, min(limits.FIRST_MEMORY + limits.MEMORY_A_BYTE * size, most))


@dataclass(frozen=True)
class Job:
    """A function and what it is given.

    `held` is the name of a value that stays with the process, its first argument: it is `brought`
    once. The last few that were used stay.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    named: dict[str, Any]
    bounds: Bounds
    held: str = ""
    brought: Any = None
    folder: str = field(default_factory=os.getcwd)  # in which names of files are meant


class Workers:
    """A few processes, started when they are needed; each does one job at a time."""

    def __init__(self, count: int) -> None:
        self._all = [_Worker() for _ in range(count)]
        self._idle: LifoQueue[_Worker] = LifoQueue()  # who worked last has the study at hand
        for worker in reversed(self._all):
            self._idle.put(worker)

    def run(
        self, job: Job, where: str, *, held: Held = None, said: Hears = bool, once: bool = False
    ) -> Any:
        """Result of a job.

        Parameters
        ----------
        where : what a refusal names, unless a file was being read
        held : the function's first argument, which is large, with a name to keep it by over there
        said : hears of each file as it is read
        once : whether the process ends after it, with the memory that it took

        Raises
        ------
        UnusableInputError : as the function does, or because it takes too long or too much memory
        """
        try:
            worker = self._idle.get_nowait()
        except Empty:
            said(WAITING)
            worker = self._idle.get()
        try:
            used = worker.jobs > 0
            how, what = worker.answer(job, held, said)
            if how in (NO_MEMORY, ENDED) and used:  # what earlier jobs left counted, too
                worker.close()
                how, what = worker.answer(job, held, said)
            if once:
                worker.close()
        finally:
            self._idle.put(worker)
        if how == DONE:
            return what
        if how == RAISED:
            raise what
        raise job.bounds.refusal(what or where, how)

    def begin(self) -> None:
        """Start a process, which takes a moment, while its job is still made."""
        with contextlib.suppress(Empty):
            worker = self._idle.get_nowait()
            _ = worker.process or worker.start()
            self._idle.put(worker)

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.close()


def read_apart(
    function: Callable[..., Any],
    *args: Any,
    where: str,
    size: int,
    said: Hears = bool,
    **named: Any,
) -> Any:
    """What a function reads, in a process beside this one; here where a system has no processes.

    Parameters
    ----------
    where : what is named where the process had to be ended · size : bytes that are read · said :
        hears of each file

    Raises
    ------
    UnusableInputError : the files can't be read, or reading them takes too much
    """
    job = Job(function, args, named, bounds_of(size))
    if sys.platform == "emscripten":
        try:
            return function(*args, **named)
        except MemoryError:
            raise job.bounds.refusal(where, NO_MEMORY) from None
    return READERS.run(job, where, said=said, once=size > LARGE)


def size_of(paths: Iterable[Path]) -> int:
    """Bytes of files, folders and patterns, of what is there."""
    found = (Path(each) for path in paths for each in [path, *glob.glob(str(path))])
    files = {file for path in found for file in (path.rglob("*") if path.is_dir() else [path])}
    return sum(file.stat().st_size for file in files if file.is_file())


class _Worker:
    """One process, its folder for what it unpacks, and the names of what it keeps."""

    def __init__(self) -> None:
        self.jobs = 0
        self.folder: Any = None
        self.process: Any = None
        self.held: list[str] = []

    def answer(self, job: Job, held: Held, said: Hears) -> tuple[int, Any]:
        """How a job ended, and what came of it; of a process that broke off, what it was at."""
        process = self.process or self.start()
        self.jobs += 1
        late, at = threading.Event(), ""
        seconds = job.bounds.seconds
        clock = min(BUSY * seconds, max(seconds, limits.LONGEST_JOB))
        timer = threading.Timer(clock, lambda: (late.set(), process.kill()))
        timer.daemon = True
        try:
            if self.jobs == 1:
                pickle.load(process.stdout)  # it is ready
            timer.start()
            pickle.dump(self._job_with_value(job, held), process.stdin, 5)
            process.stdin.flush()
            while (answer := pickle.load(process.stdout))[0] == AT:
                at = answer[1]
                said(at)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.close()
            ended_itself = process.returncode == -getattr(signal, "SIGPROF", 0)
            return LATE if late.is_set() or ended_itself else ENDED, at
        except BaseException:  # a page that is left raises its own, from `said`
            self.close()
            raise
        finally:
            timer.cancel()
        if late.is_set():
            self.close()
        return answer if answer[0] != NO_MEMORY else (NO_MEMORY, at)

    def close(self) -> None:
        """End the process; the next job starts another."""
        process, folder = self.process, self.folder
        self.process, self.folder, self.jobs, self.held = None, None, 0, []
        if process:
            with contextlib.suppress(OSError), process:  # what was not sent is lost
                process.kill()
            folder.cleanup()

    def start(self) -> Any:
        """Begin the process."""
        import subprocess  # not where a browser runs this alone

        self.folder = folder = own_folder()
        atexit.unregister(self.close)
        atexit.register(self.close)  # before the folder's own end, which warns
        own = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder.name)
        threads = {"OMP_NUM_THREADS": str(min(4, os.cpu_count() or 1))}  # each has its memory
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", BEGUN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a fault comes as an answer, with all that is known of it
            env={**os.environ, **own, **threads},
        )
        return self.process

    def _job_with_value(self, job: Job, held: Held) -> Job:
        """The job with the value that it is about, unless the process has it."""
        if held is None:
            return job
        name, value = held
        known = name in self.held
        self.held = [*(each for each in self.held if each != name), name][-MOST_HELD:]
        return replace(job, held=name, brought=None if known else value)


READERS = Workers(2)


ANSWERS = list[BinaryIO]()  # in the process itself, where answers go


def tell(how: int, what: Any) -> None:
    """Answer the asker, or tell it which file is `AT` hand, if this process has one."""
    for asker in ANSWERS:
        asker.write(pickle.dumps((how, what), 5))
        asker.flush()


def serve_jobs(asked: BinaryIO) -> None:
    """Do jobs until no more are asked; an answer that breaks off ends the process."""
    kept: dict[str, Any] = {}
    tell(READY, None)
    while True:
        try:
            job: Job = pickle.load(asked)
        except EOFError:
            return
        except Exception as fault:  # of which the rest is still on its way
            tell(RAISED, fault)
            return
        _set_processor_time_limit(job.bounds.seconds)
        with contextlib.suppress(OSError):
            os.chdir(job.folder)
        _set_memory_limit(job.bounds.bytes)
        answer = _job_outcome(job, kept)
        _set_memory_limit(None)
        try:
            tell(*answer)
        except (pickle.PicklingError, AttributeError, TypeError) as fault:  # none that can be sent
            tell(RAISED, fault)
        _set_processor_time_limit(0)
        del job, answer


def _job_outcome(job: Job, kept: dict[str, Any]) -> tuple[int, Any]:
    """How a job ended, and what came of it."""
    if job.held:  # the last one used is last
        kept[job.held] = kept.pop(job.held, job.brought)
    for name in [*kept][:-MOST_HELD]:
        del kept[name]
    first = (kept[job.held],) if job.held else ()
    try:
        return DONE, job.function(*first, *job.args, **job.named)
    except MemoryError:
        return NO_MEMORY, None
    except Exception as fault:
        fault.add_note(traceback.format_exc())
        return RAISED, fault


def _set_processor_time_limit(seconds: float) -> None:
    """Have the system end this process after so many seconds of a processor; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _set_memory_limit(most: int | None) -> None:
    """Hold this process to so much memory, as far as the system can; None for all there is."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard if most is None else most, hard))


def main() -> None:
    """Take jobs from the input, and give answers where the output was; prints go nowhere."""
    ANSWERS.append(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the asker's, who closes the input
    if os.environ.get("SDCG_MODE"):
        with contextlib.suppress(AttributeError, OSError):
            os.nice(NICE)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(FIRST_TO_GO)
    serve_jobs(os.fdopen(os.dup(0), "rb"))
