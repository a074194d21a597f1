"""How every figure looks: a system's colour and mark, line weights, axes with fixed ranges.

Figures are built from plain dicts in one call: Plotly checks those in 2 ms, where the same by
updates took 13 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Parts = dict[str, Any]

# The screen replaces these by the theme's chart colours, light or dark (.streamlit/config.toml).
COLOURS = ("#000001", "#000002", "#000003", "#000004", "#000005", "#000006")
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
GREY = "#000037"  # likewise, by the theme's grey for text
FAINT = "rgba(128, 128, 128, 0.28)"
HEIGHT = 440
SMALL = 230


def named(text: str) -> str:
    """A name as Plotly shows it: what looks like a tag stays text."""
    return escape(text, quote=False)


def place(systems: Sequence[str], system: str) -> int:
    """A system's place in the palettes, by its place among all systems of the study."""
    return systems.index(system) % len(COLOURS)


def line(
    systems: Sequence[str], system: str, x: Floats, y: Floats, name: str, dash: str, hover: str
) -> Parts:
    """One curve of a system: its colour, and its mark at a few points."""
    own = place(systems, system)
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": named(name),
        "mode": "lines+markers",
        "line": {"color": COLOURS[own], "dash": dash, "width": 2.5},
        "marker": {"color": COLOURS[own], "symbol": MARKS[own], "size": 9, "maxdisplayed": 11},
        "hovertemplate": hover,
    }


def band(systems: Sequence[str], system: str, x: Floats, low: Floats, high: Floats) -> Parts:
    """Interval around a curve as one closed, faint shape."""
    own = COLOURS[place(systems, system)]
    known = ~(np.isnan(low) | np.isnan(high))
    x, low, high = x[known], low[known], high[known]
    return {
        "type": "scatter",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([high, low[::-1]]),
        "name": named(f"{system}, 95 % interval"),
        "fill": "toself",
        "fillcolor": own,
        "line": {"width": 0, "color": own},
        "mode": "lines",
        "opacity": 0.16,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def ceiling(values: Iterable[Floats]) -> float:
    """Upper end of an axis that holds all values, with room to spare."""
    known = [float(np.nanmax(v)) for v in values if v.size and not np.isnan(v).all()]
    top = max(known, default=0.0)
    return 1.06 * top if top > 0 else 1.0


def axis(title: str, ends: tuple[float, float], **more: Any) -> Parts:
    """An axis with its name and unit, and a range that neither zoom nor redraw changes."""
    fixed = {"range": list(ends), "fixedrange": True, "zeroline": False}
    return {"title": {"text": title}, **fixed, **more}


def figure(
    traces: list[Parts], x: Parts, y: Parts, *, small: bool = False, **layout: Any
) -> go.Figure:
    """A figure in the common layout: legend above, text sizes for a projector."""
    size = 11 if small else 16
    text = {"tickfont": {"size": size, "color": GREY}, "automargin": True}
    name = {"font": {"size": size, "color": GREY}, "standoff": 14}
    axes = {"xaxis": x, "yaxis": y, **{k: layout.pop(k) for k in ("yaxis2",) if k in layout}}
    return go.Figure(
        {
            "data": traces,
            "layout": {
                "height": SMALL if small else HEIGHT,
                "margin": {"l": 10, "r": 10, "t": 10 if small else 36, "b": 10},
                "showlegend": not small,
                "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.01, "x": 0}
                | {"font": {"size": 15}, "traceorder": "normal"},
                "hovermode": "closest" if small else "x unified",
                "dragmode": False,
                **{key: _with(each, text, name) for key, each in axes.items()},
                **layout,
            },
        }
    )


def _with(own: Parts, text: Parts, name: Parts) -> Parts:
    """An axis in the common lettering, where it does not say its own."""
    lettering = text["tickfont"] | own.get("tickfont", {})
    return text | own | {"tickfont": lettering, "title": own["title"] | name}


def position_axis(per_query: int | None, queries: int, end: int) -> Parts:
    """Axis of positions: a faint vertical at each query's end, labelled Q1 … Qn."""
    ends = (0.0, end + 1.0)
    if per_query is None:
        return axis("Position in the session (cells of its queries)", ends)
    step = max(1, -(-queries // 14))
    numbers = np.arange(step, queries + 1, step)
    return axis(
        f"Position in the session ({per_query} results per query)",
        ends,
        tickmode="array",
        tickvals=(numbers * per_query).tolist(),
        ticktext=[f"Q{number}" for number in numbers],
        **({"tickfont": {"size": 12}} if numbers.size > 8 else {}),  # else they touch on a phone
        gridcolor=FAINT,
        showgrid=True,
    )


def ends_axis(ends: Sequence[int], length: int) -> Parts:
    """Axis of one session's positions: a faint vertical at each query's own end, Q1 … Qn."""
    step = max(1, -(-len(ends) // 8))
    return axis(
        "Position in the session (cells of its queries)",
        (0.0, length + 1.0),
        tickmode="array",
        tickvals=list(ends[step - 1 :: step]),
        ticktext=[f"Q{q}" for q in range(step, len(ends) + 1, step)],
        gridcolor=FAINT,
        showgrid=True,
    )
