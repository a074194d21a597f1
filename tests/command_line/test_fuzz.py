"""Whatever is given to the readers ends as a study or as errors with places, soon, in 1 GB."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.fuzz_endings import ENDINGS, SHARE, Ending, all_endings, is_bad

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is Linux's")
FEWEST = 100


def test_every_input_ends_as_a_study_or_as_an_error_with_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = all_endings(tmp_path)
    assert len({one["name"] for one in found}) == len(found) >= FEWEST
    ended = {kind: [one for one in found if one["ending"] == kind] for kind in ENDINGS}
    badly = [one for one in found if is_bad(one)]
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
