"""The store where the disk is full, and where two processes save the same at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.study.store import COPY, FILE, Store
from tests.support.plain_files import ROOT, written
from tests.support.studies import small
from tests.support.tables import GRADED, TABLE
from tests.support.waiting import PATIENCE

resource = pytest.importorskip("resource", reason="limits of processes are POSIX's")

NO_ROOM = (
    "a study must be on disk before it counts as saved. "
    "Free some disk space, and try again; nothing was saved."
)
# tries to save, then to rename, with files of at most so many bytes
FULL = """
import json, resource, signal, sys
from pathlib import Path
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.store import Store

folder, log, judgments, kept, *limits = sys.argv[1:]
study, store = read_study(Path(log), Path(judgments)), Store(Path(folder))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

def said(act):
    try:
        act()
        return []
    except UnusableInputError as refused:
        return refused.lines()

sys.dont_write_bytecode = True  # what is cut off would stay broken
for limit in map(int, limits):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    lines = said(lambda: store.save(study))
    lines += said(lambda: store.rename(kept, "x" * (limit + 1), ""))
    print(json.dumps(lines), flush=True)
"""
# opens a store where nothing can be written
START = """
import json, resource, signal, sys
from pathlib import Path
from sdcg_explorer.study.store import Store

sys.dont_write_bytecode = True
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
store = Store(Path(sys.argv[1]))
print(json.dumps([store.trouble, store.load(store.kept()[0].digest).digest]))
"""
# saves several studies, each at a moment that is agreed upon
AT_ONCE = """
import sys, time
from dataclasses import replace
from pathlib import Path
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.store import Store

folder, log, judgments, rounds = sys.argv[1:]
study, store = read_study(Path(log), Path(judgments)), Store(Path(folder))
studies = [
    replace(study, sessions=study.sessions.assign(round=float(i))) for i in range(int(rounds))
]
print(*(each.digest for each in studies), flush=True)
start = float(sys.stdin.readline())
for i, each in enumerate(studies):
    time.sleep(max(0.0, start + 0.05 * i - time.time()))
    store.save(each)
"""


def started(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process that runs a script."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    pipe: Any = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_full_disk_keeps_nothing_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "studies"
    kept = Store(folder).save(small())
    size = (folder / FILE).stat().st_size
    limits = (0, 10, size // 2, size)
    files = written(tmp_path, log_csv=TABLE.replace("s1,", "other,"), judgments_csv=GRADED)
    process = started(FULL, folder, *files.values(), kept.digest, *limits)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    lines = [json.loads(line) for line in output.splitlines()]
    assert [each[0] for each in lines] == [f"{FILE}: the disk is full; {NO_ROOM}"] * len(limits)
    assert all(each[1:] in ([], each[:1]) for each in lines)
    store = Store(folder)
    assert (store.trouble, [each.digest for each in store.kept()]) == ([], [kept.digest])
    assert store.load(kept.digest).digest == kept.digest
    assert {*os.listdir(folder)} == {FILE, COPY}


def test_a_full_disk_at_the_start_is_said_and_kept_studies_open(tmp_path: Path) -> None:
    folder = tmp_path / "studies"
    kept = Store(folder).save(small())
    process = started(START, folder)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    trouble, digest = json.loads(output)
    then = "Until then saved studies open, but none can be added."
    full = f"{FILE}: the disk is full; {NO_ROOM} {then}"
    assert (trouble, digest) == ([full], kept.digest)


def test_two_processes_that_save_the_same_at_once_keep_it_once(tmp_path: Path) -> None:
    folder, rounds = tmp_path / "studies", 12
    files = written(tmp_path, log_csv=TABLE, judgments_csv=GRADED)
    both = [started(AT_ONCE, folder, *files.values(), rounds) for _ in range(2)]
    digests = [process.stdout.readline().split() for process in both if process.stdout]
    start = time.time() + 0.3
    for process in both:
        if process.stdin:
            process.stdin.write(f"{start}\n")
            process.stdin.flush()
    for process in both:
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, output, errors) == (0, "", "")
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == rounds
    assert {*os.listdir(folder)} == {FILE, COPY}
    store = Store(folder)
    assert [kept.digest for kept in store.kept()] == digests[0]
    assert [store.load(digest).digest for digest in digests[0]] == digests[0]
