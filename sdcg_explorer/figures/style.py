"""How every figure looks: a system's colour and mark, line weights, axes with fixed ranges.

Figures are built from plain dicts in one call: Plotly checks those in 2 ms, where the same by
updates took 13 ms.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from html import escape, unescape
from importlib.resources import files
from itertools import pairwise
from textwrap import TextWrapper
from typing import Any
from unicodedata import east_asian_width

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.study.wording import in_short

Parts = dict[str, Any]
CONFIG = files("sdcg_explorer") / "start" / ".streamlit" / "config.toml"
_THEME = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
LIGHT, DARK = PALETTES = (
    tuple[str, ...](_THEME["light"]["chartCategoricalColors"]),
    tuple[str, ...](_THEME["dark"]["chartCategoricalColors"]),
)
# The screen replaces these by the theme's chart colours, light or dark (.streamlit/config.toml).
COLOURS = ("#000001", "#000002", "#000003", "#000004", "#000005", "#000006")
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
SIGNS = ("●", "■", "◆", "▲", "✚", "✖")  # the same as characters
# of groups, the first solid; in pixels, so that a thin line has the dashes of a thick one
DASHES = ("solid", "8px,4px", "2px,4px", "8px,4px,2px,4px")
GREY = "#000037"  # likewise, by the theme's grey for text
NOTHING = [None]  # the points of what stands in the legend alone
CLEAR = "rgba(0,0,0,0)"  # a curve that reaches a legend is seen through it
FAINT = "rgba(128, 128, 128, 0.28)"
ROUND = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # times a power of ten: where an axis ends
ROOM = 1.02  # above the highest value
LEVEL = 1e-9  # of values, or of 1: what they differ by less is rounding
HEIGHT, SMALL = 440, 230  # pixels
PHONE = 300  # pixels between the axes' ends on a phone
BREAK = "<br>"
OF_CELLS = "Position in the session (cells of its queries)"
LETTER, LINE = 0.62, 1.3  # of a text's size, what a letter takes across, about, and a line down
SHORT = 10  # letters of names that stand at the ends of curves
LEGEND, MARK = (16, 12), 45  # pixels: its text, small where it has many lines; beside a name
FEW_LINES = 4
BEFORE_BREAK = re.compile(r"([^\s_\-/]*[\s_\-/]+)")


def place(systems: Sequence[str], system: str) -> int:
    """A system's place in the palettes, by its place among all systems of the study."""
    return systems.index(system) % len(COLOURS)


def system_mark(systems: Sequence[str], system: str) -> str:
    """A system's mark as a character."""
    return SIGNS[place(systems, system)]


def text_width(*texts: str) -> float:
    """How many letters wide the longest line of texts is, as Plotly shows them.

    >>> text_width("longest<br>line"), text_width("a &amp; b", "ab"), text_width("漢字")
    (7.0, 5.0, 4.0)
    """
    shown = (unescape(line) for text in texts for line in text.split(BREAK))
    return max((float(sum(map(_character_width, line))) for line in shown), default=0.0)


def _character_width(char: str) -> float:
    """How many letters wide a character is, about."""
    if east_asian_width(char) in "WF":
        return 2.0
    return 1.4 if char.isupper() or char in "@%mw" else 1.0


def plotly_safe(text: str, *names: str) -> str:
    """A name, or a text with names in it, as Plotly shows it, long names in short.

    Tags, links among them, and entities would act otherwise.

    >>> plotly_safe("<b>A & B"), len(plotly_safe("x" * 10_000))
    ('&lt;b&gt;A &amp; B', 60)
    """
    return escape(in_short(text, *names), quote=False)


def strip_markup(text: str) -> str:
    """A text as it reads, without the marks of its lines and of what looks like a tag."""
    return unescape(text.replace(BREAK, ""))


