"""What searchers looked at beside the weights of models, and the error over b and bq."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.fits.fit import Fits
from sdcg_explorer.analysis.robustness.base_grid import GRID
from sdcg_explorer.figures import style
from sdcg_explorer.figures.base_grid_map import PlaneMap, draw_plane_map
from sdcg_explorer.figures.style import scatter

FAR = 4.0  # times the least error, where colours end
POSITIONS = 60  # that are drawn at most; queries beyond count all the same


def draw_fit(shares: Floats, models: Mapping[str, Floats], *, small: bool = False) -> go.Figure:
    """Shares of what was looked at (Q, R) as points, query by query; weights (Q, R) as lines."""
    queries, ranks = shares.shape
    shown = max(1, min(queries, POSITIONS // ranks))
    place = np.arange(1.0, shown * ranks + 1)
    own = shares[:shown].ravel()
    traces: list[style.Parts] = [
        scatter(
            place,
            own,
            "looked at",
            "markers",
            marker={"color": style.GREY, "size": 5 if small else 7},
            hovertemplate="%{y:.1%} of all that was looked at",
        )
    ]
    for i, (name, weights) in enumerate(models.items()):
        traces.append(_weights(place, weights[:shown], name, i))
    values = [own, *(weights[:shown].ravel() for weights in models.values())]
    across = style.position_axis(ranks, shown, shown * ranks)
    if ranks == 1:
        across = style.axis("Query of the session", (0, shown + 1))
    up = style.axis("Share of what was looked at", (0, style.ceiling(values)), tickformat="~%")
    return style.figure(traces, across, up, small=small)


def _weights(place: Floats, weights: Floats, name: str, i: int) -> style.Parts:
    """A model's line, with a gap after each query; models differ by dash, as no system is one."""
    ranks = weights.shape[1]
    gaps = np.arange(ranks, place.size, ranks) if ranks > 1 else np.empty(0, np.int64)
    look = {"color": style.GREY, "dash": style.DASHES[i], "width": 2.5}
    return scatter(
        np.insert(place, gaps, np.nan),
        np.insert(weights.ravel(), gaps, np.nan),
        name,
        "lines",
        line=look,
        hovertemplate="%{y:.1%}",
    )


def draw_fit_map(fits: Fits, at: tuple[float, float]) -> go.Figure:
    """TSE of sDCG over b and bq, its valley (the best b at each bq), the fit and the present."""
    own = fits.of(f"sdcg_{fits.form}")
    marks = () if own is None else (("least squares", *own.values.tolist()),)
    words = f"TSE of sDCG {fits.form}, times the least"
    valley = np.asarray(GRID)[fits.valley]
    seen = PlaneMap(
        *(fits.errors / fits.errors.min(), GRID, GRID, words, at),
        marks=marks,
        valley=valley,
        reach=FAR,
    )
    return draw_plane_map(seen, number=".3g")
