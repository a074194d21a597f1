"""Two figures beside each other, (a) and (b), under one legend, over both columns of a paper."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from sdcg_explorer.export.figure_files import CSS, INCH, TEXT, WIDTHS, Paper, on_paper
from sdcg_explorer.figures import style
from sdcg_explorer.figures.style import DASHES, NOTHING

WIDTH = WIDTHS[1] / INCH * CSS  # pixels
LEFT, RIGHT, SIGN, BOTTOM = 6.6 * TEXT, 0.8 * TEXT, 1.8 * TEXT, 4.6 * TEXT  # around, pixels
BETWEEN = LEFT + 2 * RIGHT  # the axes of the two
HIGH = 20 * TEXT  # of the axes
Parts = dict[str, Any]
LEGEND: Parts = {
    **{"orientation": "h", "x": 0.5, "xanchor": "center", "font": {"size": TEXT}},
    **{"y": 1, "yanchor": "top", "yref": "container"},
}


def beside(first: go.Figure, second: go.Figure) -> go.Figure | None:
    """Both in the style of a paper; None where either has panels, or one legend is not enough.

    The legend has the systems by their colours and marks, and the first's groups by their dashes.
    """
    parts = [on_paper(figure, Paper()).to_plotly_json() for figure in (first, second)]
    own = [_named(of["data"]) for of in parts]
    if any("panels" in of["layout"].get("meta", {}) for of in parts) or not _has_one_legend(*own):
        return None
    entries, across = [*_systems(own[1]), *_groups(own)], WIDTH - LEFT - RIGHT
    above = style.legend(entries, across, (TEXT,))[1] + SIGN
    layout: Parts = {
        **{name: parts[0]["layout"][name] for name in ("paper_bgcolor", "plot_bgcolor", "font")},
        "width": WIDTH,
        "height": HIGH + above + BOTTOM,
        "margin": {"l": LEFT, "r": RIGHT, "t": above, "b": BOTTOM},
        "legend": LEGEND,
        "template": {},
        "annotations": [],
        "shapes": [],
    }
    traces = entries
    half = (across - BETWEEN) / 2 / across
    for place, (of, name) in enumerate(zip(parts, "ab", strict=True)):
        start = place * (1 - half)
        traces += [_moved(trace, 2 * place) for trace in of["data"]]
        layout |= _axes(of["layout"], 2 * place, (start, start + half))
        layout["annotations"].append(_sign(name, start))
        layout["shapes"] += [_shape(each, 2 * place) for each in of["layout"].get("shapes", [])]
    return go.Figure({"data": traces, "layout": layout})


def _named(traces: list[Parts]) -> list[Parts]:
    """Curves that a legend would name."""
    return [t for t in traces if "markers" in t.get("mode", "") and t.get("showlegend", True)]


def _has_one_legend(first: list[Parts], second: list[Parts]) -> bool:
    """Whether both draw the same systems, the second a line for each."""
    colours = [{trace["line"]["color"] for trace in traces} for traces in (first, second)]
    return colours[0] == colours[1] and len({t["line"]["dash"] for t in second}) == 1


def _systems(traces: list[Parts]) -> list[Parts]:
    """Entries of the systems: colour and mark."""
    return [
        {
            **{name: trace[name] for name in ("name", "type", "mode", "marker")},
            "line": {"color": trace["marker"]["color"]},
            **{"x": NOTHING, "y": NOTHING},
        }
        for trace in traces
    ]


def _groups(own: list[list[Parts]]) -> list[Parts]:
    """Entries of the groups of the first figure: a dash in black each, by what follows a system."""
    system, entries = own[1][0]["name"], list[Parts]()
    for trace in own[0]:
        if trace["name"].startswith(f"{system}, "):
            group = trace["name"].removeprefix(f"{system}, ")
            line = {"color": "#000000", "dash": trace["line"]["dash"]}
            entry = {
                "name": f"(a) {group}, (b) mean" if line["dash"] == DASHES[0] else f"(a) {group}"
            }
            entries.append({**entry, "mode": "lines", "line": line, "x": NOTHING, "y": NOTHING})
    return entries


def _axis(name: str, more: int) -> str:
    """Name of an axis, so many further.

    >>> _axis("x", 0), _axis("y2", 2), _axis("xaxis", 2), _axis("yaxis2", 2)
    ('x', 'y4', 'xaxis3', 'yaxis4')
    """
    word = name.rstrip("0123456789")
    number = int(name[len(word) :] or 1) + more
    return word if number == 1 else f"{word}{number}"


def _moved(trace: Parts, more: int) -> Parts:
    """A curve on the axes of its place, out of the legend."""
    axes = {f"{of}axis": _axis(trace.get(f"{of}axis") or of, more) for of in "xy"}
    return {**trace, **axes, "showlegend": False}


def _axes(layout: Parts, more: int, domain: tuple[float, float]) -> Parts:
    """A figure's axes within its share of the width."""
    made: Parts = {}
    for name in (name for name in layout if name.startswith(("xaxis", "yaxis"))):
        axis = {**layout[name], "automargin": False}
        anchor = axis.get("anchor") or ("y" if name[0] == "x" else "x")
        axis["anchor"] = _axis(anchor, more)
        made[_axis(name, more)] = axis | ({"domain": domain} if name[0] == "x" else {})
    return made


def _shape(shape: Parts, more: int) -> Parts:
    """A line across a figure's axes."""
    return {**shape, "xref": f"{_axis('x', more)} domain", "yref": _axis("y", more)}


def _sign(name: str, start: float) -> Parts:
    """(a) or (b), above its axes."""
    at = {"x": start, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left"}
    return {**at, "yanchor": "bottom", "text": f"({name})", "showarrow": False}
