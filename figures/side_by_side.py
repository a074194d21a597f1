"""Figure 2 of ECIR 2008, small, once for each definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from analysis.side_by_side import Under
from figures.panels import in_panels
from figures.session_curves import draw_session_curves


def in_focus(under: Under, focus: str) -> str:
    """The system before the others: the one chosen, or of many the one that comes first."""
    if focus or not in_panels(len(under.ranked)):
        return focus
    return under.order[0][0]


def draw_side_by_side(
    under: Under, systems: Sequence[str], *, focus: str = "", length: int | None = None
) -> go.Figure:
    """Mean normalised session curves under one definition, on a scale of its own."""
    before, legend = in_focus(under, focus), not in_panels(len(under.ranked))
    look: dict[str, Any] = {"small": True, "legend": legend, "focus": before, "length": length}
    return draw_session_curves(under.curves, systems, **look)
