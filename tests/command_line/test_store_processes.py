"""The store where the disk is full, where processes write at once, and where one is killed."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.study.store import COPY, FILE, Store
from tests.support import studies, thorough, waiting
from tests.support.plain_files import ROOT, written
from tests.support.tables import GRADED, TABLE

pytest.importorskip("resource", reason="limits, forks and signals of processes are POSIX's")

NO_ROOM = (
    f"{FILE}: the disk is full; a study must be on disk before it counts as saved. "
    "Free some disk space, and try again; nothing was saved."
)
# what every process begins with
BEGIN = """
import json, os, resource, signal, sys, time
from dataclasses import replace
from pathlib import Path
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.store import Store

sys.dont_write_bytecode = True  # what is cut off would stay broken
folder, log, judgments, *more = sys.argv[1:]
study = read_study(Path(log), Path(judgments))
studies = [replace(study, sessions=study.sessions.assign(round=float(i))) for i in range(12)]
digests = [each.digest for each in studies]

def say(*what):
    os.write(1, (json.dumps(what) + "\\n").encode())
"""
# opens the store, tries to save, then to rename, with files of at most so many bytes
FULL = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
kept, *limits = more

def said(act):
    try:
        act()
        return []
    except UnusableInputError as refused:
        return refused.lines()

resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
store = Store(Path(folder))
say(store.trouble, store.load(kept).digest)
for limit in map(int, limits):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    lines = said(lambda: store.save(study)), said(lambda: store.rename(kept, "x" * limit, ""))
    say(*lines)
"""
# saves several studies, each at a moment that is agreed upon, and gives them tags of its own
AT_ONCE = """
store, who = Store(Path(folder)), more[0]
say(*digests)
start = float(sys.stdin.readline())
for i, each in enumerate(studies):
    time.sleep(max(0.0, start + 0.05 * i - time.time()))
    store.save(each)
    for number in (1, 2, 3):
        store.tag(digests[0], who, 3 * i + number, [f"{who} {i}", "界" * 60])
"""
# Saves, tags and deletes studies in a process per kill; each is forked from this one, where
# everything is imported, and killed a share of an act's time after one act more than the last.
KILLS = """
first, second = digests[:2]

def work(name):
    store = Store(Path(folder) / name)
    for each in studies[:3]:
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
for number in range(int(more[0])):
    child, heard = forked(str(number))
    lines = [heard.readline() for _ in range(number % len(acts))]
    time.sleep(step * number / int(more[0]))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.write(1, b"".join([*lines, *heard]))
"""


def started(script: str, folder: Path, *more: object) -> subprocess.Popen[str]:
    """A process that runs a script on a folder and a small study."""
    files = written(folder.parent, log_csv=TABLE.replace("s1,", "other,"), judgments_csv=GRADED)
    command = [sys.executable, "-c", BEGIN + script, *map(str, (folder, *files.values(), *more))]
    pipe: Any = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def said_by(process: subprocess.Popen[str]) -> list[Any]:
    """What a process says until its end, a list per line."""
    output, errors = process.communicate(timeout=waiting.PATIENCE)
    assert (process.returncode, errors) == (0, "")
    return [json.loads(line) for line in output.splitlines()]


def test_full_disk_keeps_nothing_says_so_and_opens_what_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "studies"
    kept = Store(folder).save(studies.small())
    size = (folder / FILE).stat().st_size
    lines = said_by(started(FULL, folder, kept.digest, 0, 10, size // 2, size))
    trouble = f"{NO_ROOM} Until then saved studies open, but none can be added."
    assert lines.pop(0) == [[trouble], kept.digest]
    assert [saved for saved, _ in lines] == [[NO_ROOM]] * 4
    assert all(renamed in ([], [NO_ROOM]) for _, renamed in lines)
    store = Store(folder)
    assert (store.trouble, [each.digest for each in store.kept()]) == ([], [kept.digest])
    assert store.load(kept.digest).digest == kept.digest
    assert {*os.listdir(folder)} == {FILE, COPY}


def test_processes_and_threads_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    folder, names = tmp_path / "studies", "pq"
    store = Store(folder)
    both = [started(AT_ONCE, folder, who) for who in names]
    said = [json.loads(process.stdout.readline()) for process in both if process.stdout]
    (digests, others), start = said, time.time() + 0.3
    assert digests == others
    assert len({*digests}) == 12
    own = store.save(studies.small()).digest
    with ThreadPoolExecutor(4) as threads:
        for process in both:
            assert process.stdin
            process.stdin.write(f"{start}\n")
            process.stdin.flush()
        for number in range(1, 37):
            threads.submit(store.tag, own, "thread", number, [f"thread {number}"])
            threads.submit(store.tags, own)
    assert [said_by(process) for process in both] == [[], []]
    assert [kept.digest for kept in store.kept() if kept.digest != own] == digests
    assert [store.load(digest).digest for digest in digests] == digests
    assert store.tags(own) == {("thread", n): (f"thread {n}",) for n in range(1, 37)}
    assert store.tags(digests[0]) == {
        (who, n): (f"{who} {(n - 1) // 3}", "界" * 60) for who in names for n in range(1, 37)
    }
    assert {*os.listdir(folder)} == {FILE, COPY}


def test_what_was_acknowledged_before_a_kill_is_kept_whole(tmp_path: Path) -> None:
    number = 12 * thorough.THOROUGH
    (tmp_path / "kills").mkdir()
    lines = said_by(started(KILLS, tmp_path / "kills", number))
    heard = [[line for line in lines if line[1] == str(i)] for i in range(number)]
    assert len({len(each) for each in heard}) >= 4  # kills are spread over what is done
    trial = Store(tmp_path / "kills" / "whole")
    for i, said in enumerate(heard):
        saved, gone, going, tags = (
            [thing for act, _, thing in said if act == what]
            for what in ("saved", "deleted", "deleting", "tagged")
        )
        store = Store(tmp_path / "kills" / str(i))
        there = [kept.digest for kept in store.kept()]
        assert store.trouble == []
        assert {*saved} - {*going} <= {*there}
        assert not {*gone} & {*there}
        assert len(there) <= len(saved) + 1
        assert [store.load(digest).digest for digest in there] == there
        if len(saved) > 1:
            tagged = [number for _, number in store.tags(saved[1])]
            assert tags in (tagged, tagged[:-1])
        for kept in trial.kept() if i % 5 == 0 else ():  # and it takes what is saved anew
            store.save(trial.load(kept.digest))
            assert store.load(kept.digest).digest == kept.digest
            assert not (store.path.parent / f"{FILE}-journal").exists()
