"""Traces of points: lines, areas, marks, texts and intervals."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.figures.picture import WIDE, path_of, places_of
from sdcg_explorer.figures.style import GREY
from sdcg_explorer.figures.svg.axes import Pair, percent
from sdcg_explorer.figures.svg.marks import marks, texts, use
from sdcg_explorer.figures.svg.texts import attributes, ink

Parts = dict[str, Any]
DOTTED = "2px,3px"


def draw_curve(trace: Parts, pair: Pair) -> tuple[str, str]:
    """A trace of points, as SVG, and its texts, as HTML above it."""
    mode = trace.get("mode", "lines").split("+")
    drawn, words = "", ""
    if trace.get("fill"):
        return in_units(_path(trace, pair, "area")), words
    if "lines" in mode:
        drawn += in_units(_path(trace, pair, "line"))
    for key in ("error_x", "error_y"):
        if key in trace:
            drawn += _intervals(trace, pair, key)
    if "markers" in mode and trace.get("marker", {}).get("opacity", 1) != 0:
        shown, places = marks(trace, pair)
        live = (trace.get("meta") or {}).get("live")
        follows = {"data_live": json.dumps({**live, "at": places})} if live else {}
        drawn += f"<g{attributes(class_='marks', **follows)}>{shown}</g>"
    if "text" in mode:
        words = texts(trace, pair)
    return drawn, words


def in_units(paths: str) -> str:
    """Paths in units of the axes, whatever these are wide and high; what leaves them is cut off."""
    box = f"0 0 {WIDE} {WIDE}"
    return f'<svg class="units" viewBox="{box}" preserveAspectRatio="none">{paths}</svg>'


def _path(trace: Parts, pair: Pair, kind: str) -> str:
    look = trace.get("line", {})
    x, y = (np.asarray(trace[axis], dtype=float) for axis in "xy")
    if look.get("shape") == "vh":
        x, y = np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]
    across, up = pair.x["range"], pair.y["range"]
    live = _live(trace)
    style = "" if kind == "area" else f"stroke-width:{look.get('width', 2):g}"
    given = {"stroke_dasharray": dash_of(look), "style": style}
    if live:
        given["data_live"] = json.dumps(live)
    return f"<path{attributes(class_=kind, d=path_of(x, y, across, up, digits=2), **given)}/>"


def dash_of(line: Parts) -> str | None:
    """Dashes of a line as SVG has them; None where it has none."""
    dash = line.get("dash", "solid")
    return {"solid": None, "dot": DOTTED}.get(dash, dash)


def _live(trace: Parts) -> Parts:
    """Which curves a trace shows where it follows the sliders, and at which places."""
    live = (trace.get("meta") or {}).get("live")
    return {**live, **places_of(_numbers(trace["x"]), live)} if live else {}


def _intervals(trace: Parts, pair: Pair, key: str) -> str:
    """Intervals about points, with both ends, in one colour."""
    look, axis = trace[key], key[-1]
    middle = {of: _numbers(trace[of]) for of in "xy"}
    ends = middle[axis] + np.stack([-_numbers(look["arrayminus"]), _numbers(look["array"])])
    both = {of: np.broadcast_to(values, ends.shape) for of, values in middle.items()}
    both |= {axis: ends}
    right, down = pair.right(both["x"]), pair.down(both["y"])
    known = ~np.isnan(right + down).any(axis=0)
    form = "cap" if axis == "y" else "cap-up"
    drawn = ""
    for x, y in zip(right.T[known].tolist(), down.T[known].tolist(), strict=True):
        line = dict(zip(("x1", "x2", "y1", "y2"), map(percent, (*x, *y)), strict=True))
        drawn += f"<line{attributes(**line)}/>"
        drawn += "".join(use(form, look["width"], *end) for end in zip(x, y, strict=True))
    width = f"color:{ink(look.get('color', GREY))};stroke-width:{look['thickness']:g}"
    return f'<g class="interval" style="{width}">{drawn}</g>'


def _numbers(values: Any) -> Floats:
    return np.asarray(values, dtype=float)
