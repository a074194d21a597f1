"""Scores beside ratings: coefficients, what is said, the map; ratings as scores to compare."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sdcg_explorer.metrics.arrays import Floats

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.ratings import words
from sdcg_explorer.questions.ratings.numbers import (
    RatingChoices,
    agreement,
    agreement_map,
    coefficient_in_force,
    rated_rows,
    system_preferences,
)
from sdcg_explorer.questions.robustness.numbers import query_scores_over
from sdcg_explorer.reading.read import sample_studies
from sdcg_explorer.scoring.base_grid import GRID, BaseGrid
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES
from sdcg_explorer.scoring.ratings import rating_by_name, study_ratings
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.statistics import correlations
from tests.support.rated import rated_study

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
# hours before a screen by intelligence: the squared differences of ranks add up to 194
QUOTIENT = np.array([106, 100, 86, 101, 99, 103, 97, 113, 112, 110], dtype=float)
HOURS = np.array([7, 27, 2, 50, 28, 29, 20, 12, 6, 17], dtype=float)
TIED = np.array([12, 2, 1, 12, 2], dtype=float), np.array([1, 4, 7, 1, 0], dtype=float)
# Anscombe (1973), the first of his four
X = np.array([10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5], dtype=float)
Y = np.array([8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68])


def tied(clusters: int = 7, number: int = 40) -> tuple[Floats, correlations.Paired]:
    """Scores with few values, a rating and a number that go along with them, in clusters."""
    rng = np.random.default_rng(3)
    who, topic = rng.integers(0, clusters, number), rng.integers(0, 4, number)
    x, z = rng.integers(0, 6, number) / 3, rng.integers(1, 5, number).astype(float)
    y = np.round(x + z / 2 + who / 5 + rng.normal(size=number))
    who = np.unique(who, return_inverse=True)[1]
    return x, correlations.Paired(y, z, who, who, topic)


def by_hand(kind: str, x: Floats, y: Floats, of: correlations.Clustered) -> Floats:
    one, two = (correlations.KINDS[kind].ready(each, of) for each in (x, y))
    return correlations.coefficient(kind, one, two, of)


def test_textbooks() -> None:
    alone, five = (correlations.Clustered.of(np.arange(n), resamples=0) for n in (10, 5))
    assert by_hand("spearman", QUOTIENT, HOURS, alone)[0] == pytest.approx(1 - 6 * 194 / 990)
    # of 10 pairs 2 go together and 6 apart; 2 are tied in the one, 1 in the other
    assert by_hand("kendall", *TIED, five)[0] == pytest.approx((2 - 6) / np.sqrt(8 * 9))
    found = by_hand("pearson", X, Y, correlations.Clustered.of(np.arange(11), resamples=0))[0]
    assert round(float(found), 4) == 0.8164
    # three coefficients .8, .6 and .5 of a third, worked by hand
    worked = (0.8 - 0.6 * 0.5) / math.sqrt((1 - 0.36) * (1 - 0.25))
    assert correlations.partial(*(np.array([v]) for v in (0.8, 0.6, 0.5)))[0] == pytest.approx(
        worked
    )


@pytest.mark.parametrize("kind", correlations.KINDS)
def test_every_draw_is_scipys_of_the_values_that_it_repeats(kind: str) -> None:
    x, of = tied()
    drawn = correlations.Clustered.of(of.cluster, resamples=20)
    for values in (x, of.residuals(x[:, None])[:, 0]):
        found = by_hand(kind, values, of.y, drawn)
        for weights, one in zip(drawn.draws, found, strict=True):
            often = weights[of.cluster].astype(int)
            repeated = np.repeat(np.round(values, 9), often), np.repeat(of.y, often)
            assert one == pytest.approx(SCIPY[kind](*repeated)[0], abs=1e-9)


def test_centred_is_of_residuals_of_both_ways_at_once() -> None:
    x, of = tied()
    dummies = [np.eye(int(each.max()) + 1)[each] for each in (of.searcher, of.topic)]
    design = np.hstack(dummies)
    left = [v - design @ np.linalg.lstsq(design, v, rcond=None)[0] for v in (x, of.y)]
    assert of.residuals(np.column_stack([x, of.y])) == pytest.approx(np.column_stack(left))
    for kind in correlations.KINDS:
        (_, _, found) = correlations.estimates(kind, {"x": x}, of)["x"]
        near = [np.round(each, 9) for each in left]
        assert found["centred"].value == pytest.approx(SCIPY[kind](*near)[0])


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
@pytest.mark.parametrize("version", correlations.VERSIONS)
def test_columns_have_what_each_alone_has(kind: str, version: str) -> None:
    x, of = tied()
    columns = np.column_stack([x, x**2, np.ones(x.size), -x])
    found = of.over(kind, version, columns)
    each = correlations.estimates(kind, dict(zip("abcd", columns.T, strict=True)), of)
    expected = [found_of[version].value for _, _, found_of in each.values()]
    assert found == pytest.approx(expected, nan_ok=True)
    assert np.isnan(found[2])
    assert found[3] == pytest.approx(-found[0])


def test_what_does_not_vary_is_undefined_and_few_have_no_interval() -> None:
    x, of = tied(clusters=4)
    number, clusters, found = correlations.estimates("spearman", {"x": x}, of)["x"]
    assert (number, clusters) == (40, 4)
    assert not np.isnan(found["raw"].value)
    assert np.isnan([found["raw"].low, found["raw"].high]).all()
    x, of = tied()
    some = np.where(of.cluster < 2, np.nan, x)
    each = correlations.estimates("pearson", {"same": np.ones(40), "x": x, "some": some}, of)
    assert np.isnan([one.value for one in each["same"][2].values()]).all()
    assert each["x"][2]["raw"].low < each["x"][2]["raw"].value < each["x"][2]["raw"].high
    assert each["some"][:2] == (int((of.cluster > 1).sum()), 5)
    with pytest.raises(ValueError, match="coefficient 'kendall' over columns"):
        correlations.of_columns("kendall", x[:, None], x)


def test_tau_of_very_many_is_the_same_without_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    x, of = tied()
    few = correlations.estimates("kendall", {"x": x, "same": np.ones(40)}, of)
    monkeypatch.setattr(correlations, "MOST_PAIRED", 30)
    many = correlations.estimates("kendall", {"x": x, "same": np.ones(40)}, of)
    for version in correlations.VERSIONS:
        assert many["x"][2][version].value == pytest.approx(few["x"][2][version].value)
        assert np.isnan(many["x"][2][version].low)
        assert np.isnan(many["same"][2][version].value)


def test_interval_is_t_on_atanh() -> None:
    drawn = np.array([0.5, 0.2, 0.4, 0.6, 0.7])
    reach = stats.t.ppf(0.975, 5) * np.arctanh(drawn[1:]).std()
    low, high = (math.tanh(math.atanh(0.5) + sign * reach) for sign in (-1, 1))
    assert correlations.estimate(drawn, 6) == pytest.approx((0.5, low, high))
    wide = correlations.estimate(drawn, 6, 2.0)
    assert math.atanh(wide.high) - math.atanh(0.5) == pytest.approx(2 * reach)
    assert np.isnan(correlations.estimate(np.array([0.5, np.nan, np.nan, 0.1]), 6).low)
    assert np.isnan(correlations.estimate(np.array([1.0, 0.9, 0.8]), 6).low)


def test_share_of_searchers_whose_system_the_score_prefers_is_exact() -> None:
    # mean score and rating of A and B by searcher: same way, same, other way, tied in the rating
    score = np.array([1.0, 2, 1, 3, 5, 2, 1, 4, 9])
    rating = np.array([1.0, 2, 4, 5, 3, 4, 2, 2, 9])
    who, system = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4]), np.array([0, 1, 0, 1, 0, 1, 0, 1, 1])
    (pair,) = system_preferences(score, rating, who, system, ("A", "B", "C"))
    assert pair[:5] == ("A", "B", 2, 1, 1)
    exact = stats.binomtest(2, 3).proportion_ci(method="exact")
    assert pair[5:] == pytest.approx((2 / 3, exact.low, exact.high))
    (alike,) = system_preferences(score[:4], rating[:4], who[:4], system[:4], ("A", "B"))
    exact = stats.binomtest(2, 2).proportion_ci(method="exact")
    assert alike == ("A", "B", 2, 0, 0, 1.0, pytest.approx(exact.low), 1.0)
    (all_tied,) = system_preferences(score[6:8], rating[6:8], who[6:8], system[6:8], ("A", "B"))
    assert all_tied.ties == 1
    assert np.isnan(all_tied.share)


EASE = "ease (of queries)"
LINEAR = Definition(weights="linear")


def test_ratings_are_the_columns_of_numbers_that_came_with_the_log() -> None:
    assert list(study_ratings(rated_study())) == ["satisfaction", "effort", EASE]
    *others, rated = sample_studies()
    assert not any(study_ratings(study) for study in others)
    assert list(study_ratings(rated)) == ["satisfaction", "usefulness (of queries)"]
    assert rating_by_name(rated_study(), "ease").of == "query"
    assert rating_by_name(rated_study(), "age").label == "age"  # a searcher's, if it is asked for
    with pytest.raises(
        ValueError, match="rating 'x'; choose one of satisfaction, effort, age, ease"
    ):
        rating_by_name(rated_study(), "x")
    with pytest.raises(ValueError, match="version 'x'; choose one of raw, centred, partial"):
        RatingChoices("effort", version="x")


@pytest.mark.parametrize("name", QUERY_SCORES)
def test_score_of_a_query_over_the_plane_is_its_score_at_each_point(name: str) -> None:
    study, bases = rated_study(), ((1.5, 4.0), (2.0, 10.0))
    plane = BaseGrid(select(study, LINEAR, Filters()), *bases)
    session, query = plane.chosen.sample.known
    found = query_scores_over(plane, name, session, query)
    for i, b in enumerate(bases[0]):
        for k, bq in enumerate(bases[1]):
            own = rated_rows(
                study, select(study, replace(LINEAR, b=b, bq=bq), Filters()), RatingChoices("ease")
            ).scores()[name]
            assert found[:, i, k] == pytest.approx(own, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("rating", "score"), [("effort", "final"), ("ease", "sdcg")])
def test_map_has_at_each_point_what_is_said_there(rating: str, score: str) -> None:
    view = rated_study(), LINEAR, Filters()
    for version in ("raw", "centred", "partial"):
        asked = RatingChoices(rating, score, version=version)
        grid = agreement_map(*view, asked=asked)
        i, k = 5, 17
        there = view[0], replace(LINEAR, b=GRID[i], bq=GRID[k]), view[2]
        own = agreement(*there, asked=asked).found[score][2][version].value
        assert grid.values[i, k] == pytest.approx(own, abs=1e-9)
        assert coefficient_in_force(*there, asked=asked)[0] == pytest.approx(own, abs=1e-9)
    assert grid.best is not None
    place = GRID.index(grid.best[0]), GRID.index(grid.best[1])
    assert grid.values[place] == grid.highest == np.nanmax(grid.values)


def test_best_point_is_judged_on_searchers_that_had_no_part_in_choosing_it() -> None:
    view = rated_study(), LINEAR, Filters()
    asked = RatingChoices("effort", "final")
    grid, now = agreement_map(*view, asked=asked), coefficient_in_force(*view, asked=asked)
    said = words.best_point_sentence(grid, now)
    assert said.startswith("Agreement is highest at b = ")
    assert "On held-out searchers (5-fold cross-validation), Pearson's r is " in said
    assert " at the other folds' best point and " in said
    few = Filters(searchers=("p", "q", "r", "s"))
    assert "it needs at least 5 searchers" in (
        words.best_point_sentence(agreement_map(view[0], LINEAR, few, asked=asked), now)
    )


MAPPED = {  # score, version, and whether searchers are named: the sentence's beginning
    ("relevant_found", "raw", True): "Pearson's r is .69 for all values of b and bq.",
    ("relevant_found", "centred", True): "Pearson's r within searcher and topic is .72 for all",
    ("final", "partial", True): "Agreement with the number of queries partialled out is highest at",
    ("final", "centred", False): "Agreement within topic is highest at b = 900, bq = 900 (",
}


@pytest.mark.parametrize("asked", MAPPED)
def test_map_names_the_version_of_its_coefficient(asked: tuple[str, str, bool]) -> None:
    study, choices = rated_study(), RatingChoices("effort", asked[0], version=asked[1])
    if not asked[2]:
        study = replace(study, sessions=study.sessions.assign(searcher=pd.Categorical([None] * 24)))
    over = agreement_map(study, LINEAR, Filters(), asked=choices)
    now = coefficient_in_force(study, LINEAR, Filters(), asked=choices)
    assert words.best_point_sentence(over, now).startswith(MAPPED[asked])
    shown, within = agreement(study, LINEAR, Filters(), asked=choices), "searcher and topic"
    within = within if asked[2] else "topic"
    assert f"unadjusted, with {within} effects removed from both" in words.method(shown)
    assert f"; centred: within {within}; " in words.version_marks(shown.units)


def test_answer_says_the_raw_coefficient_and_warns_of_another_sign() -> None:
    shown = agreement(rated_study(), LINEAR, Filters(), asked=RatingChoices("effort", "final"))
    raw, other = (shown.found["final"][2][name] for name in ("raw", "partial"))
    assert raw.low > 0 > other.value
    assert words.headline(shown).startswith(
        f"Sessions with a higher {SESSION_SCORES['final'].words} tend to be rated higher on "
        "effort: Pearson's r = ."
    )
    assert "; with the number of queries partialled out −." in words.headline(shown)
    assert words.figure_notes(shown).startswith("24 sessions by 8 searchers.")
    turned = replace(shown.asked, low_is_good=True)
    low = agreement(rated_study(), LINEAR, Filters(), asked=turned)
    assert low.found["final"][2]["raw"].value == pytest.approx(-raw.value)
    assert "be rated worse on effort (low is good): Pearson's r = −." in words.headline(low)
    how = "Scores were compared with effort{} by Pearson's r: unadjusted, "
    assert words.method(low).startswith(how.format(" (reversed, as low ratings are good)"))
    assert words.method(shown).startswith(how.format(""))
    nobody = Filters(min_queries=9)
    none = agreement(rated_study(), LINEAR, nobody, asked=RatingChoices("effort"))
    assert words.headline(none).startswith(
        "The filters leave no session with effort on a judged topic"
    )
    same = agreement(rated_study(), LINEAR, Filters(max_queries=1), asked=RatingChoices("effort"))
    assert np.isnan(same.found["final"][2]["partial"].value)


def test_score_that_the_study_has_not_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"score 'joy'; choose one of final_normalised, .*, rating: effort\.$"
    ):
        compare_systems(rated_study(), DEFAULT, Filters(), score="joy")
