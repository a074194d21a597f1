"""P of every pair by score, highest first: the lower a curve, the more pairs it tells apart."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.systems.discriminative_power import LEVEL, DiscriminativePower
from sdcg_explorer.figures.style import COLOURS, DASHES, GREY, axis, figure, line
from sdcg_explorer.figures.traces import ticks

LOWEST = 0.001  # of the axis; smaller p stand there


def draw_discriminative_power(of: DiscriminativePower) -> go.Figure:
    """A line per score over its pairs, with the level at which a pair counts as told apart."""
    traces = [
        line(
            of.scores,
            score,
            np.arange(1, of.curve(score).size + 1, dtype=float),
            np.log10(np.maximum(of.curve(score), LOWEST)),
            "%{customdata:.3f}",
            name=of.called(score),
            dash=DASHES[of.scores.index(score) // len(COLOURS) % len(DASHES)],
        )
        | {"customdata": of.curve(score)}
        for score in of.scores
        if of.curve(score).size
    ]
    most = max((trace["x"].size for trace in traces), default=1)
    level = {"x0": 0, "x1": 1, "xref": "paper", "y0": np.log10(LEVEL), "y1": np.log10(LEVEL)}
    level |= {"yref": "y"}
    shape = {"type": "line", **level, "line": {"color": GREY, "width": 1.5, "dash": "dot"}}
    x = axis("Pairs, highest p first", (0.5, most + 0.5))
    marks = [1.0, 0.3, 0.1, LEVEL, 0.01, LOWEST]
    y = axis("p (logarithmic)", (np.log10(LOWEST) - 0.05, 0.05))
    y |= ticks(np.log10(marks).tolist(), [f"{mark:g}" for mark in marks])
    return figure(traces, x, y, shapes=[shape])
