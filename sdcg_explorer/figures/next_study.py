"""Power of a next study by its number of units: a curve for each difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.systems.next_study import HALF, MOST, POWERS, SEEN, NextStudy, Plan
from sdcg_explorer.figures.end_labels import SIGNS
from sdcg_explorer.figures.lettering import plotly_safe
from sdcg_explorer.figures.style import DASHES, FAINT, GREY, MARKS, Parts, axis, figure
from sdcg_explorer.figures.traces import ticks

TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
SHORT = {SEEN: "seen", HALF: "half"}
WANTED = "rgba(128, 128, 128, 0.75)"  # the lines of the powers wanted


def draw_next_study(planned: NextStudy) -> go.Figure:
    """Curves told apart by dash and mark, which stands where a power wanted is reached."""
    plural = f"{planned.pair.unit}s"
    looks = zip(planned.plans, DASHES, range(len(SIGNS)), strict=False)
    traces = [
        trace
        for plan, dash, own in looks
        for trace in (_curve(planned, plan, dash, own), _reached(plan, plural, own))
    ]
    end, here = float(planned.sizes[-1]), planned.pair.units
    x = axis(f"Number of {plural} in the next study", (0.0, end), showgrid=False, tickformat=",d")
    shares = ticks(TICKS, [f"{100 * tick:.0f} %" for tick in TICKS])
    y = axis("Power", (0.0, 1.05), **shares, gridcolor=FAINT)
    lines = [_line(power, 0.0, power, end) for power in POWERS]
    shapes = [*lines, _line(0.0, here, 1.0, here)]
    return figure([*traces, _here(here, end)], x, y, hovermode="closest", shapes=shapes)


def _curve(planned: NextStudy, plan: Plan, dash: str, own: int) -> Parts:
    name = plotly_safe(f"{plan.words[0].upper()}{plan.words[1:]}")
    plural = f"{planned.pair.unit}s"
    return {
        "label": (SHORT.get(plan.words, f"{plan.difference:g}"), own),
        "type": "scatter",
        "x": planned.sizes,
        "y": planned.curve(plan),
        "name": name,
        "customdata": 100 * planned.curve(plan),
        "mode": "lines",
        "line": {"color": GREY, "dash": dash, "width": 2.5},
        "hovertemplate": f"%{{x:,d}} {plural}: %{{customdata:.0f}} %<extra>{name}</extra>",
    }


def _reached(plan: Plan, plural: str, own: int) -> Parts:
    """Marks where a curve reaches each power, with the number of units."""
    within = [(n, power) for n, power in zip(plan.units, POWERS, strict=True) if n <= MOST]
    x, y = np.array(within, dtype=np.float64).reshape(-1, 2).T
    look: dict[str, Any] = {"color": GREY, "symbol": MARKS[own], "size": 9}
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": plotly_safe(f"{plan.words}, {plural} needed"),
        "customdata": 100 * y,
        "mode": "markers+text",
        "marker": look,
        "text": [f"{n:,.0f}" for n in x.tolist()],
        "textposition": "top left" if plan.words in SHORT else "bottom right",
        "textfont": {"size": 13, "color": GREY},
        "hovertemplate": f"%{{x:,d}} {plural} for %{{customdata:.0f}} %<extra></extra>",
        "showlegend": False,
    }


def _here(units: int, end: float) -> Parts:
    """How large this study is, beside its line."""
    return {
        "type": "scatter",
        "x": np.array([float(units)]),
        "y": np.array([0.03]),
        "name": "this study",
        "mode": "text",
        "text": [f" this study: {units:,} "],
        "textposition": "middle right" if units < end / 2 else "middle left",
        "textfont": {"size": 13, "color": GREY},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _line(y0: float, x0: float, y1: float, x1: float) -> Parts:
    ends = {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
    return {"type": "line", "layer": "below", "line": {"color": WANTED, "width": 1}} | ends
