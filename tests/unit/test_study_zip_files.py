"""The files of a study's zip: what it says of itself, what was changed since, the definition."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.scoring.definition import Definition, Filters, from_toml
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.studies import small
from tests.support.zips import PLAIN, assert_reads_back, read_back


@pytest.mark.parametrize("name", ["Étude “1” \\ \n\t'", "{digest}", "]\n[x]", "\x7f", "#", ""])
def test_name_and_note_read_back(name: str, tmp_path: Path) -> None:
    assert_reads_back(replace(small(), name=name or "study", note=name), tmp_path)


def test_name_with_an_emoji_reads_back(tmp_path: Path) -> None:
    assert_reads_back(replace(small(), name="Pilot 🙂"), tmp_path)


def test_own_texts_in_the_zip_are_no_news(tmp_path: Path) -> None:
    study = read_back(tmp_path, study_zip(small(), *PLAIN))
    assert [str(problem) for problem in study.report.problems] == []


def test_newer_format_is_refused(tmp_path: Path) -> None:
    content = study_zip(small(), *PLAIN)
    with pytest.raises(UnusableInputError) as refused:
        read_back(tmp_path, content, study_toml=(b"format = 1", b"format = 2"))
    rule = "this version reads format 1. Update sDCG Explorer: a newer version wrote it."
    assert refused.value.lines() == [f"study.toml, line 1: format 2; {rule}"]


@pytest.mark.parametrize("changed", ["log_csv", "judgments_csv"])
def test_changed_table_is_said(changed: str, tmp_path: Path) -> None:
    study, old = small(), {"log_csv": b"d4", "judgments_csv": b"d9"}[changed]
    back = read_back(tmp_path, study_zip(study, *PLAIN), **{changed: (old, b"d5")})
    assert back.digest != study.digest
    found = [str(problem) for problem in back.problems if "study.toml" in problem.found]
    rule = "the tables were changed after they were written. Nothing to do if you changed them."
    assert found == [f"log.csv: another digest than study.toml names; {rule}"]


def test_definition_reads_back_by_the_command_line(tmp_path: Path) -> None:
    gains = ((0.0, 0.0), (1.0, 1.5), (2.0, 7.0), (3.0, 50.0))
    chosen = Definition(gains, b=3.1, bq=float("inf"), top=5, discount="jk2002", repeats="first",
                        ideal="spread", short_lists=3, others="per-session")  # fmt: skip
    kept = Filters(systems=("A",), searchers=("p1",), min_queries=1, max_queries=9)
    (tmp_path / "study.zip").write_bytes(study_zip(small(), chosen, kept))
    with zipfile.ZipFile(tmp_path / "study.zip") as archive:
        archive.extract("definition.toml", tmp_path)
    options = ["--definition", str(tmp_path / "definition.toml"), "--out", str(tmp_path / "scores")]
    assert sdcg.main(["score", str(tmp_path / "study.zip"), *options]) == 0
    written = (tmp_path / "scores" / "definition.toml").read_text(encoding="utf-8")
    assert from_toml(written) == (chosen, kept)


def test_same_study_gives_the_same_bytes(tmp_path: Path) -> None:
    content = study_zip(small(), *PLAIN)
    back = read_back(tmp_path, content)
    assert study_zip(back, *PLAIN) == content
