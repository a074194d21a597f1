"""The curve of one session growing cell by cell, beside its ideal, and its steps as a table."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.questions.by_hand.numbers import ByHand
from sdcg_explorer.study.wording import LARGE, WHOLE, plain

MOST_STEPS = 300
LOOK = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def draw_by_hand(session: ByHand, *, beside: ByHand | None = None, least: float = 0.0) -> go.Figure:
    """V with a mark at each cell, I thin and grey; a faint vertical where each query ends.

    Both rise at the cell that gains.

    The curve `beside` is faint; the axis ends at `least` or higher.
    """
    x = np.arange(1, session.vector.size + 1)
    traces = [
        style.scatter(x, session.ideal, "its ideal, I", "lines")
        | {"line": {"color": style.GREY, "width": 1.5, "shape": "hv"}},
        style.scatter(x, session.vector, "this session, V", "lines+markers")
        | {"line": {"color": style.COLOURS[0], "width": 2.5, "shape": "hv"}}
        | {"marker": {"color": style.COLOURS[0], "symbol": style.MARKS[0], "size": 7}},
    ]
    for curve, trace in zip((1, 0), traces, strict=True):
        trace |= {"hovertemplate": "%{y:.4r}", **style.live_runs((curve, 0, x.size))}
    if beside:
        still = {"x": np.arange(1, beside.vector.size + 1), "y": beside.vector, "name": "V"}
        traces.insert(0, style.kept_curve(traces[-1] | still))
    others = [beside.vector] if beside else []
    top = style.ceiling([session.vector, session.ideal, *others], least)
    across = style.query_ends_axis(session.ends, x.size)
    up = style.axis("sDCG (gain)", (-0.02 * top, top))
    return style.figure(traces, across, up, height=192)  # cards and curve stand on one screen


def steps_html(session: ByHand) -> str:
    """Every step as HTML, whose rows know their cell; the exact number stands on hover."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in session.steps.columns)
    rows = "".join(
        f'<tr data-step="{cell}">{"".join(map(_table_cell_html, row))}</tr>'
        for cell, row in enumerate(session.steps.head(MOST_STEPS).itertuples(index=False))
    )
    more = len(session.steps) - MOST_STEPS
    rest = f"<p>{more:,} more steps are in the file below.</p>" if more > 0 else ""
    look = 'class="steps" tabindex="0" role="region" aria-label="Every step"'
    return (
        f"<style>{LOOK}</style><div {look}>"
        f"<table><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>{rest}</div>"
    )


def _table_cell_html(value: Any) -> str:
    """A cell of the table: numbers with three significant digits, as everywhere on screen."""
    if isinstance(value, str):
        return f'<td class="word">{escape(value)}</td>'
    if value != value:  # nan
        return "<td>–</td>"
    rounded = float(f"{value:.3g}")
    told = f"{rounded:,.0f}" if WHOLE <= abs(rounded) < LARGE else plain(rounded)
    return f'<td title="{float(value)!r}">{told}</td>'
