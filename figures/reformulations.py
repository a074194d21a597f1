"""What reformulations bring: changes by step, and what each query adds, as small figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.reformulations import Reformulations
from figures.lettering import plotly_safe
from figures.style import COLOURS, Parts, axis, ceiling, figure, line, place

AXES = {
    "found": "Relevant documents found",
    "novelty": "Novelty (of the query's relevant)",
    "coverage": "Coverage (of the known relevant)",
}
SHARES = ("novelty", "coverage", "ndcg", "relative_recall")

THIRD = 260  # pixels: of three figures beside each other


def draw_changes(steps: Reformulations, systems: Sequence[str]) -> go.Figure:
    """Boxes of the change of the measure at each step, by system."""
    title = "Step (query number)"
    return _boxes(steps, systems, "step", title, f"Change of {steps.words}{steps.unit}")


def draw_first_queries(steps: Reformulations, systems: Sequence[str]) -> go.Figure:
    """Boxes of the first query's measure by the number of queries of its session."""
    title = f"First query's {steps.words}{steps.unit}"
    return _boxes(steps, systems, "queries", "Queries in the session", title)


def draw_by_query(
    steps: Reformulations, systems: Sequence[str], measure: str, *, small: bool = False
) -> go.Figure:
    """Mean of a measure by query number, one line per system."""
    table = steps.by_query
    traces = [
        line(
            systems,
            str(system),
            rows["query_number"].to_numpy(dtype=float),
            rows[measure].to_numpy(),
            str(system),
            "solid",
            "%{y:.3f}",
        )
        for system, rows in table.groupby("system", sort=False)
    ]
    most = int(table["query_number"].max())
    values = table[measure].to_numpy()
    is_share = measure in SHARES and not np.any(values > 1)  # own grades may pass the ideal's
    top = 1.05 if is_share else ceiling([values])
    name = AXES.get(measure) or f"Mean {steps.words}{steps.unit}"
    x = axis("Query number", (0.5, most + 0.5), dtick=max(1, -(-most // 6)), tickformat="d")
    y, height = axis(name, (0, top)), {} if small else {"height": 380}
    return figure(traces, x, y, small=small, narrowest=THIRD, **height)


def _boxes(
    steps: Reformulations, systems: Sequence[str], place_of: str, across: str, up: str
) -> go.Figure:
    table = steps.changes if place_of == "step" else steps.first
    traces: list[Parts] = [
        {
            "type": "box",
            "x": rows[place_of].to_numpy(),
            "q1": rows["p25"].to_numpy(),
            "median": rows["p50"].to_numpy(),
            "q3": rows["p75"].to_numpy(),
            "lowerfence": rows["p5"].to_numpy(),
            "upperfence": rows["p95"].to_numpy(),
            "name": plotly_safe(str(system)),
            "line": {"color": COLOURS[place(systems, str(system))]},
            "whiskerwidth": 0.4 if place(systems, str(system)) % 2 else 1,
        }
        for system, rows in table.groupby("system", sort=False)
    ]
    ends = table[["p5", "p95"]].to_numpy()
    low, high = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 1.0)
    room = 0.06 * max(high - low, 1e-9)
    most = int(np.max(table[place_of].to_numpy(), initial=1))
    x = axis(across, (0.4, most + 0.6), dtick=max(1, most // 12), tickformat="d")
    y = axis(up, (low - room, high + room), zeroline=True)
    return figure(traces, x, y, boxmode="group", height=380)
