"""The process that works for a server (serving/workers.py): one job after the other, by pipe.

It is started by its name, and knows Streamlit no more than the jobs do.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO

from sdcg_explorer.study.problems import UnusableInputError

DONE, SAID, REFUSED, NO_MEMORY, FAILED = "done", "said", "refused", "no memory", "failed"
GRACE = 5  # seconds after which a job ends itself, if the server is not there to end it
NICE = 5  # the server, which answers sliders, goes first
FIRST_TO_GO = "500"  # where the machine itself has no memory left, before the server


@dataclass(frozen=True)
class Job:
    """A function and what it is given.

    `held` is the name of a value that stays with the process, its first argument: it is `brought`
    once. `forget` are names of values that are needed no more. With `says`, the function takes a
    callback of that name for what it is at.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float
    named: dict[str, Any]
    held: str = ""
    brought: Any = None
    forget: tuple[str, ...] = ()
    says: str = ""


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Do jobs until no more are asked; an answer that breaks off ends the process."""
    kept: dict[str, Any] = {}
    while True:
        try:
            job: Job = pickle.load(asked)
        except EOFError:
            return
        _alarm(job.seconds + GRACE)
        _send(answers, *_done(job, kept, answers))
        _alarm(0)
        del job


def _done(job: Job, kept: dict[str, Any], answers: BinaryIO) -> tuple[str, Any]:
    """How a job ended, and what came of it."""
    for name in job.forget:
        kept.pop(name, None)
    if job.brought is not None:
        kept[job.held] = job.brought
    first = (kept[job.held],) if job.held else ()
    named = {job.says: lambda words: _send(answers, SAID, words)} if job.says else {}
    try:
        return DONE, job.function(*first, *job.args, **job.named, **named)
    except UnusableInputError as refused:
        return REFUSED, refused.problems
    except MemoryError:
        return NO_MEMORY, None
    except Exception as fault:  # the server goes on, whatever a job has run into
        traceback.print_exc()
        return FAILED, f"{type(fault).__name__}: {fault}"


def _send(answers: BinaryIO, how: str, what: Any) -> None:
    pickle.dump((how, what), answers, 5)
    answers.flush()


def _alarm(seconds: float) -> None:
    """Have the system end this process after so many seconds, whatever it is at; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def bound(most_bytes: int) -> None:
    """Hold this process to its memory, and behind the server, as far as the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(FIRST_TO_GO)


def main() -> None:
    """Take jobs from the input, and give answers where the output was; prints go to the log."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    asked = os.fdopen(os.dup(0), "rb")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's, which closes the input
    import_module(
        "sdcg_explorer.analysis.inventory.overview"
    )  # what jobs need, before the first comes
    import_module("sdcg_explorer.reading.steps")
    bound(int(sys.argv[1]))
    serve(asked, answers)


if __name__ == "__main__":
    main()
