"""The curve of one session beside its ideal, with its queries and the point where it ended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.sessions.inspector import Inspected
from sdcg_explorer.figures import style
from sdcg_explorer.figures.lettering import plotly_safe
from sdcg_explorer.figures.traces import scatter


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
