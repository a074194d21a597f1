"""A process that reads inputs under a memory limit, each in a fork of its own.

Takes a JSON list [name, path, …] per line of standard input, prints a JSON object for each.
"""

import gc
import json
import math
import os
import resource
import signal
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from sdcg_explorer.reading import read, readers
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.plain_files import THREE_SESSIONS

# RLIMIT_DATA counts every private writable page that is mapped (heap, arenas of pyarrow and
# DuckDB, stacks of their threads; Linux 4.7 and later), touched or not, but not code. About
# 160 MB of it are taken before the first input, so less than 1 GB is left to the readers.
# RLIMIT_AS would also count code and address space that allocators reserve and never write:
# 940 MB of it after one small file read by DuckDB, in 190 MB of memory.
MEMORY = 1_000_000_000  # bytes of data, with all that Python and the libraries hold themselves
LONGEST = 1_500  # characters of a line that is printed
MOST = 20  # seconds of a processor that reading a file may take; then its fork is stopped


def ending(paths: list[Path]) -> dict[str, Any]:
    """How reading ends, up to what `sdcg check` prints and the block that pages draw from."""
    try:
        study = read.read_study(paths[0], *paths[1:])
        json.dumps(study.checked(), ensure_ascii=False)
        study.block()
        sound = all(map(math.isfinite, study.labels)) and study.results["rank"].min() >= 1
        return {"ending": "study" if sound else "unsound", "said": f"{study.labels}"[:300]}
    except UnusableInputError as refused:
        problems, lines = refused.problems, refused.lines()
        placed = all(p.file and (p.line is None or p.line > 0) for p in problems)
        whole = all(line and "\n" not in line and len(line) <= LONGEST for line in lines)
        good = bool(problems) and placed and whole
        return {"ending": "error" if good else "no place", "said": "".join(lines[:1])[:300]}
    except BaseException:
        return {"ending": "other", "said": traceback.format_exc()[-900:]}


def say(name: str, found: dict[str, Any]) -> None:
    """Print one line, with the seconds of a processor that this process took."""
    found = {"name": name, "seconds": time.process_time(), **found}
    os.write(1, (json.dumps(found) + "\n").encode())


def main() -> None:
    """Read every input that is named, each in a fork; one that dies is told, too."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for module in iter_modules(readers.__path__, f"{readers.__name__}."):
        import_module(module.name)  # once, before any fork, which then takes a tenth of the time
    assert (
        ending([THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"])["ending"] == "study"
    )
    gc.freeze()
    for line in sys.stdin:
        name, *paths = json.loads(line)
        child = os.fork()
        if not child:
            signal.setitimer(signal.ITIMER_PROF, MOST)  # not of a clock that others hold up
            found = ending([Path(path) for path in paths])
            signal.setitimer(signal.ITIMER_PROF, 0)
            say(name, found)
            os._exit(0)
        if status := os.waitpid(child, 0)[1]:
            say(name, {"ending": "other", "said": f"died of status {status}"})


if __name__ == "__main__":
    main()
