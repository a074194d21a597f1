"""Judgments by several assessors: whose grades count, and how far they agree."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.paper import paper
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.study.grades import alpha, alpha_of_all, kappa, weighted_kappa
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from tests.support import refusals, told, zips

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


def made(folder: Path, judgments: str, **rules: Any) -> Study:
    return told.made(folder, {"log.csv": LOG, "judgments.csv": judgments}, **rules)


@pytest.mark.parametrize("which", MADE)
def test_one_grade_of_several_counts_as_chosen(which: str, tmp_path: Path) -> None:
    keys = ("t,a", "t,b", "u,b")
    rows = (f"{key},{grade}" for key, grade in zip(keys, MADE[which].split(), strict=False))
    clean = made(tmp_path / "clean", "\n".join(["topic,doc,grade", *rows, ""])).digest
    assert made(tmp_path / "long", LONG, assessors=which).digest == clean
    plain, said = WIDE.replace("grade_", ""), {"judgments.csv:grade": "anna + ben"}
    assert made(tmp_path / "plain", plain, assessors=which, mapping=said).digest == clean
    column = which if which in ("mean", "max") else f"grade_{which}"
    study = made(tmp_path / "wide", WIDE, assessors=column)
    assert study.digest == clean
    (said,) = [p for p in study.problems if p.found.startswith("several assessors")]
    assert said.found == "several assessors (grade_anna 3, grade_ben 2)"
    assert said.rule == (
        "2 documents judged by several, 1 of them differently, weighted κ (quadratic) .67, "
        "Krippendorff's α (ordinal) .83"
    )
    counted = [*study.report.repaired.values(), *study.report.left_out.values()]
    assert sum(counted) == (3 if which == "ben" else 2)


AGREEMENT = (
    "(anna 3, ben 2; 2 documents judged by several, 1 of them differently, weighted κ (quadratic) "
    ".67, Krippendorff's α (ordinal) .83)."
)
ALIKE = LONG.replace("t,a,1,ben", "t,a,2,ben")
COUNTED: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "mean": (LONG, {"assessors": "mean"}, [f"Grades are the mean of 2 assessors {AGREEMENT}"]),
    "one": (LONG, {"assessors": "anna"},
            [f"Grades are those of anna alone, of 2 assessors {AGREEMENT}"]),
    "different documents": ("topic,doc,grade,judge\nt,a,2,anna\nt,b,1,ben\n", {}, [
        "Grades are of 2 assessors, and no two of a document differ (anna 1, ben 1; no document "
        "was judged by several)."]),
}  # fmt: skip


@pytest.mark.parametrize("which", COUNTED)
def test_how_grades_were_combined_is_said_and_goes_with_the_study(
    which: str, tmp_path: Path
) -> None:
    judgments, rules, said = COUNTED[which]
    study = made(tmp_path, judgments, **rules)
    assert study.report.methods == said
    content = study_zip(study, *zips.PLAIN)
    folder = zips.unpacked(content, tmp_path / "unpacked")
    assert "".join(said) in (folder / "README.txt").read_text("utf-8")
    if which == "mean":
        assert (folder / "judgments.csv").read_text("utf-8").splitlines()[:2] == [
            "topic,doc,grade,grade by anna,grade by ben", '"t","a",1.5,"2","1"',
        ]  # fmt: skip
    store = Store(tmp_path / "store")
    store.save(study)
    for again in (zips.read_back(tmp_path, content), store.load(study.digest)):
        assert (again.digest, again.report.methods) == (study.digest, said)
    assert "".join(said) in paper(StudyView(study, *zips.PLAIN)).methods


WORDS = WIDE.replace("2,1", "VR,R").replace("0,0", "N,N").replace(",1,\n", ",R,\n")
TWICE = f"{LONG}t,a,0,ben\n"
ONE = "topic,doc,grade\nt,a,1\n"
HUGE = "topic,doc,grade,judge\nt,a,1e300,x\nt,a,1e308,y\n"
# grades of (t, a), (t, b), (u, b), or what is said
GRADED: dict[str, tuple[str, dict[str, str], str]] = {
    "words side by side": (WORDS, {"assessors": "max", "grade_words": "N,R,VR"}, "2 0 1"),
    "one name and another": (WIDE.replace("grade_anna,grade_ben", "Urteil,Urteil 2"),
                             {"assessors": "max"}, "2 0 1"),
    "an aspect beside": (WIDE.replace("grade_anna,grade_ben", "grade,grade_confidence"), {},
                         "2 0 1"),
    "the highest": (LONG, {"conflicts": "highest"}, "2 0 1"),
    "a hundred": (LONG.replace("t,a,2,", "t,a,100,"), {"assessors": "max"}, "100 0 1"),
    "the last of one": (TWICE, {"assessors": "mean", "conflicts": "last"}, "1 0 1"),
    "alike": (ALIKE, {}, "2 0 1"),
    "one of them twice": (TWICE, {"assessors": "mean"},
        "judgments.csv, line 8: another grade by 'ben'; an assessor can give a document only one "
        "grade. Keep one of the two, or choose: --set conflicts=first, last or highest."),
    "nobody of this name": (LONG, {"assessors": "zoe"},
        "judgments.csv: assessor 'zoe'; assessors are anna, ben. Choose whose grades count: "
        "--assessors mean, max, or a name: anna, ben."),
    "no assessors": (ONE, {"assessors": "mean"},
        "judgments.csv: no assessors; judgments need a column for the assessor. Rename the "
        "column to assessor, or say which it is: --map assessor=NAME."),
    "too much": (HUGE, {"assessors": "mean"},
        "judgments.csv, line 2: grade 1e+300 (and 1 more: line 3); a grade lies between −100 and "
        "100. Divide the grades, or correct the cell.\njudgments.csv, line 3: a second grade "
        "(1e+308) for 'a' on topic 't'; a document may have only one grade per topic. Keep one of "
        "the two, or choose: --set conflicts=first, last or highest."),
}  # fmt: skip


@pytest.mark.parametrize("what", GRADED)
def test_assessors_who_differ_are_refused_until_one_is_chosen(what: str, tmp_path: Path) -> None:
    judgments, rules, expected = GRADED[what]
    if ":" in expected:
        assert refusals.refusal(lambda: made(tmp_path, judgments, **rules)) == expected
    else:
        grades = made(tmp_path, judgments, **rules).judgments["grade"]
        assert " ".join(f"{grade:g}" for grade in grades) == expected


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
    assert np.isnan(alpha_of_all(np.array([[1.0, np.nan], [np.nan, 2.0]])))
    assert np.isnan(alpha_of_all(np.full((2, 2), np.nan)))


def test_kappa_and_weighted_kappa_are_those_of_statsmodels() -> None:
    chance = np.random.default_rng(5)
    for labels in (2, 3, 5):
        one = chance.integers(0, labels, 60)
        other = np.where(chance.random(60) < 0.5, one, chance.integers(0, labels, 60))
        table = np.zeros((labels, labels))
        np.add.at(table, (one, other), 1)
        expected = cohens_kappa(table, wt="quadratic", return_results=False)
        assert weighted_kappa(one.astype(float), other.astype(float)) == pytest.approx(expected)
        assert kappa(one, other) == pytest.approx(cohens_kappa(table, return_results=False))
    assert np.isnan([weighted_kappa(np.ones(3), np.ones(3)), kappa(*np.ones((2, 3), int))]).all()
