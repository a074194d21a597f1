"""Table 2 of ECIR 2008 as bars, and the judged share of the results by rank."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures.style import COLOURS, axis, figure, line, place, plotly_safe
from sdcg_explorer.questions.overview.numbers import FirstScreen, Overview, QueryWorth

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


SHADES = (1.0, 0.7, 0.45)  # of the bars: gain, after the rank discount, after both
STEPS = ("gain of its grade", "after the rank discount", "after the query discount")


def draw_first_screen(
    shown: FirstScreen, rank: int, colour: str, live: dict[str, Any] | None = None
) -> str:
    """Bars on one scale, a row for each query, and beneath its column what each base does.

    `colour` is a CSS colour; `live` are the numbers that the bars were drawn for.
    """
    sessions = (shown.early, shown.late)
    most = max(shown.early.gain, shown.early.by_rank, shown.late.by_query) or 1.0
    described = ". ".join(
        f"Found by query {each.query}: {words}"
        for each in sessions
        for words in [", ".join(f"{s} {short(v)}" for s, v in zip(STEPS, steps(each), strict=True))]
    )
    heads = "".join(f"<span>{words}</span>" for words in STEPS)
    rows = "".join(_row(i, each, most, colour) for i, each in enumerate(sessions))
    return (
        f'<figure class="steps" role="figure" aria-label="{escape(f"One document. {described}")}" '
        f"data-bars='{escape(json.dumps(live))}'>"
        f'<span class="whose">One document, at rank {rank}</span>{heads}{rows}'
        f'<span class="whose"></span><span></span>'
        f"{_says('b', shown.b, 'patience with the list')}"
        f"{_says('bq', shown.bq, 'patience with asking again')}</figure>"
    )


def steps(worth: QueryWorth) -> tuple[float, float, float]:
    """What a document is worth at each step."""
    return worth.gain, worth.by_rank, worth.by_query


def short(value: float) -> str:
    """A number with three significant digits, as the browser writes it as well.

    >>> short(1000.0), short(38.685), short(0.0)
    ('1000', '38.7', '0')
    """
    return f"{float(f'{value:.3g}'):g}"


def _row(curve: int, worth: QueryWorth, most: float, colour: str) -> str:
    """One session's bars, each with its value in full for those who compare."""
    bars = "".join(
        f'<span class="bar"><span class="long"><span data-value="{value!r}" '
        f'data-live="[{curve},{step}]" style="width: {100 * value / most:.4f}%; '
        f'background: {colour}; opacity: {shade}"></span></span>'
        f'<span class="worth">{short(value)}</span></span>'
        for step, (value, shade) in enumerate(zip(steps(worth), SHADES, strict=True))
    )
    return f'<strong class="whose">found by query {worth.query}</strong>{bars}'


def _says(name: str, base: str, words: str) -> str:
    """What a base stands for, in the number that is in force."""
    return f'<span>{name} = <span data-base="{name}">{escape(base)}</span>: {words}</span>'
