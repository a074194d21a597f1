"""The crossed mixed model: printed examples, statsmodels, whole matrices, laws, and no model."""

import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy import stats

from sdcg_explorer.questions.compare_systems import words as topics_like_these
from sdcg_explorer.scoring.scored_sessions import Scored
from sdcg_explorer.statistics.crossed_model import PART_NAMES, Crossed, cross_products, fitted
from tests.support.plain_statistics import SLEEP, Floats, of, paired, simulated, study
from tests.support.thorough import THOROUGH

MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]  # eighths of an inch
# six samples on each of 24 plates: diameters less 18 mm, as lme4's data set Penicillin has them
PENICILLIN = (
    "958553 958553 737662 857552 748452 647541 625341 848663 636442 636541 858663 748662 "
    "868674 858552 857664 747552 736552 746551 635331 858663 736440 747442 636461 636430"
)
PRIMING = [466, 520, 502, 475, 494, 490, 516, 566, 577, 491, 544, 526, 484, 529, 539, 470, 511, 528]


def test_sleep_is_the_paired_t() -> None:
    """Student (1908): mean 1.58, t = 4.06 at 9 degrees of freedom, 0.70 to 2.46."""
    found, paired_t = of(paired(*SLEEP)), stats.ttest_rel(SLEEP[1], SLEEP[0])
    assert [round(x, 2) for x in (found.value, found.value / found.error)] == [1.58, 4.06]
    assert [*np.round(found.interval(), 2), round(found.p, 5)] == [0.70, 2.46, 0.00283]
    assert found.df == pytest.approx(9)
    assert found.value / found.error == pytest.approx(paired_t.statistic, rel=1e-6)


def test_maize_is_the_paired_t() -> None:
    """Fisher (1935), The Design of Experiments, §17, of Darwin's data: 2.617 inches, t = 2.148."""
    pots = 5 * np.sin(np.arange(15))
    found = of(paired(pots, pots + np.array(MAIZE) / 8))
    assert found.value == pytest.approx(314 / 8 / 15)
    assert round(found.value, 3) == 2.617
    assert round(found.value / found.error, 3) == 2.148
    assert (round(found.df, 6), round(found.p, 4)) == (14, 0.0497)


def test_penicillin_gives_the_printed_deviations() -> None:
    """lme4's lmer(diameter ~ 1 + (1 | plate) + (1 | sample)): .8467, 1.9316, .5499, 330.8606."""
    diameter = np.array([float(x) for row in PENICILLIN.split() for x in row]) + 18
    plate, sample = np.divmod(np.arange(144), 6)
    standard = (diameter - diameter.mean()) / diameter.std()
    none = np.zeros(144)
    place = fitted(cross_products(standard, np.ones((144, 1)), none, plate, sample), [0, 2])
    assert place is not None
    unit = diameter.std()
    deviations = np.sqrt(np.append(place.ratios[[0, 2]], 1) * place.rest) * unit
    assert deviations.round(4).tolist() == [0.8467, 1.9316, 0.5499]
    assert round(place.deviance + 2 * 143 * math.log(unit), 4) == 330.8606
    assert round(diameter.mean() + place.group_effects[-1] * unit, 4) == 22.9722


def test_priming_gives_the_printed_estimates() -> None:
    """Baayen, Davidson and Bates (2008), their first model of 3 subjects, 3 words and 2 onsets.

    Its subjects' intercepts and slopes came out correlated with −1: deviations 28.338 and 11.682 of
    one effect. Words 613.73, rest 102.28; 522.111 (error 21.992) and −18.889 (8.259).
    """
    scores, place = np.array(PRIMING, float), np.arange(18)
    is_short, subject, word = place // 3 % 2, place // 6, place % 3
    given = np.column_stack([np.ones(18), is_short]).astype(np.float64)
    loads, unit = (28.338 - 11.682 * is_short).astype(np.float64), scores.std()
    sums = cross_products((scores - scores.mean()) / unit, given, loads, subject, word)
    found = fitted(sums, [1, 2])
    assert found is not None
    rest = found.rest * unit**2
    assert [round(x, 2) for x in (found.ratios[2] * rest, rest)] == [613.73, 102.28]
    assert found.ratios[1] * rest == pytest.approx(1, abs=1e-3)
    intercept, effect = found.group_effects[-2:] * unit
    assert (round(scores.mean() + intercept, 3), round(effect, 3)) == (522.111, -18.889)
    errors = [math.sqrt(found.coefficient_variance(i)[0] * rest) for i in (0, 1)]
    assert errors == pytest.approx([21.992, 8.259], rel=1e-4)


