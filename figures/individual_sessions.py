"""Figure 4 of ECIR 2008: the curve of each session, with the point where its searcher quit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.individual_sessions import IndividualSessions
from figures.style import COLOURS, MARKS, Floats, axis, ceiling, figure, named, place, position_axis


def draw_individual_sessions(
    sessions: IndividualSessions,
    systems: Sequence[str],
    *,
    chosen: str | None = None,
    length: int = 6,
    small: bool = False,
) -> go.Figure:
    """All sessions as one trace with gaps, a mark where each ends, the chosen one on top.

    The axis is cut at `length` queries; after its end a session stays level.
    """
    end = min(sessions.vectors.shape[1], length * sessions.top)
    drawn = sessions.vectors[:, :end]
    own = place(systems, sessions.system)
    x, y = _joined(drawn)
    quits = np.flatnonzero((sessions.ends <= end) & (sessions.ends > 0))
    traces = [
        {
            "type": "scatter",
            "x": x,
            "y": y,
            "name": named(f"{sessions.system}, each session"),
            "mode": "lines",
            "line": {"color": COLOURS[own], "width": 1.2},
            "opacity": 0.8,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": sessions.ends[quits],
            "y": sessions.vectors[quits, sessions.ends[quits] - 1],
            "name": "the searcher quit here",
            "mode": "markers",
            "marker": {"color": COLOURS[own], "symbol": MARKS[own], "size": 9},
            "text": [named(sessions.names[i]) for i in quits],
            "hovertemplate": "%{text}: %{y:,.3r}<extra></extra>",
        },
    ]
    if chosen in sessions.names:
        traces.append(
            {
                "type": "scatter",
                "x": np.arange(1, end + 1),
                "y": drawn[sessions.names.index(chosen)],
                "name": named(f"session {chosen}"),
                "mode": "lines",
                "line": {"color": COLOURS[(own + 1) % len(COLOURS)], "width": 4},
                "hovertemplate": "%{y:,.3r}",
            }
        )
    top = ceiling([drawn])
    across = position_axis(sessions.per_query, -(-end // sessions.top), end)
    up = axis("sDCG (gain)", (-0.02 * top, top))
    return figure(traces, across, up, small=small, hovermode="closest")


def _joined(drawn: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Rows of curves as one line with gaps between them."""
    rows, end = drawn.shape
    x = np.tile(np.append(np.arange(1, end + 1), np.nan), rows)
    y = np.column_stack([drawn, np.full(rows, np.nan)]).ravel()
    return x.astype(np.float32), y.astype(np.float32)
