"""Every session a point beside its system's mean and interval, on all topics or by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.compare_systems import numbers
from sdcg_explorer.questions.compare_systems.numbers import ALL_SYSTEMS, Comparison, NextStudy
from sdcg_explorer.questions.wording import in_unit
from sdcg_explorer.scoring.scored_sessions import drawn_one_in
from sdcg_explorer.study.wording import capital

GOLDEN = 0.618_034  # spreads points evenly without chance
WIDTH = 0.8  # of a column that its systems share
ROOM = 0.35  # of a system's part that its points may take to either side


def draw_compare_systems(
    compared: Comparison, systems: Sequence[str], *, by_topic: bool = False, small: bool = False
) -> go.Figure:
    """Sessions as points, the mean as a large mark with its 95% interval, system beside system.

    A small figure has points of few sessions only.
    """
    names = list(compared.names)
    key, means = ("topic", compared.by_topic) if by_topic else ("system", compared.systems)
    columns = sorted({*compared.points["topic"]}) if by_topic else names
    across = {column: k for k, column in enumerate(columns)}
    part = WIDTH / len(names) if by_topic else WIDTH
    traces, one_in = list[style.Parts](), drawn_one_in(compared.points)
    for i, name in enumerate(names):
        own = style.place(systems, name)
        aside = WIDTH * ((i + 0.5) / len(names) - 0.5) if by_topic else 0.0
        points = compared.points[compared.points["system"] == name].iloc[::one_in]
        if not small or len(compared.points) <= 500:
            at = np.array([across[column] for column in points[key]], dtype=float) + aside
            at += part * ROOM * (2 * np.mod(np.arange(at.size) * GOLDEN, 1.0) - 1)
            words, size = style.plotly_safe(f"{name}, each session", name), 3 if small else 7
            each = style.session_points(own, at, points, words, size)
            traces.append(each | {"showlegend": False})
        of_system = means[means["system"] == name]
        at = np.array([across[column] for column in of_system[key]], dtype=float) + aside
        traces.append(_system_mean_marks(at, of_system, own, name))
    scores = [trace["y"] for trace in traces] + [means["high"].to_numpy(dtype=float)] * small
    title, signs = key.capitalize(), [style.system_mark(systems, name) for name in names]
    if not small:
        title += f": sessions, mean{', 95% interval' if means['low'].notna().any() else ''}"
    x, y = style.names_axis(title, signs if small else columns), _score_axis(compared, scores)
    return style.figure(traces, x, y, small=small, hovermode="closest", showlegend=by_topic)


def _score_axis(compared: Comparison, scores: Sequence[Floats]) -> style.Parts:
    """Axis of the score that systems are compared on, which holds all values."""
    top, low = style.ceiling(scores), float(np.fmin.reduce(np.concatenate(scores), initial=0.0))
    name = capital(style.plotly_safe(in_unit(compared.measure.words, compared.unit)))
    return style.axis(style.wrapped(name, 32), (low - 0.03 * top, top), gridcolor=style.FAINT)


def _system_mean_marks(x: Any, means: Any, own: int, name: str) -> style.Parts:
    low, mean, high = (means[name].to_numpy(dtype=float) for name in ("low", "mean", "high"))
    return style.scatter(x, mean, style.plotly_safe(f"{name}, mean", name), "markers") | {
        "marker": {"color": style.COLOURS[own], "symbol": style.MARKS[own], "size": 14},
        "error_y": style.whiskers(low, mean, high, color=style.COLOURS[own], thickness=3, width=9),
        "customdata": means["sessions"].to_numpy(),
        "hovertemplate": "mean %{y:,.3r} of %{customdata} sessions<extra></extra>",
    }


MOST_PLACES = 12  # of a searcher's sequence that are drawn; tables have all


def draw_order(found: pd.DataFrame, compared: Comparison, systems: Sequence[str]) -> go.Figure:
    """Means by place in the searcher's sequence, a line for each system and one for all."""
    places = np.unique(found["place"])[:MOST_PLACES]
    means = found[found["place"].isin(places)]
    every = means[means["system"] == ALL_SYSTEMS]
    traces = [
        style.scatter(every["place"].to_numpy(), every["mean"].to_numpy(), ALL_SYSTEMS, "lines")
        | {"line": {"color": style.GREY, "width": 2}, "hovertemplate": "%{y:,.3r}"}
    ]
    for i, name in enumerate(compared.names):
        of_system, own = means[means["system"] == name], style.place(systems, name)
        aside = 0.3 * ((i + 0.5) / len(compared.names) - 0.5)
        at = of_system["place"].to_numpy(dtype=float) + aside
        look = {"mode": "lines+markers", "line": {"color": style.COLOURS[own], "width": 2}}
        traces.append(_system_mean_marks(at, of_system, own, name) | look)
    ends = means[["low", "mean", "high"]].to_numpy(dtype=float).ravel()
    ticks = style.ticks(places.tolist(), [f"{place:g}" for place in places.tolist()])
    span = (places[0] - 0.5, places[-1] + 0.5)
    x = style.axis("Place: mean, 95% interval", span, **ticks, showgrid=False)
    y = _score_axis(compared, [ends])
    return style.figure(traces, x, y, hovermode="closest", showlegend=True)


