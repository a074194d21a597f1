"""How many searchers the next study needs: published powers, plain loops, laws, and words."""

from dataclasses import replace
from functools import cache
from math import ceil, isnan, nan, sqrt
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestIndPower, TTestPower

from benchmarks.simulated import layout_of, scores_of, study_of
from sdcg_explorer.questions.compare_systems import numbers, words
from sdcg_explorer.questions.compare_systems.figure import draw_next_study
from sdcg_explorer.questions.compare_systems.numbers import (
    planning_units,
    smallest_detectable,
    t_power,
)
from sdcg_explorer.scoring.scored_sessions import Scored


def normal_units(*sds: float, count: int = 200) -> numbers.Units:
    """Groups of normal quantiles with these standard deviations."""
    even = stats.norm.ppf((np.arange(count) + 0.5) / count)
    return numbers.Units(tuple(even / even.std(ddof=1) * sd for sd in sds))


ONE, TWO, APART = normal_units(1.0), normal_units(1.0, 1.0), normal_units(1.0, 3.0)


@cache
def pair_of(study: Scored) -> numbers.Pair:
    return numbers.compare(study, 0, 1, draws=19)


def planned(
    study: Scored, entered: float | None = None, *, several: bool = False
) -> numbers.NextStudy:
    score = {"score": "final_normalised", "unit": "nsDCG", "scored": study}
    compared = SimpleNamespace(pairs=[pair_of(study)], has_several_pairs=several, **score)
    return numbers.plan_study(cast("numbers.Comparison", compared), 0, plan_for=entered)


@cache
def simulated(design: str, searchers: int = 30, planted: float = 0.4) -> Scored:
    layout = layout_of(design, searchers)
    scores = scores_of("normal", np.random.default_rng(7), layout)
    return study_of(scores + planted * (layout[2] == 1), layout)


# Cohen (1988), table 2.4.1, α₂ = .05: n of each group; rounded to the nearest, ours upward
@pytest.mark.parametrize(
    ("d", "each"), [(0.2, (393, 526)), (0.5, (64, 85)), (0.8, (26, 34)), (1.0, (17, 22))]
)
def test_numbers_of_two_groups_are_those_of_cohens_table(d: float, each: tuple[int, int]) -> None:
    found = [TWO.units_needed(d, power) / 2 for power in (0.8, 0.9)]
    assert [n - cohen in (0, 1) for n, cohen in zip(found, each, strict=True)] == [True, True]


@pytest.mark.parametrize("wanted", [0.8, 0.9])
def test_numbers_are_statsmodels(wanted: float) -> None:
    for d in (0.17, 0.6, 1.4):
        one = TTestPower().solve_power(d, alpha=0.05, power=wanted)
        two = TTestIndPower().solve_power(d, alpha=0.05, power=wanted)
        assert (ONE.units_needed(d, wanted), TWO.units_needed(d, wanted)) == (
            ceil(one),
            2 * ceil(two),
        )


@pytest.mark.parametrize("units", [ONE, TWO, APART], ids=["paired", "two groups", "apart"])
def test_studies_drawn_from_the_units_have_the_power_planned(units: numbers.Units) -> None:
    for n in (10, 24, 60):
        difference = 2.8 * sqrt(units.variances.sum() / n)
        expected = float(units.power(difference, n))
        assert units.resampled_power(difference, n, studies=6_000) == pytest.approx(
            expected, abs=0.02
        )


def test_fewest_is_fewest_and_neither_unit_nor_sign_matter() -> None:
    for units in (ONE, APART):
        n = units.units_needed(0.37, 0.8) // units.group_count
        assert float(units.power(0.37, n - 1)) < 0.8 <= float(units.power(0.37, n))
        scaled = numbers.Units(tuple(50 * each for each in units.deviations))
        assert scaled.units_needed(-0.37 * 50, 0.8) == units.units_needed(0.37, 0.8)
    assert ONE.units_needed(0.001, 0.8) > numbers.MOST_UNITS
    assert t_power(0.0, 7) == pytest.approx(0.05)
    assert isnan(ONE.resampled_power(0.1, 10_000))
    assert (
        numbers.Units((np.zeros(9),)).resampled_power(1.0, 5, studies=10) == 0
    )  # nothing to test by


def test_smallest_difference_has_the_power_it_says() -> None:
    for df in (1.0, 8.4, np.inf):
        assert float(t_power(smallest_detectable(2.0, df, 0.8) / 2, df)) == pytest.approx(0.8)
    assert isnan(smallest_detectable(0.0, 5, 0.8))
    assert isnan(smallest_detectable(nan, nan, 0.8))


def means(study: Scored, system: int) -> dict[int, float]:
    """Mean score of each searcher's sessions with a system, by a loop."""
    held: dict[int, list[float]] = {}
    for unit, of, score in zip(study.unit, study.system, study.score, strict=True):
        if of == system:
            held.setdefault(int(unit), []).append(float(score))
    return {unit: fmean(values) for unit, values in held.items()}


def test_spreads_of_balanced_designs_are_those_of_plain_means() -> None:
    between = simulated("between")
    units, _ = planning_units(pair_of(between), between)
    expected = [stdev(means(between, system).values()) for system in (0, 1)]
    assert np.sqrt(units.variances) == pytest.approx(expected)
    paired = simulated("paired by topic")
    units, _ = planning_units(pair_of(paired), paired)
    first, second = (means(replace(paired, unit=paired.topic), system) for system in (0, 1))
    assert units.spread == pytest.approx(stdev(second[t] - first[t] for t in first))


def test_a_mixed_design_is_planned_by_those_who_used_both_systems() -> None:
    study = simulated("mixed")  # 30 searchers, of whom 5 used one system
    of, used = planned(study), [{*study.system[study.unit == unit]} for unit in range(30)]
    assert words.next_study_sentences(of)[-1] == (
        "The plan assumes this study's design, with its balance of systems and sessions."
    )
    assert words.next_study_method(of).endswith(" from this one's searchers with both systems.")
    own = study.take(np.array([len(used[unit]) == 2 for unit in study.unit]))
    own = replace(own, unit=np.unique(own.unit, return_inverse=True)[1])
    assert planned(study, 0.2).plans[-1] == planned(own, 0.2).plans[-1]  # as by these alone
    mark = draw_next_study(of).to_dict()["layout"]["shapes"][-1]
    assert mark["label"]["text"] == " this study: 25 with both systems "


def test_what_can_not_be_planned_by_is_said() -> None:
    few = simulated("between", 8)
    assert words.next_study_headline(planned(few)) == (
        "Planning needs at least 5 searchers with each system, to estimate their spread."
    )
    assert planned(few).table().empty
    assert words.next_study_sentences(planned(few, 0.5))[0].startswith(
        "With 8 searchers, this study could find a difference of"
    )
    study = simulated("within")
    alike = replace(study, score=np.where(study.system == 1, 2.0, 1.0))
    assert "too little variation" in words.next_study_headline(planned(alike))
    assert words.next_study_sentences(planned(alike)) == []
    assert (
        planning_units(numbers.pair_with_random_topics(pair_of(study), study), study)[1] == "topics"
    )
    equal = replace(study, score=study.score - pair_of(study).difference * study.system)
    assert planned(equal).plans == () or planned(equal).plans[0].units[0] > numbers.MOST_UNITS
    with pytest.raises(ValueError, match=r"a difference of -1 to plan for; it has to be above 0\."):
        planned(study, -1.0)
