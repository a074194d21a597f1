"""Figures 2 and 3 of ECIR 2008: mean session curves, and the share of sessions still searching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import style
from sdcg_explorer.figures.panels import draw_by_system, needs_panels
from sdcg_explorer.metrics.arrays import Ints
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, SystemCurves
from sdcg_explorer.study.wording import capital

AXES = {
    "normalised": "Share of the ideal (nsDCG)",
    "raw": "sDCG (gain)",
    "saw-tooth": "Share of the query's ideal",
    "srbp": "sRBP (gain / highest gain)",
    "rbp": "Sum of the queries' RBP (gain / highest gain)",
}
SHARE, NUMBER = "%{y:.3f}", "%{y:,.3r}"
HOVER = {"normalised": SHARE, "raw": NUMBER, "saw-tooth": SHARE, "srbp": NUMBER, "rbp": NUMBER}


def draw_session_curves(
    curves: SessionCurves,
    systems: Sequence[str],
    *,
    measure: str = "normalised",
    length: int | None = None,
    small: bool = False,
    focus: str = "",
    beside: SessionCurves | None = None,
    least: float = 0.0,
) -> go.Figure:
    """One line per system and least number of queries, to `length` queries; a strip beneath.

    Without a `length` axes end where few sessions run. The strip shows which share of each
    system's sessions still search at each query; a small figure has neither it nor a legend. Of
    many systems each has a panel, and no strip, unless one is in `focus`. Curves `beside` are
    faint; the axis ends at `least` or higher.
    """
    end = curves.end(length)
    queries = end // curves.per_query if curves.per_query else curves.most_queries
    x = np.arange(1, end + 1, dtype=float)
    shown, still = (
        [of for of in each.curves if of.curve(measure).sessions.any()] if each else []
        for each in (curves, beside)
    )
    groups, groups_beside = (sorted({of.at_least for of in each}) for each in (shown, still))
    drawn = [(of, of.curve(measure)) for of in shown]
    traces = style.bands(systems, x, ((of.system, c.low, c.high) for of, c in drawn))
    for of in still:
        values, look = of.curve(measure).mean[:end], _labelled(of, groups_beside)
        whole = style.line(systems, of.system, x[: values.size], values, "", **look)
        traces.append(style.kept_curve(whole))
    for of, curve in drawn:
        look = _labelled(of, groups)
        whole = style.line(systems, of.system, x, curve.mean[:end], HOVER[measure], **look)
        own = len(systems) * groups.index(of.at_least) + systems.index(of.system)
        whole |= style.live_runs((own, 0, end))
        traces += thinned_curve(whole, min(of.thin_from * (curves.per_query or 1), end))
    every = [values[:end] for _, curve in drawn for values in (curve.mean, curve.high)]
    top = style.ceiling([*every, *(of.curve(measure).mean[:end] for of in still)], least)
    across = style.position_axis(curves.per_query, queries, end)
    up = style.axis(AXES[measure], (0, top))
    ideal = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1}
    shapes = [ideal | {"line": {"color": style.FAINT}}] * (measure == "normalised" and top > 1)
    if small and not focus:
        return style.figure(traces, across, up, small=True, shapes=shapes)
    words = {} if groups == [1] else {_labelled(of, groups)["dash"]: of.group for of in shown}
    whole = {"systems": systems, "focus": focus, "groups": words, "shapes": shapes}
    if small:
        return draw_by_system(traces, across, up, small=True, showlegend=False, height=205, **whole)
    if needs_panels(len({of.system for of in shown}), len(groups), focus):
        return draw_by_system(traces, across, up, **whole)
    per_step, least = curves.per_query or 1, min(groups, default=1)
    x = np.repeat(np.arange(end // per_step + 1), 2)[1:-1] * per_step
    steps = [
        session_steps(systems, of, x, np.repeat(of.running[: end // per_step], 2))
        | {"mode": "lines+markers", "marker": {"symbol": mark, "size": 6, "maxdisplayed": 11}}
        for of in shown
        if of.at_least == least
        for mark in [style.MARKS[style.place(systems, of.system)]]
    ]
    return draw_above_steps(traces, steps, across, up, **whole)


def draw_above_steps(
    traces: list[style.Parts],
    steps: list[style.Parts],
    across: style.Parts,
    up: style.Parts,
    counted: str = "still searching",
    **look: Any,
) -> go.Figure:
    """Curves, and beneath them the share of sessions that are `counted`, as steps."""
    below = {"domain": [0, 0.17], "anchor": "x", "tickvals": [0, 0.5, 1], "tickformat": ".0%"}
    beneath = {"yaxis2": style.axis(capital(counted), (0, 1.1), **below), "height": 480}
    across, up = across | {"anchor": "y2"}, up | {"domain": [0.27, 1]}
    for step in steps:
        step["name"] = style.plotly_safe(f"{step['of']}, {counted}", step["of"])
    return draw_by_system(traces + steps, across, up, **beneath, **look)


def session_steps(
    systems: Sequence[str], of: SystemCurves, x: Any, running: Ints, **line: str
) -> style.Parts:
    """Share of a system's sessions that go on, as steps."""
    own = style.place(systems, of.system)
    share = running / max(1, int(of.raw.sessions.max(initial=0)))
    return style.scatter(x, share, of.system, "lines") | {
        "of": of.system,
        "customdata": running,
        "line": {"color": style.COLOURS[own], "width": 2, **line},
        "yaxis": "y2",
        "showlegend": False,
        "hovertemplate": "%{y:.0%}; sessions: %{customdata:,}",
    }


def thinned_curve(whole: style.Parts, few: int) -> list[style.Parts]:
    """A curve that is thin from position `few` on, where few sessions are still running."""
    thin = {"line": whole["line"] | {"width": 1.1}, "marker": whole["marker"] | {"size": 5}}
    if few == whole["x"].size:
        return [whole]
    if not few:
        return [whole | thin]
    ((own, _, end),) = whole["meta"]["live"]["runs"]
    first = {"x": whole["x"][:few], "y": whole["y"][:few], "label": None}
    first |= style.live_runs((own, 0, few))
    rest = {"x": whole["x"][few - 1 :], "y": whole["y"][few - 1 :], "showlegend": False}
    rest["name"] = f"{whole['name']}, few sessions"
    rest |= style.live_runs((own, few - 1, end - few + 1))
    return [whole | first, whole | thin | rest]


def _labelled(of: SystemCurves, groups: list[int]) -> dict[str, str]:
    """Legend and dash of a curve: the dash tells groups apart."""
    dash = style.DASHES[groups.index(of.at_least) % len(style.DASHES)]
    return {"name": of.system if groups == [1] else f"{of.system}, {of.group}", "dash": dash}
