"""How every input of the fuzz ends: two processes read them, each input under its limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support.fuzzing import Input, inputs
from tests.support.plain_files import ROOT

PROCESSES = 2
ENDINGS = "study", "error"
LONGEST = 15.0  # seconds of a processor that others take, too; 8 of one that nobody does
SHARE = 0.1  # of either ending, at least
Ending = dict[str, Any]


def all_endings(folder: Path) -> list[Ending]:
    """Write every input into a folder, and read it."""
    return endings_of(inputs(), folder)


def endings_of(given: Iterable[Input], folder: Path) -> list[Ending]:
    """The same of some inputs."""
    asked = [[one.name, *map(str, one.written(folder / f"{i}"))] for i, one in enumerate(given)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        parts = pool.map(_endings, [asked[i::PROCESSES] for i in range(PROCESSES)])
        found = [one for part in parts for one in part]
    assert sorted(one["name"] for one in found) == sorted(one[0] for one in asked)
    return found


def is_bad(found: Ending) -> bool:
    """Whether an input ends neither as a study nor as an error with a place, or too late."""
    return found["ending"] not in ENDINGS or found["seconds"] > LONGEST


def _endings(asked: list[list[str]]) -> list[Ending]:
    """How reading each of these ends, in one process under the memory limit."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.fuzz_child"],
        cwd=ROOT,
        env={**os.environ, "RUST_BACKTRACE": "0"},  # printed without memory, one never ends
        input="".join(json.dumps(one) + "\n" for one in asked),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]
