"""Names at the ends of curves, each with its system's mark, so that they read without a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sdcg_explorer.figures.lettering import LINE, lines, longest_piece, widest, wrapped

Parts = dict[str, Any]
# the marks of the curves as characters, in the order of their palette
SIGNS = ("●", "■", "◆", "▲", "✚", "✖")
SIGN = 1.2  # sizes of the text that a mark and a blank take
MARK_HIGH = 1.17  # likewise, its height
SHARE = 0.29  # of a figure's width that names at the ends may take, else the mark stands alone
MOST_LINES, FULL = 2, 0.75  # lines of a name; of the axis's height, what names may take
NARROW = 4  # sizes of the text: where names have less, none is broken within a word
ASIDE = 0.01  # of the axis, from its end to the names
EDGE = 6  # pixels, on either side of the names: a curve may end with a mark


def sign_of(names: Sequence[str], name: str) -> str:
    """The mark of a system as a character, by its place among all systems of the study."""
    return SIGNS[names.index(name) % len(SIGNS)]


def end_of(trace: Parts, name: str, own: int) -> Parts | None:
    """Where a curve ends, what it is called, its colour and mark; None where it is undefined."""
    known = np.flatnonzero(~np.isnan(trace["y"]))
    if not known.size:
        return None
    x, y = (float(trace[axis][known[-1]]) for axis in "xy")
    colour = trace["line"]["color"]
    sign = f'<span style="color:{colour}">{SIGNS[own]}</span>'
    return {"name": name, "x": x, "y": y, "sign": sign, "color": colour}


def ends_of(annotations: Sequence[Parts]) -> list[Parts]:
    """The ends that labels were made of."""
    return [
        {
            **{key: label[key] for key in ("name", "x", "y")},
            "sign": "".join(label["text"].partition("</span>")[:2]),
            "color": label["arrowcolor"],
        }
        for label in annotations
    ]


def with_name(label: Parts) -> bool:
    """Whether a label has its name beside the mark."""
    return not label["text"].endswith("</span>")


def end_labels(
    ends: Sequence[Parts],
    across: Sequence[float],
    up: Sequence[float],
    *,
    wide: tuple[float, float],
    high: float,
    font: Parts,
    named: bool = True,
) -> tuple[list[Parts], float]:
    """Labels right of the axis, none over another, and the margin in pixels that they need.

    The axes' ends are `across` and `up`, the figure is from so many to so many pixels `wide`, and
    `high` is at least what the upward axis has. Where names would take too much of the figure, or
    a legend has them, the marks stand alone.
    """
    if not ends:
        return [], 0.0
    size = font["size"]
    room = SHARE * wide[0] / size - SIGN
    names = [wrapped(end["name"], room) for end in ends]
    tall = [len(lines(name)) for name in names]
    pitch = LINE * size
    is_broken = any(longest_piece(end["name"]) > room for end in ends)
    too_much = not named or max(tall, default=0) > MOST_LINES or sum(tall) * pitch > FULL * high
    if too_much or (is_broken and room < NARROW):
        names, tall = [""] * len(ends), [1] * len(ends)
        pitch = max(size, min(MARK_HIGH * size, high / len(ends)))
    if len(ends) * pitch > high:
        return [], 0.0
    heights = [each * pitch * (up[1] - up[0]) / high for each in tall]
    places = apart([end["y"] for end in ends], heights, up[0], up[1])
    at = across[1] + ASIDE * (across[1] - across[0])
    labels = [
        _label(end, name, at, place, font)
        for end, name, place in zip(ends, names, places, strict=True)
    ]
    return labels, (widest(names) + SIGN) * size + ASIDE * wide[1] + EDGE


def apart(
    wanted: Sequence[float], heights: Sequence[float], low: float, high: float
) -> list[float]:
    """Middles as near to the wanted ones as can be, in their order, none over another.

    Those that would touch are pooled about their mean, as in isotonic regression.

    >>> apart([5.0, 5.0, 9.0], [2.0, 2.0, 2.0], 0.0, 10.0)
    [4.0, 6.0, 9.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    before, total = dict[int, float](), 0.0
    pools: list[tuple[float, int]] = []
    for i in order:
        before[i] = total + heights[i] / 2
        total += heights[i]
        pools.append((wanted[i] - before[i], 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (mean, number), (other, more) = pools.pop(), pools.pop()
            pools.append(((mean * number + other * more) / (number + more), number + more))
    starts = [mean for mean, number in pools for _ in range(number)]
    placed = {
        i: min(max(start, low), high - total) + before[i]
        for i, start in zip(order, starts, strict=True)
    }
    return [placed[i] for i in range(len(wanted))]


def _label(end: Parts, name: str, at: float, place: float, font: Parts) -> Parts:
    """A name beside the axis, and a thin line to it from where the curve ends."""
    return {
        "name": end["name"],
        "text": f"{end['sign']} {name}" if name else end["sign"],
        "x": end["x"],
        "y": end["y"],
        "ax": at,
        "ay": place,
        "axref": "x",
        "ayref": "y",
        "xanchor": "left",
        "yanchor": "middle",
        "align": "left",
        "borderpad": EDGE,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": end["color"],
        "font": font,
    }
