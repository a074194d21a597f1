"""Unjudged share of the results by rank."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.figures.style import COLOURS, axis, figure


def draw_data(unjudged: pd.DataFrame) -> go.Figure:
    """One bar per rank, of its unjudged share and results."""
    bars = {
        "type": "bar",
        "x": unjudged["rank"].tolist(),
        "y": unjudged["unjudged"].tolist(),
        "customdata": unjudged["results"].tolist(),
        "name": "unjudged",
        "marker": {"color": COLOURS[0]},
        "showlegend": False,
        "hovertemplate": "rank %{x}: %{y:.1%}; results: %{customdata:,}",
    }
    last = int(unjudged["rank"].max()) if len(unjudged) else 1
    x = axis("Rank of the result", (0.4, last + 0.6), dtick=max(1, last // 10))
    return figure([bars], x, axis("Unjudged share", (0, 1.05), tickformat=".0%"), height=260)
