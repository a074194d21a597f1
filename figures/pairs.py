"""Every pair of systems as a line: its difference with its interval, beside zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.compare_systems import Comparison
from figures.style import FAINT, GREY, Parts, axis, figure, named

ROW = 30  # pixels of a line
AROUND = 96  # pixels of the axis and the room above
ROOM = 1.08


def draw_pairs(compared: Comparison) -> go.Figure:
    """A forest plot, b − a, largest difference on top; filled marks are clear after Holm."""
    known = [i for i, pair in enumerate(compared.pairs) if not np.isnan(pair.difference)]
    rows = sorted(known, key=lambda i: compared.pairs[i].difference)
    clear = compared.clear
    traces = [
        _marks(compared, [i for i in rows if clear[i] == own], rows, words, symbol)
        for own, words, symbol in (
            (True, "clear difference (after Holm)", "square"),
            (False, "no clear difference", "square-open"),
        )
    ]
    ends = [abs(end) for i in rows for end in _ends(compared, i) if not np.isnan(end)]
    reach = ROOM * max(ends, default=0.0) or 1.0
    names = [f"{compared.pairs[i].system_b} − {compared.pairs[i].system_a}" for i in rows]
    ticks = {"tickmode": "array", "tickvals": [*range(len(rows))], "showgrid": False}
    y = axis("", (-0.6, len(rows) - 0.4), ticktext=[named(name) for name in names], **ticks)
    x = axis(f"Difference ({compared.unit}), 95 % interval", (-reach, reach), gridcolor=FAINT)
    zero = {"type": "line", "xref": "x", "yref": "paper", "x0": 0, "x1": 0, "y0": 0, "y1": 1}
    shapes = [zero | {"line": {"color": GREY, "width": 1.5}}]
    height = AROUND + ROW * len(rows)
    return figure(
        [t for t in traces if len(t["x"])], x, y, shapes=shapes, height=height, hovermode="closest"
    )


def _ends(compared: Comparison, place: int) -> tuple[float, float, float]:
    pair = compared.pairs[place]
    return pair.low, pair.difference, pair.high


def _marks(
    compared: Comparison, own: Sequence[int], rows: Sequence[int], words: str, symbol: str
) -> Parts:
    """Differences of some pairs, each at its row, with their intervals."""
    ends = np.array([_ends(compared, i) for i in own], dtype=float).reshape(-1, 3)
    low, middle, high = ends.T
    p = [float(compared.p_holm[i]) for i in own]
    return {
        "type": "scatter",
        "x": middle,
        "y": np.array([rows.index(i) for i in own], dtype=float),
        "name": words,
        "mode": "markers",
        "marker": {"color": GREY, "symbol": symbol, "size": 11, "line": {"width": 2}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": high - middle,
            "arrayminus": middle - low,
            "color": GREY,
            "thickness": 2.5,
            "width": 6,
        },
        "customdata": p,
        "hovertemplate": "%{x:,.3r}, after Holm p = %{customdata:.3f}<extra></extra>",
    }