def wrapped(text: str, most: float) -> str:
    """A text as Plotly shows it, in lines of so many letters at most; no character is lost.

    A line ends after a blank, _, - or /, and anywhere else only where a part alone is too long.

    >>> wrapped("a_long_name &amp; more", 8)
    'a_long_<br>name &amp; <br>more'
    """
    plain = strip_markup(text)
    within = max(1, int(most * len(plain) / (text_width(plain) or 1)))
    lines = TextWrapper(within, expand_tabs=False, replace_whitespace=False, drop_whitespace=False)
    lines.wordsep_re = BEFORE_BREAK
    return BREAK.join(escape(line, quote=False) for line in lines.wrap(plain))


def lines_of(texts: Iterable[str]) -> int:
    """Lines of the text that has the most of them."""
    return max((text.count(BREAK) + 1 for text in texts), default=1)


def scatter(x: Any, y: Any, name: str, mode: str, **look: Any) -> Parts:
    """A trace of points, as lines, markers or text."""
    return {"type": "scatter", "x": x, "y": y, "name": name, "mode": mode, **look}


def whiskers(low: Any, value: Any, high: Any, **look: Any) -> Parts:
    """Intervals about values, each with both of its ends."""
    ends = {"array": high - value, "arrayminus": value - low}
    return {"type": "data", "symmetric": False, **ends, **look}


def zero_line(colour: str) -> Parts:
    """A thick line where the horizontal axis is 0, behind all else."""
    ends = {"x0": 0, "x1": 0, "y0": 0, "y1": 1}
    look = {"layer": "below", "line": {"color": colour, "width": 3}}
    return {"type": "line", "xref": "x", "yref": "paper", **ends, **look}


def ticks(values: Sequence[float], texts: Sequence[str]) -> Parts:
    """Where an axis has its ticks, and what they are called."""
    return {"tickmode": "array", "tickvals": list(values), "ticktext": list(texts)}


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
    """One curve of a system: its colour, its mark at a few points, and its name for the end."""
    own, name = place(systems, system), plotly_safe(name or system, system)
    return scatter(x, y, name, "lines+markers") | {
        "label": name,
        "of": system,
        "line": {"color": COLOURS[own], "dash": dash, "width": 2.5},
        "marker": {"color": COLOURS[own], "symbol": MARKS[own], "size": 9, "maxdisplayed": 11},
        "hovertemplate": hover,
    }


def session_points(own: int, x: Any, sessions: Any, name: str, size: int, at: str = "") -> Parts:
    """Sessions, a row each with its score, as open marks of their system, `at` what they lie."""
    return scatter(x, sessions["score"].to_numpy(dtype=float), name, "markers") | {
        "marker": {"color": COLOURS[own], "symbol": f"{MARKS[own]}-open", "size": size},
        "opacity": 0.8,
        "text": [plotly_safe(session) for session in sessions["session"]],
        "hovertemplate": f"%{{text}}: %{{y:,.3r}}{at}<extra></extra>",
    }


def live_runs(*runs: tuple[int, int, int], gaps: bool = False) -> Parts:
    """Which points of which curves a trace shows, so that the browser can move them.

    runs : (curve, its first point from 0, number of points), one after the other; with `gaps` a
    point without a value follows each
    """
    return {"meta": {"live": {"runs": runs, "gap": gaps}}}


def bands(
    systems: Sequence[str], x: Floats, curves: Iterable[tuple[str, Floats, Floats]]
) -> list[Parts]:
    """Intervals around curves, low and high, as closed, faint shapes; none where all is nan."""
    shapes: list[Parts] = []
    for system, low, high in curves:
        if not np.isnan(low).all():
            name, own = plotly_safe(f"{system}, 95% interval", system), place(systems, system)
            ends, look = (low[: x.size], high[: x.size]), {"opacity": 0.16, "showlegend": False}
            shapes.append(area(x, *ends, name, COLOURS[own], **look) | {"of": system})
    return shapes


