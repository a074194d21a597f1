"""Where an axis ends above: the first round number that leaves a curve a little room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.figures.style import ceiling, padded_range

DIGITS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # of numbers that a reader takes for round


@given(st.floats(1e-6, 1e9))
def test_an_axis_ends_at_the_first_round_number_two_percent_above(highest: float) -> None:
    rounds = [digit * 10.0**power for power in range(-7, 11) for digit in DIGITS]
    expected = next(number for number in rounds if number >= 1.02 * highest)
    values = [np.array([highest / 2, np.nan]), np.array([highest]), np.array([])]
    assert ceiling(values) == pytest.approx(expected, rel=1e-12)
    assert ceiling(values, least=2 * expected) == 2 * expected
    assert ceiling(values, least=expected / 2) == pytest.approx(expected, rel=1e-12)


def test_an_axis_without_a_value_above_0_ends_at_1() -> None:
    for nothing in ([], [np.array([np.nan])], [np.array([0.0, -3.0])]):
        assert ceiling(nothing) == 1
        assert ceiling(nothing, least=4.0) == 4


@pytest.mark.parametrize("noise", [0.0, 6e-11, 1e-9])
@pytest.mark.parametrize("level", [0.0, 6.0, -250.0])
def test_equal_values_have_an_axis_of_round_numbers(level: float, noise: float) -> None:
    low, high = padded_range(level - noise / 2, level + noise / 2, 0.06)
    assert (low, high) == (level - 1, level + 1)