MARK = 24  # pixels of a row that its mark takes; its name stands above
PHONE = 28  # letters that the axes of a phone are wide


def draw_pairs(compared: Comparison) -> go.Figure:
    """A forest plot, b − a, largest difference on top; filled marks are clear after Holm."""
    known = [i for i, pair in enumerate(compared.pairs) if not np.isnan(pair.difference)]
    rows = sorted(known, key=lambda i: compared.pairs[i].difference)
    pairs = [compared.pairs[i] for i in rows]
    ends = np.array([(pair.low, pair.difference, pair.high) for pair in pairs]).reshape(-1, 3)
    clear, p = np.array(compared.clear)[rows], compared.p_holm[rows]
    reach = 1.08 * float(np.nanmax(np.abs(ends), initial=0.0)) or 1.0
    both = [(pair.system_b, pair.system_a) for pair in pairs]
    names = [style.wrapped(style.plotly_safe(" − ".join(names), *names), PHONE) for names in both]
    up = np.arange(len(rows), dtype=np.float64)
    row = MARK + 16 * style.LINE * style.lines_of(names)
    traces = [
        style.scatter(middle, up[own], words, "markers")
        | {
            "marker": {"color": style.GREY, "symbol": symbol, "size": 11, "line": {"width": 2}},
            "error_x": style.whiskers(low, middle, high, color=style.GREY, thickness=2.5, width=6),
            "customdata": p[own].tolist(),
            "hovertemplate": "%{x:,.3r}, after Holm p = %{customdata:.3f}<extra></extra>",
        }
        for own, words, symbol in (
            (clear, "clear difference (after Holm)", "square"),
            (~clear, "no clear difference", "square-open"),
        )
        if own.any()
        for low, middle, high in [ends[own].T]
    ]
    y = style.axis("", (-MARK / 2 / row, len(rows) - MARK / 2 / row), showgrid=False)
    y |= style.ticks((up + 0.5).tolist(), names)  # above each row's mark
    y |= {"ticklabelposition": "inside"}
    words = f"Difference ({style.plotly_safe(compared.unit)}), 95% interval"
    x = style.axis(words, (-reach, reach), gridcolor=style.FAINT)
    shapes, height = [style.zero_line(style.FAINT)], 110 + row * len(rows)
    return style.figure(traces, x, y, shapes=shapes, height=height, hovermode="closest")


TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
AT_LEFT = (numbers.SEEN, numbers.HALF)


def draw_next_study(planned: NextStudy) -> go.Figure:
    """Curves told apart by dash and mark, which stands where a power wanted is reached."""
    units, end = f"{planned.pair.unit}s", float(planned.curve_sizes[-1])
    whose = " with both systems" * (planned.pair.design == numbers.BOTH)  # by whom it is planned
    here = planned.pair.both if whose else planned.pair.units
    sizes, traces = planned.curve_sizes / planned.units.group_count, list[style.Parts]()
    for plan, dash, mark in zip(planned.plans, style.DASHES, style.MARKS, strict=False):
        name = style.plotly_safe(f"{plan.words[0].upper()}{plan.words[1:]}")
        power = planned.units.power(plan.difference, sizes)
        curve = style.scatter(planned.curve_sizes, power, name, "lines") | {
            "customdata": 100 * power,
            "line": {"color": style.GREY, "dash": dash, "width": 2.5},
            "hovertemplate": f"%{{x:,d}} {units}: %{{customdata:.0f}}%<extra>{name}</extra>",
        }
        at, up = np.array([plan.units, numbers.POWERS])
        at, up = at[at <= numbers.MOST_UNITS], up[at <= numbers.MOST_UNITS]
        needed = style.plotly_safe(f"{plan.words}, {units} needed")
        reached = style.scatter(at, up, needed, "markers+text") | {
            "customdata": 100 * up,
            "marker": {"color": style.GREY, "symbol": mark, "size": 9},
            "text": [f"{n:,.0f}" for n in at.tolist()],
            "textposition": "top left" if plan.words in AT_LEFT else "bottom right",
            "textfont": {"size": 13, "color": style.GREY},
            "hovertemplate": f"%{{x:,d}} {units} for %{{customdata:.0f}}%<extra></extra>",
            "showlegend": False,
        }
        traces += [curve, reached]
    name = f"Number of {units} in the next study"
    x = style.axis(name, (0.0, end), showgrid=False, tickformat=",d")
    shares = style.ticks(TICKS, [f"{100 * tick:.0f}%" for tick in TICKS])
    y = style.axis("Power", (0.0, 1.05), **shares, gridcolor=style.FAINT)
    lines = [(0.0, power, end, power) for power in numbers.POWERS] + [(here, 0.0, here, 1.0)]
    line = {"color": "rgba(128, 128, 128, 0.75)", "width": 1}
    look = {"type": "line", "layer": "below", "line": line}
    shapes = [look | dict(zip(("x0", "y0", "x1", "y1"), ends, strict=True)) for ends in lines]
    label = {"text": f" this study: {here:,}{whose} ", "font": {"size": 13, "color": style.GREY}}
    label |= {"textposition": "start", "textangle": 0, "yanchor": "bottom"}
    shapes[-1]["label"] = label | {"xanchor": "left" if here < end / 2 else "right"}
    return style.figure(traces, x, y, hovermode="closest", shapes=shapes)
