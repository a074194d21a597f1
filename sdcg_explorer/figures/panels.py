"""Many systems in one figure: one of them in focus, or a panel for each on shared, aligned axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style

MOST_LINES = len(style.COLOURS)  # in one picture: beyond, colours come again
SCREEN = 640.0  # pixels: where a screen is narrower, panels are scrolled
TEXT, MARK, LEAST = 12, 5, 140  # pixels: of a text, of a mark, and across a panel with its axis
ROOM = 12  # sizes of the text that a panel is wide at least
HIGH, BIG, ALL = 110.0, 220.0, 270.0  # pixels of a panel at least and at most, and of a column
OWN, REST = "the panel's system", "the other systems"
Groups = dict[str, str]  # of curves of one system: their words by dash


def needs_panels(systems: int, groups: int = 1, focus: str = "") -> bool:
    """Whether so many curves are a tangle in one picture, where none is in focus."""
    return not focus and systems * groups > MOST_LINES


def draw_by_system(
    traces: list[style.Parts],
    x: style.Parts,
    y: style.Parts,
    *,
    systems: Sequence[str],
    focus: str = "",
    groups: Groups | None = None,
    **layout: Any,
) -> go.Figure:
    """All curves in one picture, one system's before the others, or a panel for each system."""
    shown = sorted({trace["of"] for trace in traces}, key=systems.index)
    groups = groups or {style.DASHES[0]: OWN}
    focus = focus if focus in shown else ""
    if needs_panels(len(shown), len(groups), focus):
        own = {name: [trace for trace in traces if trace["of"] == name] for name in shown}
        behind = [_merged_trace(traces, dash, word) for dash, word in groups.items()]
        entries = [_legend_entry(word, dash) for dash, word in groups.items()]
        return draw_panels(own, x, y, systems, behind=behind, entries=[*entries, _others(REST)])
    if focus:
        grey = [style.unfocused(trace) for trace in traces if trace["of"] != focus]
        own = [trace for trace in traces if trace["of"] == focus]
        traces = [*grey, *own, _others(REST)]
    return style.figure(traces, x, y, **layout)


def draw_panels(
    own: dict[str, list[style.Parts]],
    x: style.Parts,
    y: style.Parts,
    systems: Sequence[str],
    *,
    behind: Sequence[style.Parts] = (),
    entries: Sequence[style.Parts] = (),
    labels: dict[str, style.Parts] | None = None,
    **layout: Any,
) -> go.Figure:
    """Each system's own traces in a panel before what is `behind` in all, and one legend.

    All panels are equally large and have the same ends, so that one scale holds for all;
    `labels` are those of each panel's own horizontal axis, else the lowest ones have them.
    """
    traces: list[style.Parts] = []
    for i, name in enumerate(own):
        to = {"xaxis": _nth("x", i), "yaxis": _nth("y", i), "showlegend": False, "label": None}
        traces += [trace | to for trace in [*behind, *map(_panel_trace, own[name])]]
    drawn = style.figure_parts([*traces, *entries], x, y, **layout)
    parts, font = drawn["layout"], {"size": TEXT, "color": style.GREY}
    parts["meta"] = {"panels": len(own), "have_labels": bool(labels)}
    common = {"title": {"text": ""}, "automargin": False, "tickfont": font}
    axes = {name: parts[name] | common for name in ("xaxis", "yaxis")}
    for i, name in enumerate(own):
        own_labels = _thin_labels(x | (labels or {}).get(name, {}))
        parts[_nth("xaxis", i)] = axes["xaxis"] | own_labels | {"anchor": _nth("y", i)}
        matched = {"matches": "y"} if i else {}
        parts[_nth("yaxis", i)] = axes["yaxis"] | matched | {"anchor": _nth("x", i)}
    at = {"xref": "paper", "yref": "paper", "showarrow": False, "font": font}
    parts["annotations"] = [
        *(_panel_title(name, systems, i) | {"font": font} for i, name in enumerate(own)),
        at | {"text": x["title"]["text"], "x": 0.5, "y": 0, "yanchor": "top"},
        at | {"text": y["title"]["text"], "textangle": -90, "x": 0, "y": 0.5, "xanchor": "right"},
    ]
    arrange(parts, TEXT, SCREEN)
    return style.figure_of(drawn)


