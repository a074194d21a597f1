"""What reformulations bring: changes by step, and what each query adds, as small figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import panels, style
from sdcg_explorer.questions.reformulations.numbers import OUTCOMES, Reformulations
from sdcg_explorer.scoring.mean_curves import THIN

AXES = {
    "found": "Relevant documents found",
    "novelty": "Novelty (share of the query's relevant documents)",
    "coverage": "Coverage (share of known relevant documents)",
}
SHARES = ("novelty", "coverage", "ndcg", "relative_recall")

BOX = {"q1": "p25", "median": "p50", "q3": "p75", "lowerfence": "p5", "upperfence": "p95"}
WORDS = {"gained": "gained", "stayed": "unchanged", "lost": "lost"}


def draw_shares(
    steps: Reformulations, systems: Sequence[str], *, length: int | None = None
) -> go.Figure:
    """Which share of each step's reformulations gained, stayed and lost: a panel a system."""
    end = length or steps.end()
    table = steps.shares[steps.shares["step"] <= end]
    own = {str(name): rows for name, rows in table.groupby("system", sort=False)}
    bars = {
        name: [
            _bar(rows, word, style.COLOURS[style.place(systems, name)])
            | {"name": style.plotly_safe(f"{name}, {WORDS[word]}", name)}
            for word in OUTCOMES
        ]
        for name, rows in own.items()
    }
    entries = [_bar(table[:1], word, style.GREY) | {"x": [None], "y": [None]} for word in OUTCOMES]
    labels = dict[str, style.Parts]()  # each step, and beneath it how many reformulations it had
    for name, rows in own.items():
        each = rows[["step", "number"]].itertuples(index=False)
        labels[name] = style.ticks(rows["step"].tolist(), [f"{step}<br>{n:,}" for step, n in each])
    x = style.axis("Step (query number) and number of reformulations", (1.4, end + 0.6))
    y = style.axis("Share of reformulations", (0, 1), tickformat=".0%", nticks=3)
    return panels.draw_panels(
        bars, x, y, systems, entries=entries, labels=labels, barmode="stack", bargap=0.15
    )


def _bar(rows: Any, word: str, colour: str) -> style.Parts:
    """A system's reformulations that did one thing, as shares of each step; few are faint."""
    number = rows["number"].to_numpy(dtype=float)
    return {
        "type": "bar",
        "x": rows["step"].to_numpy(),
        "y": rows[word].to_numpy(dtype=float) / number,
        "name": WORDS[word],
        "marker": {
            "color": style.FAINT if word == "stayed" else colour,
            "opacity": np.where(number < THIN, 0.45, 1.0),
            "pattern": {"shape": "/" * (word == "lost"), "size": 6},
        },
        "customdata": number,
        "hovertemplate": "%{y:.0%} of %{customdata:,}",
    }


def axis_of_means(steps: Reformulations, measure: str) -> str:
    """What a mean by query number is of."""
    return AXES.get(measure) or f"Mean {steps.words}{steps.unit}"


def draw_by_query(
    steps: Reformulations,
    systems: Sequence[str],
    measure: str,
    *,
    length: int | None = None,
    focus: str = "",
    small: bool = False,
) -> go.Figure:
    """Mean of a measure by query number, one line per system; of many each has a panel."""
    most = length or steps.end()
    table = steps.by_query[steps.by_query["query_number"] <= most]
    traces: list[style.Parts] = []
    for system, rows in table.groupby("system", sort=False):
        x = rows["query_number"].to_numpy(dtype=float)
        traces.append(style.line(systems, str(system), x, rows[measure].to_numpy(), "%{y:.3f}"))
    values = table[measure].to_numpy()
    is_share = measure in SHARES and not np.any(values > 1)  # own grades may pass the ideal's
    top = 1.05 if is_share else style.ceiling([values])
    x = style.axis("Query number", (0.5, most + 0.5), dtick=max(1, -(-most // 6)), tickformat="d")
    y = style.axis(axis_of_means(steps, measure), (0, top))
    if small:
        return style.figure(traces, x, y, small=True)
    return panels.draw_by_system(traces, x, y, systems=systems, focus=focus, height=380)


def draw_boxes(steps: Reformulations, systems: Sequence[str], place_of: str) -> go.Figure:
    """Boxes by system of changes at each step, or of first queries by their sessions' `queries`."""
    across, up = "Queries in the session", f"First query's {steps.words}{steps.unit}"
    if place_of == "step":
        across, up = "Step (query number)", f"Change of {steps.words}{steps.unit}"
    table = steps.rows_with_boxes(steps.changes if place_of == "step" else steps.first)
    traces: list[style.Parts] = [
        {
            "type": "box",
            **{part: rows[column].to_numpy() for part, column in {"x": place_of, **BOX}.items()},
            "name": style.plotly_safe(str(system)),
            "line": {"color": style.COLOURS[own]},
            "whiskerwidth": 0.4 if own % 2 else 1,
        }
        for system, rows in table.groupby("system", sort=False)
        for own in [style.place(systems, str(system))]
    ]
    ends = table[["p5", "p95"]].to_numpy()
    low, high = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 1.0)
    most = int(np.max(table[place_of].to_numpy(), initial=1))
    x = style.axis(across, (0.4, most + 0.6), dtick=max(1, most // 12), tickformat="d")
    y = style.axis(up, style.padded_range(low, high, 0.06), zeroline=True)
    return style.figure(traces, x, y, boxmode="group", height=380)
