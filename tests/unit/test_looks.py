"""Ends of axes and colours of figures, and whether systems are told apart."""

from itertools import combinations

import numpy as np
import pytest
from coloraide import Color

from sdcg_explorer.figures import style
from sdcg_explorer.figures.base_grid_map import BaseGridMap, draw_base_grid_map


def test_an_axis_ends_at_the_next_round_number() -> None:
    tops = (0.98, 0.99, 1.3, 1.9, 2.2, 2.9, 3.5, 4.7, 5.5, 7.5, 9, 9.9)
    ends = [style.ceiling([np.array([top, -99.0]), np.array([np.nan])]) for top in tops]
    assert ends == [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12.5]
    assert (style.ceiling([]), style.ceiling([], least=4.0)) == (1, 4)


@pytest.mark.parametrize("noise", [0.0, 6e-11, 1e-9])
@pytest.mark.parametrize("level", [0.0, 6.0, -250.0])
def test_equal_values_have_an_axis_of_round_numbers(level: float, noise: float) -> None:
    low, high = style.padded_range(level - noise / 2, level + noise / 2, 0.06)
    assert (low, high) == (level - 1, level + 1)


LEAST, CONTRAST = 12, 3  # ΔE 2000 between any two; against the ground (WCAG 2.2, 1.4.11)


@pytest.mark.parametrize(("palette", "ground"), [(style.LIGHT, "#ffffff"), (style.DARK, "#171614")])
@pytest.mark.parametrize("sight", ["as it is", "deutan"])
def test_any_two_systems_are_told_apart(palette: tuple[str, ...], ground: str, sight: str) -> None:
    seen = [Color(each) if sight == "as it is" else Color(each).filter(sight) for each in palette]
    apart = [one.delta_e(other, method="2000") for one, other in combinations(seen, 2)]
    assert len(palette) == 6
    assert min(apart) >= LEAST
    assert min(Color(each).contrast(ground) for each in palette) >= CONTRAST


def test_colours_of_a_map_end_at_the_next_round_number() -> None:
    for value, end in ((1.0, 1), (-1.01, 1.25), (0.099, 0.1), (101.0, 125)):
        values = BaseGridMap(np.full((2, 2), value), (2, 4), (2, 4), "nDCG", (2, 4))
        assert draw_base_grid_map(values).layout.coloraxis.cmax == pytest.approx(end)
