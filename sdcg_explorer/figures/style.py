"""How every figure looks: a system's colour and mark, line weights, axes with fixed ranges.

Figures are built from plain dicts in one call: Plotly checks those in 2 ms, where the same by
updates took 13 ms.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.figures import legend
from sdcg_explorer.figures.end_labels import end_labels, end_of, with_name
from sdcg_explorer.figures.lettering import (
    BREAK,
    LINE,
    as_it_reads,
    plotly_safe,
    room_for,
    widest,
    wrapped,
)
from sdcg_explorer.figures.traces import Parts, scatter, ticks

CONFIG = files("sdcg_explorer") / "start" / ".streamlit" / "config.toml"
_THEME = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
LIGHT, DARK = PALETTES = (
    tuple[str, ...](_THEME["light"]["chartCategoricalColors"]),
    tuple[str, ...](_THEME["dark"]["chartCategoricalColors"]),
)
# The screen replaces these by the theme's chart colours, light or dark (.streamlit/config.toml).
COLOURS = ("#000001", "#000002", "#000003", "#000004", "#000005", "#000006")
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
# of groups, the first solid; in pixels, so that a thin line has the dashes of a thick one
DASHES = ("solid", "8px,4px", "2px,4px", "8px,4px,2px,4px")
GREY = "#000037"  # likewise, by the theme's grey for text
NOTHING = [None]  # the points of what stands in the legend alone
CLEAR = "rgba(0,0,0,0)"  # a curve that reaches a legend is seen through it
FAINT = "rgba(128, 128, 128, 0.28)"
ROUND = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # times a power of ten: where an axis ends
ROOM = 1.02  # above the highest value
LEVEL = 1e-9  # of values, or of 1: what they differ by less is rounding
HEIGHT = 440
SMALL = 230
# pixels: a figure on a phone, what stands left of its axis and beneath; names must fit there, too
PHONE, LEFT, BENEATH = 350, 60, 62
CARD = 190  # pixels across a small figure, where it is narrowest
DESK = 2100  # and a figure on a large screen
TALL_LEGEND = 4  # lines, from which on its text is smaller
BARE = 14  # pixels above the axes where no legend is
PLOT = 0.5  # of the height of a figure that its axes keep at least, whatever the names need


def place(systems: Sequence[str], system: str) -> int:
    """A system's place in the palettes, by its place among all systems of the study."""
    return systems.index(system) % len(COLOURS)


def line(
    systems: Sequence[str],
    system: str,
    x: Floats,
    y: Floats,
    hover: str,
    *,
    name: str = "",
    dash: str = DASHES[0],
) -> Parts:
    """One curve of a system: its colour, its mark at a few points, and its name at the end."""
    own, name = place(systems, system), name or system
    return scatter(x, y, plotly_safe(name, system), "lines+markers") | {
        "label": (plotly_safe(name, system), own),
        "of": system,
        "line": {"color": COLOURS[own], "dash": dash, "width": 2.5},
        "marker": {"color": COLOURS[own], "symbol": MARKS[own], "size": 9, "maxdisplayed": 11},
        "hovertemplate": hover,
    }


def live_runs(*runs: tuple[int, int, int], gaps: bool = False) -> Parts:
    """Which points of which curves a trace shows, so that the browser can move them.

    runs : (curve, its first point from 0, number of points), one after the other; with `gaps` a
    point without a value follows each
    """
    return {"meta": {"live": {"runs": runs, "gap": gaps}}}


