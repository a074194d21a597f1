"""How far each score goes with a rating: a dot with its interval for every score and version."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.figures import base_grid_map, style
from sdcg_explorer.questions.ratings.numbers import Agreement, AgreementMap
from sdcg_explorer.questions.ratings.words import version_words
from sdcg_explorer.scoring.base_grid import GRID
from sdcg_explorer.statistics.correlations import VERSIONS

ROW, AROUND = 42, 120  # pixels of a score, and of axis and legend
# where the axis may end, beyond the furthest interval
STEPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
SIGNS = ("triangle-down", "hourglass", "bowtie")  # of versions: no system has these


def draw_agreement(shown: Agreement) -> go.Figure:
    """Scores from top to bottom, three versions of each, beside 0; the chosen score in bold."""
    names = [*shown.found]
    down = np.arange(len(names), 0, -1, dtype=float)
    found = [[of[version] for version in VERSIONS] for _, _, of in shown.found.values()]
    each = np.array(found, dtype=float).reshape(-1, len(VERSIONS), 3)  # value, low, high
    named = {version: version_words(version, shown.units) for version in VERSIONS}
    traces = [
        style.scatter(value, down - 0.25 * (place - 1), named[version], "markers")
        | {
            "marker": {"color": style.GREY, "symbol": SIGNS[place], "size": 9},
            "error_x": style.whiskers(low, value, high, color=style.GREY, thickness=2, width=4),
            "customdata": np.array(names, dtype=object),
            "hovertemplate": "%{customdata}: %{x:.3f}<extra>%{fullData.name}</extra>",
        }
        for place, version in enumerate(VERSIONS)
        for value, low, high in [each[:, place].T]
    ]
    furthest = float(np.abs(each[~np.isnan(each)]).max(initial=0.0))
    reach = next((step for step in STEPS if step > furthest), 1.0) + 0.02
    ticks = style.ticks(down.tolist(), [f"<b>{n}</b>" if n == shown.score else n for n in names])
    ticks |= {"tickfont": {"size": 13}}
    y = style.axis("", (0.4, len(names) + 0.6), **ticks, showgrid=False)
    title = f"{shown.asked.words}, 95% interval"
    x = style.axis(title, (-reach, reach), gridcolor=style.FAINT, nticks=5)
    look = {"shapes": [style.zero_line(style.FAINT)], "height": AROUND + ROW * len(names)}
    return style.figure(traces, x, y, hovermode="closest", **look)


def draw_agreement_map(grid: AgreementMap, at: tuple[float, float]) -> go.Figure:
    """The coefficient over b × bq, with the best point and the one in force."""
    best = (("best here", *grid.best),) if grid.best else ()
    shown = base_grid_map.BaseGridMap(grid.values, GRID, GRID, grid.asked.words, at, marks=best)
    return base_grid_map.draw_base_grid_map(shown, number=".3f")
