"""A whole figure as a part of a page: its legend, its axes with all that they hold, their names.

What grows with the page is told in percent, texts and marks have the pixels that they have: so one
drawing serves a phone, a desk and paper, without a script.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from sdcg_explorer.figures import legend as legend_room
from sdcg_explorer.figures.panel_grid import SCREEN
from sdcg_explorer.figures.style import BARE, BENEATH, under_axis
from sdcg_explorer.figures.svg.axes import (
    Pair,
    columns,
    grid,
    high_of,
    lines_of,
    percent,
    room_of,
    shape,
    tick_texts,
)
from sdcg_explorer.figures.svg.columns import GAP, draw_bars, draw_boxes, hatches, stacked
from sdcg_explorer.figures.svg.curves import draw_curve
from sdcg_explorer.figures.svg.labels import draw_legend, end_labels, panel_texts
from sdcg_explorer.figures.svg.maps import draw_cells, draw_levels, scale_of_colours
from sdcg_explorer.figures.svg.marks import forms
from sdcg_explorer.figures.svg.texts import as_html, attributes, colour_of, plain

Parts = dict[str, Any]
LOOK = (Path(__file__).parent / "svg.css").read_text(encoding="utf-8")
EDGE = 24  # pixels right of the axes, for marks that stand beyond them


def draw_svg(figure: go.Figure) -> str:
    """A figure as HTML with SVG in it; ``sdcg_explorer/figures/svg/svg.css`` is its look."""
    whole: Any = figure  # whose attributes Plotly makes as it goes
    traces: list[Parts] = [trace.to_plotly_json() for trace in whole.data]
    layout: Parts = whole.layout.to_plotly_json()
    is_panels = "panels" in (layout.get("meta") or {})
    pairs = _pairs(traces, layout)
    each = {key: _plot(pair, key, traces, layout) for key, pair in pairs.items()}
    first = pairs["x", "y"]
    parts = [
        draw_legend(traces) if layout["showlegend"] else "",
        _name(layout["meta"]["panels"]["y"] if is_panels else _title(first.y), "up"),
        f'<div class="plots" style="{_room(pairs, layout, is_panels=is_panels)}">',
        *each.values(),
        panel_texts(layout) if is_panels else "",
        "</div>",
    ]
    if not is_panels:
        parts += [_beneath(pairs), _name(_title(first.x), "across")]
    if "coloraxis" in layout:
        parts.append(scale_of_colours(layout["coloraxis"]))
    look = f"min-width:{SCREEN:g}px" if is_panels else None
    return f"<div{attributes(class_='drawn', style=look)}>{''.join(parts)}</div>"


def forms_of(drawn: Iterable[str]) -> str:
    """Forms of marks and hatching that figures use, which stand once in their page."""
    return forms("".join(drawn)) + hatches()


def _pairs(traces: list[Parts], layout: Parts) -> dict[tuple[str, str], Pair]:
    """Pairs of axes that have traces."""
    used = dict.fromkeys((t.get("xaxis", "x"), t.get("yaxis", "y")) for t in traces)
    names = sorted({("x", "y"), *used}, key=lambda pair: (pair != ("x", "y"), pair))
    axes = {(x, y): (layout[f"xaxis{x[1:]}"], layout[f"yaxis{y[1:]}"]) for x, y in names}
    return {key: Pair(*of) for key, of in axes.items()}


def _plot(pair: Pair, key: tuple[str, str], traces: list[Parts], layout: Parts) -> str:
    """What stands between a pair of axes, and beside them."""
    own = [t for t in traces if (t.get("xaxis", "x"), t.get("yaxis", "y")) == key]
    main = key == ("x", "y")
    shapes = [shape(each, pair) for each in layout.get("shapes", ())] if main else []
    drawn, words = _traces(own, pair, layout)
    ends, leaders = end_labels(layout, pair, own) if main else ("", "")
    ranges = {"x": list(pair.x["range"]), "y": list(pair.y["range"])}
    left, top, width, height = map(percent, pair.box)
    title = "" if main else _name(_title(pair.y), "up")  # panels' own have none
    anchored = pair.x.get("anchor", "y") == key[1]
    return (
        f'<div class="plot" style="left:{left};top:{top};width:{width};height:{height}">{title}'
        f"<svg{attributes(data_picture=json.dumps(ranges))}>{''.join([*grid(pair), *shapes])}"
        f"{drawn}{leaders}</svg>{words}{ends}{tick_texts(pair, across=anchored)}</div>"
    )


def _traces(own: list[Parts], pair: Pair, layout: Parts) -> tuple[str, str]:
    """Traces as SVG, each under its name, and their texts."""
    bars = [trace for trace in own if trace["type"] == "bar" and list(trace["x"]) != [None]]
    below = dict(zip(map(id, bars), stacked(bars), strict=True))
    boxes = [id(trace) for trace in own if trace["type"] == "box"]
    drawn, words = "", ""
    for trace in own:
        if list(trace["x"]) == [None]:
            continue
        said = ""
        match trace["type"]:
            case "scatter":
                part, said = draw_curve(trace, pair)
            case "bar":
                part = draw_bars(trace, pair, below[id(trace)], layout.get("bargap", GAP))
            case "box":
                part = draw_boxes(trace, pair, boxes.index(id(trace)), len(boxes))
            case "heatmap":
                part = draw_cells(trace, pair, layout.get("coloraxis", {}))
            case "contour":
                part, said = draw_levels(trace, pair)
            case other:
                raise ValueError(f"no drawing of traces of type {other!r}.")
        words += said
        drawn += f"<g{_look(trace)}>{part}</g>"
    return drawn, words


def _look(trace: Parts) -> str:
    """Name, kind, colour and opacity of a trace's group."""
    faint = trace.get("opacity") if trace["type"] != "heatmap" else None
    return attributes(
        class_="band" if trace.get("fill") else None,
        data_name=plain(trace.get("name", "")),
        opacity=faint,
        style=f"color:{colour_of(trace)}",
    )


def _room(pairs: dict[tuple[str, str], Pair], layout: Parts, *, is_panels: bool) -> str:
    """Height of all axes, and what is left around them, in pixels."""
    margin, first = layout["margin"], pairs["x", "y"]
    if is_panels:
        left, right, under = margin["l"], margin["r"], margin["b"]
        high = layout["height"] - margin["t"] - under
        return f"--high:{high:.0f}px;margin:8px {right:.0f}px {under:.0f}px {left:.0f}px"
    left = max(room_of(pair.y) for pair in pairs.values())
    above = legend_room.AROUND + legend_room.LEAST if layout["showlegend"] else BARE
    high = layout["height"] - above - under_axis(first.x) + BENEATH - under_axis({})
    under = 0.0 if "autotickangles" in first.x else high_of(lines_of(first.x))
    right = max(EDGE, margin["r"])
    return f"--high:{high:.0f}px;margin:8px {right:.0f}px {under:.0f}px {left:.0f}px"


def _beneath(pairs: dict[tuple[str, str], Pair]) -> str:
    """Names of columns, where the axis across has some."""
    x = pairs["x", "y"].x
    return columns(x["ticktext"]) if "autotickangles" in x else ""


def _title(axis: Parts) -> str:
    return axis["title"]["text"]


def _name(title: str, of: str) -> str:
    """An axis's name and unit."""
    text = as_html(title, end=" ")
    return f'<p class="axis {of}">{text}</p>' if text else ""
