"""The curve of one session growing cell by cell, beside its ideal."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.by_hand import ByHand
from figures.style import COLOURS, GREY, MARKS, axis, ceiling, ends_axis, figure, kept, live_runs


def draw_by_hand(session: ByHand, *, beside: ByHand | None = None, least: float = 0.0) -> go.Figure:
    """V with a mark at each cell, I thin and grey; a faint vertical where each query ends.

    The curve `beside` is faint; the axis ends at `least` or higher.
    """
    x = np.arange(1, session.vector.size + 1)
    traces = [
        {
            "type": "scatter",
            "x": x,
            "y": session.ideal,
            "name": "its ideal, I",
            "mode": "lines",
            "line": {"color": GREY, "width": 1.5, "shape": "vh"},
            "hovertemplate": "%{y:.4r}",
            **live_runs((1, 0, x.size)),
        },
        {
            "type": "scatter",
            "x": x,
            "y": session.vector,
            "name": "this session, V",
            "mode": "lines+markers",
            "line": {"color": COLOURS[0], "width": 2.5, "shape": "vh"},
            "marker": {"color": COLOURS[0], "symbol": MARKS[0], "size": 7},
            "hovertemplate": "%{y:.4r}",
            **live_runs((0, 0, x.size)),
        },
    ]
    if beside:
        still = {"x": np.arange(1, beside.vector.size + 1), "y": beside.vector, "name": "V"}
        traces.insert(0, kept(traces[-1] | still))
    others = [beside.vector] if beside else []
    top = ceiling([session.vector, session.ideal, *others], least)
    across = ends_axis(session.ends, x.size)
    return figure(traces, across, axis("sDCG (gain)", (-0.02 * top, top)), height=380)
