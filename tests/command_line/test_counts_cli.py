"""`sdcg counts`: what it says, and what it refuses; killed or full it is in test_whole."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from sdcg_explorer.counting.counted import read_counted
from sdcg_explorer.reading.read import read_study
from tests.support.counting import assert_alike, random_log
from tests.support.plain_counts import plain_counts
from tests.support.plain_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_DEVELOPERS = {"dev", "docs", "peers", "release"}
# of each other extra: a command that needs it, what of the extra, and that as the line calls it
DOORS = {"counts": ([], "duckdb", "DuckDB"), "cluster": (["--engine", "spark"], "pyspark", "Spark")}


def test_counts_are_written_with_progress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, judgments = random_log(tmp_path)
    out, study = tmp_path / "out", read_study(log, judgments)
    for _ in range(2):  # counts take the place of counts
        assert sdcg.main(["counts", str(log), str(judgments), "--out", str(out), "--top", "4"]) == 0
        said, progress = capsys.readouterr()
        sessions, results = len(study.sessions), len(study.results)
        assert said.startswith(f"{sessions} sessions, {results} results in ")
        *_, last, unjudged = progress.splitlines()
        assert last.startswith(f"counting {results} results: 100%, ")
        assert unjudged.startswith("warning: log.csv: 1 unjudged topic (unjudged); ")
    counts = read_counted(out)
    assert_alike(counts, plain_counts(study, 4))
    about = json.loads((out / "counts.json").read_text())
    assert (about["digest"], about["totals"]["queries"]) == (counts.digest, len(study.queries))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judgments.csv", "log.csv", "out"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--engine", "hive"], "--engine 'hive'; known are duckdb, spark."),
        (["--master", "yarn"], "--master is Spark's, and the engine is duckdb. Leave it out."),
        (
            ["--engine", "spark", "--memory", "2GB"],
            "--memory is DuckDB's, and the engine is spark. Leave it out.",
        ),
        *(
            (["--memory", much], f"--memory '{much}'; it reads 4GB or 500MB. Correct it.")
            for much in ("much", "-1GB", "none")
        ),
        (
            ["--map", "doc=URL"],
            "--map: no column 'URL'; the columns are doc, grade, query_number, rank, searcher, "
            "session, system, topic. Correct --map.",
        ),
    ],
)
def test_options_that_do_not_fit_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    log, judgments = random_log(tmp_path)
    out = tmp_path / "out"
    assert sdcg.main(["counts", str(log), str(judgments), "--out", str(out), *more]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == words
    assert not out.exists()


def test_counts_take_the_place_of_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, judgments = random_log(tmp_path)
    assert sdcg.main(["counts", str(log), str(judgments), "--out", str(tmp_path)]) == 2
    assert "none of which sdcg wrote" in capsys.readouterr().err
    assert log.is_file()
    assert sdcg.main(["counts", str(log), str(judgments), "--out", str(tmp_path), "--force"]) == 0
    assert read_counted(tmp_path)
    assert log.is_file()


def test_a_disk_too_small_for_what_passes_the_memory_is_full(tmp_path: Path) -> None:
    engine = DuckDBEngine("40MB", tmp_path / "spill")
    engine._connection.execute("set max_temp_directory_size = '1MB'")
    with pytest.raises(OSError, match="No space left on device"):
        engine.table(
            "big", "select md5(cast(i as string)) as x from range(1500000) t(i) order by 1"
        )
    engine.close()


@pytest.mark.parametrize("extra", DOORS)
def test_what_an_extra_brings_is_named_where_it_is_missing(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    extra: str,
) -> None:
    assert {*DOORS} == {*PROJECT["optional-dependencies"]} - FOR_DEVELOPERS
    more, module, called = DOORS[extra]
    for name in [module, *(each for each in sys.modules if each.startswith(f"{module}."))]:
        monkeypatch.setitem(sys.modules, name, None)  # another test may have loaded them
    for name in ("by_duckdb", "by_spark", "texts"):  # as a new process finds them
        monkeypatch.delitem(sys.modules, f"sdcg_explorer.counting.{name}", raising=False)
    log, judgments = random_log(tmp_path)
    out = tmp_path / "out"
    assert sdcg.main(["counts", str(log), str(judgments), "--out", str(out), *more]) == 2
    said = f'{called} is not installed. Add it: pip install "sdcg-explorer[{extra}]".\n'
    assert capsys.readouterr() == ("", said)
    assert not out.exists()
