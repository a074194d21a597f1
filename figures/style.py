"""How every figure looks: a system's colour and mark, line weights, axes with fixed ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The screen replaces these by the theme's chart colours, light or dark (.streamlit/config.toml).
COLOURS = ("#000001", "#000002", "#000003", "#000004", "#000005", "#000006")
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
FAINT = "rgba(128, 128, 128, 0.28)"
QUIET = "rgba(128, 128, 128, 0.55)"
HEIGHT = 520
SMALL = 230


def colour(systems: Sequence[str], system: str) -> str:
    """Colour of a system, by its place among all systems of the study."""
    return COLOURS[systems.index(system) % len(COLOURS)]


def line(
    systems: Sequence[str], system: str, x: Floats, y: Floats, name: str, dash: str, **more: Any
) -> go.Scatter:
    """One curve of a system: its colour, and its mark at a few points."""
    own = colour(systems, system)
    mark = MARKS[systems.index(system) % len(MARKS)]
    return go.Scatter(
        x=x,
        y=y,
        name=name,
        mode="lines+markers",
        line={"color": own, "dash": dash, "width": 2.5},
        marker={"color": own, "symbol": mark, "size": 9, "maxdisplayed": 11},
        **more,
    )


def band(systems: Sequence[str], system: str, x: Floats, low: Floats, high: Floats) -> go.Scatter:
    """Interval around a curve as one closed, faint shape."""
    known = ~(np.isnan(low) | np.isnan(high))
    x, low, high = x[known], low[known], high[known]
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        name=f"{system}, 95 % interval",
        fill="toself",
        fillcolor=colour(systems, system),
        line={"width": 0, "color": colour(systems, system)},
        mode="lines",
        opacity=0.16,
        hoverinfo="skip",
        showlegend=False,
    )


def ceiling(values: Sequence[Floats] | Floats, least: float = 0.0) -> float:
    """Upper end of an axis that holds all values, with room to spare."""
    known = [float(np.nanmax(v)) for v in values if v.size and not np.isnan(v).all()]
    top = max([least, *known])
    return 1.06 * top if top > 0 else 1.0


def finish(figure: go.Figure, *, small: bool = False) -> go.Figure:
    """Apply the common layout: height, margins, legend above, text sizes for a projector."""
    figure.update_layout(
        height=SMALL if small else HEIGHT,
        margin={"l": 10, "r": 10, "t": 10 if small else 36, "b": 10},
        showlegend=not small,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.01, "x": 0, "font": {"size": 15}},
        hovermode="closest" if small else "x unified",
        dragmode=False,
    )
    size = 11 if small else 16
    axes = {"tickfont": {"size": size}, "title": {"font": {"size": size}, "standoff": 8}}
    figure.update_xaxes(**axes, zeroline=False, fixedrange=True)
    figure.update_yaxes(**axes, zeroline=False, fixedrange=True, automargin=True)
    return figure


def query_ticks(per_query: int | None, queries: int) -> dict[str, Any]:
    """Axis of positions: a faint vertical at each query's end, labelled Q1 … Qn."""
    if per_query is None:
        return {"title": {"text": "Position in the session (cells of its queries)"}}
    step = max(1, -(-queries // 14))
    numbers = np.arange(step, queries + 1, step)
    return {
        "title": {"text": f"Position in the session ({per_query} results per query)"},
        "tickmode": "array",
        "tickvals": (numbers * per_query).tolist(),
        "ticktext": [f"Q{number}" for number in numbers],
        "gridcolor": FAINT,
        "showgrid": True,
    }
