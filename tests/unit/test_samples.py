"""The studies that come along: made by their programs, and read as their notes say."""

import runpy
import shutil
from pathlib import Path

import pytest

from sdcg_explorer.reading.samples import SAMPLES, sample_studies


@pytest.mark.parametrize("sample", sorted(path.parent.name for path in SAMPLES.glob("*/gen*.py")))
def test_each_program_makes_its_files_again_to_the_byte(sample: str, tmp_path: Path) -> None:
    copy = shutil.copytree(SAMPLES, tmp_path / "samples") / sample
    made = sorted(copy.glob("*.csv"))
    for path in made:
        path.write_bytes(b"")
    runpy.run_path(str(copy / "generate.py"), run_name="__main__")
    assert made
    assert [path.read_bytes() for path in made] == [
        (SAMPLES / sample / path.name).read_bytes() for path in made
    ]


def test_a_sample_that_rates_another_is_that_one_with_ratings() -> None:
    first, _, rated = sample_studies()
    assert rated.digest != first.digest
    assert rated.results.equals(first.results)
    assert rated.sessions.drop(columns="satisfaction").equals(first.sessions)
    assert "Invented" in rated.note
