"""Every session a point beside its system's mean and interval, on all topics or by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.figures.style import (
    DASHES,
    FAINT,
    GREY,
    LINE,
    MARKS,
    Parts,
    at_zero,
    axis,
    figure,
    lines_of,
    plotly_safe,
    scatter,
    ticks,
    whiskers,
    wrapped,
)
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.compare_systems.next_study import (
    HALF,
    MOST,
    POWERS,
    SEEN,
    NextStudy,
    Plan,
)
from sdcg_explorer.questions.compare_systems.numbers import Comparison
from sdcg_explorer.questions.wording import capital

GOLDEN = 0.618_034  # spreads points evenly without chance
AXIS = 32  # letters of a line of the upward axis's name
WIDTH = 0.8  # of a column that its systems share
ROOM = 0.35  # of a system's part that its points may take to either side
MOST_DOTS = 500  # sessions whose points a small figure has


def draw_compare_systems(
    compared: Comparison, systems: Sequence[str], *, by_topic: bool = False
) -> go.Figure:
    """Sessions as points, the mean as a large mark with its 95 % interval, system beside system."""
    names = list(compared.names)
    topics = sorted({*compared.points["topic"]}) if by_topic else []
    traces: list[style.Parts] = []
    for i, name in enumerate(names):
        points = compared.points[compared.points["system"] == name].iloc[:: compared.one_in]
        means = compared.by_topic if by_topic else compared.systems
        means = means[means["system"] == name]
        columns = topics if by_topic else names
        across = {column: k for k, column in enumerate(columns)}
        aside = WIDTH * ((i + 0.5) / len(names) - 0.5) if by_topic else 0.0
        part = WIDTH / len(names) if by_topic else WIDTH
        key = "topic" if by_topic else "system"
        at = points[key].map(across).to_numpy(dtype=float) + aside
        own = style.place(systems, name)
        traces.append(_points(at + part * ROOM * _spread(at.size), points, own, name))
        at = means[key].map(across).to_numpy(dtype=float) + aside
        traces.append(_means(at, means, own, name))
    return _framed(traces, compared, topics if by_topic else names, by_topic)


def draw_means(compared: Comparison, systems: Sequence[str]) -> go.Figure:
    """The same, small: each system's mean with its interval, and its sessions if they are few."""
    traces: list[style.Parts] = []
    for i, mean in enumerate(compared.systems.to_dict("records")):
        own, name = style.place(systems, mean["system"]), mean["system"]
        points = compared.points[compared.points["system"] == name]
        if len(compared.points) <= MOST_DOTS:
            at = i + 0.6 * WIDTH * ROOM * _spread(len(points))
            few = _points(at, points, own, name)
            traces.append(few | {"marker": {"color": style.COLOURS[own], "size": 3}})
        ends = np.array([mean["low"], mean["high"]])
        stroke = {"mode": "lines", "line": {"color": style.COLOURS[own], "width": 3}}
        traces.append({"type": "scatter", "x": np.array([i, i]), "y": ends, **stroke})
        big = {"mode": "markers", "marker": {"color": style.COLOURS[own], "size": 13}}
        middle = {"x": np.array([float(i)]), "y": np.array([mean["mean"]])}
        traces.append({"type": "scatter", **middle, **big})
    shown = [trace["y"] for trace in traces]
    low = min(0.0, *(float(np.nanmin(y)) for y in shown if not np.isnan(y).all()))
    up = style.axis(
        f"{capital(compared.words)} ({plotly_safe(compared.unit)})", (low, style.ceiling(shown))
    )
    signs = [style.sign_of(systems, name) for name in compared.names]
    return style.figure(traces, style.names_axis("System", signs), up, small=True)


def _framed(
    traces: list[style.Parts], compared: Comparison, columns: list[str], by_topic: bool
) -> go.Figure:
    scores = compared.points["score"].to_numpy(dtype=float)
    top = style.ceiling([scores])
    low = min(0.0, float(scores.min(initial=0.0)))
    means = compared.by_topic if by_topic else compared.systems
    shown = f"sessions, mean{', 95 % interval' if means['low'].notna().any() else ''}"
    x = style.names_axis(f"{'Topic' if by_topic else 'System'}: {shown}", columns)
    name = f"{capital(compared.words)} ({plotly_safe(compared.unit)})"
    words = wrapped(name, AXIS)
    y = style.axis(words, (low - 0.03 * top, top), gridcolor=style.FAINT)
    return style.figure(traces, x, y, hovermode="closest", showlegend=by_topic)


def _spread(count: int) -> Floats:
    """Places from −1 to 1, the same each time."""
    return 2 * np.mod(np.arange(count) * GOLDEN, 1.0) - 1


def _points(x: Floats, points: Any, own: int, name: str) -> style.Parts:
    scores = points["score"].to_numpy(dtype=float)
    return scatter(x, scores, plotly_safe(f"{name}, each session", name), "markers") | {
        "marker": {"color": style.COLOURS[own], "symbol": f"{style.MARKS[own]}-open", "size": 7},
        "opacity": 0.8,
        "showlegend": False,
        "text": [plotly_safe(session) for session in points["session"]],
        "hovertemplate": "%{text}: %{y:,.3r}<extra></extra>",
    }


def _means(x: Any, means: Any, own: int, name: str) -> style.Parts:
    low, mean, high = means[["low", "mean", "high"]].to_numpy(dtype=float).T
    return scatter(x, mean, plotly_safe(f"{name}, mean", name), "markers") | {
        "marker": {"color": style.COLOURS[own], "symbol": style.MARKS[own], "size": 14},
        "error_y": whiskers(low, mean, high, color=style.COLOURS[own], thickness=3, width=9),
        "customdata": means["sessions"].to_numpy(),
        "hovertemplate": "mean %{y:,.3r} of %{customdata} sessions<extra></extra>",
    }


MARK = 24  # pixels of a row that its mark takes; its name stands above
AROUND = 110  # pixels of the axis and the legend
BEYOND = 1.08
PHONE = 28  # letters that the axes of a phone are wide
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
    reach = BEYOND * max(ends, default=0.0) or 1.0
    pairs = [compared.pairs[i] for i in rows]
    both = [(pair.system_b, pair.system_a) for pair in pairs]
    names = [wrapped(plotly_safe(" − ".join(names), *names), PHONE) for names in both]
    above = TEXT * LINE * lines_of(names)
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


TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
WANTED = "rgba(128, 128, 128, 0.75)"  # the lines of the powers wanted


def draw_next_study(planned: NextStudy) -> go.Figure:
    """Curves told apart by dash and mark, which stands where a power wanted is reached."""
    plural = f"{planned.pair.unit}s"
    looks = zip(planned.plans, DASHES, range(len(MARKS)), strict=False)
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
        "textposition": "top left" if plan.words in (SEEN, HALF) else "bottom right",
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
