"""A pair of axes: where a value stands between them, their ticks and their lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.figures.lettering import LINE, lines, widest
from sdcg_explorer.figures.style import FAINT, GREY
from sdcg_explorer.figures.svg.texts import as_html, attributes, ink
from sdcg_explorer.study.wording import LARGE, short

Parts = dict[str, Any]
STEPS = (1, 2, 2.5, 5, 10)  # times a power of ten: from one tick to the next
MOST_TICKS = 6
LETTERS = 13  # pixels, of numbers at ticks
BESIDE = 8  # pixels from a number to its axis
APART, NARROW = 0.4, 300  # sizes of a text between two; pixels of an axis on a phone


@dataclass(frozen=True, eq=False)
class Pair:
    """Two axes of a layout, across and up; a place between them is from 0 to 100, in percent."""

    x: Parts
    y: Parts

    def right(self, values: Any) -> Floats:
        """Places from the left end, (N,)."""
        return _between(values, *self.x["range"])

    def down(self, values: Any) -> Floats:
        """Places from the upper end, (N,)."""
        low, high = self.y["range"]
        return _between(values, high, low)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height among all axes of the figure, in percent."""
        (left, right), (low, high) = (axis.get("domain", (0, 1)) for axis in (self.x, self.y))
        return 100 * left, 100 * (1 - high), 100 * (right - left), 100 * (high - low)


def _between(values: Any, start: float, end: float) -> Floats:
    known = np.asarray(values, dtype=float)
    return 100 * (known - start) / (end - start)


def percent(place: float) -> str:
    """A place as an attribute has it.

    >>> percent(12.5), percent(40)
    ('12.5%', '40%')
    """
    return f"{place:.3f}".rstrip("0").rstrip(".") + "%"


def ticks_of(axis: Parts) -> list[tuple[float, str]]:
    """Values at which an axis has ticks, and their texts; none where it shows none."""
    low, high = sorted(axis["range"])
    if not axis.get("showticklabels", True):
        return []
    if "ticktext" in axis:
        known = zip(axis["tickvals"], axis["ticktext"], strict=True)
        return [(at, text) for at, text in known if low <= at <= high]
    values, step = _values(axis, low, high)
    return [(value, _number(value, step, axis.get("tickformat", ""))) for value in values]


def _values(axis: Parts, low: float, high: float) -> tuple[list[float], float]:
    """Values of ticks, and the step between them."""
    if "tickvals" in axis:
        return list(axis["tickvals"]), 0.5
    step = axis.get("dtick") or _step(high - low, axis.get("nticks", MOST_TICKS))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [step * place for place in range(first, last + 1)], step


def _step(reach: float, most: int) -> float:
    """The least round step that has no more ticks than asked for."""
    ten = 10.0 ** math.floor(math.log10(reach / most))
    return next(ten * step for step in STEPS if ten * step * most >= reach * (1 - 1e-9))


def parts_of(end: float) -> int:
    """Parts in which ticks cut an axis from 0 to a round number.

    >>> parts_of(1), parts_of(3)
    (5, 6)
    """
    return round(end / _step(end, MOST_TICKS))


def _number(value: float, step: float, form: str) -> str:
    """A number at a tick, with the digits that its step has."""
    if form == "~%":  # as many digits as it needs
        return f"{100 * value:.6g}%"
    if form:
        return f"{round(value) if form.endswith('d') else value:{form}}"
    if step >= LARGE:
        return short(value)
    digits = next(d for d in range(12) if math.isclose(step, round(step, d)) or d == 11)
    return f"{value or 0.0:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def room_of(axis: Parts) -> float:
    """Pixels that the numbers of an upward axis take."""
    return widest([text for _, text in ticks_of(axis)]) * LETTERS + BESIDE


def lines_of(axis: Parts) -> int:
    """Lines that the texts beneath an axis take."""
    return max((len(lines(text)) for _, text in ticks_of(axis)), default=0)


def grid(pair: Pair) -> Iterator[str]:
    """Faint lines at ticks, where axes want them, and one where values are 0."""
    if pair.y.get("showgrid", True):
        for value, _ in ticks_of({**pair.y, "showticklabels": True}):
            at = pair.down([value])[0]
            yield _line(0, at, 100, at, FAINT, grid="y")
    if pair.x.get("showgrid", False):
        for value, _ in ticks_of({**pair.x, "showticklabels": True}):
            yield _line(pair.right([value])[0], 0, pair.right([value])[0], 100, FAINT)
    if pair.y.get("zeroline"):
        at = pair.down([0.0])[0]
        yield _line(0, at, 100, at, pair.y.get("zerolinecolor", GREY))
    yield _line(0, 100, 100, 100, GREY)


def shape(own: Parts, pair: Pair) -> str:
    """A line across the axes; its ends are of these, or parts of the whole figure."""
    x = _ends(own, "x", pair.right)
    y = [100 - at for at in _ends(own, "y", lambda v: 100 - pair.down(v))]
    look = own["line"]
    up = own["y0"] if own.get("yref") != "paper" and own["y0"] == own["y1"] else None
    width, dash = look.get("width", 2), "3 3" if look.get("dash") else None
    return _line(x[0], y[0], x[1], y[1], look["color"], width=width, dash=dash, up=up)


def _ends(own: Parts, of: str, place: Any) -> list[float]:
    ends = [float(own[f"{of}0"]), float(own[f"{of}1"])]
    if own.get(f"{of}ref") == "paper":
        return [100 * end for end in ends]
    return place(ends).tolist()


def _line(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    colour: str,
    *,
    width: float = 1,
    dash: str | None = None,
    up: float | None = None,
    grid: str = "",
) -> str:
    ends = {"x1": percent(x0), "y1": percent(y0), "x2": percent(x1), "y2": percent(y1)}
    look = f"stroke:{ink(colour)};stroke-width:{width:g}"
    more = {"stroke_dasharray": dash, "data_up": up, "data_grid": grid}
    return f"<line{attributes(**ends, **more, style=look)}/>"


def tick_texts(pair: Pair, *, across: bool) -> str:
    """Texts beside the upward axis, and `across` beneath the other."""
    texts = [
        f'<span class="y" data-tick="{value:.10g}" style="top:{percent(pair.down([value])[0])}">'
        f"{as_html(text)}</span>"
        for value, text in ticks_of(pair.y)
    ]
    if across and "autotickangles" not in pair.x:
        texts += _across(pair)
    return "".join(texts)


def _across(pair: Pair) -> Iterator[str]:
    """Texts beneath an axis; those that a phone has no room for are spare."""
    shown = [(value, text) for value, text in ticks_of(pair.x) if text]
    each = (widest([text for _, text in shown]) + APART) * LETTERS
    step = math.ceil(each * len(shown) / NARROW)
    for place, (value, text) in enumerate(shown):
        spare = " spare" if step > 1 and place % step else ""
        left = percent(pair.right([value])[0])
        yield f'<span class="x{spare}" style="left:{left}">{as_html(text)}</span>'


def columns(names: Sequence[str]) -> str:
    """Names of columns beneath their axes, in as many lines as their width needs."""
    each = "".join(f"<span>{as_html(name, end='<wbr>')}</span>" for name in names)
    return f'<div class="columns">{each}</div>'


def high_of(count: int) -> float:
    """Pixels of so many lines beneath an axis."""
    return count * LINE * LETTERS + BESIDE
