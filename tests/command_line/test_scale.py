"""A log scored in parts of whole sessions has the numbers of a log that is scored at once."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.scale import log as scale_log
from tests.support.plain_files import ECIR2008
from tests.support.random_studies import random_log

pytest.importorskip("duckdb")
SPARK = pytest.mark.skipif(
    not (shutil.which("java") and pytest.importorskip("pyspark")), reason="no Java"
)
DEFINITIONS = {
    "ecir2008": "",
    "padless": 'short_lists = "as-is"\nb = 3.0\nbq = 2.0\n',
    "goes_on": 'after_stop = "ideal-continues"\naverage = "ratio-of-means"\n',
    "once": 'repeats = "first"\nideal = "spread"\nunjudged = "condense"\ntop = 3\n',
    "log2": 'discount = "standard"\nothers = "per-session"\nweights = "linear"\n',
    "further": 'measures = ["err", "esndcg"]\n',
}
EXACT: dict[str, float] = {"rtol": 1e-9, "atol": 1e-12}


def run(*arguments: object) -> int:
    """The exit code of a command."""
    return sdcg.main([*map(str, arguments)])


def definitions(folder: Path) -> list[object]:
    """Files of all definitions, as options."""
    options: list[object] = []
    for name, text in DEFINITIONS.items():
        path = folder / f"{name}.toml"
        path.write_text(f"[definition]\n{text}", encoding="utf-8")
        options += ["--definition", path]
    return options


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
            texts = (table[name].replace("None", "").fillna("").tolist() for table in (one, two))
            assert [*texts][0] == [*texts][-1]


def scored_both(log: Path, judgments: Path, folder: Path, engine: str, *more: object) -> None:
    """Score whole and in parts under all definitions, and compare."""
    asked = definitions(folder)
    out = folder / f"{engine} out"
    assert run("score", log, judgments, "--engine", engine, *asked, "--out", out, *more) == 0
    for name in DEFINITIONS:
        whole = folder / f"whole {name}"
        if not whole.exists():
            own = "--definition", folder / f"{name}.toml", "--out", whole
            assert run("score", log, judgments, *own) == 0
        assert_alike(whole, out / name)


def many_small_parts(monkeypatch: pytest.MonkeyPatch, results: int = 200) -> None:
    """Have parts of few results."""
    monkeypatch.setattr(scale_log, "results_of", lambda _: results)


@pytest.mark.parametrize("engine", ["duckdb", pytest.param("spark", marks=SPARK)])
def test_parts_have_the_numbers_of_the_whole(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many_small_parts(monkeypatch)
    master = ["--master", "local[1]"] if engine == "spark" else []
    for name, files in {
        "sample": (ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"),
        "random": random_log(tmp_path),
    }.items():
        (tmp_path / name).mkdir()
        scored_both(*files, tmp_path / name, engine, *master)
