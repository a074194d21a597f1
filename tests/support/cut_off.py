"""Commands that are cut off: forked where all is imported, and killed at an event."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.plain_files import ROOT, TOYS

# what a command is given at first, and what the second time, so that its result is another
SECOND = {**dict.fromkeys(("score", "compare", "robustness", "export"), ("--b", "3"))}
# Forks a process for each line, which runs a command; its events are those that write. Prints how
# it ended, and the events that it saw in full.
SCRIPT = """
import json, os, resource, signal, sys
import pyarrow.pandas_compat, typer._adapters
from scipy import optimize, special
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import bundle, figure_files, into, scores
from sdcg_explorer.questions import compare_systems, ratings
from sdcg_explorer.questions.robustness import numbers
from sdcg_explorer.reading import worker
from sdcg_explorer.reading.readers import tables
from sdcg_explorer.study import memory
from tests.support.thorough import FEWER

# no figures, no report, few definitions, no process beside it: they take long
figure_files.browser_path, bundle.report_of = lambda: "", lambda *_, **__: b""
numbers.VARIED |= FEWER
worker.read_apart = lambda function, *args, where, size, **named: function(*args, **named)
memory.collect = lambda: None
ACTS = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "shutil.rmtree", "os.truncate")
_, HARD = resource.getrlimit(resource.RLIMIT_FSIZE)

def run(arguments, deadly, size, told):
    seen = []
    def watch(event, given):
        opened = event == "open" and isinstance(given[1], str) and set(given[1]) & set("wxa+")
        if event in ACTS or opened:
            seen.append(event)
            if len(seen) == deadly:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(watch)
    if size:
        sys.dont_write_bytecode = True  # what is cut off would stay broken
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, HARD))
    code = sdcg.main(arguments)
    sys.stderr.flush()
    os.write(told, json.dumps(seen).encode())
    os._exit(code)

for line in sys.stdin:
    arguments, deadly, size = json.loads(line)
    (read, told), (heard, said) = os.pipe(), os.pipe()  # which a limit of files does not meet
    child = os.fork()
    if child == 0:
        os.dup2(said, 1), os.dup2(said, 2)
        run(arguments, deadly, size, told)
    os.close(told), os.close(said)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with os.fdopen(read, "rb") as events:
        seen = json.loads(events.read() or b"[]")
    with os.fdopen(heard) as words:
        print(json.dumps([code, seen, words.read()]), flush=True)
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended: its code (negative where it was killed), events and words."""

    code: int
    events: list[str]
    words: str


class Commands:
    """Runs commands, each in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, arguments: Sequence[str], *, deadly: int = 0, size: int = 0) -> Ended:
        """Run one; it is killed at the `deadly` event, from 1; files have at most `size` bytes."""
        if self._process.stdin is None or self._process.stdout is None:
            raise ValueError("no pipes")
        self._process.stdin.write(json.dumps([[*arguments], deadly, size]) + "\n")
        self._process.stdin.flush()
        return Ended(*json.loads(self._process.stdout.readline()))


@contextmanager
def commands() -> Iterator[Commands]:
    """A process from which commands are forked."""
    started = [sys.executable, "-c", SCRIPT]
    with subprocess.Popen(
        started, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Commands(process)


def asked(command: str, out: Path, *more: str) -> list[str]:
    """A command on the smallest sample."""
    return [command, *map(str, TOYS), "--out", str(out), *more]


def held(out: Path) -> dict[str, bytes] | None:
    """Contents of a result by name; None where there is none."""
    if out.is_file():
        return {out.name: out.read_bytes()}
    if not out.is_dir():
        return None
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {str(path.relative_to(out)): path.read_bytes() for path in files}