def area(x: Floats, low: Floats, high: Floats, name: str, colour: str, **look: Any) -> Parts:
    """A closed shape between two curves, wherever both are known."""
    known = ~(np.isnan(low) | np.isnan(high))
    x, low, high = x[known], low[known], high[known]
    around = np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]])
    filled = {"fill": "toself", "fillcolor": colour, "line": {"width": 0, "color": colour}}
    return scatter(*around, name, "lines", **filled, hoverinfo="skip", **look)


def kept_curve(own: Parts) -> Parts:
    """A curve of a definition that was kept beside the one in force: faint, and it stays."""
    look = {"opacity": 0.4, "mode": "lines", "line": own["line"] | {"width": 2}}
    bare = {"label": None, "showlegend": False, "hoverinfo": "skip", "meta": None}
    return own | look | bare | {"name": f"{own['name']}, kept"}


def unfocused(own: Parts) -> Parts:
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


def padded_range(low: float, high: float, room: float) -> tuple[float, float]:
    """Ends of an axis with room beside its values; 1 where all are one but for rounding.

    >>> padded_range(-2.0, 8.0, 0.1), padded_range(-6e-11, 6e-11, 0.1)
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
    """An axis of names, one a column, in as many lines as a column has room for on a phone."""
    column = PHONE / max(1, len(names))
    beside = max(1, int(column / (LEGEND[0] * LINE)))
    shown = [plotly_safe(name) for name in names]
    room = max(column / (LEGEND[0] * LETTER), text_width(*shown) / beside + 4)
    at = ticks(range(len(names)), [wrapped(name, room) for name in shown])
    return axis(title, (-0.5, len(names) - 0.5), **at, autotickangles=[0, -90], showgrid=False)


def figure(traces: list[Parts], x: Parts, y: Parts, **look: Any) -> go.Figure:
    """A figure of `figure_parts`."""
    return figure_of(figure_parts(traces, x, y, **look))


def figure_of(parts: Parts) -> go.Figure:
    """A figure of data and layout as they are.

    Plotly would look up and copy each part, which takes longer than all else of a figure; tests
    have it do so (tests/conftest.py).
    """
    return go.Figure(parts, _validate=False)


def figure_parts(
    traces: list[Parts], x: Parts, y: Parts, *, small: bool = False, **layout: Any
) -> Parts:
    """Data and layout of a figure in the common look: text sizes for a projector.

    Names stand at the ends of curves, or in a legend above where they don't fit there. It is tall
    enough for that legend on a phone.
    """
    size = 12 if small else 16
    text = {"tickfont": {"size": size, "color": GREY}, "automargin": True}
    name = {"font": {"size": size, "color": GREY}, "standoff": 14}
    tall = layout.pop("height", SMALL if small else HEIGHT)
    if small:  # its axes are short
        x, y = (axis | {"title": {"text": wrapped(axis["title"]["text"], 22)}} for axis in (x, y))
    labels = end_labels(traces, y, size=size, high=tall - 80)
    if layout.setdefault("showlegend", not small and not labels):
        labels = []
    names = [label["text"].partition("</span> ")[2] for label in labels]
    right = 10.0 + (LETTER * size * (text_width(*names) + 2) if labels else 0)
    lettering, above = legend(traces) if layout["showlegend"] else (size, 0)
    beneath = LEGEND[0] * LETTER * text_width(*x["ticktext"]) if "autotickangles" in x else 0
    axes = {"xaxis": x, "yaxis": y, **{k: layout.pop(k) for k in ("yaxis2",) if k in layout}}
    return {
        "data": [
            {key: value for key, value in trace.items() if key not in ("label", "of")}
            for trace in traces
        ],
        "layout": {
            "height": round(max(tall, 0.75 * tall + 60 + above + beneath)),
            "margin": {"l": 10, "r": right, "t": 10 if small else 14, "b": 10},
            # from the figure's top: above the axes, its place stays that of an earlier width
            "legend": {"orientation": "h", "yref": "container", "yanchor": "top", "y": 1, "x": 0}
            | {"font": {"size": lettering}, "traceorder": "normal", "maxheight": 1}
            | {"bgcolor": CLEAR},
            "hovermode": "closest" if small else "x unified",
            "hoverlabel": {"namelength": -1},
            "annotations": labels,
            "dragmode": False,
            **{key: _axis_with_lettering(each, text, name) for key, each in axes.items()},
            **layout,
        },
    }


def end_labels(traces: Iterable[Parts], y: Parts, *, size: int, high: float) -> list[Parts]:
    """Names beside the ends of curves, each with its mark, on an axis of about so many pixels.

    None where one is long, two ends are too near each other, or a legend has more than they name.
    """
    ends = {of["label"]: of for of in traces if of.get("label") and not np.isnan(of["y"]).all()}
    labels = [_curve_end_label(name, trace, size) for name, trace in ends.items()]
    low, top = y["range"]
    domain = y.get("domain", (0, 1))
    line = LINE * size * (top - low) / (high * (domain[1] - domain[0]))
    places = sorted(label["y"] for label in labels)
    are_short = text_width(*ends) <= SHORT
    fit = are_short and all(above - below >= line for below, above in pairwise(places))
    return labels if fit and {of.get("name") for of in legend_traces(traces)} <= {*ends} else []


def _curve_end_label(name: str, trace: Parts, size: int) -> Parts:
    """A name right of the axis, as high as its curve ends."""
    colour, mark = trace["line"]["color"], MARKS.index(trace["marker"]["symbol"])
    return {
        "name": trace["name"],
        "text": f'<span style="color:{colour}">{SIGNS[mark]}</span> {name}',
        **{"x": 1, "xref": "paper", "xanchor": "left", "xshift": 9},
        **{"y": float(trace["y"][~np.isnan(trace["y"])][-1]), "yanchor": "middle"},
        **{"showarrow": False, "font": {"size": size, "color": GREY}},
    }


def legend_traces(traces: Iterable[Parts]) -> list[Parts]:
    """The traces that the legend names."""
    return [trace for trace in traces if trace.get("showlegend") is not False]


def legend(
    traces: Iterable[Parts], wide: float = PHONE, sizes: Sequence[float] = LEGEND
) -> tuple[float, float]:
    """Break the names that the legend shows into lines; size of its text, and about its height."""
    shown, size, rows = legend_traces(traces), sizes[0], 0
    for size in sizes:
        for trace in shown:
            trace["name"] = wrapped(trace["name"], (wide - MARK) / size / LETTER)
        names = [trace["name"] for trace in shown]
        across = max(1, int(wide / (MARK + LETTER * size * text_width(*names))))
        rows = -(-len(names) // across) * lines_of(names)
        if rows <= FEW_LINES:
            break
    return size, rows * size * LINE + 10


def _axis_with_lettering(own: Parts, text: Parts, name: Parts) -> Parts:
    """An axis in the common lettering, where it does not say its own."""
    lettering = text["tickfont"] | own.get("tickfont", {})
    return text | own | {"tickfont": lettering, "title": own["title"] | name}


def position_axis(per_query: int | None, queries: int, end: int) -> Parts:
    """Axis of positions: a faint vertical at each query's end, labelled Q1 … Qn."""
    if per_query is None:
        return axis(OF_CELLS, (0.0, end + 1.0))
    name = f"Position in the session ({per_query} results per query)"
    ends = range(per_query, queries * per_query + 1, per_query)
    drawn = query_ends_axis(ends, end, name, most=14)
    are_many = len(drawn["ticktext"]) > 5  # else they touch on a phone
    return drawn | ({"tickfont": {"size": 12}} if are_many else {})


def query_ends_axis(
    ends: Sequence[int], length: int, title: str = OF_CELLS, *, most: int = 8
) -> Parts:
    """Axis of positions: a faint vertical at each query's own end, `most` of them Q1 … Qn."""
    step = max(1, -(-len(ends) // most))
    shown = ticks(ends[step - 1 :: step], [f"Q{q}" for q in range(step, len(ends) + 1, step)])
    return axis(title, (0.0, length + 1.0), **shown, gridcolor=FAINT, showgrid=True)
