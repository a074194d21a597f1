"""Table 2 of ECIR 2008 as bars, and the judged share of the results by rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.overview import Overview
from figures.style import colour, finish, line

PATTERNS = ("", "/", ".", "x", "-", "+")


def draw_overview(overview: Overview, systems: Sequence[str]) -> go.Figure:
    """Sessions per number of queries, stacked by system."""
    numbers = np.arange(1, overview.by_length.shape[1] + 1)
    bars = [
        go.Bar(
            x=numbers,
            y=counts,
            name=f"{system} (mean {mean:.2f} queries)",
            marker={
                "color": colour(systems, system),
                "pattern": {"shape": PATTERNS[systems.index(system) % len(PATTERNS)]},
            },
            hovertemplate="%{y} sessions",
        )
        for system, counts, mean in zip(
            overview.systems, overview.by_length, overview.mean_queries, strict=True
        )
    ]
    figure = go.Figure(bars)
    most = int(overview.by_length.sum(axis=0).max(initial=1))
    figure.update_xaxes(
        title={"text": "Queries in the session"},
        range=[0.4, numbers.size + 0.6],
        dtick=max(1, numbers.size // 12),
    )
    figure.update_yaxes(title={"text": "Sessions"}, range=[0, 1.06 * most])
    finish(figure)
    return figure.update_layout(barmode="stack", height=380, legend={"traceorder": "normal"})


def draw_judged_share(overview: Overview, systems: Sequence[str]) -> go.Figure:
    """Share of the shown results that are judged, by rank."""
    ranks = np.arange(1, overview.top + 1, dtype=float)
    figure = go.Figure(
        [
            line(systems, system, ranks, share, system, "solid", hovertemplate="%{y:.1%}")
            for system, share in zip(overview.systems, overview.judged_share, strict=True)
        ]
    )
    figure.update_xaxes(title={"text": "Rank of the result"}, range=[0, overview.top + 0.5])
    figure.update_yaxes(title={"text": "Judged share"}, range=[0, 1.05], tickformat=".0%")
    finish(figure)
    return figure.update_layout(height=300)
