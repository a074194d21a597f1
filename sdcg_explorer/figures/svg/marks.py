"""Marks of points: their forms, which stand once in a page, and where each stands."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np

from sdcg_explorer.figures.style import GREY
from sdcg_explorer.figures.svg.axes import Pair, percent
from sdcg_explorer.figures.svg.texts import as_html, attributes, ink

Parts = dict[str, Any]
OPEN = "-open"
USED = re.compile(r'href="#([a-z-]+)-([0-9.]+)"')
PLACES = {"left": "r", "center": "c", "right": "l"}
# of a radius of 1, as Plotly draws them
FORMS = {
    "circle": "M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0Z",
    "square": "M-1,-1H1V1H-1Z",
    "diamond": "M1.3,0L0,1.3L-1.3,0L0,-1.3Z",
    "triangle-up": "M-1.15,.58H1.15L0,-1.15Z",
    "triangle-down": "M-1.15,-.58H1.15L0,1.15Z",
    "hourglass": "M1,1H-1L1,-1H-1Z",
    "bowtie": "M1,1V-1L-1,1V-1Z",
    "cross": "M1.2,.4H.4V1.2H-.4V.4H-1.2V-.4H-.4V-1.2H.4V-.4H1.2Z",
    "x": "M0,.57L.57,1.13L1.13,.57L.57,0L1.13,-.57L.57,-1.13L0,-.57L-.57,-1.13L-1.13,-.57"
    "L-.57,0L-1.13,.57L-.57,1.13Z",
    "circle-cross": "M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0ZM-1,0H1M0,-1V1",
    "cap": "M-1,0H1",  # the end of an interval
    "cap-up": "M0,-1V1",
}
WIDTHS = {"circle-cross": 2.5, "cap": 3, "cap-up": 2.5}  # pixels, of what is no area


def forms(page: str) -> str:
    """The forms that a page uses, which stand in it once."""
    return "".join(_form(*used) for used in sorted({*USED.findall(page)}))


def _form(name: str, size: str) -> str:
    form = name.removesuffix(OPEN)
    look = ""
    if name.endswith(OPEN) or form in WIDTHS:
        look = (
            f' fill="none" stroke="currentColor" stroke-width="{WIDTHS.get(form, 1.5)}"'
            ' vector-effect="non-scaling-stroke"'
        )
    scale = f"scale({float(size) / 2:g})"
    return f'<path id="{name}-{size}" d="{FORMS[form]}" transform="{scale}"{look}/>'


def use(form: str, size: float, right: float, down: float) -> str:
    """A mark at a place, unseen where this is undefined."""
    places = {"x": right, "y": down}
    known = {axis: percent(at) for axis, at in places.items() if not math.isnan(at)}
    unseen = "none" if len(known) < len(places) else None
    return f"<use{attributes(href=f'#{form}-{size:g}', **known, display=unseen)}/>"


def marks(trace: Parts, pair: Pair) -> tuple[str, list[int]]:
    """Marks of a trace, by colour, and which of its points they are."""
    look, count = trace.get("marker", {}), len(trace["x"])
    forms, sizes, colours = (
        np.broadcast_to(np.asarray(look.get(key, usual), dtype=kind), count).tolist()
        for key, usual, kind in (
            ("symbol", "circle", object),
            ("size", 6, float),
            ("color", trace.get("line", {}).get("color", GREY), object),
        )
    )
    right, down = pair.right(trace["x"]).tolist(), pair.down(trace["y"]).tolist()
    shown = [i for i in _kept(count, look.get("maxdisplayed", 0)) if sizes[i]]
    shown.sort(key=lambda i: colours[i])
    groups = {
        colour: "".join(use(forms[i], sizes[i], right[i], down[i]) for i in own)
        for colour, own in groupby(shown, key=lambda i: colours[i])
    }
    drawn = (f'<g style="color:{ink(colour)}">{own}</g>' for colour, own in groups.items())
    return "".join(drawn), shown


def _kept(count: int, most: int) -> Iterable[int]:
    """Points that have a mark, where there are at most so many."""
    if not most or count <= most:
        return range(count)
    return np.unique(np.floor(np.arange(most) * count / most).astype(int)).tolist()


def texts(trace: Parts, pair: Pair) -> str:
    """Texts at the points of a trace."""
    look = trace.get("textfont", {})
    up, _, aside = trace.get("textposition", "middle center").partition(" ")
    size = f"font-size:{look.get('size', 13):g}px;color:{ink(look.get('color', GREY))}"
    right, down = pair.right(trace["x"]).tolist(), pair.down(trace["y"]).tolist()
    return "".join(
        f'<span class="at {up} {PLACES[aside]}" style="left:{percent(x)};top:{percent(y)};{size}">'
        f"{as_html(text)}</span>"
        for x, y, text in zip(right, down, trace["text"], strict=True)
        if not math.isnan(x + y)
    )
