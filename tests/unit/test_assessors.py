"""Judgments by several assessors: whose grades count, and how far they agree."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING
from zipfile import ZipFile

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.export.verification import verify
from sdcg_explorer.questions.paper import paper
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.assessors import alpha, weighted_kappa
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import Store
from tests.support.formats import Files
from tests.unit.test_formats import put

if TYPE_CHECKING:
    from pathlib import Path

    from sdcg_explorer.study.study import Study

LOG = "session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,u\n"
LONG = """topic,doc,relevance,judge
t,a,2,anna
t,a,1,ben
t,b,0,anna
t,b,0,ben
u,b,1,anna
u,b,,ben
"""
WIDE = "topic,doc,grade_anna,grade_ben\nt,a,2,1\nt,b,0,0\nu,b,1,\n"
# by what counts: grades of (t, a), (t, b), (u, b)
MADE = {"mean": "1.5 0 1", "max": "2 0 1", "anna": "2 0 1", "ben": "1 0"}


def made(folder: Path, judgments: str, **rules: str) -> Study:
    files: Files = {"log.csv": LOG.encode(), "judgments.csv": judgments.encode()}
    return read_study(put(folder, files), recipe=Recipe(**rules))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("which", MADE)
def test_one_grade_of_several_counts_as_chosen(which: str, tmp_path: Path) -> None:
    keys = ("t,a", "t,b", "u,b")
    rows = (f"{key},{grade}" for key, grade in zip(keys, MADE[which].split(), strict=False))
    clean = made(tmp_path / "clean", "\n".join(["topic,doc,grade", *rows, ""])).digest
    assert made(tmp_path / "long", LONG, assessors=which).digest == clean
    column = which if which in ("mean", "max") else f"grade_{which}"
    study = made(tmp_path / "wide", WIDE, assessors=column)
    assert study.digest == clean
    (said,) = [p for p in study.problems if p.found.startswith("several assessors")]
    assert said.found == "several assessors (grade_anna 3, grade_ben 2)"
    assert said.rule == (
        "2 documents judged by both, 1 differs, weighted κ, quadratic, .67, "
        "Krippendorff's α, ordinal, .83"
    )
    counted = [*study.report.repaired.values(), *study.report.left_out.values()]
    assert sum(counted) == (3 if which == "ben" else 2)


AGREEMENT = (
    "(anna 3, ben 2; 2 documents judged by both, 1 differs, weighted κ, quadratic, .67, "
    "Krippendorff's α, ordinal, .83)."
)
COUNTED = {
    "mean": "Grades are the mean of two assessors",
    "max": "Grades are the higher of two assessors",
    "anna": "Grades are those of anna alone, of two assessors",
    "": "Where two assessors differ, the last grade counts",
}


@pytest.mark.parametrize("which", COUNTED)
def test_how_grades_were_combined_is_said(which: str, tmp_path: Path) -> None:
    study = made(tmp_path, LONG, assessors=which, conflicts="last")
    assert study.report.methods == [f"{COUNTED[which]} {AGREEMENT}"]


def test_publications_say_how_grades_were_combined(tmp_path: Path) -> None:
    study = made(tmp_path / "read", LONG, assessors="mean", conflicts="last")
    (said,) = study.report.methods
    view = Definition(), Filters()
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle(study, *view))
    with ZipFile(path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()
                 if name.endswith((".txt", ".html", ".csv"))}  # fmt: skip
    assert said in unescape(files["report.html"])
    for name in ("README.txt", "study/README.txt", "scores/methods.txt"):
        assert said in files[name], name
    assert said in paper(StudyView(study, *view)).methods
    assert files["study/judgments.csv"].splitlines()[:2] == [
        "topic,doc,grade,grade by anna,grade by ben",
        f'"t","a",{study.judgments["grade"][0]:g},"2","1"',
    ]
    store = Store(tmp_path / "store")
    store.save(study)
    for again in (read_study(path), store.load(study.digest)):
        assert again.digest == study.digest
        assert again.report.methods == [said]
        assert again.judgments["grade by ben"].tolist() == ["1", "0", ""]
    assert verify(path).differing == ()


def test_assessors_side_by_side_may_grade_in_words_or_without_a_word_in_one_name(
    tmp_path: Path,
) -> None:
    clean = made(tmp_path / "clean", WIDE, assessors="max").digest
    words = WIDE.replace("2,1", "VR,R").replace("0,0", "N,N").replace(",1,\n", ",R,\n")
    study = made(tmp_path / "words", words, assessors="max", grade_words="N,R,VR")
    assert study.digest == clean
    second = WIDE.replace("grade_anna,grade_ben", "Urteil,Urteil 2")
    assert made(tmp_path / "second", second, assessors="max").digest == clean
    aspects = WIDE.replace("grade_anna,grade_ben", "grade,grade_confidence")
    assert made(tmp_path / "aspects", aspects).judgments["grade"].tolist() == [2, 0, 1]


def test_assessors_of_different_documents_and_those_who_agree_are_told(tmp_path: Path) -> None:
    apart = "topic,doc,grade,judge\nt,a,2,anna\nt,b,1,ben\n"
    assert made(tmp_path / "a", apart).report.methods == [
        "Grades are of two assessors, and no two of a document differ (anna 1, ben 1; no document "
        "was judged by several)."
    ]
    alike = made(tmp_path / "b", LONG.replace("t,a,1,ben", "t,a,2,ben"))
    assert "two assessors, and no two of a document differ" in alike.report.methods[0]
    assert "0 differ, weighted κ, quadratic, 1.00" in alike.report.methods[0]
    assert made(tmp_path / "c", "topic,doc,grade,judge\nt,a,2,anna\n").report.methods == []


def test_assessors_who_differ_are_refused_until_one_is_chosen(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError) as refused:
        made(tmp_path / "a", LONG)
    assert refused.value.lines() == [
        "judgments.csv: 1 document that assessors graded differently; a document has one grade "
        "for a topic. Choose whose grades count: --assessors mean, max, anna, ben."
    ]
    agreed = LONG.replace("t,a,1,ben", "t,a,2,ben")
    assert made(tmp_path / "b", agreed).report.repaired == {"agreeing judgments merged": 2}
    assert made(tmp_path / "c", LONG, conflicts="highest").judgments["grade"].tolist() == [2, 0, 1]
    twice = f"{LONG}t,a,0,ben\n"
    with pytest.raises(UnusableInputError, match="line 8: another grade by 'ben'"):
        made(tmp_path / "d", twice, assessors="mean")
    chosen = made(tmp_path / "e", twice, assessors="mean", conflicts="last")
    assert chosen.judgments["grade"].tolist() == [1, 0, 1]
    for judgments, name, why in ((LONG, "zoe", "assessors are anna, ben"), (
        "topic,doc,grade\nt,a,1\n", "mean", "need a column for the assessor")):  # fmt: skip
        with pytest.raises(UnusableInputError, match=why):
            made(tmp_path / name, judgments, assessors=name)


def test_what_is_no_grade_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="a grade is at most 100"):
        made(tmp_path / "a", "topic,doc,grade,judge\nt,a,1e300,x\nt,a,1e308,y\n", assessors="mean")


def test_alpha_is_that_of_krippendorffs_example() -> None:
    """K. Krippendorff, Computing Krippendorff's alpha-reliability (2011), C and D: .815."""
    none = -1
    coders = np.array([
        [1, 2, 3, 3, 2, 1, 4, 1, 2, none, none, none],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, none, 3],
        [none, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, none],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, none],
    ])  # fmt: skip
    who, unit = np.nonzero(coders != none)
    assert alpha(unit, coders[who, unit] - 1) == pytest.approx(0.815, abs=0.0005)
    assert np.isnan(alpha(np.array([0, 0, 1, 1]), np.zeros(4, dtype=int)))


def test_weighted_kappa_is_that_of_statsmodels() -> None:
    chance = np.random.default_rng(5)
    for labels in (2, 3, 5):
        one = chance.integers(0, labels, 60)
        other = np.where(chance.random(60) < 0.5, one, chance.integers(0, labels, 60))
        table = np.zeros((labels, labels))
        np.add.at(table, (one, other), 1)
        expected = cohens_kappa(table, wt="quadratic", return_results=False)
        assert weighted_kappa(one.astype(float), other.astype(float)) == pytest.approx(expected)
    assert np.isnan(weighted_kappa(np.ones(3), np.ones(3)))
