"""Figure 1 of ECIR 2008: last queries against the others, by rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.query_order import QueryOrder
from figures.style import DASHES, axis, band, ceiling, figure, line, live_runs

SOLID = ("last", "best")


def draw_query_order(
    order: QueryOrder, systems: Sequence[str], *, small: bool = False
) -> go.Figure:
    """One line per system and group: solid for last (best), dashed for the others (rest)."""
    ranks = np.arange(1, order.depth + 1, dtype=float)
    shown = [curve for curve in order.curves if curve.queries]
    traces = [
        band(systems, curve.system, ranks, curve.low, curve.high)
        for curve in shown
        if not np.isnan(curve.low).all()
    ]
    traces += [
        line(
            systems,
            curve.system,
            ranks,
            curve.mean,
            f"{curve.system}, {curve.group}",
            DASHES[curve.group not in SOLID],
            "%{y:,.3r}",
        )
        | live_runs((2 * systems.index(curve.system) + (curve.group not in SOLID), 0, order.depth))
        for curve in shown
    ]
    top = ceiling([c.mean for c in shown] + [c.high for c in shown])
    name = "sDCG (gain)" if order.drawn.discounted else "DCG (gain)"
    x = axis("Rank of the result", (0, order.depth * 1.01))
    return figure(traces, x, axis(name, (0, top)), small=small)
