"""Inputs made to break readers, some thousands: how many end as a study, and how many as an error.

They are the fuzz of the tests (`tests/support/fuzzing.py`), drawn more often.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.soak.part import Part, megabytes
from tests.support.fuzz_endings import SHARE, Ending, is_bad

ROOT = Path(__file__).resolve().parents[2]
KILLED = "died of SIGALRM"


def soak_fuzz(thorough: int) -> Part:
    """Read every input, each of a kind drawn so many times as often as in a test run."""
    part = Part(f"fuzz, {thorough} times as thorough")
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.fuzz_endings"],
        cwd=ROOT,
        env={**os.environ, "SDCG_THOROUGH": f"{thorough}"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    part.add("inputs", f"{len(found):,}")
    for ending, words in (("study", "end as a study"), ("error", "end as an error with a place")):
        share = sum(one["ending"] == ending for one in found) / len(found)
        part.add(words, f"{share:.1%}")
        if share < SHARE:
            part.blame(f"only {share:.1%} {words}")
    _add_worst(part, found)
    for one in found:
        if is_bad(one):
            part.blame(f"{one['name']}: {one['ending']} {one['said']} ({one['seconds']:.1f} s)")
    part.add("end otherwise", f"{sum(map(is_bad, found))}")
    return part


def _add_worst(part: Part, found: list[Ending]) -> None:
    late = sum(one["said"] == KILLED for one in found)
    slowest = max(found, key=lambda one: one["seconds"])
    largest = max(found, key=lambda one: one.get("memory", 0))
    part.add("stopped for their time", f"{late}")
    part.add("slowest", f"{slowest['seconds']:.1f} s ({slowest['name']})")
    part.add("largest", f"{megabytes(largest.get('memory', 0))} ({largest['name']})")
