"""Bars that stand on each other, and boxes beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sdcg_explorer.figures.style import COLOURS, MARKS
from sdcg_explorer.figures.svg.axes import Pair, percent
from sdcg_explorer.figures.svg.marks import use
from sdcg_explorer.figures.svg.texts import attributes

Parts = dict[str, Any]
GAP = 0.2  # of a column, between bars
# forms of hatching by the signs that figures have for them
HATCHES = {
    "/": "slash",
    "\\": "back",
    ".": "dots",
    "x": "cross",
    "-": "level",
    "+": "plus",
    "|": "up",
}
_LINES = {
    "slash": "M-2,2L2,-2M0,8L8,0M6,10L10,6",
    "back": "M-2,6L2,10M0,0L8,8M6,-2L10,2",
    "dots": "M2,2h1v1h-1zM6,6h1v1h-1z",
    "cross": "M0,8L8,0M0,0L8,8",
    "level": "M0,4H8",
    "plus": "M0,4H8M4,0V8",
    "up": "M4,0V8",
}


def hatches() -> str:
    """The forms of hatching, which stand in a page once."""
    size = 'width="8" height="8" patternUnits="userSpaceOnUse"'
    return "".join(
        f'<pattern id="hatch-{name}" {size}><path d="{d}"/></pattern>' for name, d in _LINES.items()
    )


def stacked(traces: Sequence[Parts]) -> list[Any]:
    """Where each trace's bars begin: where those before it end, at the same place."""
    ends: dict[float, float] = {}
    below: list[Any] = []
    for trace in traces:
        x, y = (np.asarray(trace[axis], dtype=float) for axis in "xy")
        below.append(np.array([ends.get(at, 0.0) for at in x.tolist()]))
        ends |= dict(zip(x.tolist(), (below[-1] + np.nan_to_num(y)).tolist(), strict=True))
    return below


def draw_bars(trace: Parts, pair: Pair, below: Any, gap: float = GAP) -> str:
    """Bars of a trace upon what is `below` each, (N,)."""
    look = trace["marker"]
    x, y = (np.asarray(trace[axis], dtype=float) for axis in "xy")
    faint = np.broadcast_to(np.asarray(look.get("opacity", 1.0), dtype=float), x.shape)
    left, right = (pair.right(x + side * (1 - gap) / 2) for side in (-1, 1))
    foot, top = pair.down(below), pair.down(below + y)
    hatch = HATCHES.get(look.get("pattern", {}).get("shape", ""))
    drawn = ""
    for i in range(x.size):
        if np.isnan(y[i]):
            continue
        place = {
            "x": percent(left[i]),
            "y": percent(top[i]),
            "width": percent(right[i] - left[i]),
            "height": percent(foot[i] - top[i]),
            "opacity": None if faint[i] == 1 else f"{faint[i]:g}",
        }
        drawn += f"<rect{attributes(**place)}/>"
        if hatch and y[i]:
            drawn += f"<rect{attributes(**place, class_='hatch', fill=f'url(#hatch-{hatch})')}/>"
    return drawn


def draw_boxes(trace: Parts, pair: Pair, place: int, of: int) -> str:
    """Boxes of a trace, the `place`-th `of` so many beside each other, a mark at each median."""
    wide = 0.7 / of
    x = np.asarray(trace["x"], dtype=float) + wide * (place - (of - 1) / 2)
    form = MARKS[COLOURS.index(trace["line"]["color"])]
    left, middle, right = (pair.right(x + side * 0.4 * wide) for side in (-1, 0, 1))
    cap = trace.get("whiskerwidth", 0.5)
    start, end = (pair.right(x + side * 0.4 * wide * cap) for side in (-1, 1))
    names = ("lowerfence", "q1", "median", "q3", "upperfence")
    rows = np.array([pair.down(trace[name]) for name in names]).T
    drawn = ""
    for i, (low, lower, median, upper, high) in enumerate(rows.tolist()):
        box = {
            "x": percent(left[i]),
            "y": percent(upper),
            "width": percent(right[i] - left[i]),
            "height": percent(lower - upper),
        }
        drawn += f"<rect{attributes(class_='box', **box)}/>"
        drawn += _line(left[i], median, right[i], median)
        for at, edge in ((low, lower), (high, upper)):
            drawn += _line(middle[i], at, middle[i], edge) + _line(start[i], at, end[i], at)
        drawn += use(form, 8, middle[i], median)
    return f'<g class="interval" style="stroke-width:1.5">{drawn}</g>'


def _line(x0: float, y0: float, x1: float, y1: float) -> str:
    ends = {"x1": percent(x0), "y1": percent(y0), "x2": percent(x1), "y2": percent(y1)}
    return f"<line{attributes(**ends)}/>"
