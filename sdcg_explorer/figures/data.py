"""Unjudged share of the results by rank."""

from __future__ import annotations

import plotly.graph_objects as go

from sdcg_explorer.analysis.inventory.data import UnjudgedByRank
from sdcg_explorer.figures.style import COLOURS, axis, figure


def draw_data(unjudged: UnjudgedByRank) -> go.Figure:
    """One bar per rank."""
    bars = {
        "type": "bar",
        "x": unjudged.rank,
        "y": unjudged.share,
        "customdata": unjudged.results,
        "name": "unjudged",
        "marker": {"color": COLOURS[0]},
        "showlegend": False,
        "hovertemplate": "rank %{x}: %{y:.1%} of %{customdata} results",
    }
    last = max(unjudged.rank, default=1)
    x = axis("Rank of the result", (0.4, last + 0.6), dtick=max(1, last // 10))
    return figure([bars], x, axis("Unjudged share", (0, 1.05), tickformat=".0%"), height=260)
