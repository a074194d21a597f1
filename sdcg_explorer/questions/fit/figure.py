"""What searchers looked at beside the weights of models."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.metrics.arrays import Floats

POSITIONS = 60  # that are drawn at most; queries beyond count all the same


def draw_fit(shares: Floats, models: Mapping[str, Floats], *, small: bool = False) -> go.Figure:
    """Shares of what was looked at (Q, R) as points, query by query; weights (Q, R) as lines.

    Lines have a gap after each query; they differ by dash, as no model is a system.
    """
    queries, ranks = shares.shape
    shown = max(1, min(queries, POSITIONS // ranks))
    place = np.arange(1.0, shown * ranks + 1)
    gaps = np.arange(ranks, place.size, ranks) if ranks > 1 else np.empty(0, np.int64)
    values = [shares[:shown].ravel(), *(each[:shown].ravel() for each in models.values())]
    look = {"marker": {"color": style.GREY, "size": 5 if small else 7}}
    traces = [
        style.scatter(place, values[0], "examined", "markers", **look)
        | {"hovertemplate": "%{y:.1%} of examined results"}
    ]
    for name, weights, dash in zip(models, values[1:], style.DASHES, strict=False):
        x, y = (np.insert(each, gaps, np.nan) for each in (place, weights))
        look = {"line": {"color": style.GREY, "dash": dash, "width": 2.5}}
        traces.append(style.scatter(x, y, name, "lines", **look, hovertemplate="%{y:.1%}"))
    across = style.position_axis(ranks, shown, shown * ranks)
    if ranks == 1:
        across = style.axis("Query of the session", (0, shown + 1))
    up = style.axis("Share of examined results", (0, style.ceiling(values)), tickformat="~%")
    return style.figure(traces, across, up, small=small)
