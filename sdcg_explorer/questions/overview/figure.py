"""Table 2 of ECIR 2008 as bars, and the judged share of the results by rank."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures.style import COLOURS, axis, figure, line, place, plotly_safe
from sdcg_explorer.questions.overview.numbers import Overview
from sdcg_explorer.scoring.definition import slider_text
from sdcg_explorer.study.wording import capital

PATTERNS = ("", "/", ".", "x", "-", "+")


def draw_queries_by_system(overview: Overview, systems: Sequence[str]) -> go.Figure:
    """Sessions per number of queries, stacked by system."""
    numbers = np.arange(1, overview.by_length.shape[1] + 1)
    each = zip(overview.systems, overview.by_length, overview.mean_queries, strict=True)
    bars = [
        {
            "type": "bar",
            "x": numbers,
            "y": counts,
            "name": plotly_safe(f"{system} (mean {mean:.2f} queries)", system),
            "marker": {"color": COLOURS[own], "pattern": {"shape": PATTERNS[own]}},
            "hovertemplate": "%{y} sessions",
        }
        for system, counts, mean in each
        for own in [place(systems, system)]
    ]
    most = int(overview.by_length.sum(axis=0).max(initial=1))
    x = axis("Queries in the session", (0.4, numbers.size + 0.6), dtick=max(1, numbers.size // 12))
    return figure(bars, x, axis("Sessions", (0, 1.06 * most)), barmode="stack", height=380)


def draw_judged_share(overview: Overview, systems: Sequence[str]) -> go.Figure:
    """Share of the shown results that are judged, by rank."""
    ranks = np.arange(1, overview.top + 1, dtype=float)
    traces = [
        line(systems, system, ranks, share, "%{y:.1%}")
        for system, share in zip(overview.systems, overview.judged_share, strict=True)
    ]
    x = axis("Rank of the result", (0, overview.top + 0.5))
    y = axis(f"{capital(overview.graded)} share", (0, 1.05), tickformat=".0%")
    return figure(traces, x, y, height=300)


SHADES = (1.0, 0.7, 0.45)  # of the bars: gain, after the rank discount, after both
PATIENCE = {"b": "patience with the list", "bq": "patience with asking again"}
STEPS = ("gain of its grade", "after the rank discount", "after the query discount")


def draw_discount_example(
    shown: dict[int, tuple[float, float, float]],
    bases: tuple[float, float],
    rank: int,
    colour: str,
    live: dict[str, Any] | None = None,
) -> str:
    """Bars on one scale, a row for each query, and beneath its column what each base does.

    `shown` has what the document gains by each step, by query; `colour` is a CSS colour; `live` are
    the numbers that the bars were drawn for.
    """
    most = max(max(gains) for gains in shown.values()) or 1.0
    described, rows = list[str](), list[str]()
    for row, (query, gains) in enumerate(shown.items()):
        each = ", ".join(f"{s} {short_number(v)}" for s, v in zip(STEPS, gains, strict=True))
        described.append(f"Found by query {query}: {each}")
        bars = "".join(
            f'<span class="bar"><span class="long"><span data-value="{value!r}" '
            f'data-live="[{row},{step}]" style="width: {100 * value / most:.4f}%; '
            f'background: {colour}; opacity: {shade}"></span></span>'
            f'<span class="worth">{short_number(value)}</span></span>'
            for step, (value, shade) in enumerate(zip(gains, SHADES, strict=True))
        )
        rows.append(f'<strong class="whose">found by query {query}</strong>{bars}')
    heads = "".join(f"<span>{words}</span>" for words in STEPS)
    bases_in_words = "".join(
        f'<span>{name} = <span data-base="{name}">{slider_text(base)}</span>: {words}</span>'
        for (name, words), base in zip(PATIENCE.items(), bases, strict=True)
    )
    alt = escape(f"One document. {'. '.join(described)}")
    return (
        f'<figure class="steps" role="figure" aria-label="{alt}" '
        f"data-bars='{escape(json.dumps(live))}'>"
        f'<span class="whose">One document, at rank {rank}</span>{heads}{"".join(rows)}'
        f'<span class="whose"></span><span></span>{bases_in_words}</figure>'
    )


def short_number(value: float) -> str:
    """A number with three significant digits, as the browser writes it as well.

    >>> short_number(1000.0), short_number(38.685), short_number(0.0)
    ('1000', '38.7', '0')
    """
    return f"{float(f'{value:.3g}'):g}"
