"""The layout of a figure on paper: its names whole at the size of its text, its height to suit."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

from sdcg_explorer.figures import legend, style
from sdcg_explorer.figures.end_labels import end_labels, ends_of
from sdcg_explorer.figures.lettering import (
    LINE,
    lines,
    longest_piece,
    room_for,
    widest,
    width,
    wrapped,
)
from sdcg_explorer.figures.panel_grid import NARROW, arrange

Parts = dict[str, Any]
EDGE, TICK, STANDOFF = 6, 5, 10  # pixels
NUMBERS = 3.2  # sizes of the text that the numbers of an axis take
MOST_LINES = 3  # of a name beneath its column
BETWEEN = 0.6  # sizes of the text, between numbers
BROAD = 8.0  # sizes of the text: a column in which a word may break


def fit(parts: Parts, wide: float, size: float, by: float) -> None:
    """Lay a scaled figure out in its width: names in lines or turned, as tall as they need.

    The axes keep the height that they have where the legend is one row.
    """
    layout = parts["layout"]
    if "panels" in layout.get("meta", {}):
        _fit_panels(parts, wide, size)
        return
    x, y = layout["xaxis"], layout["yaxis"]
    line, row = size * LINE, legend.AROUND + legend.LEAST + legend.BETWEEN
    under = TICK + STANDOFF + EDGE + 2 * line
    high = _height(parts) * by - row - EDGE - under
    domain = y.get("domain", (0, 1))
    tall = high * (domain[1] - domain[0])
    left = EDGE + _title(y, tall, size) * line + STANDOFF + NUMBERS * size + TICK
    at_ends = partial(
        end_labels,
        ends_of(layout.get("annotations", [])),
        x["range"],
        y["range"],
        wide=(wide, wide),
        high=tall,
        font={"size": size, "color": "#000000"},
    )
    labels, right = at_ends()
    if labels:
        layout["showlegend"] = not style.named_at_ends(parts["data"], labels)
        labels, right = at_ends(named=not layout["showlegend"])
    right = max(right, EDGE + 2)
    across = wide - left - right
    high *= _rows(parts["data"], across / size)
    under += (
        (_title(x, across + 2 * min(left, right), size) - 1) * line + _ticks(x, across, size) - line
    )
    above = EDGE + (_legend(parts, wide, across, size) if layout["showlegend"] else 0)
    layout.update(
        width=wide,
        height=high + above + under,
        margin={"l": EDGE, "r": right, "t": above, "b": under},
        annotations=labels,
    )


def _fit_panels(parts: Parts, wide: float, size: float) -> None:
    """Lay panels out anew in the width."""
    layout = parts["layout"]
    above = EDGE + _legend(parts, wide, wide - 2 * EDGE, size) if layout["showlegend"] else EDGE
    layout["width"] = wide
    narrow = wide < NARROW
    arrange(layout, wide, size, above=above, colour="#000000", narrow=narrow)


def _height(parts: Parts) -> float:
    """Height of the screen's figure before its names on a phone made it taller."""
    layout = parts["layout"]
    grown = layout["height"]
    above = style.legend_lines(parts["data"])[1] if layout["showlegend"] else style.BARE
    return min(grown, (grown - above - style.under_axis(layout["xaxis"])) / style.PLOT)


def _title(axis: Parts, room: float, size: float) -> int:
    """Break an axis's name at its blanks where it is longer than the axis; number of its lines."""
    text = axis["title"]["text"]
    word = max(map(width, text.split(" ")))
    number = len(lines(wrapped(text, max(room / size, word))))
    axis["title"]["text"] = wrapped(text, room_for([text], number, word))
    return number


def _ticks(axis: Parts, room: float, size: float) -> float:
    """Break or turn the names of columns; height that the axis's labels take."""
    names = axis.get("ticktext", [])
    if "autotickangles" not in axis:
        each = (max(map(width, names), default=0.0) + BETWEEN) * size
        step = max(1, ceil(each * len(names) / room))
        if names:
            shown = [name if i % step == 0 else "" for i, name in enumerate(names, start=1)]
            axis.update(ticktext=shown, tickfont=axis["tickfont"] | {"size": size})
        return size * LINE
    column = room / max(1, len(names))
    level = column / size - 0.4
    if level >= min(BROAD, max(map(longest_piece, names), default=0.0)):
        shown = [wrapped(name, level) for name in names]
        if all(len(lines(name)) <= MOST_LINES for name in shown):
            axis.update(ticktext=shown, tickangle=0)
            return max(len(lines(name)) for name in shown) * size * LINE
    beside = min(MOST_LINES, max(1, int(column / (size * LINE))))
    shown = [wrapped(name, room_for(names, beside)) for name in names]
    axis.update(ticktext=shown, tickangle=-90)
    return widest(shown) * size


def _rows(traces: list[Parts], room: float) -> float:
    """Break names that stand within the axes to their width; by how much these grow for it."""
    named = [trace for trace in traces if trace.get("mode") == "text"]
    before = max((len(lines(name)) for trace in named for name in trace["text"]), default=1)
    for trace in named:
        trace["text"] = [wrapped(name, room) for name in trace["text"]]
    after = max((len(lines(name)) for trace in named for name in trace["text"]), default=1)
    return max(1.0, (1 + after) / (1 + before))


def _legend(parts: Parts, wide: float, across: float, size: float) -> float:
    """Break the legend's names to the figure's width; height that it takes."""
    shown = style.in_legend(parts["data"])
    room = (wide - legend.MARK - 2 * legend.GAP - 2 * EDGE) / size
    for trace in shown:
        trace["name"] = wrapped(trace["name"], room)
    own = {"yref": "paper", "yanchor": "bottom", "y": 1}
    parts["layout"]["legend"].update(own, font={"size": size})
    return legend.height([trace["name"] for trace in shown], across, size) + EDGE
