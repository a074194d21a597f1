"""The map of b and bq, all definitions, and each assessor say what Compare systems says."""

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from sdcg_explorer.questions.compare_systems.numbers import compare_pairs
from sdcg_explorer.questions.robustness import answer, numbers, tables_of, words
from sdcg_explorer.questions.robustness.numbers import Lead, compare_by_assessor, robustness
from sdcg_explorer.questions.robustness.words import under_each_assessor
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring import selection
from sdcg_explorer.scoring.base_grid import GRID, BaseGrid
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.measures import SESSION_SCORES, Measured
from sdcg_explorer.study.study import Study
from tests.support import plain_files, random_studies, tables
from tests.support.plain_loop import Choices, PlainStudy
from tests.support.studies import SAMPLES, at_hand

ALL = Filters()


@pytest.mark.parametrize("score", ["final_normalised", "average_normalised", "best"])
def test_map_is_compare_systems_at_each_point(score: str) -> None:
    study = at_hand(SAMPLES[0])
    seen = robustness(study, DEFAULT, ALL, score=score)
    for i, k in np.random.default_rng(1).integers(0, len(GRID), (7, 2)):
        there = replace(DEFAULT, b=GRID[i], bq=GRID[k])
        pair = compare_pairs(study, there, ALL, score).pairs[0]
        own = [values[i, k] for values in (seen.value, seen.low, seen.high)]
        expected = [pair.difference, pair.low, pair.high]
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-14)


def test_which_bases_move_the_mean_of_one_system_is_said() -> None:
    one = StudyView(at_hand(SAMPLES[0]), DEFAULT, Filters(systems=("System 1",)))
    ends = {"final": "on b and bq;", "mean_ndcg": "on b;", "relevant_found": "values of b and bq."}
    for score, end in ends.items():
        assert f" {end}" in f"{words.headline(one.ask(robustness, score=score))}"


def test_weights_that_leave_a_system_no_share_have_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = numbers.VARIED | {"weights": ("paper", "strict")}
    monkeypatch.setattr("sdcg_explorer.questions.robustness.numbers.VARIED", own)
    rows = [f"s{i},{'ABC'[i % 3]},p{i // 3},{'tu'[i % 3 // 2]},1,1,d{i % 2}" for i in range(9)]
    rows += ["more,A,p0,u,1,1,d0"]
    log = "\n".join(["session,system,searcher,topic,query_number,rank,doc", *rows])
    judgments = "topic,doc,grade\nt,d0,3\nt,d1,2\nu,d0,1\n"
    few = tables.read(tmp_path, log_csv=log, judgments_csv=judgments)
    found = numbers.all_definitions(few, DEFAULT, ALL, pair=("A", "C"))
    assert found
    lacks = found.table().groupby("weights")["difference"].apply(lambda each: each.isna().mean())
    assert lacks.to_dict() == {"paper": 0, "strict": 1}  # no document on u has a grade above 1
    rounded = replace(found, value=1 + 1e-15 * (np.indices(found.value.shape).sum(axis=0) % 2))
    assert ({*rounded.moved().values()}, np.diff(rounded.order()).min()) == ({0.0}, 1)
    assert "depends most" not in " ".join(words.all_definitions_sentences(rounded))
    without = robustness(few, DEFAULT, ALL, score="union_recall", pair=("A", "C"))
    assert words.cautions(without)[-1] == "This score depends on neither b nor bq."


def of(*values: float, p: float = 0.5, pairs: int = 1) -> Lead:
    return Lead(("A", "B"), np.array(values), np.full(len(values), p), pairs)


AHEAD = "B scores higher than A at "
# over points, over definitions; p is multiplied by the number of pairs at each point
LEADS: dict[str, tuple[Lead, Lead]] = {
    f"{AHEAD}2 of 2 pairs of b and bq (none clearly) and under 1 of 2 definitions (none "
    "clearly); they tie under 1.": (of(1, 1), of(1, 0)),
    f"{AHEAD}2 of 3 pairs of b and bq (none clearly) and under 1 of 2 definitions (none "
    "clearly); A is higher at 1 and under 1.": (of(1, 1, -1), of(1, -1)),
    f"{AHEAD}1 of 1 pair of b and bq (1 clearly) and under 2 of 2 definitions (2 clearly).": (
        of(1, p=0.01),
        of(1, 1, p=0.01),
    ),
    f"{AHEAD}1 of 1 pair of b and bq (1 clearly) and under 1 of 1 definition (none clearly).": (
        of(1, p=0.005, pairs=10),
        of(1, p=0.0051, pairs=10),
    ),
    "A and B tie at 2 of 2 pairs of b and bq and under 0 of 2 definitions; B is higher under "
    "1; the difference is undefined under 1.": (of(0, 0), of(1, np.nan)),
    f"{AHEAD}1 of 1 pair of b and bq (no interval can be computed) and under 1 of 1 definition "
    "(no interval can be computed).": (of(1, p=np.nan), of(1, p=np.nan)),
}


