"""The comparison of systems under each assessor."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems.numbers import every_pair
from sdcg_explorer.questions.robustness import answer
from sdcg_explorer.questions.robustness.judges import judges
from sdcg_explorer.questions.robustness.words import under_each_assessor
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study

USUAL = "final_normalised"
EVERY = Filters()


def put(folder: Path, assessors: dict[str, range]) -> tuple[Path, Path]:
    """A log of two systems, and judgments of some documents by each assessor."""
    chance = random.Random(3)
    log = ["session,system,searcher,topic,query_number,rank,doc"]
    judged = ["topic,doc,assessor,grade"]
    log += [
        f"s{s},{'AB'[s % 2]},p{s // 2},t{s % 3},{q},{r},d{chance.randint(1, 30)}"
        for s in range(24)
        for q in (1, 2)
        for r in range(1, 6)
    ]
    judged += [
        f"t{topic},d{doc},{name},{chance.randint(0, 3)}"
        for topic in range(3)
        for name, docs in assessors.items()
        for doc in docs
    ]
    paths = folder / "log.csv", folder / "judgments.csv"
    for path, lines in zip(paths, (log, judged), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def read(folder: Path, assessors: dict[str, range], whose: str) -> Study:
    return read_study(*put(folder, assessors), recipe=Recipe(assessors=whose))


ALL, TWO = range(1, 31), {"AK": range(1, 31), "TM": range(1, 31)}


def test_a_row_is_the_study_read_anew_with_these_grades(tmp_path: Path) -> None:
    found = judges(read(tmp_path, TWO, "mean"), DEFAULT, EVERY)
    assert found is not None
    assert found.rows["grades"].tolist() == [
        "grades in force",
        "AK",
        "TM",
        "mean of all",
        "highest of all",
    ]
    for place, whose in enumerate(("mean", "AK", "TM", "mean", "max")):
        anew = read(tmp_path, TWO, whose)
        pairs = every_pair(anew, DEFAULT, EVERY, USUAL)
        own, row = pairs.chosen(found.systems), found.rows.iloc[place]
        assert own is not None
        assert row["judgments"] == len(anew.judgments)
        numbers = row[["difference", "low", "high", "p_holm"]].tolist()
        wanted = [own.difference, own.low, own.high, pairs.p_holm[0]]
        np.testing.assert_allclose(numbers, wanted, rtol=1e-12)
        means = [pairs.scored.score[pairs.scored.system == code].mean() for code in (0, 1)]
        np.testing.assert_allclose(row[["mean of A", "mean of B"]].tolist(), means, rtol=1e-12)
    assert len({*found.rows["difference"].round(9)}) == 4


@pytest.mark.parametrize(
    ("assessors", "definition"),
    [
        ({"AK": ALL}, DEFAULT),
        (TWO, Definition(grades="searcher")),
        ({f"R{i}": range(1, 4) for i in range(13)}, DEFAULT),
    ],
)
def test_without_several_assessors_there_is_no_such_comparison(
    assessors: dict[str, range], definition: Definition, tmp_path: Path
) -> None:
    assert judges(read(tmp_path, assessors, "mean"), definition, EVERY) is None


def test_assessors_without_a_document_in_common_have_no_kappa(tmp_path: Path) -> None:
    apart = {"AK": range(1, 16), "TM": range(16, 31)}
    found = judges(read(tmp_path, apart, "mean"), DEFAULT, EVERY)
    assert found is not None
    assert found.agreement[["alike", "kappa", "weighted_kappa"]].isna().all(axis=None)
    assert "α" not in under_each_assessor(found)


def test_robustness_says_whose_grades_reverse_the_lead(tmp_path: Path) -> None:
    study = read(tmp_path, TWO, "mean")
    found = judges(study, DEFAULT, EVERY)
    assert found is not None
    shown = answer(StudyView(study, DEFAULT, EVERY))
    assert shown.more[-1] == under_each_assessor(found)
    own = found.rows.set_index("grades")["difference"].iloc[1:]
    a, b = found.systems
    for system, ahead in ((b, own[own > 0]), (a, own[own < 0])):
        assert all(name in under_each_assessor(found) for name in ahead.index) or len(ahead) in (
            0,
            4,
        )
        assert (f"{system} leads" in under_each_assessor(found)) == bool(len(ahead))
