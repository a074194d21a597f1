"""Parts that figures are put together of: points, their intervals, a line at zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Parts = dict[str, Any]


def scatter(x: Any, y: Any, name: str, mode: str, **look: Any) -> Parts:
    """A trace of points, as lines, markers or text."""
    return {"type": "scatter", "x": x, "y": y, "name": name, "mode": mode, **look}


def whiskers(low: Any, value: Any, high: Any, **look: Any) -> Parts:
    """Intervals about values, each with both of its ends."""
    ends = {"array": high - value, "arrayminus": value - low}
    return {"type": "data", "symmetric": False, **ends, **look}


def at_zero(colour: str) -> Parts:
    """A thick line where the horizontal axis is 0, behind all else."""
    ends = {"x0": 0, "x1": 0, "y0": 0, "y1": 1}
    look = {"layer": "below", "line": {"color": colour, "width": 3}}
    return {"type": "line", "xref": "x", "yref": "paper", **ends, **look}


def ticks(values: Sequence[float], texts: Sequence[str]) -> Parts:
    """Where an axis has its ticks, and what they are called."""
    return {"tickmode": "array", "tickvals": list(values), "ticktext": list(texts)}
