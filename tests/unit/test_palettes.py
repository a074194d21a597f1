"""Six systems are told apart by their colours, light and dark, also by who sees no green."""

from __future__ import annotations

from itertools import combinations

import pytest
from coloraide import Color

from sdcg_explorer.figures.style import DARK, LIGHT

LEAST, CONTRAST = 12, 3  # ΔE 2000 between any two; against the ground (WCAG 2.2, 1.4.11)


@pytest.mark.parametrize(("palette", "ground"), [(LIGHT, "#ffffff"), (DARK, "#171614")])
@pytest.mark.parametrize("sight", ["as it is", "deutan"])
def test_any_two_systems_are_told_apart(palette: tuple[str, ...], ground: str, sight: str) -> None:
    seen = [Color(each) if sight == "as it is" else Color(each).filter(sight) for each in palette]
    apart = [one.delta_e(other, method="2000") for one, other in combinations(seen, 2)]
    assert len(palette) == 6
    assert min(apart) >= LEAST
    assert min(Color(each).contrast(ground) for each in palette) >= CONTRAST
