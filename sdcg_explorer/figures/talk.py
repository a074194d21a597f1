"""A figure as the last row of a lecture hall reads it: the screen's, with texts of 24 pixels."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any

import plotly.graph_objects as go

from sdcg_explorer.figures import legend, style
from sdcg_explorer.figures.end_labels import end_labels, ends_of
from sdcg_explorer.figures.lettering import as_it_reads, scaled, widest, wrapped
from sdcg_explorer.figures.panel_grid import arrange

TEXT, SCREEN = 24, 16  # pixels of a text: in a talk, and on a page
FONT = {"size": TEXT, "color": style.GREY}
WIDE = (1200.0, 2520.0)  # pixels that a figure has from a small projector on
HIGH = 300.0  # pixels that its axes have at least, one above the other
DRAWN = 0.8  # of the width that letters take at most, what they take on a screen
UNDER = 4.0 * TEXT  # pixels that numbers and name of the axis beneath take


def enlarged(figure: go.Figure) -> go.Figure:
    """A copy of the figure with every text, line and mark as large as a talk needs.

    Names stand at the ends of curves where they fit there, which a wide screen has more room for.
    Its height is what it needs at least: where a screen has less, it is scrolled.
    """
    drawn: style.Parts = figure.to_plotly_json()
    scaled(drawn, TEXT / SCREEN)
    _letter(drawn)
    layout = drawn["layout"]
    names = [trace for trace in style.in_legend(drawn["data"]) if "name" in trace]
    for trace in names:
        trace["name"] = escape(as_it_reads(trace["name"]), quote=False)
    if "panels" in (layout.get("meta") or {}):
        above = _legend(layout, names)
        arrange(layout, WIDE[0], TEXT, above=above, colour=style.GREY)
        return style.figure_of(drawn)
    at_ends = partial(_at_ends, layout)
    labels, right = at_ends(named=True)
    if layout.get("showlegend") and style.named_at_ends(drawn["data"], labels):
        layout["showlegend"] = False
    elif layout.get("showlegend"):
        labels, right = at_ends(named=False)
    if labels:
        layout["annotations"] = labels
    layout["margin"] |= {"t": _legend(layout, names), "r": max(TEXT, right)}
    layout["height"] = round(layout["margin"]["t"] + HIGH + _beneath(layout["xaxis"]))
    return style.figure_of(drawn)


def _beneath(x: style.Parts) -> float:
    """Height that the axis beneath takes, where names of columns are turned if they don't fit."""
    names = DRAWN * widest(x["ticktext"]) * TEXT if "autotickangles" in x else 0.0
    return UNDER + (names if names * len(x.get("ticktext", ())) > WIDE[0] else 0.0)


def _letter(part: Any) -> None:
    """Have no font be smaller than a talk's text, wherever one is said."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if str(key).endswith("font") and isinstance(value, dict):
            value["size"] = TEXT
        elif isinstance(value, dict | list):
            _letter(value)


def _at_ends(layout: style.Parts, *, named: bool) -> tuple[list[style.Parts], float]:
    """Names at the ends of curves, and the room right of them, where the figure has such."""
    shown = [label for label in layout.get("annotations") or [] if "axref" in label]
    low, high = layout["yaxis"].get("domain", (0, 1))
    room = HIGH * (high - low)
    ends = layout["xaxis"]["range"], layout["yaxis"]["range"]
    return end_labels(ends_of(shown), *ends, wide=WIDE, high=room, font=FONT, named=named)


def _legend(layout: style.Parts, names: list[style.Parts]) -> float:
    """Break the legend's names to the figure's width; pixels above the axes."""
    if not layout.get("showlegend"):
        return style.BARE * TEXT / SCREEN
    room = (WIDE[0] - legend.MARK - 2 * legend.GAP) / TEXT
    for trace in names:
        trace["name"] = wrapped(trace["name"], room)
    return legend.height([trace["name"] for trace in names], WIDE[0], TEXT)
