"""Saving that is killed: before or after the rename, what was acknowledged is kept whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sdcg_explorer.study.store import Store
from tests.support.plain_files import ROOT, written
from tests.support.tables import GRADED, TABLE
from tests.support.thorough import THOROUGH

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked and killed")

# Saves three studies, the first of them twice, in a process per kill; each is forked from this one,
# where everything is imported. Prints the events of the second saving, then for each kill the
# folder, the place of the saving, the number of its event, how the process ended, and each digest
# whose saving returned.
SCRIPT = """
import json, os, signal, sys
from dataclasses import replace
from pathlib import Path
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.store import Store

folder, log, judgments = map(Path, sys.argv[1:])
study = read_study(log, judgments)
first, second, third = (
    replace(study, sessions=study.sessions.assign(round=float(i))) for i in range(3)
)
savings = [first, second, first, third]
digests = [each.digest for each in savings]
events, deadly = None, 0

def watch(event, arguments):
    if events is not None and event.startswith(("open", "os.", "shutil.")):
        events.append([event, *map(str, arguments[:2])])
        if len(events) == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

def saved(store, each):
    global events
    events = []
    store.save(each)
    seen, events = events, None
    return seen

def say(*what):
    os.write(1, (json.dumps(what) + "\\n").encode())

sys.addaudithook(watch)
trial = Store(folder / "trial")
seen = [saved(trial, each) for each in savings]
say("events", digests, seen)
for line in sys.stdin:
    name, place, number = json.loads(line)
    child = os.fork()
    if child == 0:
        store = Store(folder / name)
        for i, each in enumerate(savings):
            deadly = number if i == place else 0
            saved(store, each)
            say("kept", name, each.digest)
        os._exit(0)
    say("ended", name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@dataclass(frozen=True)
class Kill:
    """One process that saved until it was killed at an event of one of its savings."""

    folder: Path
    place: int
    number: int
    acknowledged: list[str]


@dataclass(frozen=True)
class Kills:
    """All processes; digests in the order of saving, and the events of each saving."""

    digests: list[str]
    events: list[list[list[str]]]
    killed: list[Kill]

    def rename(self, place: int) -> int:
        """Number of the event, from 1, with which a saving puts its folder into place."""
        target = ["os.rename", self.digests[place]]
        return 1 + [[e, Path(at[-1]).name] for e, *at in self.events[place]].index(target)


def planned(events: list[list[list[str]]]) -> Iterator[tuple[int, int]]:
    """Events of the second saving, the ninth too, and fewer of the others; more where asked."""
    for place, seen in enumerate(events):
        step = max(1, (3 if place == 1 else 6) // THOROUGH)
        for number in range(1, len(seen) + 1):
            if number % step == 1 % step or (place, number) == (1, 9):
                yield place, number


@pytest.fixture(scope="module")
def kills(tmp_path_factory: pytest.TempPathFactory) -> Kills:
    folder = tmp_path_factory.mktemp("kills")
    files = written(folder / "files", log_csv=TABLE, judgments_csv=GRADED)
    command = [sys.executable, "-c", SCRIPT, str(folder), *map(str, files.values())]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        _, digests, events = json.loads(process.stdout.readline())
        plan = {f"{place}-{number}": (place, number) for place, number in planned(events)}
        process.stdin.writelines(json.dumps([name, *at]) + "\n" for name, at in plan.items())
        process.stdin.close()
        said = [json.loads(line) for line in process.stdout]
    assert process.returncode == 0
    ended = {name: code for what, name, code in said if what == "ended"}
    assert ended == dict.fromkeys(plan, -signal.SIGKILL)
    kept = {name: [d for what, at, d in said if (what, at) == ("kept", name)] for name in plan}
    killed = [Kill(folder / name, *at, kept[name]) for name, at in plan.items()]
    return Kills(digests, events, killed)


def listed(folder: Path) -> set[str]:
    """Names of studies in a folder, without opening it as a store."""
    return {name for name in os.listdir(folder) if not name.startswith(".")}


def test_kills_are_spread_over_saving(kills: Kills) -> None:
    before = [k for k in kills.killed if kills.digests[k.place] not in listed(k.folder)]
    after = [
        kill
        for kill in kills.killed
        if kills.digests[kill.place] in listed(kill.folder) - set(kill.acknowledged)
    ]
    assert len(before) >= 5
    assert len(after) >= 3
    assert all(kill.number <= kills.rename(kill.place) for kill in before)
    assert all(kill.number > kills.rename(kill.place) for kill in after)
    again = [kill for kill in kills.killed if kill.place == 2]  # kept already when it was saved
    assert len(before) + len(after) + len(again) == len(kills.killed)


def test_kill_leaves_what_was_acknowledged(kills: Kills) -> None:
    for kill in kills.killed:
        assert kill.acknowledged == kills.digests[: kill.place]
        assert set(kill.acknowledged) <= listed(kill.folder)


def test_every_acknowledged_study_opens_with_its_digest_after_a_kill(kills: Kills) -> None:
    for kill in kills.killed:
        store = Store(kill.folder)
        for digest in kill.acknowledged:
            assert store.load(digest).digest == digest


def test_every_listed_study_is_whole_after_a_kill(kills: Kills) -> None:
    for kill in kills.killed:
        store = Store(kill.folder)
        digests = [kept.digest for kept in store.kept()]
        assert set(digests) == listed(kill.folder)
        assert set(kill.acknowledged) <= set(digests) <= set(kills.digests)
        for digest in set(digests) - set(kill.acknowledged):
            assert store.load(digest).digest == digest


def test_killed_saving_is_done_anew(kills: Kills) -> None:
    """What was killed first of all, before and after the rename, is saved by another process."""
    early = next(kill for kill in kills.killed if (kill.place, kill.number) == (1, 9))
    late = next(kill for kill in kills.killed if kill.place == 1 and kill.number > kills.rename(1))
    trial = Store(early.folder.parent / "trial")
    study = trial.load(kills.digests[1])
    for kill in (early, late):
        store = Store(kill.folder)
        assert store.save(study).digest == study.digest
        assert [kept.digest for kept in store.kept()] == kills.digests[:2]
