"""A log scored in parts of whole sessions has the numbers of a log that is scored at once."""

from __future__ import annotations

import gc
import math
import random
import shutil
import weakref
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scale import engines
from sdcg_explorer.scale import log as scale_log
from tests.support import formats, random_studies, thorough
from tests.support.plain_files import ECIR2008
from tests.support.refusals import HEADER, JUDGMENTS, LOG

pytest.importorskip("duckdb")
SPARK = pytest.mark.skipif(not (shutil.which("java") and find_spec("pyspark")), reason="no Java")
DEFINITIONS = {
    "ecir2008": "",
    "padless": 'short_lists = "as-is"\nb = 3.0\nbq = 2.0\n',
    "goes_on": 'after_stop = "ideal-continues"\naverage = "ratio-of-means"\n',
    "once": 'repeats = "first"\nideal = "spread"\nunjudged = "condense"\ntop = 3\n',
    "log2": 'discount = "standard"\nothers = "per-session"\nweights = "linear"\n',
    "further": 'measures = ["err", "esndcg"]\n',
}
EXACT: Any = {"rtol": 1e-9, "atol": 1e-12}


def run(*arguments: object) -> int:
    """The exit code of a command."""
    return sdcg.main([*map(str, arguments)])


def assert_alike(whole: Path, parts: Path) -> None:
    """Sessions, curves to where they end, and Figure 1 are equal; intervals, too."""
    sessions = pd.read_csv(whole / "sessions.csv", dtype={"searcher": str, "session": str})
    scored = pd.read_parquet(parts / "sessions.parquet")
    both = (table.sort_values("session", ignore_index=True) for table in (sessions, scored))
    _equal(*both)
    for name, keys in {
        "session_curves": ["system", "position"],
        "query_order": ["system", "group", "rank"],
    }.items():
        one, two = (pd.read_csv(folder / f"{name}.csv") for folder in (whole, parts))
        assert len(two) == len(two[keys].drop_duplicates())
        kept = two[keys].merge(one, on=keys, how="left")
        if name == "query_order":
            assert len(kept) == len(one)
        _equal(kept[two.columns], two)
    means = pd.read_csv(parts / "scores.csv")
    row: Any
    for row in means.itertuples():
        own = sessions.loc[sessions["system"] == row.system, row.score]
        assert math.isclose(own.mean(), row.mean, rel_tol=1e-9, abs_tol=1e-12) or own.isna().all()
        assert own.notna().sum() == row.sessions


def _equal(one: pd.DataFrame, two: pd.DataFrame) -> None:
    assert [*one.columns] == [*two.columns]
    for name in one:
        if two[name].dtype.kind in "fiu":
            np.testing.assert_allclose(one[name], two[name], err_msg=str(name), **EXACT)
        else:
            assert _texts(one[name]) == _texts(two[name])


