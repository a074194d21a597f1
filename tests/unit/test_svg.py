"""Figures drawn as SVG: lines of equal value, what is not drawn, and texts that stay texts."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import plotly.graph_objects as go
import pytest

from sdcg_explorer.analysis.costs.cost import cost
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.figures.cost import draw_cost
from sdcg_explorer.figures.palettes import PALETTES
from sdcg_explorer.figures.picture import picture
from sdcg_explorer.figures.style import COLOURS, axis, figure
from sdcg_explorer.figures.svg.drawing import draw_svg
from sdcg_explorer.figures.svg.maps import segments_of
from tests.support.plain_files import ROOT
from tests.support.studies import SAMPLES, at_hand


def test_the_apps_own_pictures_need_no_font() -> None:
    """A page shows them as images, to which its fonts don't reach."""
    drawn = [path.read_text("utf-8") for path in (ROOT / "sdcg_explorer").rglob("*.svg")]
    assert len(drawn) > 1
    assert not any("<text" in each for each in drawn)


@pytest.mark.parametrize("seed", range(5))
def test_line_of_equal_value_goes_on_and_lies_on_its_value(seed: int) -> None:
    chance = np.random.default_rng(seed)
    x, y = np.arange(7.0), np.arange(5.0) * 2
    z = chance.normal(size=(5, 7))
    segments = segments_of(x, y, z, 0.1)
    for right, up in segments.reshape(-1, 2).tolist():
        column, row = right == round(right), up / 2 == round(up / 2)
        assert column or row  # an end lies on a side of a cell
        along = z[:, round(right)] if column else z[round(up / 2)]
        found = np.interp(up, y, along) if column else np.interp(right, x, along)
        assert found == pytest.approx(0.1)
    ends = Counter(map(tuple, np.round(segments.reshape(-1, 2), 9).tolist()))
    inside = {at: n for at, n in ends.items() if 0 < at[0] < 6 and 0 < at[1] < 8}
    assert {*inside.values()} == {2}  # where one piece ends another begins


def test_line_of_equal_value_leaves_out_what_is_undefined() -> None:
    z = np.array([[0.0, 1.0], [np.nan, 1.0]])
    assert len(segments_of(np.arange(2.0), np.arange(2.0), z, 0.5)) == 0


def test_a_kind_of_trace_that_is_not_drawn_is_an_error() -> None:
    pie = go.Figure({"data": [{"type": "violin", "x": [1], "y": [1]}]})
    drawn = figure([], axis("across", (0, 1)), axis("up", (0, 1)))
    pie.update_layout(drawn.layout)
    with pytest.raises(ValueError, match="no drawing of traces of type 'violin'"):
        draw_svg(pie)


def test_point_without_a_value_has_no_mark_and_no_text() -> None:
    nan = float("nan")
    points = {"type": "scatter", "x": [nan, 1, 1], "y": [1, nan, 1], "text": ["a", "b", "c"]}
    look = {"name": "points", "mode": "markers+text", "marker": {"color": "#000001"}}
    drawn = draw_svg(figure([points | look], axis("across", (0, 2)), axis("up", (0, 2))))
    assert "nan" not in drawn
    assert drawn.count('display="none"') == 2
    assert [f">{name}</span>" in drawn for name in "abc"] == [False, False, True]


def test_name_is_text_in_every_place() -> None:
    vile = "<img src=x onerror=alert(1)>\"' & %"
    safe = vile.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = {"type": "scatter", "x": [0, 1], "y": [0, 1], "name": safe, "mode": "markers+text"}
    text = {"text": [safe, safe], "marker": {"color": "#000001"}}
    drawn = draw_svg(figure([line | text], axis(safe, (0, 1)), axis(safe, (0, 1))))
    assert "<img" not in drawn
    assert drawn.count("&lt;img src=x") == 6  # name, two points, two axes, legend


def test_picture_says_where_points_stand_that_do_not_count_from_1() -> None:
    study = at_hand(SAMPLES[1])
    shown = cost(study, Definition(), Filters())
    small = draw_cost(shown, study.block().system_names, small=True)
    assert shown.amounts[0] == 0
    assert "&quot;x&quot;: [0.0, 1.0" in picture(small, "", PALETTES)


def test_boxes_of_more_systems_than_colours_stand_beside_each_other() -> None:
    systems = 2 * len(COLOURS) + 1
    five = ("lowerfence", "q1", "median", "q3", "upperfence")
    traces = [
        {
            "name": f"System {i}",
            **{"type": "box", "x": np.array([1, 2]), "line": {"color": COLOURS[i % len(COLOURS)]}},
            **{name: np.array([k, k + 1.0]) for k, name in enumerate(five)},
        }
        for i in range(systems)
    ]
    drawn = draw_svg(figure(traces, axis("x", (0.4, 2.6)), axis("y", (0, 6)), boxmode="group"))
    assert len({*re.findall(r'class="box"[^>]* x="([^"]+%)"', drawn)}) == 2 * systems
