"""Many systems in one figure: one of them in focus, or a panel for each on shared, aligned axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.figures.end_labels import SIGNS
from sdcg_explorer.figures.lettering import plotly_safe
from sdcg_explorer.figures.panel_grid import SCREEN, TEXT, arrange, nth

MOST_LINES = len(style.COLOURS)  # in one picture: beyond, colours come again (decision 91)
MARK = 5  # pixels
OWN, REST = "the panel's system", "the other systems"
Groups = dict[str, str]  # of curves of one system: their words by dash


def in_panels(systems: int, groups: int = 1, focus: str = "") -> bool:
    """Whether so many curves are a tangle in one picture, where none is in focus."""
    return not focus and systems * groups > MOST_LINES


def of_systems(
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
    if in_panels(len(shown), len(groups), focus):
        own = {name: [trace for trace in traces if trace["of"] == name] for name in shown}
        behind = [_merged(traces, dash, word) for dash, word in groups.items()]
        entries = [_entry(word, dash) for dash, word in groups.items()]
        return draw_panels(own, x, y, systems, behind=behind, entries=[*entries, _rest(REST)])
    if focus:
        grey = [style.aside(trace) for trace in traces if trace["of"] != focus]
        own = [trace for trace in traces if trace["of"] == focus]
        traces = [*grey, *own, _rest(REST)]
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
        to = {"xaxis": nth("x", i), "yaxis": nth("y", i), "showlegend": False, "label": None}
        traces += [trace | to for trace in [*behind, *map(_smaller, own[name])]]
    lettering, above = style.legend_lines(list(entries), SCREEN)
    drawn = style.parts_of([*traces, *entries], x, y, **layout)
    parts = drawn["layout"]
    parts["legend"]["font"]["size"] = lettering
    each = [x | (labels or {}).get(name, {}) for name in own]
    ticks = [axis["ticktext"] for axis in each if "ticktext" in axis]
    words = {"x": x["title"]["text"], "y": y["title"]["text"], "own": bool(labels)}
    parts["meta"] = {"panels": {**words, "ticks": ticks}}
    common = parts["xaxis"], parts["yaxis"]
    for i, axis in enumerate(each):
        across, up = common[0] | {**axis}, common[1]
        bare = {"title": {"text": ""}, "automargin": False}
        parts[nth("xaxis", i)] = across | bare | {"anchor": nth("y", i)}
        parts[nth("yaxis", i)] = up | bare | {"anchor": nth("x", i)}
        if i:
            parts[nth("yaxis", i)]["matches"] = "y"
    parts["annotations"] = [_title(name, systems) for name in own]
    arrange(parts, SCREEN, TEXT, above=above, colour=style.GREY)
    return style.figure_of(drawn)


def _smaller(own: style.Parts) -> style.Parts:
    """A trace with the marks of a panel, whose name says whose it is."""
    if own.get("mode") != "lines+markers":
        return own
    return own | {"marker": own["marker"] | {"size": MARK, "maxdisplayed": 6}}


def _title(name: str, systems: Sequence[str]) -> style.Parts:
    """A panel's name with its system's mark."""
    own = style.place(systems, name)
    sign = f'<span style="color:{style.COLOURS[own]}">{SIGNS[own]}</span>'
    return {"name": plotly_safe(name), "text": sign, "showarrow": False}


def _merged(traces: Sequence[style.Parts], dash: str, word: str) -> style.Parts:
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
    return _rest(words, dash) | points | (style.live_runs(*runs, gaps=True) if runs else {})


def _entry(word: str, dash: str) -> style.Parts:
    """A line in the legend that stands for one in every panel."""
    look = {
        "type": "scatter",
        "x": style.NOTHING,
        "y": style.NOTHING,
        "mode": "lines",
        "name": word,
    }
    return look | {"line": {"color": style.GREY, "dash": dash, "width": 2.5}}


def _rest(words: str, dash: str = style.DASHES[0]) -> style.Parts:
    """The others, behind."""
    own = _entry(words, dash)
    return own | {"line": {"color": style.GREY, "dash": dash, "width": 1}, "opacity": 0.35}
