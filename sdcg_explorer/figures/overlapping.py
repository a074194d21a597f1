"""Marks that would lie on each other: spread beside each other, and counted."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.figures.style import GREY, Parts, live_runs
from sdcg_explorer.figures.traces import scatter

NEAR = 100  # parts of the axis: marks within one lie on each other
ROOM = 0.6  # of a query's width, that marks of one place take at most
APART = 0.12  # and one of its neighbour, where there is room
BENEATH = 10  # pixels: an unseen mark that keeps the number off the marks, of 9
FEWEST = 2  # marks at 0, from which on their number is written


def spread(x: Ints, y: Floats, top: float, wide: int) -> Floats:
    """Places at which no mark lies on another, (N,), beside each other about where they belong.

    x, y : where marks belong · top : end of the upward axis · wide : positions of a query
    """
    place = np.column_stack([x, np.where(y == 0, -1.0, np.round(NEAR * y / top))])
    _, group, count = np.unique(place, axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)  # numpy 2.0 gave it another shape
    order = np.argsort(group, kind="stable")
    among = np.empty(x.size, dtype=np.int64)
    among[order] = np.arange(x.size) - np.repeat(np.cumsum(count) - count, count)
    each = count[group]
    step = np.minimum(APART, ROOM / np.maximum(each - 1, 1)) * wide
    return x + (among - (each - 1) / 2) * step


def counted_zeros(x: Ints, y: Floats, curves: Ints) -> Parts | None:
    """How many marks lie at 0 at each place, as text beneath them; it moves with their `curves`."""
    zero = np.flatnonzero(y == 0)
    _, first, count = np.unique(x[zero], return_index=True, return_counts=True)
    at, number = zero[first[count >= FEWEST]], count[count >= FEWEST].tolist()
    if not at.size:
        return None
    places = zip(curves[at].tolist(), x[at].tolist(), strict=True)
    words = [f"×{many} at 0" for many in number]
    look = {"textposition": "bottom center", "textfont": {"color": GREY, "size": 13}}
    plain = {"cliponaxis": False, "hoverinfo": "skip", "showlegend": False}
    follows = live_runs(*[(curve, place - 1, 1) for curve, place in places])
    own = scatter(x[at], y[at], "sessions that end at 0", "markers+text", text=words)
    return {**own, "marker": {"size": BENEATH, "opacity": 0}, **look, **plain, **follows}
