"""What gain cost: mean curves over amounts, and each session's cost in all beside its score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import panels, style
from sdcg_explorer.figures.style import plotly_safe, wrapped
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.cost.numbers import CostCurves, CostPoints
from sdcg_explorer.questions.session_curves import figure
from sdcg_explorer.questions.wording import capital, in_unit
from sdcg_explorer.scoring.costs import Cost
from sdcg_explorer.scoring.mean_curves import THIN, MeanCurve
from sdcg_explorer.scoring.scored_sessions import drawn_one_in

BEHIND = {"marker": {"color": style.GREY, "size": 5}, "opacity": 0.35, "showlegend": False}


def draw_cost(
    curves: CostCurves,
    systems: Sequence[str],
    *,
    measure: str = "raw",
    small: bool = False,
    focus: str = "",
    beside: CostCurves | None = None,
    least: float = 0.0,
) -> go.Figure:
    """One line per system over amounts, and a strip beneath with the share that costs more.

    Of many systems each has a panel, and no strip, unless one is in `focus`. Curves `beside` are
    faint; the axis ends at `least` or higher, and cuts bands over few sessions.
    """
    x, drawn = curves.amounts, [(of, of.curve(measure)) for of in curves.curves]
    traces = style.bands(systems, x, ((of.system, c.low, c.high) for of, c in drawn))
    still = [(of.system, of.curve(measure).mean) for of in beside.curves] if beside else []
    traces += [style.kept_curve(style.line(systems, name, x, values, "")) for name, values in still]
    for of, curve in drawn:
        own = style.line(systems, of.system, x, curve.mean, figure.HOVER[measure])
        own |= style.live_runs((systems.index(of.system), 0, x.size))
        traces += figure.thinned_curve(own, of.thin_from)
    every = [values for _, curve in drawn for values in (curve.mean, _band_top(curve))]
    across = cost_amount_axis(curves.cost, float(x[-1]))
    top = style.ceiling([*every, *(values for _, values in still)], least)
    up = style.axis(figure.AXES[measure], (0, top))
    if small:
        return style.figure(traces, across, up, small=True)
    if panels.needs_panels(len(drawn), focus=focus):
        return panels.draw_by_system(traces, across, up, systems=systems)
    steps = [figure.session_steps(systems, of, x, of.running, shape="vh") for of in curves.curves]
    look = {"systems": systems, "focus": focus}
    return figure.draw_above_steps(traces, steps, across, up, "cost as much", **look)


def _band_top(curve: MeanCurve) -> Floats:
    """Upper ends of the band, nan where it runs over few sessions, and once was over more."""
    enough = min(THIN, int(curve.sessions.max(initial=0)))
    return np.where(curve.sessions >= enough, curve.high, np.nan)


def draw_cost_points(shown: CostPoints, systems: Sequence[str], *, focus: str = "") -> go.Figure:
    """Each session a point: what it cost in all, and its score."""
    points = shown.points.iloc[:: drawn_one_in(shown.points)]
    scores, spent = (points[name].to_numpy(dtype=float) for name in ("score", "spent"))
    up = plotly_safe(shown.measure.unit)
    # where it has the height to itself, in lines of 32 letters
    if not panels.needs_panels(points["system"].nunique(), focus=focus):
        up = wrapped(capital(plotly_safe(in_unit(shown.measure.words, shown.measure.unit))), 32)
    low, top = min(0.0, float(scores.min(initial=0.0))), style.ceiling([scores])
    end = style.ceiling([spent])
    each = sorted({*points["system"]}, key=lambda name: (name == focus, systems.index(name)))
    own: dict[str, style.Parts] = {}
    for name in each:
        rows, mark = points[points["system"] == name], style.place(systems, name)
        x, at = rows["spent"].to_numpy(dtype=float), " for %{x:,.4~g}"
        own[name] = style.session_points(mark, x, rows, plotly_safe(name), 9, at) | {"of": name}
    if focus in own:
        own |= {name: trace | BEHIND for name, trace in own.items() if name != focus}
    drawn = style.figure if focus in own else partial(panels.draw_by_system, systems=systems)
    across = cost_amount_axis(shown.cost, end, room=0.02 * end, of=" in the session")
    upward = style.axis(up, (low - 0.03 * top, top))
    return drawn([*own.values()], across, upward, hovermode="closest")


def cost_amount_axis(cost: Cost, end: float, *, room: float = 0.0, of: str = "") -> style.Parts:
    """Axis of amounts, with what is counted."""
    name = plotly_safe(cost.unit)
    return style.axis(f"{name[:1].upper()}{name[1:]}{of}", (-room, (end or 1.0) + room))
