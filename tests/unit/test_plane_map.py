"""A number over b × bq as a map: lines, hatching, marks, and points that a click gives back."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdcg_explorer.figures.base_grid_map import BaseGridMap, draw_base_grid_map
from sdcg_explorer.figures.style import COLOURS, strip_markup
from sdcg_explorer.questions.robustness.figure import draw_robustness
from sdcg_explorer.questions.robustness.numbers import robustness
from sdcg_explorer.scoring.base_grid import GRID
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.studies import SAMPLES, at_hand


def traces(of: BaseGridMap) -> dict[str, Any]:
    drawn: Any = draw_base_grid_map(of)
    return {strip_markup(trace.name): trace for trace in drawn.data}


def test_map_has_its_lines_hatching_marks_and_every_point() -> None:
    logs = np.log(np.array(GRID))
    values = logs[:, None] / 10 - logs / 8
    values[0, 0] = np.nan
    hatched = np.abs(values) < 0.05
    marks = (("best here", 900.0, 1.1),)
    of = BaseGridMap(values, GRID, GRID, "r", (2.0, np.inf), hatched=hatched, marks=marks)
    shown = traces(of)
    assert list(shown) == [
        *("r", "contour lines", "0", "hatched: the interval includes 0", "points"),
        *("best here", "definition in force, beyond the map"),
    ]
    assert len(shown["hatched: the interval includes 0"].x) == 3 * hatched.sum()
    points = shown["points"]
    place = 5 * 24 + 7
    assert list(points.customdata[place]) == [GRID[5], GRID[7]]
    assert points.text[place] == f"{values[5, 7]:.3g}"
    assert points.text[0] == "undefined"
    assert (points.x[place], points.y[place]) == (np.log10(GRID[7]), np.log10(GRID[5]))
    lines = shown["contour lines"].contours
    assert (lines.size, lines.labelformat) == (0.5, ".1f")
    assert (lines.end / lines.size).is_integer()  # else Plotly shifts the lines
    assert 0 in np.round(np.arange(lines.start, lines.end, lines.size), 9)


def test_map_of_one_number_or_none_has_no_lines() -> None:
    for value in (0.3, np.nan):
        of = BaseGridMap(np.full((24, 24), value), GRID, GRID, "r", (2.0, 4.0))
        assert list(traces(of)) == ["r", "points", "definition in force"]


def test_where_a_system_is_ahead_the_map_has_its_colour() -> None:
    study = at_hand(SAMPLES[0])
    first, second = study.block().system_names
    seen = robustness(study, Definition(), Filters(), pair=(first, second))
    drawn: Any = draw_robustness(seen, (2.0, 4.0), ("elsewhere", first, second))
    (_, below), _, (_, above) = drawn.layout.coloraxis.colorscale
    assert (below, above) == (COLOURS[1], COLOURS[2])
    assert (np.asarray(drawn.data[0].z) == seen.value).all()
    assert drawn.layout.coloraxis.colorbar.title.text == f"{second} − {first} (nsDCG)"
