"""Figure 2 of ECIR 2008, small, once for each definition; means under all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import panels, style
from sdcg_explorer.questions.session_curves.figure import AXES, draw_session_curves
from sdcg_explorer.questions.side_by_side.numbers import SideBySide, Under

TOLD_APART = 2  # systems whose curves have their names beside them in a small figure


def focus_of(under: Under, focus: str) -> str:
    """The system before the others: the one chosen, or of many the one that comes first."""
    if focus or not panels.needs_panels(len(under.ranked)):
        return focus
    return under.order[0][0]


def draw_side_by_side(
    under: Under, systems: Sequence[str], *, focus: str = "", length: int | None = None
) -> go.Figure:
    """Mean normalised session curves under one definition, on a scale of its own.

    Of more than two systems the screen has one legend for all definitions.
    """
    look: dict[str, Any] = {"small": True, "focus": focus_of(under, focus), "length": length}
    look |= {"measure": under.measure}
    drawn = draw_session_curves(under.curves, systems, **look)
    if len(systems) > TOLD_APART:
        drawn.layout.annotations = ()
        drawn.layout.update(margin_r=10, yaxis_title_text=AXES[under.measure])
    return drawn


def draw_means_beside(shown: SideBySide, systems: Sequence[str]) -> go.Figure:
    """Each system's mean share of the ideal from definition to definition, small."""
    each = [{mean.system: mean.mean for mean in under.means} for under in shown.definitions]
    x = np.arange(1.0, len(each) + 1)
    values = {name: np.array([means.get(name, np.nan) for means in each]) for name in systems}
    drawn = {name: y for name, y in values.items() if not np.isnan(y).all()}
    traces = [style.line(systems, name, x, y, "%{y:.3f}") for name, y in drawn.items()]
    across = style.axis("Definition", (0.5, len(each) + 0.5))
    up = style.axis(AXES[shown.definitions[0].measure], (0, style.ceiling(drawn.values())))
    return style.figure(traces, across, up, small=True)
