"""The files of a study's zip: what it says of itself, what was changed since, the definition."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.studies import small
from tests.support.zips import PLAIN, assert_reads_back, read_back


@pytest.mark.parametrize("name", ["Étude “1” \\ \n\t'", "{digest}", "]\n[x]", "\x7f", "#", ""])
def test_name_and_note_read_back(name: str, tmp_path: Path) -> None:
    assert_reads_back(replace(small(), name=name or "study", note=name), tmp_path)


def test_newer_format_is_refused(tmp_path: Path) -> None:
    content = study_zip(small(), *PLAIN)
    with pytest.raises(UnusableInputError) as refused:
        read_back(tmp_path, content, study_toml=(b"format = 1", b"format = 2"))
    rule = "this version reads format 1. Update sDCG Explorer: a newer one wrote it."
    assert refused.value.lines() == [f"study.toml, line 1: format 2; {rule}"]


@pytest.mark.parametrize("changed", ["log_csv", "judgments_csv"])
def test_changed_table_is_said(changed: str, tmp_path: Path) -> None:
    study, old = small(), {"log_csv": b"d4", "judgments_csv": b"d9"}[changed]
    back = read_back(tmp_path, study_zip(study, *PLAIN), **{changed: (old, b"d5")})
    assert back.digest != study.digest
    found = [str(problem) for problem in back.problems if "study.toml" in problem.found]
    rule = "the tables were changed after they were written. Nothing to do, if you changed them."
    assert found == [f"log.csv: another digest than study.toml names; {rule}"]


def test_same_study_gives_the_same_bytes(tmp_path: Path) -> None:
    content = study_zip(small(), *PLAIN)
    back = read_back(tmp_path, content)
    assert study_zip(back, *PLAIN) == content
