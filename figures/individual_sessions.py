"""Figure 4 of ECIR 2008: the curve of each session, with the point where its searcher quit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.individual_sessions import IndividualSessions
from figures.style import COLOURS, MARKS, ceiling, colour, finish, query_ticks


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
    step = sessions.per_query or max(1, sessions.vectors.shape[1] // max(1, length))
    end = min(sessions.vectors.shape[1], length * step)
    drawn = sessions.vectors[:, :end]
    own = colour(systems, sessions.system)
    mark = MARKS[systems.index(sessions.system) % len(MARKS)]
    x, y = _joined(drawn)
    quit_inside = np.flatnonzero((sessions.ends <= end) & (sessions.ends > 0))
    figure = go.Figure(
        [
            go.Scatter(
                x=x,
                y=y,
                name=f"{sessions.system}, each session",
                mode="lines",
                line={"color": own, "width": 1.2},
                opacity=0.55,
                hoverinfo="skip",
            ),
            go.Scatter(
                x=sessions.ends[quit_inside],
                y=sessions.vectors[quit_inside, sessions.ends[quit_inside] - 1],
                name="the searcher quit here",
                mode="markers",
                marker={"color": own, "symbol": mark, "size": 9},
                text=[sessions.names[i] for i in quit_inside],
                hovertemplate="%{text}: %{y:.3g}<extra></extra>",
            ),
        ]
    )
    if chosen in sessions.names:
        row = sessions.names.index(chosen)
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, end + 1),
                y=drawn[row],
                name=f"session {chosen}",
                mode="lines",
                line={"color": COLOURS[1 if own == COLOURS[0] else 0], "width": 4},
                hovertemplate="%{y:.3g}",
            )
        )
    figure.update_xaxes(**query_ticks(sessions.per_query, -(-end // step)), range=[0, end + 1])
    top = ceiling([drawn])
    figure.update_yaxes(title={"text": "sDCG (gain)"}, range=[-0.02 * top, top])
    finish(figure, small=small)
    return figure.update_layout(hovermode="closest")


def _joined(drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of curves as one line with gaps between them."""
    rows, end = drawn.shape
    x = np.tile(np.append(np.arange(1, end + 1), np.nan), rows)
    y = np.column_stack([drawn, np.full(rows, np.nan)]).ravel()
    return x.astype(np.float32), y.astype(np.float32)
