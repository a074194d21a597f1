"""Whole or not at all: a command that is killed, or finds the disk full, leaves no half result."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import plain_files, thorough

pytest.importorskip("resource", reason="signals and limits are POSIX's")
# what a command is given at first, and what the second time, so that its result is another
SECOND = {**dict.fromkeys(("score", "compare", "robustness", "export"), ("--b", "3"))}
# Forks a process for each line, which runs a command; its events are those that write. Prints how
# it ended, and the events that it saw in full.
SCRIPT = """
import json, os, resource, signal, sys
import pyarrow.pandas_compat, typer._adapters
from scipy import optimize, special
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import bundle, figure_files, into
from sdcg_explorer.questions import compare_systems, ratings
from sdcg_explorer.questions.robustness import numbers
from sdcg_explorer.reading import worker
from sdcg_explorer.reading.readers import tables
from sdcg_explorer.study import machine
from tests.support.thorough import FEWER

# no figures, no report, few definitions, no process beside it: they take long
figure_files.browser_path, bundle.report_of = lambda: "", lambda *_, **__: b""
numbers.VARIED |= FEWER
worker.read_apart = lambda function, *args, where, size, **named: function(*args, **named)
machine.collect = lambda: None
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


Commands = subprocess.Popen[str]  # a process from which commands are forked


def run(forked: Commands, arguments: Sequence[str], *, deadly: int = 0, size: int = 0) -> Ended:
    """Run one; it is killed at the `deadly` event, from 1; files have at most `size` bytes."""
    assert forked.stdin
    assert forked.stdout
    forked.stdin.write(json.dumps([[*arguments], deadly, size]) + "\n")
    forked.stdin.flush()
    return Ended(*json.loads(forked.stdout.readline()))


def asked(command: str, out: Path, *more: str) -> list[str]:
    """A command on the smallest sample."""
    return [command, *map(str, plain_files.TOYS), "--out", str(out), *more]


def held(out: Path) -> dict[str, bytes] | None:
    """Contents of a result by name; None where there is none."""
    if out.is_file():
        return {out.name: out.read_bytes()}
    if not out.is_dir():
        return None
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


QUICK = {"score"}  # of which more is tried
# a folder and one file; in make soak the others that write as these do, too
TRIED = [*SECOND] if thorough.THOROUGH > 1 else ["score", "export"]
FULL = (
    "; files are first written beside it, and what exceeds memory, too. Free some disk space, or "
    "name another place for --out: nothing was kept."
)


@pytest.fixture(scope="module")
def forked() -> Iterator[Commands]:
    """A process from which commands are forked."""
    started = [sys.executable, "-c", SCRIPT]
    with subprocess.Popen(
        started, cwd=plain_files.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


@pytest.fixture(scope="module", params=TRIED)
def command(request: pytest.FixtureRequest) -> str:
    return request.param


@dataclass(frozen=True)
class Whole:
    """A first result, a second one, how the first run went, and the second over the first."""

    one: Path
    other: Path
    first: Ended
    again: Ended


@pytest.fixture(scope="module")
def whole(forked: Commands, command: str, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp(command)
    one, other, trial = (folder / name / "out" for name in ("one", "other", "trial"))
    first = run(forked, asked(command, one))
    assert first.code == 0
    assert run(forked, asked(command, other, *SECOND[command])).code == 0
    shutil.copytree(one.parent, trial.parent)
    again = run(forked, asked(command, trial, *SECOND[command]))
    assert (again.code, held(trial)) == (0, held(other))
    assert os.listdir(trial.parent) == ["out"]
    return Whole(one, other, first, again)


def test_a_killed_command_leaves_the_old_the_new_or_nothing(
    forked: Commands, command: str, whole: Whole, tmp_path: Path
) -> None:
    one, again = whole.one, whole.again
    trial, states = tmp_path / "killed" / "out", (held(one), held(whole.other), None)
    renames = [i for i, event in enumerate(again.events, start=1) if event == "os.rename"]
    some = 4 * thorough.THOROUGH if command in QUICK else thorough.THOROUGH
    spread = range(1, len(again.events) + 1, max(1, len(again.events) // some))
    ends = list[object]()
    for deadly in sorted({*renames, renames[-1] + 1, *spread}):
        shutil.rmtree(trial.parent, ignore_errors=True)
        shutil.copytree(one.parent, trial.parent)
        if run(forked, asked(command, trial, *SECOND[command]), deadly=deadly).code == 0:
            continue  # fewer events than before
        assert held(trial) in states, deadly
        ends.append(held(trial))
    assert states[0] in ends
    assert os.listdir(trial.parent) != ["out"] or states[1] in ends
    shutil.copytree(one.parent, trial.parent, dirs_exist_ok=True)
    run(forked, asked(command, trial, *SECOND[command]), deadly=renames[0])
    last = run(forked, asked(command, trial, *SECOND[command]))
    assert (last.code, "left over from an interrupted run, and removed." in last.words) == (0, True)
    assert (held(trial), os.listdir(trial.parent)) == (states[1], ["out"])


def test_a_killed_first_run_leaves_only_what_the_next_clears_up(
    forked: Commands, command: str, whole: Whole, tmp_path: Path
) -> None:
    out, deadly = tmp_path / "room" / "out", 1 + whole.first.events.index("os.rename")
    assert run(forked, asked(command, out), deadly=deadly).code == -9
    (left,) = os.listdir(out.parent)
    assert (left.startswith(".out."), left.endswith(".part")) == (True, True)
    assert run(forked, asked(command, out)).code == 0
    assert (held(out), os.listdir(out.parent)) == (held(whole.one), ["out"])


def test_a_full_disk_leaves_the_old_result_and_is_a_sentence(
    forked: Commands, command: str, whole: Whole, tmp_path: Path
) -> None:
    out, before = tmp_path / "room" / "out", held(whole.one)
    shutil.copytree(whole.one.parent, out.parent)
    for size in (1, 400, 700) if command in QUICK else (400,):
        full = run(forked, asked(command, out, *SECOND[command]), size=size)
        assert (full.code, full.words.splitlines()[-1].endswith(FULL)) == (2, True), full
        assert (held(out), os.listdir(out.parent)) == (before, ["out"])
