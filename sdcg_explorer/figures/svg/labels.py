"""What names a figure's parts: its legend, names at the ends of curves, and texts of panels."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdcg_explorer.figures.end_labels import ASIDE, EDGE
from sdcg_explorer.figures.style import COLOURS, MARKS, in_legend
from sdcg_explorer.figures.svg.axes import Pair, percent
from sdcg_explorer.figures.svg.columns import HATCHES
from sdcg_explorer.figures.svg.curves import dash_of, in_units
from sdcg_explorer.figures.svg.texts import as_html, attributes, colour_of, ink

Parts = dict[str, Any]
WIDE, HIGH = 34, 14  # pixels of a trace's sign in the legend
SHIFTS = {
    **{"left": "0%", "center": "-50%", "right": "-100%"},
    **{"top": "0%", "middle": "-50%", "bottom": "-100%"},
}


def draw_legend(traces: list[Parts]) -> str:
    """Names of traces, each after a small picture of it."""
    entries = "".join(
        f"<li>{_sign(trace)}<span>{as_html(trace['name'], end='<wbr>')}</span></li>"
        for trace in in_legend(traces)
        if trace.get("name") and trace["type"] not in ("heatmap", "contour")
    )
    return f'<ul class="legend">{entries}</ul>'


def _sign(trace: Parts) -> str:
    """A small picture of a trace: its line with its dash, its mark, its area."""
    line, marker = trace.get("line", {}), trace.get("marker", {})
    mode = trace.get("mode", "lines" if trace["type"] == "scatter" else "")
    middle, drawn = HIGH / 2, ""
    area = {"x": 2, "y": 1, "width": WIDE - 4, "height": HIGH - 2}
    if trace.get("fill") or trace["type"] == "bar":
        drawn += f"<rect{attributes(**area)}/>"
        hatch = HATCHES.get(marker.get("pattern", {}).get("shape", ""))
        if hatch:
            drawn += f"<rect{attributes(**area, fill=f'url(#hatch-{hatch})')}/>"
    elif trace["type"] == "box":
        form = MARKS[COLOURS.index(line["color"])]
        drawn += f"<rect{attributes(class_='box', **area)}/>"
        drawn += f'<use href="#{form}-8" x="{WIDE / 2}" y="{middle}"/>'
    elif "lines" in mode:
        width = min(3.0, line.get("width", 2))
        look = attributes(
            class_="line", stroke_dasharray=dash_of(line), style=f"stroke-width:{width:g}"
        )
        drawn += f'<path{look} d="M0,{middle}H{WIDE}"/>'
    if "markers" in mode:
        form, size = (
            _one(marker.get(key, usual)) for key, usual in (("symbol", "circle"), ("size", 6))
        )
        drawn += f'<use href="#{form}-{max(size, 7):g}" x="{WIDE / 2}" y="{middle}"/>'
    look = attributes(
        width=WIDE, height=HIGH, style=f"color:{colour_of(trace)}", opacity=_opaque(trace)
    )
    return f'<svg aria-hidden="true"{look}>{drawn}</svg>'


def _one(look: Any) -> Any:
    """The look of all points, or of the first."""
    return look if isinstance(look, (str, int, float)) else look[-1]


def _opaque(trace: Parts) -> float:
    """Opacity of a sign: one of many faint lines is seen less faint alone."""
    return max(0.4, trace.get("opacity", 1))


def end_labels(layout: Parts, pair: Pair, traces: list[Parts]) -> tuple[str, str]:
    """Names where curves end, as HTML, and thin lines to them, as SVG."""
    labels, leaders = "", ""
    for label in layout.get("annotations", ()):
        if "axref" not in label:
            continue
        ends = pair.right([label["x"], label["ax"]]), pair.down([label["y"], label["ay"]])
        (x, at), (y, place) = (end.tolist() for end in ends)
        d = f"M{10 * x:.2f},{10 * y:.2f}L{10 * at:.2f},{10 * place:.2f}"
        colour = f"color:{ink(label['arrowcolor'])}"
        leaders += f'<path class="leader" style="{colour}" d="{d}"/>'
        labels += (
            f'<span class="end" data-of="{_curve_of(label, traces)}" '
            f'style="left:calc({percent(100 + 100 * ASIDE)} + {EDGE}px);top:{percent(place)}">'
            f"{as_html(label['text'])}</span>"
        )
    return labels, f'<g class="leaders">{in_units(leaders)}</g>' if leaders else ""


def _curve_of(label: Parts, traces: list[Parts]) -> int:
    """Which trace ends where a label begins, by its place among those of its axes; -1 if none."""
    for place, trace in enumerate(traces):
        y = np.asarray(trace["y"], dtype=float) if trace["type"] == "scatter" else np.array([])
        known = np.flatnonzero(~np.isnan(y))
        is_own = trace.get("line", {}).get("color") == label["arrowcolor"] and not trace.get("fill")
        if is_own and known.size:
            end = float(np.asarray(trace["x"], dtype=float)[known[-1]]), float(y[known[-1]])
            if end == (label["x"], label["y"]):
                return place
    return -1


def panel_texts(layout: Parts) -> str:
    """Names of panels, and of the axis across that they share."""
    found = ""
    for text in layout["annotations"]:
        if text.get("textangle"):
            continue  # the name of the other axis, which stands above all panels
        aside, up = text.get("xanchor", "center"), text.get("yanchor", "middle")
        move = f"{text.get('xshift', 0):g}px", f"{-text.get('yshift', 0):g}px"
        shift = f"translate(calc({SHIFTS[aside]} + {move[0]}),calc({SHIFTS[up]} + {move[1]}))"
        place = f"left:{percent(100 * text['x'])};top:{percent(100 * (1 - text['y']))}"
        found += (
            f'<span class="panel" style="{place};transform:{shift}">{as_html(text["text"])}</span>'
        )
    return found
