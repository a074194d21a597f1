"""The curve of one session beside its ideal, with its queries and the point where it ended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.sessions.inspector import Inspected
from sdcg_explorer.analysis.sessions.weightings import Weightings
from sdcg_explorer.figures import style
from sdcg_explorer.figures.style import (
    COLOURS,
    GREY,
    axis,
    ceiling,
    ends_axis,
    figure,
    place,
    plotly_safe,
    scatter,
)


def draw_inspector(session: Inspected, systems: Sequence[str]) -> go.Figure:
    """V and I by position, a faint vertical at each query's end, a mark where the searcher quit.

    A line goes up to the ideal at the end of the query at which the session fell behind most.
    """
    own = style.place(systems, session.system)
    x = np.arange(1, session.vector.size + 1)
    traces = [
        scatter(x, session.ideal, "its ideal", "lines")
        | {"line": {"color": style.GREY, "width": 1.5}},
        scatter(x, session.vector, plotly_safe(session.session), "lines")
        | {"line": {"color": style.COLOURS[own], "width": 3}},
        scatter(x[-1:], session.vector[-1:], "the searcher quit here", "markers")
        | {"marker": {"color": style.COLOURS[own], "symbol": style.MARKS[own], "size": 11}},
    ]
    if session.worst:
        end = session.ends[session.worst - 1]
        gap = np.array([session.vector[end - 1], session.ideal[end - 1]])
        fell = scatter(np.array([end, end]), gap, f"fell behind most, Q{session.worst}", "lines")
        traces.append(fell | {"line": {"color": style.GREY, "width": 3, "dash": "2px,2px"}})
    traces = [trace | {"hovertemplate": "%{y:,.3r}"} for trace in traces]
    across = style.ends_axis(session.ends, x.size)
    top = style.ceiling([session.vector, session.ideal])
    return style.figure(traces, across, style.axis("sDCG (gain)", (-0.02 * top, top)), height=320)


HEIGHT = 320
HOVER = "%{y:.4f}"


def draw_weightings(of: Weightings, systems: Sequence[str], names: tuple[str, str]) -> go.Figure:
    """A line per weighting, solid of sDCG, dashed of the other, new with each query; marks gained.

    A mark is filled for sDCG, and open for the other.
    """
    queries, ranks = of.gains.shape
    own = COLOURS[place(systems, of.system)]
    x = np.arange(1, queries * ranks + 1).reshape(queries, ranks)
    # a gap behind each query: what follows is another list
    along = np.pad(x.astype(float), ((0, 0), (0, 1)), constant_values=np.nan).ravel()
    traces, looks = [], ((own, "solid", "circle"), (GREY, "6px,3px", "diamond-open"))
    for name, weights, (colour, dash, symbol) in zip(names, of.weights, looks, strict=True):
        called = plotly_safe(name)
        up = np.pad(weights, ((0, 0), (0, 1)), constant_values=np.nan).ravel()
        line = scatter(along, up, called, "lines")
        traces.append(line | {"line": {"color": colour, "width": 2.5, "dash": dash}})
        gained = (of.gains > 0) & ~np.isnan(weights)
        marks = scatter(x[gained], weights[gained], f"{called}: gained", "markers")
        marks |= {"marker": {"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2}}}
        marks |= {"showlegend": False}  # the caption says what marks are
        traces += [marks] if gained.any() else []
    traces = [trace | {"hovertemplate": HOVER} for trace in traces]
    across = ends_axis(tuple(range(ranks, queries * ranks + 1, ranks)), queries * ranks)
    top = ceiling([*of.weights.reshape(2, -1)])
    up = axis("Weight of the cell (share of all)", (-0.02 * top, top))
    return figure(traces, across, up, height=HEIGHT)
