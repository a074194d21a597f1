"""Whatever is given to the readers ends as a study or as errors with places, soon, in 1 GB."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.fuzzing import inputs
from tests.support.plain_files import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is Linux's")
PROCESSES = 2
Ending = dict[str, Any]
FEWEST = 400
LONGEST = 10.0  # seconds
SHARE = 0.1


def endings(asked: list[list[str]]) -> list[Ending]:
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


def test_every_input_ends_as_a_study_or_as_an_error_with_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        [one.name, *map(str, one.written(tmp_path / f"{i}"))] for i, one in enumerate(inputs())
    ]
    names = [one[0] for one in asked]
    assert len(set(names)) == len(names) >= FEWEST
    with ThreadPoolExecutor(PROCESSES) as pool:
        parts = pool.map(endings, [asked[i::PROCESSES] for i in range(PROCESSES)])
        found = [one for part in parts for one in part]
    assert sorted(one["name"] for one in found) == sorted(names)

    ended = {kind: [one for one in found if one["ending"] == kind] for kind in ("study", "error")}
    badly = [one for one in found if one["ending"] not in ended or one["seconds"] > LONGEST]
    with capsys.disabled():
        sys.stdout.write(f"\n{said_of(found, ended, badly)}\n")
    assert badly == []
    assert min(len(ones) / len(found) for ones in ended.values()) >= SHARE


def said_of(found: list[Ending], ended: dict[str, list[Ending]], badly: list[Ending]) -> str:
    """The shares, in words."""
    study, refused = (len(ended[kind]) / len(found) for kind in ("study", "error"))
    lined = sum(one["line"] for one in ended["error"]) / max(len(ended["error"]), 1)
    slowest = max(found, key=lambda one: one["seconds"])
    return (
        f"{len(found)} inputs: {study:.0%} end as a study, {refused:.0%} as an error with a place "
        f"(a line in {lined:.0%} of these), {len(badly)} badly; "
        f"slowest {slowest['seconds']:.1f} s ({slowest['name']})"
    )
