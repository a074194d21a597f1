"""A small figure as a picture that the browser draws by itself, in a fraction of Plotly's time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.figures.end_labels import ends_of
from sdcg_explorer.figures.style import COLOURS, GREY

WIDE = 1000  # units of the picture, both ways, whatever its size on a screen
HIGH = 130  # pixels
SMALL_TEXT = "font-size: 0.75rem; opacity: 0.75"
Ends = Sequence[float]
Colours = tuple[Sequence[str], Sequence[str]]


def picture(figure: go.Figure, alt: str, colours: Colours) -> str:
    """The lines and dots of a figure as HTML, without one word that was uploaded.

    `colours` are those of a light screen and of a dark one. Of a line that follows the sliders,
    ``data-live`` says which curves it shows. An axis is said to begin at 1 where it counts.
    """
    layout: Any = figure.layout
    traces: Any = figure.data
    across, up = layout.xaxis.range, layout.yaxis.range
    ends = {"x": list(across), "y": list(up), "live": (layout.meta or {}).get("live")}
    paths = "".join(_path(trace, across, up, colours) for trace in traces)
    marks = "".join(_mark(label, up, colours) for label in layout.annotations)
    last = int(np.nanmax(np.concatenate([[1.0], *(trace.x for trace in traces)])))
    ends_at = "" if (layout.meta or {}).get("names") else f", 1 to {last}"
    x, y = (escape(axis.title.text) for axis in (layout.xaxis, layout.yaxis))
    lines = (
        f'<figure role="figure" aria-label="{escape(alt)}" style="margin: 0">',
        f'<div style="{SMALL_TEXT}">{y}, 0 to <span data-top>{up[1]:.6g}</span></div>',
        f'<div style="position: relative; height: {HIGH}px; margin-right: 1.2rem">',
        f'<svg viewBox="0 0 {WIDE} {WIDE}" preserveAspectRatio="none" '
        f"data-picture='{escape(json.dumps(ends))}' "
        'style="position: absolute; width: 100%; height: 100%; overflow: visible; '
        'border: solid rgba(128, 128, 128, 0.5); border-width: 0 0 1px 1px">',
        f"{paths}</svg>{marks}</div>",
        f'<div style="{SMALL_TEXT}">{x}{ends_at}</div></figure>',
    )
    return "".join(lines)


def _colour(own: str, colours: Colours) -> str:
    """A colour of the screen for the one that stands for it in a figure."""
    if own == GREY:
        return "currentColor"
    i = COLOURS.index(own)
    return f"light-dark({colours[0][i]}, {colours[1][i]})"


def _path(trace: Any, across: Ends, up: Ends, colours: Colours) -> str:
    """One trace: a line, a band, or dots."""
    dots = trace.mode == "markers"
    own = trace.marker.color if dots else trace.line.color
    own = own if isinstance(own, str) else GREY  # dots of several systems
    style = {
        "fill": "none" if trace.fill is None else _colour(own, colours),
        "stroke": _colour(own, colours),
        "stroke-width": trace.marker.size if dots else trace.line.width,
        "stroke-linecap": "round" if dots else "butt",
        "stroke-dasharray": "none" if trace.line.dash in (None, "solid") else trace.line.dash,
        "opacity": 1 if trace.opacity is None else trace.opacity,
        "vector-effect": "non-scaling-stroke",
    }
    css = "; ".join(f"{name}: {value}" for name, value in style.items())
    live = (trace.meta or {}).get("live")
    x, y = (np.asarray(values, dtype=float) for values in (trace.x, trace.y))
    given = {**live, **places_of(x, live), "dots": dots} if live else {}
    moves = f" data-live='{escape(json.dumps(given))}'" if live else ""
    return f'<path d="{path_of(x, y, across, up, dots=dots)}" style="{css}"{moves}></path>'


def path_of(
    x: Floats, y: Floats, across: Ends, up: Ends, *, dots: bool = False, digits: int = 4
) -> str:
    """Points in units of the picture; the pen is lifted where one has no value, and for dots."""
    known = ~np.isnan(y)
    lifted = np.ones(y.size, dtype=bool) if dots else ~np.append(False, known[:-1])
    right = WIDE * (x - across[0]) / (across[1] - across[0])
    down = WIDE * (up[1] - y) / (up[1] - up[0])
    points = zip(lifted[known].tolist(), right[known].tolist(), down[known].tolist(), strict=True)
    end = "h0" if dots else ""
    return "".join(f"{'M' if lift else 'L'}{x:.2f},{y:.{digits}f}{end}" for lift, x, y in points)


def places_of(x: Floats, live: dict[str, Any]) -> dict[str, list[float]]:
    """Where points of curves stand, where they do not count from 1 as positions do."""
    counted = [
        place
        for _, first, points in live["runs"]
        for place in [*range(first + 1, first + 1 + points), *([0] if live["gap"] else [])]
    ]
    own = np.nan_to_num(x).tolist()
    return {} if own == counted else {"x": own}


def _mark(label: Any, up: Ends, colours: Colours) -> str:
    """The sign of a system where its curve ends."""
    ((end,), down) = ends_of([label]), 100 * (up[1] - label["ay"]) / (up[1] - up[0])
    sign = end["sign"].partition(">")[2].partition("<")[0]
    place = f"position: absolute; left: calc(100% + 3px); top: calc({down:.2f}% - 0.6em)"
    look = f"color: {_colour(end['color'], colours)}; line-height: 1.2"
    return f'<span aria-hidden="true" style="{place}; {look}">{sign}</span>'
