"""A number over b × bq as a map: colour, contour lines, the definition in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures.style import GREY, ROUND, Parts, axis, figure, scatter, ticks
from sdcg_explorer.metrics.arrays import Bools, Floats

SHADE = "rgba(128,128,128,0.8)"  # far from 0, where no system is ahead
GROUND = "rgba(128,128,128,0.06)"  # at 0
OPACITY = 0.72  # of colours, so that labels on them are read in light and dark
TICKS = (1.1, 2, 4, 10, 30, 100, 300, 900)
STEPS = 5  # contour lines on either side of 0, at most about
MARK = 15


@dataclass(frozen=True, eq=False)
class BaseGridMap:
    """Numbers over b and bq, and what is shown with them.

    values (B, K) : nan where undefined · b (B,), bq (K,) : bases of the points, rising · words :
    of what the colours stand for · at : b and bq in force, which may lie outside · hatched
    (B, K) : points to hatch · meant : what hatching says · marks : other points, by their words ·
    reach : where colours end on either side of 0; else at a round number above all values · ends :
    the colours farthest below 0 and above it; of a difference, of the system that is ahead there;
    else grey
    """

    values: Floats
    b: Sequence[float]
    bq: Sequence[float]
    words: str
    at: tuple[float, float]
    hatched: Bools | None = None
    meant: str = "the interval includes 0"
    marks: tuple[tuple[str, float, float], ...] = ()
    reach: float = 0.0
    ends: tuple[str, str] = (SHADE, SHADE)


def draw_base_grid_map(of: BaseGridMap, *, number: str = ".3g") -> go.Figure:
    """Colours about 0, labelled contour lines, 0 the thick one, hatching and marks.

    Each point of the grid is one of the trace "points", with its (b, bq) as custom data, which a
    click gives back. `number` is how its value is written.
    """
    x, y = np.log10(np.asarray(of.bq)), np.log10(np.asarray(of.b))
    end = of.reach or _round_number_above(of.values)
    traces = [
        _heatmap_trace(of, x, y, end),
        *_labelled_contours(of, x, y, end),
        *([] if of.hatched is None else _hatching(of.hatched, of.meant, x, y)),
        _hover_points(of, x, y, number),
        *(_marked_point(of, *mark, "diamond-open") for mark in of.marks),
        _marked_point(of, "current definition", *of.at, "circle-cross-open"),
    ]
    return figure(
        traces,
        _base_axis("bq, base of the query discount (log scale)", x),
        _base_axis("b, base of the rank discount (log scale)", y),
        height=450,
        hovermode="closest",
        coloraxis={
            "colorscale": [[0, of.ends[0]], [0.5, GROUND], [1, of.ends[1]]],
            "cmin": -end,
            "cmax": end,
            "colorbar": {
                "thickness": 12,
                "tickfont": {"size": 13, "color": GREY},
                "outlinewidth": 0,
                "title": {"text": of.words, "side": "bottom", "font": {"size": 14, "color": GREY}},
                "orientation": "h",  # a phone has no room beside the map
                "y": -0.2,
                "yanchor": "top",
            },
        },
    )


def _round_number_above(values: Floats) -> float:
    """The next round number above all values on either side of 0."""
    top = float(np.nanmax(np.abs(values))) if not np.isnan(values).all() else 0.0
    if not top > 0:
        return 1.0
    ten = 10.0 ** np.floor(np.log10(top))
    return float(next(number * ten for number in (*ROUND, 20) if number * ten >= top))


def _base_axis(title: str, places: Floats) -> Parts:
    """An axis of a base, in its logarithm, half a step beyond the points."""
    half = float(np.diff(places[:2]).sum()) / 2 or 0.5
    low, high = float(places[0]) - half, float(places[-1]) + half
    shown = [tick for tick in TICKS if low <= np.log10(tick) <= high]
    return axis(
        title,
        (low, high),
        **ticks(np.log10(shown).tolist(), [f"{tick:g}" for tick in shown]),
        tickangle=0,
        tickfont={"size": 14},
        showgrid=False,
    )


def _heatmap_trace(of: BaseGridMap, x: Floats, y: Floats, end: float) -> Parts:
    return {
        "type": "heatmap",
        "x": x,
        "y": y,
        "z": np.clip(of.values, -end, end),
        "coloraxis": "coloraxis",
        "opacity": OPACITY,
        "name": of.words,
        "hoverinfo": "skip",
    }


def _labelled_contours(of: BaseGridMap, x: Floats, y: Floats, end: float) -> list[Parts]:
    """Labelled contour lines, and a thick one at 0 where values lie on both sides."""
    known = np.clip(of.values[~np.isnan(of.values)], -end, end)
    if known.size < 2 or np.ptp(known) <= 1e-9 * end:
        return []
    ten = 10.0 ** np.floor(np.log10(np.ptp(known) / STEPS))
    size = float(next(n * ten for n in (1, 2, 5, 10) if n * ten >= np.ptp(known) / STEPS))
    number = f".{max(0, -int(np.floor(np.log10(size) + 1e-9)))}f"
    first, last = np.ceil(known.min() / size), np.floor(known.max() / size)
    lines = [_contour_trace(of, x, y, (size * float(first), size * float(last), size), number)]
    if known.min() < 0 < known.max():
        zero = _contour_trace(of, x, y, (0.0, 0.0, 1.0), number)
        zero["contours"]["showlabels"] = False  # those of the thin line, which lies beneath
        lines.append(zero | {"name": "0", "line": {"color": GREY, "width": 4}})
    return lines


def _contour_trace(
    of: BaseGridMap, x: Floats, y: Floats, levels: tuple[float, float, float], number: str
) -> Parts:
    start, end, size = levels
    return {
        "type": "contour",
        "x": x,
        "y": y,
        "z": of.values,
        "name": "contour lines",
        "showlegend": False,  # their labels say what they are
        "showscale": False,
        "hoverinfo": "skip",
        "line": {"color": GREY, "width": 1},
        "contours": {
            "coloring": "none",
            "start": start,
            "end": end,
            "size": size,
            "showlabels": True,
            "labelformat": number.replace("g", "~g"),  # without zeros at the end
            "labelfont": {"size": 13, "color": GREY},
        },
    }


def _hatching(hatched: Bools, meant: str, x: Floats, y: Floats) -> list[Parts]:
    """A stroke through each hatched cell, from corner to corner, if there is any."""
    if not hatched.any():
        return []
    row, column = np.nonzero(hatched)
    half = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    gap = np.full(row.size, np.nan)
    ends = np.column_stack([x[column] - half[0], x[column] + half[0], gap])
    ups = np.column_stack([y[row] - half[1], y[row] + half[1], gap])
    look = {"line": {"color": GREY, "width": 1}, "opacity": 0.6, "hoverinfo": "skip"}
    return [scatter(ends.ravel(), ups.ravel(), f"hatched: {meant}", "lines", **look)]


def _hover_points(of: BaseGridMap, x: Floats, y: Floats, number: str) -> Parts:
    """Every point of the grid, seen by the pointer alone."""
    across, up = np.meshgrid(x, y)
    bq, b = np.meshgrid(np.asarray(of.bq), np.asarray(of.b))
    return scatter(across.ravel(), up.ravel(), "points", "markers") | {
        "marker": {"size": MARK, "opacity": 0, "color": GREY},
        "customdata": np.column_stack([b.ravel(), bq.ravel()]).tolist(),  # an array is no list
        "text": [
            "undefined" if np.isnan(v) else f"{v:{number}}" for v in of.values.ravel().tolist()
        ],
        "hovertemplate": "b %{customdata[0]:.3g}, bq %{customdata[1]:.3g}: %{text}<extra></extra>",
        "showlegend": False,
    }


def _marked_point(of: BaseGridMap, words: str, b: float, bq: float, symbol: str) -> Parts:
    """A point by its b and bq; one outside stands at the edge, and its words say so."""
    at = [float(np.clip(v, ends[0], ends[-1])) for v, ends in ((b, of.b), (bq, of.bq))]
    beyond = "" if at == [b, bq] else ", beyond the map"
    x, y = [np.log10(at[1])], [np.log10(at[0])]
    return scatter(x, y, f"{words}{beyond}", "markers") | {
        "cliponaxis": False,
        "marker": {"symbol": symbol, "size": MARK, "color": GREY, "line": {"width": 2.5}},
        "unselected": {"marker": {"opacity": 1}},  # a click on a point leaves it as it is
        "hovertemplate": f"{words}: b {b:.3g}, bq {bq:.3g}{beyond}<extra></extra>",
    }
