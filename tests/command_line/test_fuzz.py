"""Whatever is given to the readers ends as a study or as errors with places, soon, in 1 GB."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support import formats, fuzzing, plain_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is Linux's")
SHARE = 0.1  # of either ending, at least
LONGEST = 15.0  # seconds of a processor that others take, too; 8 of one that nobody does


def endings(asked: list[list[str]]) -> list[dict[str, Any]]:
    """How reading each of these ends, in one process under the memory limit."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.fuzz_child"],
        cwd=plain_files.ROOT,
        env={**os.environ, "RUST_BACKTRACE": "0"},  # printed without memory, one never ends
        input="".join(json.dumps(one) + "\n" for one in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_input_ends_as_a_study_or_as_an_error_with_a_place(tmp_path: Path) -> None:
    asked = list[list[str]]()
    for i, (name, files) in enumerate(fuzzing.inputs()):
        (tmp_path / str(i)).mkdir()
        asked.append([name, *map(str, formats.put(tmp_path / str(i), files))])
    found = endings(asked)
    assert sorted(one["name"] for one in found) == sorted({one[0] for one in asked})
    ended = Counter(one["ending"] for one in found)
    good = {"study", "error"}
    assert [one for one in found if one["ending"] not in good or one["seconds"] > LONGEST] == []
    assert len(found) >= 100
    assert min(ended[kind] / len(found) for kind in good) >= SHARE
