"""Does the answer hold? The difference of two systems, or one's mean, over b and bq."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.figures.base_grid_map import BaseGridMap, draw_base_grid_map
from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions.robustness.numbers import AllDefinitions, Robustness
from sdcg_explorer.scoring.base_grid import GRID

ROOM = 42  # letters beside the scale of colours


def draw_robustness(of: Robustness, at: tuple[float, float], systems: Sequence[str]) -> go.Figure:
    """The map of a difference, second less first, hatched where 0 is in its interval; or of a mean.

    at : b and bq in force · systems : all of the study; where one is ahead, the map has its colour
    """
    own = [style.COLOURS[style.place(systems, name)] for name in of.systems]
    unit, names = style.plotly_safe(of.unit), [style.plotly_safe(name) for name in of.systems]
    if of.pair:
        words = style.wrapped(f"{names[1]} − {names[0]} ({unit})", ROOM)
        hatched = None if np.isnan(of.low).all() else ~of.clear
        corrected = f"no clear difference (corrected for {of.pairs:,} pairs)"
        meant = corrected if of.pairs > 1 else "the interval includes 0"
        seen = BaseGridMap(of.value, GRID, GRID, words, at, hatched, meant, ends=(own[0], own[1]))
    else:
        words = style.wrapped(f"{names[0]}, mean ({unit})", ROOM)
        seen = BaseGridMap(of.value, GRID, GRID, words, at, ends=(style.GREY, own[0]))
    return draw_base_grid_map(seen, number=".3g")


def draw_order(of: Robustness, at: tuple[float, float]) -> go.Figure:
    """The map of the rank correlation of one system's sessions with the definition in force."""
    words = "Rank correlation with the current definition"
    return draw_base_grid_map(BaseGridMap(of.correlation, GRID, GRID, words, at, reach=1.0))


COLUMNS = 80  # at most; each stands for as many definitions
CURVE, ROW, BETWEEN = 260, 17, 34  # pixels: of the curve, of a row of choices, and between
INK = "rgba(110,110,110,{})"


def draw_all_definitions(of: AllDefinitions) -> go.Figure:
    """Specification curve: sorted differences with intervals above, shares of options beneath.

    Definitions are drawn by columns of equally many, from the smallest difference to the largest.
    """
    order = of.order()[: int((~np.isnan(of.value)).sum())]
    columns = np.array_split(order, min(COLUMNS, order.size))
    low, high, value = (  # nan where a column has an undefined one
        np.array([np.median(each.ravel()[own]) for own in columns])
        for each in (of.low, of.high, of.value)
    )
    x = np.arange(value.size, dtype=np.float64)
    area = style.area(x, low, high, "95% interval (column median)", INK.format(0.25))
    line = style.scatter(x, value, "difference (column median)", "lines") | {
        "line": {"color": style.GREY, "width": 3},
        "customdata": np.column_stack([low, high, [own.size for own in columns]]),
        "hovertemplate": "%{customdata[2]} definitions: %{y:.3r} (%{customdata[0]:.3r} to "
        "%{customdata[1]:.3r})<extra></extra>",
    }
    now, *ends, _ = of.present
    below = (of.value < now - of.least_change).sum() * len(columns) / order.size
    look = {"symbol": "circle-cross-open", "size": 14, "color": style.GREY, "line": {"width": 2.5}}
    interval = (np.array([number]) for number in (ends[0], now, ends[1]))
    at = [float(min(below, len(columns) - 1))]
    mark = style.scatter(at, [now], "current definition", "markers") | {
        "marker": look,
        "error_y": style.whiskers(*interval, color=style.GREY, thickness=2, width=6),
        "hovertemplate": "current definition: %{y:.3r}<extra></extra>",
    }
    rows = [*_option_rows(of)]
    nothing = [np.nan] * len(columns)
    shares = [nothing if own is None else [own[at].mean() for at in columns] for _, own in rows]
    matrix = {
        "type": "heatmap",
        "x": np.arange(len(columns)),
        "y": np.arange(len(rows)),
        "z": np.array(shares),
        "yaxis": "y2",
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "colorscale": [[0, INK.format(0)], [1, INK.format(1)]],
        "ygap": 2,
        "name": "share of definitions with this option",
        "hovertemplate": "%{z:.0%} of this column<extra></extra>",
        "hoverongaps": False,
    }
    above, beneath = CURVE, ROW * len(rows)
    whole = above + BETWEEN + beneath
    every = np.concatenate([low, high, of.value.ravel(), of.present[:3], [0.0]])
    span = style.padded_range(float(np.nanmin(every)), float(np.nanmax(every)), 0.05)
    zero = {"zeroline": True, "zerolinecolor": style.GREY, "zerolinewidth": 1.5}
    bare = {"showticklabels": False, "showgrid": False, "anchor": "y2"}
    first, second = (style.plotly_safe(name) for name in of.systems)
    title = style.wrapped(f"{second} − {first} ({style.plotly_safe(of.unit)})", 32)
    return style.figure(
        [*([area] if area["x"].size else []), line, mark, matrix],
        style.axis("Definitions, sorted", (-0.5, len(columns) - 0.5), **bare),
        style.axis(title, span, domain=[1 - above / whole, 1], gridcolor=style.FAINT, **zero),
        yaxis2=style.axis(
            "",
            (len(rows) - 0.5, -0.5),
            domain=[0, beneath / whole],
            anchor="x",
            **style.ticks(range(len(rows)), [label for label, _ in rows]),
            tickfont={"size": 12, "color": style.GREY},
            showgrid=False,
        ),
        height=whole + 120,
        hovermode="closest",
    )


def _option_rows(of: AllDefinitions) -> list[tuple[str, Bools | None]]:
    """Label of each row, and which definitions have its option (flat); none beneath a heading."""
    rows, codes = list[tuple[str, Bools | None]](), np.indices(of.value.shape)
    for own, (name, options) in zip(codes, of.choices.items(), strict=True):
        rows.append((f"<b>{'top X' if name == 'top' else name}</b>", None))
        for code, option in enumerate(options):
            at = "• " if option == of.in_force[name] else ""
            rows.append((f"{at}{_option_label(option)}", own.ravel() == code))
    if not of.bounded.all():
        bounded = of.bounded.ravel()
        rows += [("<b>shares</b>", None), ("at most 1", bounded), ("can exceed 1", ~bounded)]
    return rows


def _option_label(option: Any) -> str:
    if isinstance(option, tuple):
        return "as set"
    if isinstance(option, float):
        return "off" if math.isinf(option) else f"{option:g}"
    return str(option)
