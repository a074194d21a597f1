"""Figure 4 of ECIR 2008: the curve of each session, with the point where its searcher quit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.individual_sessions import IndividualSessions
from figures.style import (
    COLOURS,
    DASHES,
    MARKS,
    Floats,
    Parts,
    axis,
    ceiling,
    figure,
    named,
    place,
    position_axis,
)

MOST_LINES = 400


def draw_individual_sessions(
    sessions: IndividualSessions,
    systems: Sequence[str],
    *,
    chosen: Sequence[str] = (),
    length: int = 6,
    small: bool = False,
) -> go.Figure:
    """All sessions as one trace with gaps, a mark where each ends, the chosen ones on top.

    Beyond ``MOST_LINES`` sessions: median, and bands of the middle half and of eight tenths. The
    axis is cut at `length` queries; after its end a session stays level.
    """
    end = sessions.end(length)
    drawn = sessions.vectors[:, :end]
    own = place(systems, sessions.system)
    many = len(drawn) > MOST_LINES
    traces = _spread(drawn, sessions.system, own) if many else _each(sessions, own, length)
    for i, name in enumerate(name for name in chosen if name in sessions.names):
        traces.append(
            {
                "type": "scatter",
                "x": np.arange(1, end + 1),
                "y": drawn[sessions.names.index(name)],
                "name": named(f"session {name}"),
                "mode": "lines",
                "line": {
                    "color": COLOURS[(own + 1 + i) % len(COLOURS)],
                    "dash": DASHES[i],
                    "width": 4,
                },
                "hovertemplate": "%{y:,.3r}",
            }
        )
    top = ceiling([drawn])
    across = position_axis(sessions.per_query, -(-end // sessions.top), end)
    up = axis("sDCG (gain)", (-0.02 * top, top))
    return figure(traces, across, up, small=small, hovermode="closest")


def _each(sessions: IndividualSessions, own: int, length: int) -> list[Parts]:
    """A line per session, as one trace, a mark where each ends, and dots where its queries do."""
    end = sessions.end(length)
    x, y = _joined(sessions.vectors[:, :end])
    quits = sessions.quits(length)
    row, steps = sessions.on_the_way(length)
    return [
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
        {  # lines can't be clicked, marks can
            "type": "scatter",
            "x": steps,
            "y": sessions.vectors[row, steps - 1],
            "name": "end of a query",
            "mode": "markers",
            "marker": {"color": COLOURS[own], "symbol": MARKS[own], "size": 5},
            "text": [named(sessions.names[i]) for i in row],
            "hovertemplate": "%{text}: %{y:,.3r}<extra></extra>",
            "showlegend": False,
        },
    ]


def _spread(drawn: Floats, system: str, own: int) -> list[Parts]:
    """Median of many sessions, and bands around it."""
    low, lower, middle, upper, high = np.quantile(drawn, (0.1, 0.25, 0.5, 0.75, 0.9), axis=0)
    x = np.arange(1, drawn.shape[1] + 1)
    edges = ((low, high, "80 % of the sessions"), (lower, upper, "half of the sessions"))
    bands: list[Parts] = [
        {
            "type": "scatter",
            "x": np.concatenate([x, x[::-1]]),
            "y": np.concatenate([above, below[::-1]]),
            "name": words,
            "fill": "toself",
            "fillcolor": COLOURS[own],
            "line": {"width": 0, "color": COLOURS[own]},
            "mode": "lines",
            "opacity": 0.18,
            "hoverinfo": "skip",
        }
        for below, above, words in edges
    ]
    median = {"type": "scatter", "x": x, "y": middle, "name": named(f"{system}, median")}
    line = {"color": COLOURS[own], "width": 2.5}
    return [*bands, {**median, "mode": "lines", "line": line, "hovertemplate": "%{y:,.3r}"}]


def _joined(drawn: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Rows of curves as one line with gaps between them."""
    rows, end = drawn.shape
    x = np.tile(np.append(np.arange(1, end + 1), np.nan), rows)
    y = np.column_stack([drawn, np.full(rows, np.nan)]).ravel()
    return x.astype(np.float32), y.astype(np.float32)
