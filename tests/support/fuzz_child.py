"""A process that reads inputs under a memory limit, each in a fork of its own.

Takes a JSON list [name, path, …] per line of standard input, prints a JSON object for each.
"""

from __future__ import annotations

import gc
import importlib
import json
import math
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

THREE_SESSIONS = Path(__file__).resolve().parents[2] / "sample_sessions" / "three_sessions"
READERS = THREE_SESSIONS.parents[1] / "sdcg_explorer" / "reading" / "readers"
MEMORY = 1_000_000_000  # bytes of data, with all that Python and the libraries hold themselves
LONGEST = 1_500  # characters of a line that is printed
MOST = 20  # seconds of a processor that reading a file may take; then its fork is stopped


def limit_memory() -> None:
    """Keep this process and its forks within MEMORY bytes of data.

    RLIMIT_DATA counts every private writable page that is mapped (heap, arenas of pyarrow and
    DuckDB, stacks of their threads; Linux 4.7 and later), touched or not, but not code. About
    160 MB of it are taken before the first input, so less than 1 GB is left to the readers.
    RLIMIT_AS would also count code and address space that allocators reserve and never write:
    940 MB of it after one small file read by DuckDB, in 190 MB of memory.
    """
    import resource  # no such module on Windows, where doctests are looked for too

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def ending(paths: list[Path]) -> dict[str, Any]:
    """How reading ends, up to what `sdcg check` prints and the block that pages draw from."""
    from sdcg_explorer.reading.read import read_study
    from sdcg_explorer.study.problems import UnusableInputError

    try:
        study = read_study(paths[0], *paths[1:])
        json.dumps(study.checked(), ensure_ascii=False)
        study.block()
        sound = all(map(math.isfinite, study.labels)) and study.results["rank"].min() >= 1
        said = "" if sound else f"grades {study.labels}"[:300]
        return {"ending": "study" if sound else "unsound", "said": said, "digest": study.digest}
    except UnusableInputError as refused:
        problems, lines = refused.problems, refused.lines()
        placed = all(p.file and (p.line is None or p.line > 0) for p in problems)
        whole = all(line and "\n" not in line and len(line) <= LONGEST for line in lines)
        said = "".join(lines[:1])[:300]
        good = bool(problems) and placed and whole
        lined = any(problem.line for problem in problems)
        return {"ending": "error" if good else "no place", "line": lined, "said": said}
    except BaseException as fault:
        frames = traceback.extract_tb(fault.__traceback__)
        where = [f"{Path(f.filename).name}:{f.lineno}" for f in frames][-6:]
        said = f"{type(fault).__name__}: {fault}"[:300]
        return {"ending": "other", "said": said, "where": where}


def forked(name: str, paths: list[Path]) -> None:
    """Read in a fork, and print how it ended; a fork that dies is reported too."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, MOST)  # not of a clock that others hold up
        found = ending(paths)
        signal.setitimer(signal.ITIMER_PROF, 0)
        say({"name": name, **found, "memory": most_memory()})
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        died = f"died of {signal.Signals(os.WTERMSIG(status)).name}" if status < 128 else ""
        say({"name": name, "ending": "other", "said": died or f"status {status}"})


def most_memory() -> int:
    """The most bytes of memory that this process has had, those it shares with its parent too."""
    import resource

    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def say(found: dict[str, Any]) -> None:
    """Print one line, with the seconds of a processor that this process took."""
    found["seconds"] = round(time.process_time(), 3)
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


def warm() -> None:
    """Load once, before any fork, what readers need: a fork then takes a tenth of the time."""
    readers = [
        module.name for module in iter_modules([str(READERS)], "sdcg_explorer.reading.readers.")
    ]
    for name in ("orjson", "tomllib", *readers):
        importlib.import_module(name)
    assert ending([THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"])["digest"]
    gc.freeze()


def main() -> None:
    """Read every input that is named."""
    limit_memory()
    warm()
    for line in sys.stdin:
        name, *paths = json.loads(line)
        forked(name, [Path(path) for path in paths])


if __name__ == "__main__":
    main()
