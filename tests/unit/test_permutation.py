"""Permutation p: every arrangement by plain loops, ties, strata, three labels, and draws."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from sdcg_explorer.statistics import permutation
from sdcg_explorer.statistics.permutation import permutation_p
from tests.support.plain_permutation import arrangements, exact_p, parted
from tests.support.plain_statistics import random_scores

# Darwin's maize, crossed less self-fertilised in eighths of an inch; Fisher (1935), The Design of
# Experiments, section 21: of the 2¹⁵ ways to set the signs 863 give a total of 314 or more
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def ours(
    values: Sequence[float | Fraction], labels: Sequence[int], strata: Sequence[int], **more: int
) -> tuple[float, int]:
    numbers = np.array([float(value) for value in values])
    codes = np.array(labels), np.array(strata)
    return permutation_p(numbers, *codes, permutation.arrangements(*codes, **more))


def drawn(
    chance: random.Random, kinds: int, units: int
) -> tuple[list[Fraction], list[int], list[int]]:
    """Values, labels (each kind at least once) and strata of some units."""
    score = random_scores(chance)
    labels = [*range(kinds), *chance.choices(range(kinds), k=units - kinds)]
    chance.shuffle(labels)
    several = chance.randint(1, 3)
    return [score() for _ in labels], labels, chance.choices(range(several), k=units)


CASES = [
    drawn(random.Random(seed), kinds, units)
    for kinds, most in ((2, 8), (3, 7))
    for seed, units in enumerate([*range(kinds, most + 1)] * 3)
]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_p_is_that_of_every_arrangement(place: int) -> None:
    values, labels, strata = CASES[place]
    p, others = ours(values, labels, strata)
    expected, number = exact_p(values, labels, strata)
    assert others == number
    assert p == pytest.approx(expected, rel=1e-12)


def test_fishers_count_of_darwins_maize() -> None:
    values = [value for d in DARWIN for value in (0.0, float(d))]
    strata = [i // 2 for i in range(30)]
    labels = [0, 1] * 15
    p, others = ours(values, labels, strata, draws=40_000)
    assert others == 2**15 - 1
    assert p == 2 * 863 / 2**15


NOWHERE = {
    "one unit": ([1.0], [0], [0]),
    "one label": ([1.0, 2.0], [1, 1], [0, 0]),
    "each unit a stratum": ([1.0, 2.0, 3.0], [0, 1, 0], [0, 1, 2]),
    "labels do not meet": ([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], [0, 0, 1, 1]),
}


@pytest.mark.parametrize("case", NOWHERE)
def test_where_no_label_can_move_p_is_1_of_no_arrangement(case: str) -> None:
    assert ours(*NOWHERE[case]) == (1.0, 0)


# as written, and as rounding has them
ROUNDED = {
    "sums": (["0.3", "0.3", "0.7", "0.7"], [0.1 + 0.2, 0.3, 0.7, 0.6 + 0.1]),
    "one differs": (["0.3", "0.3", "0.3", "1"], [0.1 + 0.2, 0.3, 0.3, 1.0]),
    "thirds": (["0.1", "0.3", "0.6", "0.8"], [0.1, 1.1 - 0.8, 3 * 0.2, 0.7 + 0.1]),
}


@pytest.mark.parametrize("case", ROUNDED)
def test_ties_by_the_decimals_stay_ties(case: str) -> None:
    texts, values = ROUNDED[case]
    for labels in ([0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 1, 2]):
        for strata in ([0] * 4, [0, 0, 1, 1]):
            expected = exact_p([Fraction(text) for text in texts], labels, strata)
            assert ours(values, labels, strata) == pytest.approx(expected)


@pytest.mark.parametrize("value", [0.0, 0.25, 1e9])
def test_units_all_alike_are_parted_by_no_arrangement_more(value: float) -> None:
    assert ours([value] * 6, [0, 1, 0, 1, 0, 1], [0] * 6) == (1.0, 19)


LARGE = 8  # of each label: 12,870 arrangements, more than the draws


def overlapping(shift: float) -> tuple[list[float], list[int], list[int]]:
    values = np.random.default_rng(3).normal(size=2 * LARGE)
    return [*values[:LARGE], *(values[LARGE:] + shift)], [0] * LARGE + [1] * LARGE, [0] * 2 * LARGE


@pytest.mark.parametrize("shift", [0.0, 0.7, 1.5, 30.0])
def test_draws_come_near_the_p_of_all_arrangements_and_never_to_0(shift: float) -> None:
    case = overlapping(shift)
    exact, others = ours(*case, draws=20_000)
    p, draws = ours(*case)
    assert (others, draws) == (12_869, 10_000)
    assert abs(p - exact) < 5 * (exact * (1 - exact) / draws) ** 0.5 + 1 / draws
    assert p >= 1 / 10_001


def test_draws_keep_labels_within_strata_of_any_size() -> None:
    values = [0.0, 1.0, 2.0, 4.0, 9.0, 3.0, 1.0, 5.0, 2.0, 7.0]
    strata = [5, 5, 2, 2, 2, 2, 9, 9, 9, 9]
    labels = [0, 1] * 5  # as many of each in every stratum
    apart = [value + 1e4 * stratum for value, stratum in zip(values, strata, strict=True)]
    p, draws = ours(values, labels, strata, draws=70)  # of 2 × 6 × 6 − 1 = 71
    assert draws == 70
    assert ours(apart, labels, strata, draws=70) == (p, 70)
    exact, others = ours(values, labels, strata)
    assert (others, abs(p - exact) < 0.3) == (71, True)


def test_as_many_arrangements_as_draws_are_all_gone_through() -> None:
    case = [1.0, 2.0, 5.0, 6.0], [0, 0, 1, 1], [0] * 4
    assert ours(*case, draws=5) == (1 / 3, 5)
    assert ours(*case, draws=4)[1] == 4


def test_values_in_parts_are_the_values_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [overlapping(0.7), *CASES[-8:]]
    expected = [ours(*case) for case in cases]
    monkeypatch.setattr(permutation, "MOST_CELLS", 50)
    assert [ours(*case) for case in cases] == expected


def test_plain_loops_by_hand() -> None:
    values = [Fraction(n) for n in (1, 2, 6)]
    one = [0] * 3
    # means 1 and 4, of which 2 and 6 are 8 squares apart: 3² over 8 / 2 and, for one value, 8
    assert parted(values, [0, 1, 1], one) == Fraction(9, 12)
    assert parted(values, [0, 1, 2], one) == 4 + 1 + 9  # mean 3, and no spread
    assert parted(values, [0, 1, 1], [0, 0, 1]) == math.inf  # a pair 1 apart, with no error
    assert set(arrangements("xxy", [0, 0, 0])) == {tuple(t) for t in ("xxy", "xyx", "yxx")}
    assert arrangements("xxy", [0, 1, 2]) == [tuple("xxy")]
    assert exact_p(values, [0, 1, 1], [0] * 3) == (2 / 3, 2)  # .75, .12 and 27: one more
