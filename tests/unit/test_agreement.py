"""Scores beside ratings: which there are, what is said, the map, and the sessions that disagree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sdcg_explorer.questions.ratings import words
from sdcg_explorer.questions.ratings.numbers import (
    RatingChoices,
    agreement,
    agreement_map,
    coefficients,
    present,
    rated,
)
from sdcg_explorer.questions.robustness.numbers import query_scores_over
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.base_grid import BaseGrid
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES
from sdcg_explorer.scoring.ratings import rating_by_name, study_ratings
from sdcg_explorer.scoring.selection import select
from tests.support.rated import rated_study

EASE = "ease (of queries)"
LINEAR = Definition(weights="linear")


def test_ratings_are_the_columns_of_numbers_that_came_with_the_log() -> None:
    assert list(study_ratings(rated_study())) == ["satisfaction", "effort", EASE]
    *others, rated = sample_studies()
    assert not any(study_ratings(study) for study in others)
    assert list(study_ratings(rated)) == ["satisfaction", "usefulness (of queries)"]
    assert rating_by_name(rated_study(), "ease").of == "query"
    assert rating_by_name(rated_study(), "age").label == "age"  # a searcher's, if it is asked for
    with pytest.raises(ValueError, match="rating 'x'; known are satisfaction, effort, age, ease"):
        rating_by_name(rated_study(), "x")
    with pytest.raises(ValueError, match="version 'x'; known are raw, centred, partial"):
        RatingChoices("effort", version="x")


@pytest.mark.parametrize("name", QUERY_SCORES)
def test_score_of_a_query_over_the_plane_is_its_score_at_each_point(name: str) -> None:
    study, bases = rated_study(), ((1.5, 4.0), (2.0, 10.0))
    plane = BaseGrid(select(study, LINEAR, Filters()), *bases)
    session, query = plane.chosen.sample.known
    found = query_scores_over(plane, name, session, query)
    for i, b in enumerate(bases[0]):
        for k, bq in enumerate(bases[1]):
            own = rated(
                study, select(study, replace(LINEAR, b=b, bq=bq), Filters()), RatingChoices("ease")
            ).scores()[name]
            assert found[:, i, k] == pytest.approx(own, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("rating", "score"), [("effort", "final"), ("ease", "sdcg")])
def test_map_has_at_each_point_what_is_said_there(rating: str, score: str) -> None:
    view = rated_study(), LINEAR, Filters()
    for version in ("raw", "partial"):
        asked = RatingChoices(rating, score, version=version)
        grid = agreement_map(*view, asked=asked)
        i, k = 5, 17
        there = view[0], replace(LINEAR, b=grid.b[i], bq=grid.bq[k]), view[2]
        own = agreement(*there, asked=asked).found[score][2][version].value
        assert grid.values[i, k] == pytest.approx(own, abs=1e-9)
        assert present(*there, asked=asked).value == pytest.approx(own, abs=1e-9)
    assert grid.best is not None
    place = grid.b.index(grid.best[0]), grid.bq.index(grid.best[1])
    assert grid.values[place] == grid.highest == np.nanmax(grid.values)


def test_best_point_is_judged_on_searchers_that_had_no_part_in_choosing_it() -> None:
    view = rated_study(), LINEAR, Filters()
    asked = RatingChoices("effort", "final")
    grid, now = agreement_map(*view, asked=asked), present(*view, asked=asked)
    assert grid.folds == 5
    said = words.of_map(grid, now)
    assert said.startswith("Agreement is highest at b = ")
    assert "Cross-validated on searchers left out (5 folds): " in said
    few = Filters(searchers=("p", "q", "r", "s"))
    assert "too few searchers for cross-validation" in (
        words.of_map(agreement_map(view[0], LINEAR, few, asked=asked), now)
    )
    flat = agreement_map(*view, asked=RatingChoices("effort", "relevant_found"))
    assert flat.is_flat
    assert words.of_map(flat, now).endswith(" for all values of b and bq.")


def test_answer_says_the_raw_coefficient_and_warns_of_another_sign() -> None:
    shown = agreement(rated_study(), LINEAR, Filters(), asked=RatingChoices("effort", "final"))
    raw, other = (shown.found["final"][2][name] for name in ("raw", "partial"))
    assert raw.low > 0 > other.value
    assert words.answer(shown).startswith(
        f"Sessions with a higher {SESSION_SCORES['final'].words} tend to be rated higher on "
        "effort: Pearson's r = ."
    )
    assert "; with the number of queries partialled out −." in words.answer(shown)
    assert words.behind(shown).startswith("24 sessions by 8 searchers.")
    turned = replace(shown.asked, low_is_good=True)
    low = agreement(rated_study(), LINEAR, Filters(), asked=turned)
    assert low.found["final"][2]["raw"].value == pytest.approx(-raw.value)
    assert "be rated worse on effort (low is good): Pearson's r = −." in words.answer(low)
    nobody = Filters(min_queries=9)
    none = agreement(rated_study(), LINEAR, nobody, asked=RatingChoices("effort"))
    assert words.answer(none).startswith(
        "The filters leave no session with effort on a judged topic"
    )
    same = agreement(rated_study(), LINEAR, Filters(max_queries=1), asked=RatingChoices("effort"))
    assert np.isnan(same.found["final"][2]["partial"].value)


@pytest.mark.parametrize("rating", ["satisfaction", "ease"])
def test_number_of_queries_is_beside_scores_and_undefined_beside_itself_alone(rating: str) -> None:
    asked = RatingChoices(rating)
    of = agreement(rated_study(), LINEAR, Filters(), asked=asked)
    assert [*of.found][-1] == "queries"
    assert np.isnan(of.found["queries"][2]["partial"].value)
    assert words.undefined(of) == []
    table = coefficients(rated_study(), LINEAR, Filters(), asked=asked)
    assert "queries" in set(table["score"])