@pytest.mark.parametrize("said", LEADS)
def test_both_questions_are_answered_whoever_leads_where(said: str) -> None:
    points, under = LEADS[said]
    assert words.who_leads((points, words.POINTS), (under, words.DEFINITIONS)) == said


def read(folder: Path, assessors: dict[str, range], whose: str) -> Study:
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
    texts = {"log_csv": "\n".join(log), "judgments_csv": "\n".join(judged)}
    files = plain_files.written(folder, **texts)
    return read_study(*files.values(), recipe=Recipe(assessors=whose))


DOCS, TWO = range(1, 31), {"AK": range(1, 31), "TM": range(1, 31)}


@pytest.mark.parametrize(
    ("assessors", "definition"),
    [
        ({"AK": DOCS}, DEFAULT),
        (TWO, Definition(grades="searcher")),
        ({f"R{i}": range(1, 4) for i in range(13)}, DEFAULT),
    ],
)
def test_without_several_assessors_there_is_no_such_comparison(
    assessors: dict[str, range], definition: Definition, tmp_path: Path
) -> None:
    assert compare_by_assessor(read(tmp_path, assessors, "mean"), definition, ALL) is None


def test_assessors_without_a_document_in_common_have_no_kappa(tmp_path: Path) -> None:
    apart = {"AK": range(1, 16), "TM": range(16, 31)}
    found = compare_by_assessor(read(tmp_path, apart, "mean"), DEFAULT, ALL)
    assert found is not None
    assert found.agreement[["alike", "kappa", "weighted_kappa"]].isna().all(axis=None)
    assert "α" not in under_each_assessor(found)
    assert [*tables_of(found)] == ["Systems under each assessor", "Agreement of assessors"]


def test_robustness_says_whose_grades_reverse_the_lead(tmp_path: Path) -> None:
    study = read(tmp_path, TWO, "mean")
    found = compare_by_assessor(study, DEFAULT, ALL)
    assert found is not None
    shown = answer(StudyView(study, DEFAULT, ALL))
    alpha = "Krippendorff's α (ordinal) of all: .02."
    assert shown.more[-1] == under_each_assessor(found)
    every = "4 of 4 sets of grades (AK, TM, mean of all and highest of all)"
    assert shown.more[-1] == f"B scores higher than A under {every}. {alpha}"
    turned = found.rows.assign(difference=[0.04, -0.02, 0.01, 0.0, np.nan])
    assert under_each_assessor(replace(found, rows=turned, alpha=-0.634)) == (
        "B scores higher than A under 1 of 4 sets of grades (TM). A scores higher than B under 1 "
        "of 4 sets of grades (AK). A and B tie under 1 of 4 sets of grades (mean of all). A and B "
        "can't be compared under 1 of 4 sets of grades (highest of all). Krippendorff's α "
        "(ordinal) of all: −.63."
    )


def test_assessors_may_be_called_like_a_row_and_grades_without_a_gain_are_named(
    tmp_path: Path,
) -> None:
    called = {"current grades": DOCS, "mean of all": DOCS}
    gains = ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 5.0))
    found = compare_by_assessor(read(tmp_path, called, "max"), Definition(weights=gains), ALL)
    assert found is not None
    rows = ["current grades", "current grades", "mean of all", "highest of all"]
    assert found.rows["grades"].tolist() == rows
    assert found.rows["difference"].nunique() == 3
    assert "Left out, as a grade has no gain: mean of all." in under_each_assessor(found)
    assert "under 3 of 3 sets of grades" in under_each_assessor(found)


BASES = (1.3, math.inf), (2.0, 30.0)


@random_studies.often
@given(random_studies.studies(), random_studies.choices())
def test_scores_over_a_plane_are_those_of_each_point(plain: PlainStudy, chosen: Choices) -> None:
    study, definition = plain_files.study_of(plain), plain_files.definition_of(chosen)
    plane = BaseGrid(selection.select(study, definition, ALL), *BASES)
    values = {name: numbers.session_scores_over(plane, name) for name in SESSION_SCORES}
    for i, b in enumerate(plane.b):
        for k, bq in enumerate(plane.bq):
            of = Measured(selection.select(study, replace(definition, b=b, bq=bq), ALL))
            for name, score in SESSION_SCORES.items():
                alone = np.where(of.chosen.sample.judged, score.function(of), np.nan)
                own = values[name][:, i, k]
                np.testing.assert_allclose(own, alone, 1e-12, 1e-12, err_msg=name)