def arrange(layout: style.Parts, size: float, wide: float) -> None:
    """Lay panels out on Plotly's grid, as many in a row as fit, with their names above them."""
    number, have_labels = layout["meta"]["panels"], layout["meta"]["have_labels"]
    *titles, beneath, aside = layout["annotations"]
    across = min(2 if number <= 4 else 3, max(1, int(wide // LEAST)))
    rows, line = -(-number // across), style.LINE * size
    above = line * style.lines_of(title["text"] for title in titles) + size / 2
    axes = [layout[_nth("xaxis", i)] for i in range(number)]
    ticks = line * style.lines_of(t for axis in axes for t in axis.get("ticktext", ())) + size / 2
    gap = above + size + have_labels * ticks
    high = min(BIG, max(HIGH, ALL / rows)) * size / TEXT
    high = min(high, 0.5 * wide / across)
    inner = rows * (high + gap) - gap
    for part in layout["annotations"]:
        part["font"]["size"] = size
    for i, axis in enumerate(axes):
        axis["tickfont"]["size"] = layout[_nth("yaxis", i)]["tickfont"]["size"] = size
        axis["showticklabels"] = have_labels or i + across >= number
        layout[_nth("yaxis", i)]["showticklabels"] = not i % across
    layout["grid"] = {"rows": rows, "columns": across, "pattern": "independent"}
    layout["grid"] |= {"xgap": 0.12, "ygap": gap / (high + gap)}
    layout["grid"]["domain"] = {"y": [0, inner / (inner + above)]}
    beneath["text"] = style.wrapped(beneath["text"], (wide / size - 6) / style.LETTER)
    left, under = 5.2 * size, ticks + line * style.lines_of([beneath["text"]]) + size
    beneath["yshift"], aside["xshift"] = -ticks, -3.2 * size
    layout["margin"] = {"l": left, "r": size, "t": size, "b": under}
    layout["height"] = round(inner + above + under + 2.5 * size)


def _nth(name: str, i: int) -> str:
    """An axis of a panel, from 0: Plotly's own names.

    >>> _nth("xaxis", 0), _nth("x", 2)
    ('xaxis', 'x3')
    """
    return f"{name}{i + 1}" if i else name


def _thin_labels(axis: style.Parts) -> style.Parts:
    """A panel's axis, with as many of its labels as have room side by side."""
    texts = axis.get("ticktext", [])
    wide = style.LETTER * sum(style.text_width(text) + 1 for text in texts)
    step = 1 + int(wide / ROOM)
    few = [text if i % step == 0 else "" for i, text in enumerate(texts, start=1)]
    return axis | ({"ticktext": few, "tickangle": 0} if texts else {}) | {"title": {"text": ""}}


def _panel_trace(own: style.Parts) -> style.Parts:
    """A trace with the marks of a panel, whose name says whose it is."""
    if own.get("mode") != "lines+markers":
        return own
    return own | {"marker": own["marker"] | {"size": MARK, "maxdisplayed": 6}}


def _panel_title(name: str, systems: Sequence[str], i: int) -> style.Parts:
    """A panel's name above it, after its system's mark."""
    colour, sign = style.COLOURS[style.place(systems, name)], style.system_mark(systems, name)
    shown = style.wrapped(style.plotly_safe(name), ROOM / style.LETTER - 2)
    return {
        "text": f'<span style="color:{colour}">{sign}</span> {shown}',
        **{"x": 0, "xref": f"{_nth('x', i)} domain", "xanchor": "left", "align": "left"},
        **{"y": 1, "yref": f"{_nth('y', i)} domain", "yanchor": "bottom", "showarrow": False},
    }


def _merged_trace(traces: Sequence[style.Parts], dash: str, word: str) -> style.Parts:
    """All curves of one dash as one faint trace, a gap after each, which follow the sliders."""
    own = [
        trace
        for trace in traces
        if not {"fill", "opacity"} & {*trace} and trace["line"].get("dash") == dash
    ]
    nothing = np.full(1, np.nan, dtype=np.float32)
    x, y = (
        np.concatenate([nothing[:0], *(part for t in own for part in (t[axis], nothing))])
        for axis in "xy"
    )
    runs = [run for t in own if "meta" in t for run in t["meta"]["live"]["runs"]]
    words = REST if word == OWN else f"{REST}, {word}"
    places = np.nan_to_num(x)  # as few bytes as hold them
    is_short = np.abs(places).max(initial=0) < 2**15 and bool((places == np.floor(places)).all())
    points = {
        "x": places.astype(np.int16 if is_short else np.float64),
        "y": y.astype(np.float32),
        "hoverinfo": "skip",
    }
    return _others(words, dash) | points | (style.live_runs(*runs, gaps=True) if runs else {})


def _legend_entry(word: str, dash: str) -> style.Parts:
    """A line in the legend that stands for one in every panel."""
    look = {"line": {"color": style.GREY, "dash": dash, "width": 2.5}}
    return style.scatter(style.NOTHING, style.NOTHING, word, "lines", **look)


def _others(words: str, dash: str = style.DASHES[0]) -> style.Parts:
    """The others, behind."""
    own = _legend_entry(words, dash)
    return own | {"line": {"color": style.GREY, "dash": dash, "width": 1}, "opacity": 0.35}