def by_statsmodels(scored: Scored) -> Any:
    x = scored.system - 0.5
    frame = pd.DataFrame({"y": scored.score, "x": x, "u": scored.unit, "t": scored.topic})
    parts = {"a": "0 + C(u)", "b": "0 + C(u):x", "c": "0 + C(t)", "d": "0 + C(t):x"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = smf.mixedlm("y ~ x", frame, groups=np.ones(x.size), vc_formula=parts)
        return model.fit(reml=True, method=["lbfgs"], gtol=1e-7)


PARTS = (*PART_NAMES, "rest")


@pytest.mark.parametrize("seed", [1, 3])
def test_variances_are_those_of_statsmodels(seed: int) -> None:
    scored = simulated(seed, 7, 5)
    ours, theirs = of(scored), by_statsmodels(scored)
    found = [ours.variances[part] for part in PARTS]
    assert found == pytest.approx([*theirs.vcomp, theirs.scale], abs=2e-4)
    assert -ours.deviance / 2 == pytest.approx(theirs.llf, abs=1e-4)
    assert ours.value == pytest.approx(theirs.params["x"], abs=1e-5)


def matrices(scored: Scored) -> tuple[Floats, list[Floats], Floats]:
    """X, V of each part and of the rest, and x."""
    x = (scored.system - 0.5).astype(np.float64)
    alike = [(codes[:, None] == codes).astype(float) for codes in (scored.unit, scored.topic)]
    parts = [part * load for part in alike for load in (1.0, np.outer(x, x))]
    return np.column_stack([np.ones_like(x), x]), [*parts, np.eye(x.size)], x


def test_error_and_degrees_of_freedom_are_those_of_whole_matrices() -> None:
    """Kenward and Roger (1997), their equations, with V, P and X as they stand."""
    scored = simulated(1, 6, 5)
    found, (given, parts, _) = of(scored), matrices(scored)
    each = np.array([found.variances[part] for part in PARTS])
    assert (each > 0).all()
    inverse = np.linalg.inv(np.tensordot(each, parts, 1))
    phi = np.linalg.inv(given.T @ inverse @ given)
    project = inverse - inverse @ given @ phi @ given.T @ inverse
    turned = [project @ v for v in parts]
    spread = 2 * np.linalg.inv([[np.trace(v @ w) for v in turned] for w in turned])
    first = [given.T @ inverse @ v @ inverse @ given for v in parts]
    added = sum(
        spread[i, j]
        * (given.T @ inverse @ v @ inverse @ w @ inverse @ given - first[i] @ phi @ first[j])
        for i, v in enumerate(parts)
        for j, w in enumerate(parts)
    )
    widened = phi + 2 * phi @ added @ phi
    slope = np.array([(phi @ of_part @ phi)[1, 1] for of_part in first])
    assert found.value == pytest.approx((phi @ given.T @ inverse @ scored.score)[1], rel=1e-6)
    assert found.error == pytest.approx(math.sqrt(widened[1, 1]), rel=1e-6)
    assert found.df == pytest.approx(2 * phi[1, 1] ** 2 / (slope @ spread @ slope), rel=1e-6)


def test_sparse_and_full_sums_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = simulated(5)
    found = []
    for filled in (0.0, 2.0):
        monkeypatch.setattr("sdcg_explorer.statistics.crossed_model.FILLED", filled)
        found.append(of(scored))
    assert (found[0].value, found[0].error, found[0].df) == pytest.approx(
        (found[1].value, found[1].error, found[1].df), rel=1e-5
    )


def numbers(found: Crossed) -> list[float]:
    return [found.value, *found.interval(), found.error, found.df, found.p]


U, T = (part.ravel() for part in np.indices((6, 4)))
X, NOISE = (U + T) % 2, np.random.default_rng(0).normal(size=24)
EVERY = np.arange(24)
NONE = {
    "a single searcher says nothing about others": study(NOISE, U % 2, 0 * U, T),
    "a single topic says nothing about others": study(NOISE, X, U, 0 * T),
    "all sessions score alike": study(0 * U + 3, X, U, T),
    "there are too few sessions for its terms": study([1, 2, 4], [0, 1, 1], [0, 1, 0], [0, 0, 1]),
    "the systems never met on a topic": study(NOISE, T % 2, U, T),
    "one of the systems has no session": study(NOISE, 0 * U, U, T),
    "there are too few sessions to tell how far the difference may be off": study(
        [1.5, 0.2, -0.7, -1], [0, 0, 1, 1], [1, 0, 2, 1], [0, 1, 0, 2]
    ),
    "no variation is left to judge by": study(U + T + X, X, U, T),
    "301 searchers and 301 topics at once are too many to compute": study(
        np.arange(602), np.repeat([0, 1], 301), np.tile(np.arange(301), 2), np.arange(602) % 301
    ),
}


@pytest.mark.parametrize("reason", NONE)
def test_no_model_says_why(reason: str) -> None:
    found = of(NONE[reason])
    assert found.reason == reason
    assert all(math.isnan(x) for x in numbers(found))
    assert found.variances == {}
    assert topics_like_these.mixed_model_text(found) == ""


@pytest.mark.parametrize("seed", range(12 * THOROUGH))
def test_odd_designs_end_in_numbers_or_a_reason(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, searchers, topics = rng.integers([2, 1, 1], [14, 6, 6])
    codes = [rng.integers(0, most, size) for most in (2, searchers, topics)]
    found = of(study(rng.integers(0, 3, size), *codes))
    assert bool(found.reason) != bool(np.isfinite(numbers(found)).all())


OF_SEARCHERS, OF_TOPICS = PARTS[:2], PARTS[3:4]
UNTOLD = {
    "between searchers": (study(NOISE, U % 2, U, T), ("searcher_by_system",)),
    "nobody named": (study(NOISE, X, EVERY, T, alone=np.ones(24, dtype=bool)), OF_SEARCHERS),
    "paired by topic": (paired(NOISE[:12], NOISE[12:]), (*OF_SEARCHERS, *OF_TOPICS)),
    "a searcher for each system": (
        replace(paired(NOISE[:12], NOISE[12:]), unit=np.repeat([0, 1], 12)),
        (*OF_SEARCHERS, *OF_TOPICS),
    ),
    "topics of one's own": (
        study(NOISE, EVERY % 2, EVERY // 2, EVERY // 2),
        (*OF_SEARCHERS, *OF_TOPICS),
    ),
}


@pytest.mark.parametrize("design", UNTOLD)
def test_what_a_design_cant_tell_is_left_out_and_said(design: str) -> None:
    scored, untold = UNTOLD[design]
    found = of(scored)
    assert tuple(part for part in PARTS if part not in found.variances) == untold
    who = "searchers' " if found.is_named else "sessions' "
    assert f"This design can't estimate {who}" in topics_like_these.mixed_model_text(found)
    assert not math.isnan(found.df)


def test_few_topics_cant_speak_for_others() -> None:
    assert topics_like_these.mixed_model_text(of(simulated(2, 9, 7))).endswith(
        "The result is for topics and searchers like these (7 and 9); fewer than 8 of either are "
        "too few to generalise from."
    )
