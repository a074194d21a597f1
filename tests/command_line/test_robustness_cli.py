"""What `sdcg robustness` writes: the map as a table and in words, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.into import WRITTEN
from sdcg_explorer.questions.robustness import words
from sdcg_explorer.questions.robustness.numbers import all_definitions, robustness
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Filters, from_toml
from tests.command_line.test_compare_cli import SAMPLE, THREE, files_of
from tests.support.plain_files import rows_in

FILES = {"robustness.csv", "robustness.txt", "definition.toml", "methods.txt"}


def run(out: Path, *options: str, files: tuple[Path, ...] = SAMPLE) -> int:
    return sdcg.main(["robustness", *map(str, files), "--out", str(out), *options])


def test_map_is_written_as_table_and_words_and_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, out = files_of(THREE, tmp_path / "files"), tmp_path / "out"
    options = "--score", "final", "--pair", "C", "A", "--weights", "linear", "--all-definitions"
    assert run(out, *options, files=files) == 0
    definition, filters = from_toml((out / "definition.toml").read_text(encoding="utf-8"))
    assert filters == Filters()
    asked = {"score": "final", "pair": ("A", "C")}
    view = read_study(*files), definition, filters
    seen, found = robustness(*view, **asked), all_definitions(*view, **asked)
    assert found
    rows = rows_in(out / "robustness.csv")
    assert len(rows) == 576
    assert {(row["system_a"], row["system_b"]) for row in rows} == {("A", "C")}
    assert [float(row["difference"]) for row in rows] == pytest.approx(seen.value.ravel().tolist())
    text = (out / "robustness.txt").read_text(encoding="utf-8")
    assert text.startswith(words.sentences(seen, found))
    assert "\nAll reasonable definitions\n" in text
    every = rows_in(out / "all_definitions.csv")
    assert f" of {len(every):,} definitions" in text or f"all {len(every):,} definitions" in text
    assert capsys.readouterr().out == text
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert f"all {len(every):,} combinations of" in methods
    assert methods.count("Robustness: the difference C − A in ") == 1
    assert {path.name for path in out.iterdir()} == {*FILES, "all_definitions.csv", WRITTEN}


REFUSED = {
    "unknown score": (("--score", "finale"), "score 'finale'; choose one of "),
    "unknown pair": (("--pair", "A", "B"), "no pair A and B; systems are System 1, System 2."),
    "no session left": (
        ("--min-queries", "50"),
        "The filters leave no session with this score: widen them.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_option_is_refused_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, line = REFUSED[case]
    assert run(tmp_path / "out", *options) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert told.err.startswith(line)
    assert not (tmp_path / "out").exists()
