"""Whole or not at all: a command that is killed, or finds the disk full, leaves no half result."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.cut_off import SECOND, Commands, Ended, asked, commands, held
from tests.support.thorough import THOROUGH

pytest.importorskip("resource", reason="signals and limits are POSIX's")
QUICK = {"score"}  # of which more is tried
# a folder and one file; in make soak the others that write as these do, too
TRIED = [*SECOND] if THOROUGH > 1 else ["score", "export"]
LEFT = "left over from an interrupted run, and removed."
FULL = (
    "; files are first written beside it, and what exceeds memory, too. Free some disk space, or "
    "name another place for --out: nothing was kept."
)


@pytest.fixture(scope="module")
def forked() -> Iterator[Commands]:
    with commands() as each:
        yield each


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
    first = forked.run(asked(command, one))
    assert first.code == 0
    assert forked.run(asked(command, other, *SECOND[command])).code == 0
    shutil.copytree(one.parent, trial.parent)
    again = forked.run(asked(command, trial, *SECOND[command]))
    assert (again.code, held(trial)) == (0, held(other))
    assert os.listdir(trial.parent) == ["out"]
    return Whole(one, other, first, again)


def test_a_killed_command_leaves_the_old_the_new_or_nothing(
    forked: Commands, command: str, whole: Whole, tmp_path: Path
) -> None:
    one, again = whole.one, whole.again
    trial, states = tmp_path / "killed" / "out", (held(one), held(whole.other), None)
    renames = [i for i, event in enumerate(again.events, start=1) if event == "os.rename"]
    some = 4 * THOROUGH if command in QUICK else THOROUGH
    spread = range(1, len(again.events) + 1, max(1, len(again.events) // some))
    ends = list[object]()
    for deadly in sorted({*renames, renames[-1] + 1, *spread}):
        shutil.rmtree(trial.parent, ignore_errors=True)
        shutil.copytree(one.parent, trial.parent)
        if forked.run(asked(command, trial, *SECOND[command]), deadly=deadly).code == 0:
            continue  # fewer events than before
        assert held(trial) in states, deadly
        ends.append(held(trial))
    assert states[0] in ends
    assert os.listdir(trial.parent) != ["out"] or states[1] in ends
    shutil.copytree(one.parent, trial.parent, dirs_exist_ok=True)
    forked.run(asked(command, trial, *SECOND[command]), deadly=renames[0])
    last = forked.run(asked(command, trial, *SECOND[command]))
    assert (last.code, LEFT in last.words) == (0, True)
    assert (held(trial), os.listdir(trial.parent)) == (states[1], ["out"])


def test_a_killed_first_run_leaves_only_what_the_next_clears_up(
    forked: Commands, command: str, whole: Whole, tmp_path: Path
) -> None:
    out, deadly = tmp_path / "room" / "out", 1 + whole.first.events.index("os.rename")
    assert forked.run(asked(command, out), deadly=deadly).code == -9
    (left,) = os.listdir(out.parent)
    assert (left.startswith(".out."), left.endswith(".part")) == (True, True)
    assert forked.run(asked(command, out)).code == 0
    assert (held(out), os.listdir(out.parent)) == (held(whole.one), ["out"])


def test_a_full_disk_leaves_the_old_result_and_is_a_sentence(
    forked: Commands, command: str, whole: Whole, tmp_path: Path
) -> None:
    out, before = tmp_path / "room" / "out", held(whole.one)
    shutil.copytree(whole.one.parent, out.parent)
    for size in (1, 400, 700) if command in QUICK else (400,):
        full = forked.run(asked(command, out, *SECOND[command]), size=size)
        assert (full.code, full.words.splitlines()[-1].endswith(FULL)) == (2, True), full
        assert (held(out), os.listdir(out.parent)) == (before, ["out"])
