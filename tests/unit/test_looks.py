"""How figures are laid out: labels of panels, one system in focus, ends of axes and colours."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from coloraide import Color

from sdcg_explorer.figures import style
from sdcg_explorer.figures.base_grid_map import BaseGridMap, draw_base_grid_map
from sdcg_explorer.figures.panels import draw_by_system

AXES = style.axis("Rank in the list of results", (0, 4)), style.axis("DCG", (-2, 8))


def curves(names: Any, *ends: float) -> list[style.Parts]:
    """A curve of each system, from 0 to its end."""
    known = zip(names, ends, strict=True)
    return [style.line(names, n, np.array([1, 2]), np.array([0.0, end]), "") for n, end in known]


def test_many_systems_have_a_panel_each() -> None:
    systems = [f"System {n} in panel" for n in range(7)]  # a letter too wide for one line
    x = AXES[0] | style.ticks(range(13), "abcdefghijkln")
    drawn: Any = draw_by_system(curves(systems, *range(7)), x, AXES[1], systems=systems)
    layout = drawn.to_plotly_json()["layout"]
    names = [each["text"].partition("> ")[2] for each in layout["annotations"][:7]]
    assert names == [name.replace("in ", "in <br>") for name in systems]
    axes = [layout[f"{of}axis{n or ''}"] for of in "xy" for n in (0, *range(2, 8))]
    assert [axis["showticklabels"] for axis in axes] == [
        *[False] * 4, *[True] * 3, *[True, False, False] * 2, True,
    ]  # fmt: skip
    assert "-".join(axes[6]["ticktext"]) == "-b--d--f--h--j--l-"  # 16 letters, of 12 there is room
    two = {"solid": "last", "dot": "others"}
    for some, columns in ((systems[:4], 2), (systems[:5], 3)):
        few = draw_by_system(curves(some, *range(len(some))), *AXES, systems=systems, groups=two)
        assert few.to_plotly_json()["layout"]["grid"]["columns"] == columns
    focus: Any = draw_by_system(
        curves(systems, *range(7)), x, AXES[1], systems=systems, focus=systems[3]
    )
    assert [(each.name, each.line.width, each.opacity) for each in focus.data] == [
        *((name, 1.2, 0.45) for name in systems if name != systems[3]),
        *((systems[3], 2.5, None), ("the other systems", 1, 0.35)),
    ]
    mark = focus.data[6].marker
    assert (mark.symbol, mark.size, mark.maxdisplayed) == (style.MARKS[3], 9, 11)


def test_an_axis_without_a_value_above_0_ends_at_1() -> None:
    for nothing in ([], [np.array([np.nan])], [np.array([0.0, -3.0])]):
        assert style.ceiling(nothing) == 1
        assert style.ceiling(nothing, least=4.0) == 4


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


@pytest.mark.parametrize(
    ("value", "end"), [(np.nan, 1), (0.0, 1), (1.0, 1), (-1.01, 1.25), (0.099, 0.1), (101.0, 125)]
)
def test_colours_of_a_map_end_at_the_next_round_number(value: float, end: float) -> None:
    values = np.array([[value, np.nan], [np.nan, value / 2]])
    drawn = draw_base_grid_map(BaseGridMap(values, (2, 4), (2, 4), "nDCG", (2, 4)))
    colours = drawn.layout.coloraxis
    assert (colours.cmin, colours.cmax) == pytest.approx((-end, end))