def band(systems: Sequence[str], system: str, x: Floats, low: Floats, high: Floats) -> Parts:
    """Interval around a curve as one closed, faint shape."""
    own = COLOURS[place(systems, system)]
    known = ~(np.isnan(low) | np.isnan(high))
    x, low, high = x[known], low[known], high[known]
    return {
        "of": system,
        "type": "scatter",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([high, low[::-1]]),
        "name": plotly_safe(f"{system}, 95 % interval", system),
        "fill": "toself",
        "fillcolor": own,
        "line": {"width": 0, "color": own},
        "mode": "lines",
        "opacity": 0.16,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def kept(own: Parts) -> Parts:
    """A curve of a definition that was kept beside the one in force: faint, and it stays."""
    look = {"opacity": 0.4, "mode": "lines", "line": own["line"] | {"width": 2}}
    bare = {"label": None, "showlegend": False, "hoverinfo": "skip", "meta": None}
    return own | look | bare | {"name": f"{own['name']}, kept"}


def aside(own: Parts) -> Parts:
    """A trace of a system that is not in focus: grey and thin behind it, its mark at the end."""
    if "fill" in own:
        return own | {"opacity": 0.0}
    line = own["line"] | {"color": GREY, "width": min(1.2, own["line"]["width"])}
    look = {"line": line, "mode": "lines", "opacity": 0.45 * own.get("opacity", 1)}
    return own | look | {"showlegend": False}


def ceiling(values: Iterable[Floats], least: float = 0.0) -> float:
    """Upper end of an axis that holds all values: the next round number, and `least` at least.

    Few numbers are round, so that an axis rarely moves while a slider does.
    """
    known = [float(np.nanmax(v)) for v in values if v.size and not np.isnan(v).all()]
    top = ROOM * max(known, default=0.0)
    if not top >= np.finfo(float).tiny:  # what is smaller has no digits left
        return max(1.0, least)
    ten = 10.0 ** np.floor(np.log10(top))
    return max(least, float(next(number * ten for number in ROUND if number * ten >= top)))


def with_room(low: float, high: float, room: float) -> tuple[float, float]:
    """Ends of an axis with room beside its values; 1 where all are one but for rounding.

    >>> with_room(-2.0, 8.0, 0.1), with_room(-6e-11, 6e-11, 0.1)
    ((-3.0, 9.0), (-1.0, 1.0))
    """
    beside = room * (high - low)
    if high - low <= LEVEL * max(abs(low), abs(high), 1.0):
        low, high, beside = round(low), round(high), 1.0
    return low - beside, high + beside


def axis(title: str, ends: tuple[float, float], **more: Any) -> Parts:
    """An axis with its name and unit, and a range that neither zoom nor redraw changes."""
    fixed = {"range": list(ends), "fixedrange": True, "zeroline": False}
    return {"title": {"text": title}, **fixed, **more}


def names_axis(title: str, names: Sequence[str]) -> Parts:
    """An axis of names, one a column, in lines that fit a phone's column where they are turned."""
    column = (PHONE - LEFT) / max(1, len(names))
    shown = [plotly_safe(name) for name in names]
    room = room_for(shown, max(1, int(column / (16 * LINE))))
    return axis(
        title,
        (-0.5, len(names) - 0.5),
        **ticks(range(len(names)), [wrapped(name, room) for name in shown]),
        autotickangles=[0, 90],
        showgrid=False,
    )


def figure(traces: list[Parts], x: Parts, y: Parts, **look: Any) -> go.Figure:
    """A figure of `parts_of`."""
    return figure_of(parts_of(traces, x, y, **look))


def figure_of(parts: Parts) -> go.Figure:
    """A figure of data and layout as they are.

    Plotly would look up and copy each part, which takes longer than all else of a figure; tests
    have it do so (tests/conftest.py).
    """
    return go.Figure(parts, _validate=False)


def parts_of(
    traces: list[Parts],
    x: Parts,
    y: Parts,
    *,
    small: bool = False,
    narrowest: float = PHONE,
    **layout: Any,
) -> Parts:
    """Data and layout of a figure in the common look: text sizes for a projector.

    Names stand at the ends of curves, or in a legend above where they don't fit there. It is as
    tall as its names need where it is narrowest, on a phone, whatever its data.
    """
    size = 12 if small else 16
    text = {"tickfont": {"size": size, "color": GREY}, "automargin": True}
    name = {"font": {"size": size, "color": GREY}, "standoff": 14}
    axes = {"xaxis": x, "yaxis": y, **{k: layout.pop(k) for k in ("yaxis2",) if k in layout}}
    ends = [end_of(trace, *label) for trace in traces if (label := trace.pop("label", None))]
    traces = [{k: v for k, v in trace.items() if k != "of"} for trace in traces]
    with_legend, bare = layout.setdefault("showlegend", not small), BARE - 4 * small
    tall = layout.pop("height", SMALL if small else HEIGHT)
    beneath = under_axis(x)
    if small:  # its axes are short
        across = wrapped(x["title"]["text"], CARD / size)
        beneath += size * LINE * across.count(BREAK)
        up = wrapped(y["title"]["text"], (tall - bare - beneath) / size)
        axes |= {"xaxis": x | {"title": {"text": across}}, "yaxis": y | {"title": {"text": up}}}
    font = {"size": size, "color": GREY}
    domain = y.get("domain", (0, 1))
    share = domain[1] - domain[0]
    at_ends = partial(
        end_labels,
        [end for end in ends if end],
        x["range"],
        y["range"],
        wide=(narrowest, DESK),
        font=font,
    )
    if with_legend and named_at_ends(traces, at_ends(high=(tall - bare - beneath) * share)[0]):
        with_legend = layout["showlegend"] = False
    lettering, above = legend_lines(traces, narrowest) if with_legend else (16, bare)
    height = round(max(tall, above + beneath + PLOT * tall))
    labels, right = at_ends(high=(height - above - beneath) * share, named=not with_legend)
    return {
        "data": traces,
        "layout": {
            "height": height,
            "margin": {"l": 10, "r": max(10, right), "t": 36 if with_legend else bare, "b": 10},
            # from the figure's top: above the axes, its place stays that of an earlier width
            "legend": {"orientation": "h", "yref": "container", "yanchor": "top", "y": 1, "x": 0}
            | {"font": {"size": lettering}, "traceorder": "normal", "maxheight": 1}
            | {"bgcolor": CLEAR},
            "hovermode": "closest" if small else "x unified",
            "hoverlabel": {"namelength": -1},
            "annotations": labels,
            "dragmode": False,
            **{key: _with(each, text, name) for key, each in axes.items()},
            **layout,
        },
    }


def named_at_ends(traces: Iterable[Parts], labels: Sequence[Parts]) -> bool:
    """Whether the labels at the ends of curves name all that a legend would name."""
    drawn = (trace for trace in in_legend(traces) if list(trace["x"]) != NOTHING)
    named = {as_it_reads(label["name"]) for label in labels if with_name(label)}
    return bool(named) and {as_it_reads(trace["name"]) for trace in drawn} <= named


def in_legend(traces: Iterable[Parts]) -> list[Parts]:
    """The traces that the legend names."""
    return [trace for trace in traces if trace.get("showlegend") is not False]


def legend_lines(traces: list[Parts], wide: float = PHONE) -> tuple[int, float]:
    """Break the names that the legend shows into lines; size of its text, and its height."""
    shown = in_legend(traces)
    for size in (16, 12):
        room = (wide - legend.MARK - 2 * legend.GAP) / size
        names = [wrapped(trace["name"], room) for trace in shown]
        height = legend.height(names, wide - LEFT, size)
        if height <= legend.AROUND + TALL_LEGEND * (LINE * size + legend.BETWEEN):
            break
    for trace, name in zip(shown, names, strict=True):
        trace["name"] = name
    return size, max(36, height)


def under_axis(x: Parts) -> float:
    """Height that an axis and its name take on a phone, where names of columns are turned."""
    return BENEATH + (16 * widest(x["ticktext"]) if "autotickangles" in x else 0)


def _with(own: Parts, text: Parts, name: Parts) -> Parts:
    """An axis in the common lettering, where it does not say its own."""
    lettering = text["tickfont"] | own.get("tickfont", {})
    return text | own | {"tickfont": lettering, "title": own["title"] | name}


def position_axis(per_query: int | None, queries: int, end: int) -> Parts:
    """Axis of positions: a faint vertical at each query's end, labelled Q1 … Qn."""
    ends = (0.0, end + 1.0)
    if per_query is None:
        return axis("Position in the session (cells of its queries)", ends)
    step = max(1, -(-queries // 14))
    numbers = np.arange(step, queries + 1, step)
    return axis(
        f"Position in the session ({per_query} results per query)",
        ends,
        **ticks((numbers * per_query).tolist(), [f"Q{number}" for number in numbers]),
        **({"tickfont": {"size": 12}} if numbers.size > 8 else {}),  # else they touch on a phone
        gridcolor=FAINT,
        showgrid=True,
    )


def ends_axis(ends: Sequence[int], length: int) -> Parts:
    """Axis of one session's positions: a faint vertical at each query's own end, Q1 … Qn."""
    step = max(1, -(-len(ends) // 8))
    return axis(
        "Position in the session (cells of its queries)",
        (0.0, length + 1.0),
        **ticks(ends[step - 1 :: step], [f"Q{q}" for q in range(step, len(ends) + 1, step)]),
        gridcolor=FAINT,
        showgrid=True,
    )
