"""How figures look, whole: drawn from a few made-up values, each trace and the layout told."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.export.figure_files import paper_figure
from sdcg_explorer.figures import style
from sdcg_explorer.figures.base_grid_map import BaseGridMap, draw_base_grid_map
from sdcg_explorer.figures.panels import draw_by_system
from tests.answers.made import FOLDER, told_value, unpacked

SYSTEMS = ["A", "base & line", "a_long_name-of/a system, that has no room in one line", *"DEFGH"]
X, RANKS = np.arange(1.0, 6.0), style.axis("Rank in the list of results", (0, 6), tickformat="~%")
POSITIONS = style.position_axis(10, 29, 290)
FORMS = {"solid": "last query", "8px,4px": "other queries"}


def curves(count: int, height: float = 1.0, dash: str = "solid") -> list[style.Parts]:
    """Curves of the first systems, the n-th n high, with a gap at the end of the first."""
    made = [
        style.line(SYSTEMS, name, X, height * n * np.sqrt(X), f"%{{y}} of {n}", dash=dash)
        | style.live_runs((n, 0, X.size))
        for n, name in enumerate(SYSTEMS[:count], start=1)
    ]
    made[0]["y"][-1] = np.nan
    return made


def band(count: int) -> list[style.Parts]:
    """Intervals about the curves."""
    drawn = [(each["of"], each["y"] - 0.5, each["y"] + 0.25) for each in curves(count)]
    return style.bands(SYSTEMS, X, [*drawn, (SYSTEMS[0], X * np.nan, X)])


def up(*values: np.ndarray, least: float = 0.0) -> style.Parts:
    """The vertical axis of curves or values."""
    return style.axis(
        "sDCG", (0, style.ceiling(values or [each["y"] for each in curves(2)], least))
    )


def by_system(count: int, x: style.Parts = RANKS, **look: Any) -> go.Figure:
    """Curves of systems with their intervals, and what was kept of the first."""
    traces = [*band(count), *curves(count), style.kept_curve(curves(1, 0.8)[0])]
    return draw_by_system(traces, x, up(), systems=SYSTEMS, **look)


def in_groups(count: int) -> go.Figure:
    """Two curves of each system."""
    traces = [each for n, dash in enumerate(FORMS, 1) for each in curves(count, n, dash)]
    return draw_by_system(traces, POSITIONS, up(), systems=SYSTEMS, groups=FORMS)


def points() -> go.Figure:
    """Sessions of systems as points beside each other, means with intervals, a line at 0."""
    table = pd.DataFrame({"session": ["s1", "<b>", "s3"], "score": [1.5, -2.0, 3.25]})
    low, mean, high = (np.array([each]) for each in (-1.0, 0.5, 2.5))
    traces = [
        *(style.session_points(n, [n] * 3, table, SYSTEMS[n], 8, ", topic 1") for n in (0, 2)),
        style.scatter([0], mean, "mean", "markers")
        | {"error_y": style.whiskers(low, mean, high, color=style.GREY)},
    ]
    shapes, ends = [style.zero_line(style.FAINT)], style.padded_range(-2, 3.25, 0.06)
    x, y = style.names_axis("System", SYSTEMS[:3]), style.axis("Difference", ends)
    return style.figure(traces, x, y, shapes=shapes, height=300)


def base_grid_map(low: float, high: float, *, hatched: bool = True, **more: Any) -> go.Figure:
    """Values between two over four b and three bq."""
    values = np.linspace(low, high, 12).reshape(4, 3) ** 3
    values[1, 2] = np.nan
    no_interval = np.eye(4, 3, dtype=bool) & hatched
    bases = (1.5, 2.0, 4.0, 10.0), (1.1, 4.0, 1000.0)
    return draw_base_grid_map(
        BaseGridMap(values, *bases, "difference of sDCG", (2.0, 4.0), no_interval, **more)
    )


MARKS = {"marks": (("paper", 2.0, 4.0), ("below", 1.2, 2000.0)), "ends": ("#000001", "#000002")}
LOOKS: dict[str, Callable[[], go.Figure]] = {
    "two curves": lambda: by_system(2),
    "three curves, small": lambda: by_system(3, small=True),
    "seven curves": lambda: by_system(7),
    "seven curves, of positions": lambda: by_system(7, POSITIONS),
    "one of eight in focus": lambda: by_system(8, focus=SYSTEMS[4]),
    "curves in groups": lambda: in_groups(3),
    "panels in groups": lambda: in_groups(4),
    "a curve over a session": lambda: style.figure(
        curves(1), style.query_ends_axis([3, 5, *range(6, 24)], 24), up(least=50.0)
    ),
    "positions of lists of many lengths": lambda: style.figure(
        band(1), style.position_axis(None, 3, 12), up(np.array([np.nan]), np.array([]))
    ),
    "points": points,
    "a map about 0": lambda: base_grid_map(-2.0, 3.0, **MARKS),
    "a map above 0": lambda: base_grid_map(0.1, 0.35, hatched=False, reach=0.05),
    "a map of one value": lambda: base_grid_map(0.0, 0.0),
    "two curves on paper": lambda: paper_figure(by_system(2)),
    "panels on paper": lambda: paper_figure(by_system(7, POSITIONS)),
    "a map on paper": lambda: paper_figure(base_grid_map(-2.0, 3.0, **MARKS)),
}


def text_of(name: str) -> str:
    """All parts of a figure, a line each, as they are kept."""
    return "".join(f"{line}\n" for line in _parts(LOOKS[name]().to_plotly_json()))


def _parts(part: Any, of: str = "") -> Iterator[str]:
    if isinstance(part, Mapping) and "bdata" in part:
        part = unpacked(part)
    if isinstance(part, Mapping):
        for name, each in sorted(part.items()):
            if name != "template":  # Plotly's own
                yield from _parts(each, f"{of}.{name}".removeprefix("."))
    elif isinstance(part, (list, tuple)) and any(isinstance(each, Mapping) for each in part):
        for i, each in enumerate(part):
            yield from _parts(each, f"{of}[{i}]")
    else:
        yield f"{of}: {told_value(part)}"


def path_of(name: str) -> Path:
    """Where it is kept."""
    return FOLDER / "kept" / f"look-{name.replace(',', '').replace(' ', '_')}.txt"
