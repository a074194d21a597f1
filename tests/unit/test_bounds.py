"""What is beyond bounds is refused when it is read or opened, by file, rule and remedy."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sdcg_explorer.questions.compare_systems import numbers, words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring import mean_curves as counts
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.live import live_sessions
from sdcg_explorer.study import bounds, problems
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from tests.support import fuzz_parquet, plain_files, refusals, studies, tables
from tests.support.fuzz_bombs import JUDGMENTS, LOG
from tests.support.many_systems import many_systems


def refused(folder: Path, log: bytes, judgments: bytes = JUDGMENTS) -> str:
    return refusals.refusal(lambda: tables.read(folder, log_csv=log, judgments_csv=judgments))


@pytest.mark.parametrize("grade", ["-101", "310"])  # 100 fits: test_assessors.py
def test_grades_are_at_most_a_hundred(grade: str, tmp_path: Path) -> None:
    said = refused(tmp_path, LOG, JUDGMENTS.replace(b"a,1", f"a,{grade}".encode()))
    assert said.startswith(f"judgments.csv, line 2: grade {grade}; a grade lies between")


def test_a_study_has_a_hundred_and_twenty_grades(tmp_path: Path) -> None:
    grades = b"".join(b"t,x%d,%.1f\n" % (i, i / 2) for i in range(3, 121))
    assert len(tables.read(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS + grades).labels) == 120


def test_a_depth_may_be_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tables.read(tmp_path, log_csv=LOG + b"s1,1,90,z,t\n", judgments_csv=JUDGMENTS)
    monkeypatch.setattr("sdcg_explorer.study.grade_cube.MOST_PLACES", study.block(30).codes.size)
    with pytest.raises(problems.UnusableInputError, match=r"places fit\. Ask for a smaller depth"):
        study.block(60)


def test_one_long_session_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head, *_ = LOG.splitlines(keepends=True)
    rows = [b"far,%d,1,a,t\n" % q for q in range(1, 101)] + [b"s%d,1,1,a,t\n" % s for s in range(9)]
    assert tables.read(tmp_path, log_csv=head + b"".join(rows), judgments_csv=JUDGMENTS)
    monkeypatch.setattr(bounds, "ALWAYS_PLACES", 1_000)
    said = refused(tmp_path, head + b"".join(rows))
    assert "log.csv: 10 sessions × 100 queries of the longest × 10 ranks are 10,000 places" in said
    assert "session 'far' is the longest" in said
    assert said.endswith("Leave out the longest sessions or the deepest ranks.")
    monkeypatch.setattr(bounds, "MOST_QUERIES", 99)
    assert "session 'far' has 100 queries" in refused(tmp_path, head + b"".join(rows))


def test_kept_study_beyond_the_bounds_is_refused_and_can_be_deleted(tmp_path: Path) -> None:
    study, store = studies.small(), Store(tmp_path)
    grades = study.judgments.assign(grade=study.judgments["grade"] * 400)
    kept = store.save(replace(study, judgments=grades))
    with pytest.raises(
        problems.UnusableInputError, match="grade 1200; a grade lies between −100 and 100"
    ):
        store.load(kept.digest)
    assert [each.digest for each in store.kept()] == [kept.digest]
    store.delete(kept.digest)
    assert store.kept() == []


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (fuzz_parquet.same(b"x" * 100_000, 20_000), "text counts each time"),
        (pa.array([b"x" * 100_000] * 300, pa.binary(100_000)), "or 200 times their size"),
        (pa.array(np.zeros(20_000_001, np.int8)), "20,000,001 rows"),
        (pa.array([["x" * 1_000] * 1_001]), "1,005,004 characters"),
    ],
)
def test_parquet_of_a_few_bytes_is_refused_before_it_is_text(
    values: pa.Array, said: str, tmp_path: Path
) -> None:
    (tmp_path / "log.parquet").write_bytes(fuzz_parquet.parquet({"session": values}))
    before = pa.total_allocated_bytes()
    with pytest.raises(problems.UnusableInputError, match=said):
        read_study(tmp_path / "log.parquet")
    assert pa.total_allocated_bytes() - before < 100_000_000


def shown(study: Study) -> list[pd.DataFrame]:
    asked = study, Definition(), Filters()
    return [session_curves(*asked).table(), query_order(*asked).table()]


def test_gains_added_up_are_gains_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    study = studies.at_hand("ECIR 2008 (reconstructed)")
    counted = shown(study)
    monkeypatch.setattr(counts, "MOST_COUNTED", 0)
    for one, other in zip(counted, shown(study), strict=True):
        pd.testing.assert_frame_equal(one, other, rtol=1e-9)
    assert live_sessions(study, Definition(), Filters(), measure="raw") is None


def test_of_many_systems_the_busiest_are_compared_as_if_only_they_were_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study, usual = plain_files.in_files(many_systems()), (Definition(), Filters())
    every = compare_systems(study, *usual)
    busy = every.systems.sort_values("sessions", ascending=False, kind="stable")["system"][:3]
    names = tuple(name for name in every.names if name in set(busy))
    alone = compare_systems(study, Definition(), Filters(systems=names))
    for module, name in ((numbers, "MOST_PAIRED"), (numbers, "MOST_TESTED")):
        monkeypatch.setattr(module, name, 3)
    few = compare_systems(study, *usual)
    assert few.names == every.names
    assert [repr(pair) for pair in few.pairs] == [repr(pair) for pair in alone.pairs]
    assert (
        f"There is no test over all {len(every.names)} systems: the design leaves nothing to swap, "
        "or there are more than 3 systems." in words.figure_notes(few)
    )
    said = "Pairs are compared among the 3 systems with the most sessions."
    assert [said in " ".join(words.cautions(of)) for of in (few, alone)] == [True, False]