def _texts(column: pd.Series[Any]) -> list[str]:
    return column.replace("None", "").fillna("").tolist()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few results, so that small logs have many; columns known by few rows."""
    monkeypatch.setattr(engines, "HEAD", 3)
    monkeypatch.setattr(scale_log, "MOST_RESULTS", 20)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("engine", ["duckdb", pytest.param("spark", marks=SPARK)])
def test_parts_have_the_numbers_of_the_whole(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, more = [*DEFINITIONS], list[object]()
    if engine == "spark":  # which is slow, and hands out parts whatever the definition
        more = ["--master", "local[1]"]
        names = names[-1:] if thorough.THOROUGH == 1 else names
        monkeypatch.setattr(scale_log, "MOST_RESULTS", 150)
    log, judgments = random_studies.random_log(tmp_path)
    head, *rows = log.read_text(encoding="utf-8").splitlines(keepends=True)
    folder = tmp_path / "two files"
    folder.mkdir()
    for name, part in (("a.csv", rows[:90]), ("b.csv", rows[90:])):
        (folder / name).write_text("".join([head, *part]), encoding="utf-8")
    files = [tmp_path / f"{name}.toml" for name in names]
    for path in files:
        path.write_text(f"[definition]\n{DEFINITIONS[path.stem]}", encoding="utf-8")
    more += [option for path in files for option in ("--definition", path)]
    out = tmp_path / "out"
    assert run("score", folder, judgments, "--engine", engine, *more, "--out", out) == 0
    for path in files:
        whole = tmp_path / f"whole {path.stem}"
        assert run("score", folder, judgments, "--definition", path, "--out", whole) == 0
        assert_alike(whole, out / path.stem if len(files) > 1 else out)


def test_sessions_of_searchers_and_a_sample_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale_log, "MOST_RESULTS", 400)
    log, judgments, out = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv", tmp_path / "out"
    assert run("score", log, judgments, "--out", tmp_path / "whole") == 0
    more = "--engine", "duckdb", "--memory", "500MB", "--sample", 30, "--out", out
    assert run("score", log, judgments, *more) == 0
    assert_alike(tmp_path / "whole", out)
    sample, whole = read_study(out / "sample.zip"), read_study(log, judgments)
    assert len(sample.sessions) == 30
    assert sample.note.startswith("30 of 120 sessions, chosen by the md5 of the searcher")
    queries = whole.queries[whole.queries["session"].isin(sample.sessions["session"])]
    assert len(sample.queries) == len(queries)


def test_a_part_is_gone_before_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples, alive, make = list[Any](), list[int](), scale_log.Sample
    log, judgments = random_studies.random_log(tmp_path)

    def made(*given: Any) -> Any:
        alive.append(sum(sample() is not None for sample in samples))
        samples.append(weakref.ref(sample := make(*given)))
        return sample

    monkeypatch.setattr("sdcg_explorer.study.machine.collect", gc.collect)
    monkeypatch.setattr(scale_log, "Sample", made)
    monkeypatch.setattr(scale_log, "MOST_RESULTS", 60)
    gc.disable()  # as the command line does
    try:
        assert run("score", log, judgments, "--engine", "duckdb", "--out", tmp_path / "out") == 0
    finally:
        gc.enable()
    assert (max(alive), len(samples) > 6) == (1, True)  # one of the same part


def test_many_searchers_are_resampled_in_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale_log, "MOST_CLUSTERS", 10)
    chance = random.Random(3)
    rows = [
        f"s{i},p{i % 900},{'AB'[i % 7 % 2]},1,{rank},{chance.choice('abc')}{rank},t\n"
        for i in range(1_800)
        for rank in range(1, 4)
    ]
    log, judged = tmp_path / "log.csv", tmp_path / "judgments.csv"
    log.write_text(f"session,searcher,system,query_number,rank,doc,topic\n{''.join(rows)}")
    grades = (f"t,{doc}{rank},{'abc'.index(doc)}\n" for doc in "abc" for rank in range(1, 4))
    judged.write_text(f"topic,doc,grade\n{''.join(grades)}")
    assert run("score", log, judged, "--out", tmp_path / "whole") == 0
    assert run("score", log, judged, "--engine", "duckdb", "--out", tmp_path / "out") == 0
    one, two = (pd.read_csv(tmp_path / name / "session_curves.csv") for name in ("whole", "out"))
    one = one.merge(two[["system", "position"]], on=["system", "position"])
    np.testing.assert_allclose(one["mean"], two["mean"], **EXACT)
    widths = (two["high"] - two["low"]) / (one["high"] - one["low"])
    assert widths.between(0.85, 1.15).all()  # by 256 groups: an error of some 4 %
    assert not np.allclose(widths, 1, atol=1e-6)
    assert "256 groups" in (tmp_path / "out" / "methods.txt").read_text()


EMPTY = HEADER + "".join(f"s1,{q},,,u\n" for q in range(1, 60)) + LOG.removeprefix(HEADER)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    "log",
    [
        EMPTY.replace("s1,1,1,a,t\ns1,1,2,b,t\n", ""),
        LOG.replace("rank", "position").replace(",1,", ",0,"),
        LOG.replace("session,", "Session ID,"),
        HEADER + "".join(f"s{i},1,1,a,\n" for i in range(5, 10)) + LOG.removeprefix(HEADER),
    ],
    ids=["a session that found nothing", "ranks from 0", "other names", "topics from row 6"],
)
def test_odd_logs_are_scored_as_they_are_at_once(log: str, tmp_path: Path) -> None:
    files = formats.put(tmp_path, {"log.csv": log, "judgments.csv": JUDGMENTS})
    assert run("score", *files, "--out", tmp_path / "whole") == 0
    assert run("score", *files, "--engine", "duckdb", "--out", tmp_path / "out") == 0
    assert_alike(tmp_path / "whole", tmp_path / "out")


def test_folder_of_parts_is_read_whatever_else_lies_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, judgments, folder = tmp_path / "log.csv", tmp_path / "judgments.csv", tmp_path / "parts"
    log.write_text(LOG.replace("doc", "filename"), encoding="utf-8")
    judgments.write_text(JUDGMENTS, encoding="utf-8")
    given = judgments, "--map", "doc=filename"
    assert run("score", log, *given, "--out", tmp_path / "whole") == 0
    folder.mkdir()
    for session, rows in pd.read_csv(log).groupby("session"):
        rows.to_parquet(folder / f"part-{session}.parquet")
    (folder / ".part.crc").write_text("a sum")
    (folder / "_SUCCESS").touch()
    assert len([*folder.iterdir()]) > 3
    more = "--engine", "duckdb", "--sample", 1, "--out", tmp_path / "out"
    for _ in range(2):  # what it wrote itself is replaced
        assert run("score", folder, *given, *more) == 0
    assert_alike(tmp_path / "whole", tmp_path / "out")
    rows = pd.read_parquet(folder / "part-s1.parquet").assign(session="s9", rank="x")
    rows.to_parquet(folder / "more.parquet")
    assert run("score", folder, *given, "--engine", "duckdb", "--out", tmp_path / "more") == 2
    assert "more.parquet, session 's9'" in capsys.readouterr().err


DUCKDB = "judgments.csv --engine duckdb"
NO_TOPIC = "session,query_number,rank,doc\ns1,1,1,a\n"
GIVEN = {"log.csv": LOG, "judgments.csv": JUDGMENTS, "a.toml": "", "b.toml": ""}
# what is said of what is typed after score log.csv, and of files that are others than GIVEN
REFUSED: dict[str, tuple[str, dict[str, str]]] = {
    "log.csv, session 's3', query '1', rank 'x': rank 'x' (and 1 more: log.csv, session 's4', "
    "query '2', rank 'y'); ranks are whole numbers from 0 or 1. Correct the cell.": (
        DUCKDB,
        {"log.csv": LOG + "s3,1,x,c,t\ns4,2,y,c,t\n"},
    ),
    "session 's1' has a second system": (
        DUCKDB,
        {"log.csv": "system," + HEADER + "A,s1,1,1,a,t\nB,s1,2,1,a,t\n"},
    ),
    "where another row has 'b'; a rank in a result list holds one document. Correct it, and": (
        DUCKDB,
        {"log.csv": LOG + "s2,1,1,c,t\n"},
    ),
    "judgments.csv, line 4: grade 'x'": (DUCKDB, {"judgments.csv": JUDGMENTS + "t,c,x\n"}),
    "topic missing; either both log and judgments name topics": (DUCKDB, {"log.csv": NO_TOPIC}),
    "topic missing": (f"{DUCKDB} --topics-by one", {"log.csv": NO_TOPIC}),
    "they take at most a quarter of --memory": (
        f"{DUCKDB} --memory 10MB",
        {"judgments.csv": JUDGMENTS + "".join(f"t,d{i},1\n" for i in range(120_000))},
    ),
    "same_rank does not work with --engine, which takes a log as it is": (
        f"{DUCKDB} --set same_rank=first",
        {},
    ),
    "a file of jsonl; with --engine a log must be Parquet": (DUCKDB, {"log.jsonl": "{}\n"}),
    "no system 'Z'": (f"{DUCKDB} --systems Z", {}),
    "--memory and --sample need --engine": ("judgments.csv --sample 2", {}),
    "need --engine duckdb or --engine spark": ("judgments.csv --memory 2GB", {}),
    "--master needs --engine spark": (f"{DUCKDB} --master x", {}),
    "the log and its judgments as two files": ("--engine duckdb", {}),
    "Leave it out": (f"{DUCKDB} --residuals", {}),
    "Gains from clicks do not work with --engine": (f"{DUCKDB} --preset behaviour", {}),
    "columns does not work with": (f"{DUCKDB} --columns session", {}),
    "with --engine take several": ("judgments.csv --definition a.toml --definition b.toml", {}),
    "a.toml twice; each names": (f"{DUCKDB} --definition a.toml --definition a.toml", {}),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_an_engine_does_not_take_is_refused_with_its_first_places(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed, others = REFUSED[said]
    formats.put(tmp_path, GIVEN | others)
    log = next((name for name in others if name.startswith("log")), "log.csv")
    assert run("score", log, *typed.split(), "--out", "out") == 2
    assert said in capsys.readouterr().err
    assert not Path("out").exists()


def test_robustness_of_parts_compares_means_at_every_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale_log, "MOST_RESULTS", 400)
    log, judgments = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"
    assert run("robustness", log, judgments, "--engine", "duckdb", "--out", tmp_path / "out") == 0
    found = pd.read_csv(tmp_path / "out" / "robustness.csv")
    row: Any
    for row in found.iloc[[0, 300]].itertuples():
        out = tmp_path / f"{row.b}"
        assert run("score", log, judgments, "--b", row.b, "--bq", row.bq, "--out", out) == 0
        each = pd.read_csv(out / "sessions.csv")
        means = each.groupby("system")[row.score].mean()
        assert means[row.system_b] - means[row.system_a] == pytest.approx(row.difference, rel=1e-9)
        # by hand: what each searcher moves the difference by
        whose = each["searcher"].fillna(each["session"])
        sign = np.where(each["system"] == row.system_b, 1, -1)
        size = each["system"].map(each["system"].value_counts())
        moves = (sign * (each[row.score] - each["system"].map(means)) / size).groupby(whose).sum()
        error = math.sqrt(len(moves) / (len(moves) - 1) * (moves**2).sum())
        reach = error * stats.t.ppf(0.975, len(moves) - 1)
        assert row.high - row.difference == pytest.approx(reach, rel=1e-6)
    assert "topic effects not removed" in (tmp_path / "out" / "methods.txt").read_text()
