"""Saving that is killed at any moment: what was acknowledged is kept, and nothing is half there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from sdcg_explorer.study.store import FILE, Store
from tests.support.plain_files import ROOT, written
from tests.support.tables import GRADED, TABLE
from tests.support.thorough import THOROUGH

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked and killed")

# Saves, tags and deletes studies in a process per kill; each is forked from this one, where
# everything is imported, and killed a share of an act's time after one act more than the last.
SCRIPT = """
import json, os, signal, sys, time
from dataclasses import replace
from pathlib import Path
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.store import Store

folder, log, judgments, kills = sys.argv[1:]
study = read_study(Path(log), Path(judgments))
studies = [replace(study, sessions=study.sessions.assign(round=float(i))) for i in range(3)]
digests = [each.digest for each in studies]
first, second, third = digests

def say(*what):
    os.write(1, (json.dumps(what) + "\\n").encode())

def work(name):
    store = Store(Path(folder) / name)
    for each in studies:
        store.save(each)
        say("saved", name, each.digest)
    for number in (1, 2, 3):
        store.tag(second, "s1", number, ["typo"])
        say("tagged", name, number)
    say("deleting", name, first)
    store.delete(first)
    say("deleted", name, first)

def forked(name):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        work(name)
        os._exit(0)
    os.close(write)
    return child, os.fdopen(read, "rb")

start = time.monotonic()
child, heard = forked("whole")
acts = list(heard)
step = (time.monotonic() - start) / len(acts)
os.waitpid(child, 0)
for number in range(int(kills)):
    child, heard = forked(str(number))
    lines = [heard.readline() for _ in range(number % len(acts))]
    time.sleep(step * number / int(kills))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.write(1, b"".join([*lines, *heard]))
say("digests", *digests)
"""


@dataclass(frozen=True)
class Kill:
    """What one process had said of its store when it was killed."""

    folder: Path
    said: list[list[str]]

    def of(self, what: str) -> list[str]:
        return [thing for act, _, thing in self.said if act == what]


@pytest.fixture(scope="module")
def kills(tmp_path_factory: pytest.TempPathFactory) -> list[Kill]:
    folder, number = tmp_path_factory.mktemp("kills"), 30 * THOROUGH
    files = written(folder / "files", log_csv=TABLE, judgments_csv=GRADED)
    command = [sys.executable, "-c", SCRIPT, *map(str, (folder, *files.values(), number))]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    said = [json.loads(line) for line in output.splitlines()]
    return [
        Kill(folder / str(i), [line for line in said if line[1] == str(i)]) for i in range(number)
    ]


def test_kills_are_spread_over_what_is_done(kills: list[Kill]) -> None:
    assert len({len(kill.said) for kill in kills}) >= 4


def test_what_was_acknowledged_before_a_kill_is_kept_whole(kills: list[Kill]) -> None:
    for kill in kills:
        store = Store(kill.folder)
        assert store.trouble == []
        there = {each.digest for each in store.kept()}
        saved, gone, going = (kill.of(what) for what in ("saved", "deleted", "deleting"))
        assert {*saved} - {*going} <= there
        assert not {*gone} & there
        assert len(there) <= len(saved) + 1
        for digest in there:
            assert store.load(digest).digest == digest
        if len(saved) > 1:
            tagged = [number for _, number in store.tags(saved[1])]
            said = kill.of("tagged")
            assert tagged[: len(said)] == said
            assert len(tagged) <= len(said) + 1


def test_a_killed_store_takes_what_is_saved_anew(kills: list[Kill]) -> None:
    trial = Store(kills[0].folder.parent / "whole")
    for kill in kills[::5]:
        store = Store(kill.folder)
        for kept in trial.kept():
            store.save(trial.load(kept.digest))
            assert store.load(kept.digest).digest == kept.digest
        assert not kill.folder.joinpath(f"{FILE}-journal").exists()
