"""Every session a point beside its system's mean and interval, on all topics or by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.figures import style
from sdcg_explorer.figures.lettering import plotly_safe, wrapped
from sdcg_explorer.figures.traces import scatter, whiskers

GOLDEN = 0.618_034  # spreads points evenly without chance
AXIS = 20.0  # sizes of the text that the axis is long
WIDTH = 0.8  # of a column that its systems share
ROOM = 0.35  # of a system's part that its points may take to either side
MOST_DOTS = 500  # sessions whose points a small figure has


def draw_compare_systems(
    compared: Comparison, systems: Sequence[str], *, by_topic: bool = False
) -> go.Figure:
    """Sessions as points, the mean as a large mark with its 95 % interval, system beside system."""
    names = list(compared.names)
    topics = sorted({*compared.points["topic"]}) if by_topic else []
    traces: list[style.Parts] = []
    for i, name in enumerate(names):
        points = compared.points[compared.points["system"] == name].iloc[:: compared.one_in]
        means = compared.by_topic if by_topic else compared.systems
        means = means[means["system"] == name]
        columns = topics if by_topic else names
        across = {column: k for k, column in enumerate(columns)}
        aside = WIDTH * ((i + 0.5) / len(names) - 0.5) if by_topic else 0.0
        part = WIDTH / len(names) if by_topic else WIDTH
        key = "topic" if by_topic else "system"
        at = points[key].map(across).to_numpy(dtype=float) + aside
        own = style.place(systems, name)
        traces.append(_points(at + part * ROOM * _spread(at.size), points, own, name))
        at = means[key].map(across).to_numpy(dtype=float) + aside
        traces.append(_means(at, means, own, name))
    return _framed(traces, compared, topics if by_topic else names, by_topic)


def draw_means(compared: Comparison, systems: Sequence[str]) -> go.Figure:
    """The same, small: each system's mean with its interval, and its sessions if they are few."""
    traces: list[style.Parts] = []
    for i, mean in enumerate(compared.systems.to_dict("records")):
        own, name = style.place(systems, mean["system"]), mean["system"]
        points = compared.points[compared.points["system"] == name]
        if len(compared.points) <= MOST_DOTS:
            at = i + 0.6 * WIDTH * ROOM * _spread(len(points))
            few = _points(at, points, own, name)
            traces.append(few | {"marker": {"color": style.COLOURS[own], "size": 3}})
        ends = np.array([mean["low"], mean["high"]])
        stroke = {"mode": "lines", "line": {"color": style.COLOURS[own], "width": 3}}
        traces.append({"type": "scatter", "x": np.array([i, i]), "y": ends, **stroke})
        big = {"mode": "markers", "marker": {"color": style.COLOURS[own], "size": 13}}
        middle = {"x": np.array([float(i)]), "y": np.array([mean["mean"]])}
        traces.append({"type": "scatter", **middle, **big})
    shown = [trace["y"] for trace in traces]
    low = min(0.0, *(float(np.nanmin(y)) for y in shown if not np.isnan(y).all()))
    up = style.axis(
        f"{compared.words.capitalize()} ({plotly_safe(compared.unit)})", (low, style.ceiling(shown))
    )
    return style.figure(traces, style.names_axis("System", compared.names), up, small=True)


def _framed(
    traces: list[style.Parts], compared: Comparison, columns: list[str], by_topic: bool
) -> go.Figure:
    scores = compared.points["score"].to_numpy(dtype=float)
    top = style.ceiling([scores])
    low = min(0.0, float(scores.min(initial=0.0)))
    means = compared.by_topic if by_topic else compared.systems
    shown = f"sessions, mean{', 95 % interval' if means['low'].notna().any() else ''}"
    x = style.names_axis(f"{'Topic' if by_topic else 'System'}: {shown}", columns)
    name = f"{compared.words.capitalize()} ({plotly_safe(compared.unit)})"
    words = wrapped(name, AXIS)
    y = style.axis(words, (low - 0.03 * top, top), gridcolor=style.FAINT)
    return style.figure(traces, x, y, hovermode="closest", showlegend=by_topic)


def _spread(count: int) -> Floats:
    """Places from −1 to 1, the same each time."""
    return 2 * np.mod(np.arange(count) * GOLDEN, 1.0) - 1


def _points(x: Floats, points: Any, own: int, name: str) -> style.Parts:
    scores = points["score"].to_numpy(dtype=float)
    return scatter(x, scores, plotly_safe(f"{name}, each session", name), "markers") | {
        "marker": {"color": style.COLOURS[own], "symbol": f"{style.MARKS[own]}-open", "size": 7},
        "opacity": 0.8,
        "showlegend": False,
        "text": [plotly_safe(session) for session in points["session"]],
        "hovertemplate": "%{text}: %{y:,.3r}<extra></extra>",
    }


def _means(x: Any, means: Any, own: int, name: str) -> style.Parts:
    low, mean, high = means[["low", "mean", "high"]].to_numpy(dtype=float).T
    return scatter(x, mean, plotly_safe(f"{name}, mean", name), "markers") | {
        "marker": {"color": style.COLOURS[own], "symbol": style.MARKS[own], "size": 14},
        "error_y": whiskers(low, mean, high, color=style.COLOURS[own], thickness=3, width=9),
        "customdata": means["sessions"].to_numpy(),
        "hovertemplate": "mean %{y:,.3r} of %{customdata} sessions<extra></extra>",
    }
