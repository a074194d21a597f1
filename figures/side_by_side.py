"""Figure 2 of ECIR 2008, small, once for each definition."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from analysis.side_by_side import Under
from figures.session_curves import draw_session_curves


def draw_side_by_side(under: Under, systems: Sequence[str]) -> go.Figure:
    """Mean normalised session curves under one definition, on a scale of its own."""
    return draw_session_curves(under.curves, systems, small=True, legend=True)
