"""Ratings that came along, as scores to compare: which columns are some, and who is compared."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.named_scores import scores_of
from sdcg_explorer.scoring.ratings import session_rating_columns
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_statistics import PlainPair, as_study
from tests.support.plain_statistics import rows_of

WORTH = "1 A p t, 2 B p t, 0 A q t, 3 B q t, 1 A r u, 1 B r t, 2 A s t, 0 B s u"
RATED = "3 A p t, 4 B p t, 1 A q t, 5 B q t, 2 A r u, 4 B r t, 4 A s t, 2 B s u"
ROWS = rows_of(*WORTH.split(", "))
EASE = [float(row.score) for row in rows_of(*RATED.split(", "))]


def rated(**columns: Any) -> Study:
    """Four searchers with both systems, and columns of their sessions."""
    study = study_of(as_study(ROWS))
    return replace(study, sessions=study.sessions.assign(**columns), _blocks={})


def test_ratings_are_numbers_that_tell_of_sessions() -> None:
    who = study_of(as_study(ROWS)).sessions["searcher"].astype("str")
    study = rated(
        ease=EASE,
        age=who.map({name: 20.0 + i for i, name in enumerate(sorted(set(who)))}),  # of the searcher
        place="at home",
        always=1.0,
        none=np.nan,
        final=range(8),  # called as a score
    )
    assert session_rating_columns(study) == ("ease", "final")
    assert scores_of(study)[-2:] == ["rating: ease", "rating: final"]
    assert session_rating_columns(rated(age=EASE)) == ("age",)


def test_rating_is_compared_by_the_estimator_of_every_score() -> None:
    rows = rows_of(*RATED.split(", "))
    shown = compare_systems(rated(ease=EASE), DEFAULT, Filters(), score="ease")
    assert shown.score == "rating: ease"
    plain, (pair,) = PlainPair(rows, "A", "B"), shown.pairs
    found = pair.difference, pair.low, pair.high, pair.df, pair.p_t
    assert found == pytest.approx((plain.value, *plain.interval(), plain.df, plain.p_t()))
    assert shown.systems["mean"].tolist() == pytest.approx(
        [fmean(float(row.score) for row in rows if row.system == name) for name in "AB"]
    )
    assert "from a t test" in " ".join(words.details(shown))
    assert "points of ease" in words.answer(shown)
    assert "Averaging a rating assumes that its steps are" in words.method(shown)


def test_sessions_without_the_rating_are_counted_and_judgments_are_not_needed() -> None:
    study = rated(ease=[math.nan, *EASE[1:]])
    grades = study.judgments[study.judgments["topic"] == "t"]
    shown = compare_systems(replace(study, judgments=grades), DEFAULT, Filters(), score="ease")
    assert words.behind(shown).endswith(" Left out: 1 session without this rating.")
    assert shown.systems["sessions"].tolist() == [3, 4]
    of_worth = compare_systems(replace(study, judgments=grades), DEFAULT, Filters(), score="final")
    assert of_worth.systems["sessions"].tolist() == [3, 3]


def test_score_that_the_study_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"score 'joy'; known are final_normalised, .*: ease\.$"):
        compare_systems(rated(ease=EASE), DEFAULT, Filters(), score="joy")
