"""Figure 1 of ECIR 2008: last queries against the others, by rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import panels, style
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.query_order.numbers import QueryCurve, QueryOrder

SOLID = ("last", "best")


def draw_query_order(
    order: QueryOrder,
    systems: Sequence[str],
    *,
    small: bool = False,
    focus: str = "",
    beside: QueryOrder | None = None,
    least: float = 0.0,
) -> go.Figure:
    """One line per system and group: solid for last (best), dashed for the others (rest).

    Of many systems each has a panel, unless one is in `focus` or the figure small. Curves
    `beside` are faint; the axis ends at `least` or higher.
    """
    ranks = np.arange(1, order.axis_end + 1, dtype=float)
    shown = order.nonempty_curves
    traces = style.bands(systems, ranks, ((c.system, c.low, c.high) for c in shown))
    still = beside.nonempty_curves if beside else []
    traces += [style.kept_curve(_query_curve_line(curve, systems, ranks)) for curve in still]
    for curve in shown:
        own = 2 * systems.index(curve.system) + (curve.group not in SOLID)
        live = style.live_runs((own, 0, order.axis_end))
        traces.append(_query_curve_line(curve, systems, ranks) | live)
    top = style.ceiling([c.mean for c in [*shown, *still]] + [c.high for c in shown], least)
    x = style.axis("Rank of the result", (0, order.axis_end * 1.01))
    y = style.axis(order.unit, (0, top))
    if small:
        return style.figure(traces, x, y, small=True)
    groups = {style.DASHES[curve.group not in SOLID]: curve.group for curve in shown}
    return panels.draw_by_system(traces, x, y, systems=systems, focus=focus, groups=groups)


def _query_curve_line(curve: QueryCurve, systems: Sequence[str], ranks: Floats) -> style.Parts:
    own = {"name": curve.name, "dash": style.DASHES[curve.group not in SOLID]}
    return style.line(systems, curve.system, ranks, curve.mean[: ranks.size], "%{y:,.3r}", **own)
