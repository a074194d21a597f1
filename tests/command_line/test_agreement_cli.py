"""What `sdcg agreement` says and writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.questions.ratings import words
from sdcg_explorer.questions.ratings.numbers import RatingChoices, agreement, coefficients
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import rows_in, written
from tests.support.rated import rated_files, rated_study
from tests.support.zips import unpacked


def run(folder: Path, *options: str) -> int:
    texts = rated_files()
    files = written(folder, **{name.replace(".", "_"): text for name, text in texts.items()})
    log, judgments, *ratings = files.values()
    more = [option for path in ratings for option in ("--ratings", str(path))]
    return sdcg.main(["agreement", str(log), str(judgments), *more, *options])


def test_says_and_writes_what_the_page_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
    out = tmp_path / "out"
    assert run(tmp_path, "--with", "effort", "--score", "final", "--out", str(out)) == 0
    asked = RatingChoices("effort", "final")
    view = rated_study(), Definition(), Filters()
    shown = agreement(*view, asked=asked)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == words.answer(shown)
    assert (out / "agreement.txt").read_text(encoding="utf-8").splitlines() == said
    rows = [float(row["value"] or "nan") for row in rows_in(out / "agreement.csv")]
    expected = coefficients(*view, asked=asked)["value"].to_numpy()
    assert rows == pytest.approx(expected, rel=1e-9, nan_ok=True)
    assert len((out / "agreement_map.csv").read_text().splitlines()) == 1 + 24 * 24
    assert "Scores were compared with effort by Pearson's r" in (out / "methods.txt").read_text()
    systems = (out / "agreement_systems.csv").read_text().splitlines()
    assert systems[0] == "system_a,system_b,same,other,ties,share,low,high"
    made = unpacked(bundle(*view), tmp_path / "bundle") / "agreement"  # of the first rating
    assert {path.name for path in made.iterdir()} == {
        path.name for path in out.iterdir() if path.suffix == ".csv" or path.stem == "agreement"
    }


def test_refuses_a_column_that_is_no_rating(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--with", "mood") == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "rating 'mood'; choose one of satisfaction, effort, age, ease (of queries)."
    )
    assert run(tmp_path, "--with", "ease", "--score", "final") == 2
    assert "score 'final'; choose one of dcg, sdcg" in capsys.readouterr().err
