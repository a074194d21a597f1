"""Figures 2 and 3 of ECIR 2008: mean session curves, and the sessions still running."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.session_curves import SessionCurves, SystemCurves
from figures.style import DASHES, FAINT, band, ceiling, colour, finish, line, query_ticks

AXES = {"normalised": "Share of the ideal (nsDCG)", "raw": "sDCG (gain)"}


def draw_session_curves(
    curves: SessionCurves,
    systems: Sequence[str],
    *,
    measure: str = "normalised",
    length: int | None = None,
    small: bool = False,
) -> go.Figure:
    """One line per system and least number of queries, to `length` queries; a strip beneath.

    The strip shows how many sessions of each system still run at each query.
    """
    queries = min(length or curves.most_queries, curves.most_queries)
    end = queries * (curves.per_query or curves.positions // curves.most_queries)
    place = np.arange(1, curves.positions + 1, dtype=float)[:end]
    shown = [of for of in curves.curves if of.curve(measure).sessions.any()]
    groups = sorted({of.at_least for of in shown})
    figure = go.Figure()
    for of in shown:
        curve = of.curve(measure)
        if not np.isnan(curve.low).all():
            figure.add_trace(band(systems, of.system, place, curve.low[:end], curve.high[:end]))
    for of in shown:
        mean = of.curve(measure).mean[:end]
        name, dash = _named(of, groups, systems)
        template = "%{y:.3f}" if measure == "normalised" else "%{y:.3g}"
        figure.add_trace(line(systems, of.system, place, mean, name, dash, hovertemplate=template))
    whole = [of.curve(measure).mean[:end] for of in shown]
    whole += [of.curve(measure).high[:end] for of in shown]
    figure.update_yaxes(title={"text": AXES[measure]}, range=[0, ceiling(whole)])
    figure.update_xaxes(**query_ticks(curves.per_query, queries), range=[0, end + 1])
    if measure == "normalised" and ceiling(whole) > 1:
        figure.add_hline(y=1, line={"color": FAINT, "width": 1})
    if not small:
        _add_strip(figure, curves, shown, systems, end)
    return finish(figure, small=small)


def _named(of: SystemCurves, groups: list[int], systems: Sequence[str]) -> tuple[str, str]:
    """Legend and dash of a curve: the dash tells groups apart, or else systems."""
    if len(groups) == 1 and groups[0] == 1:
        return of.system, DASHES[systems.index(of.system) % len(DASHES)]
    words = "all" if of.at_least == 1 else f"at least {of.at_least} queries"
    return f"{of.system}, {words}", DASHES[groups.index(of.at_least)]


def _add_strip(
    figure: go.Figure,
    curves: SessionCurves,
    shown: list[SystemCurves],
    systems: Sequence[str],
    end: int,
) -> None:
    """Sessions still running, as steps beneath the curves."""
    step = curves.per_query or 1
    least = min((of.at_least for of in shown), default=1)
    ours = [of for of in shown if of.at_least == least]
    for of in ours:
        running = of.running[: end // step]
        dash = DASHES[systems.index(of.system) % len(DASHES)]
        figure.add_trace(
            go.Scatter(
                x=np.repeat(np.arange(running.size + 1), 2)[1:-1] * step,
                y=np.repeat(running, 2),
                name=f"{of.system}, still running",
                mode="lines",
                line={"color": colour(systems, of.system), "width": 2, "dash": dash},
                yaxis="y2",
                showlegend=False,
                hovertemplate="%{y} sessions",
            )
        )
    most = max((int(of.running.max(initial=0)) for of in ours), default=1)
    figure.update_layout(
        yaxis={"domain": [0.27, 1]},
        yaxis2={
            "domain": [0, 0.17],
            "anchor": "x",
            "range": [0, 1.12 * most],
            "nticks": 3,
            "title": {"text": "Still running"},
        },
        xaxis={"anchor": "y2"},
    )
