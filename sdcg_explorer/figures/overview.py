"""Table 2 of ECIR 2008 as bars, and the judged share of the results by rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.inventory.overview import Overview
from sdcg_explorer.figures.style import COLOURS, axis, figure, line, place, plotly_safe

PATTERNS = ("", "/", ".", "x", "-", "+")


def draw_overview(overview: Overview, systems: Sequence[str]) -> go.Figure:
    """Sessions per number of queries, stacked by system."""
    numbers = np.arange(1, overview.by_length.shape[1] + 1)
    rows = zip(overview.systems, overview.by_length, overview.mean_queries, strict=True)
    bars = [
        {
            "type": "bar",
            "x": numbers,
            "y": counts,
            "name": plotly_safe(f"{system} (mean {mean:.2f} queries)", system),
            "marker": {
                "color": COLOURS[place(systems, system)],
                "pattern": {"shape": PATTERNS[place(systems, system)]},
            },
            "hovertemplate": "%{y} sessions",
        }
        for system, counts, mean in rows
    ]
    most = int(overview.by_length.sum(axis=0).max(initial=1))
    ticks = max(1, numbers.size // 12)
    x = axis("Queries in the session", (0.4, numbers.size + 0.6), dtick=ticks)
    return figure(bars, x, axis("Sessions", (0, 1.06 * most)), barmode="stack", height=380)


def draw_judged_share(overview: Overview, systems: Sequence[str]) -> go.Figure:
    """Share of the shown results that are judged, by rank."""
    ranks = np.arange(1, overview.top + 1, dtype=float)
    traces = [
        line(systems, system, ranks, share, "%{y:.1%}")
        for system, share in zip(overview.systems, overview.judged_share, strict=True)
    ]
    x = axis("Rank of the result", (0, overview.top + 0.5))
    return figure(traces, x, axis("Judged share", (0, 1.05), tickformat=".0%"), height=300)
