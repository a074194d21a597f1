"""Every pair of systems as a line: its difference with its interval, beside zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.figures.lettering import LINE, lines, plotly_safe, wrapped
from sdcg_explorer.figures.style import FAINT, GREY, Parts, axis, figure
from sdcg_explorer.figures.traces import at_zero, scatter, whiskers

MARK = 24  # pixels of a row that its mark takes; its name stands above
AROUND = 110  # pixels of the axis and the legend
ROOM = 1.08
PHONE = 17.5  # sizes of the text that the axes of a phone are wide
TEXT = 16


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
    pairs = [compared.pairs[i] for i in rows]
    both = [(pair.system_b, pair.system_a) for pair in pairs]
    names = [wrapped(plotly_safe(" − ".join(names), *names), PHONE) for names in both]
    above = TEXT * LINE * max((len(lines(name)) for name in names), default=1)
    row = MARK + above
    up = np.arange(len(rows), dtype=np.float64) + 0.5
    traces.append(_names(names, -reach, up))
    y = axis("", (-MARK / 2 / row, len(rows) - MARK / 2 / row), showgrid=False)
    words = f"Difference ({plotly_safe(compared.unit)}), 95 % interval"
    x = axis(words, (-reach, reach), gridcolor=FAINT)
    return figure(
        [trace for trace in traces if len(trace["x"])],
        x,
        y | {"showticklabels": False},
        shapes=[at_zero(FAINT)],
        height=AROUND + row * len(rows),
        hovermode="closest",
    )


def _names(names: Sequence[str], left: float, up: Floats) -> Parts:
    """Names of the pairs, each above its mark, from the left end of the axis on."""
    return {
        "type": "scatter",
        "x": np.full(len(names), left),
        "y": up,
        "text": list(names),
        "mode": "text",
        "name": "pairs",
        "textposition": "middle right",
        "textfont": {"size": TEXT, "color": GREY},
        "hoverinfo": "skip",
        "showlegend": False,
    }


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
    y = np.array([rows.index(i) for i in own], dtype=float)
    return scatter(middle, y, words, "markers") | {
        "marker": {"color": GREY, "symbol": symbol, "size": 11, "line": {"width": 2}},
        "error_x": whiskers(low, middle, high, color=GREY, thickness=2.5, width=6),
        "customdata": p,
        "hovertemplate": "%{x:,.3r}, after Holm p = %{customdata:.3f}<extra></extra>",
    }
