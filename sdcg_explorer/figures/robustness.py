"""Does the answer hold? The difference of two systems, or one's mean, over b and bq."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from sdcg_explorer.analysis.robustness.robustness import Robustness
from sdcg_explorer.figures.base_grid_map import PlaneMap, draw_plane_map
from sdcg_explorer.figures.lettering import plotly_safe, wrapped
from sdcg_explorer.figures.style import COLOURS, GREY, place

ROOM = 26.0  # sizes of the text beside the scale of colours


def draw_robustness(of: Robustness, at: tuple[float, float], systems: Sequence[str]) -> go.Figure:
    """The map of a difference, second less first, hatched where 0 is in its interval; or of a mean.

    at : the present point, b and bq · systems : all of the study; where one is ahead, the map has
    its colour
    """
    own = [COLOURS[place(systems, name)] for name in of.systems]
    if len(of.systems) > 1:
        first, second = (plotly_safe(name) for name in of.systems)
        words = wrapped(f"{second} − {first} ({plotly_safe(of.unit)})", ROOM)
        hatched = None if of.has_no_interval else ~of.lead.clear
        corrected = f", corrected for {of.pairs:,} pairs," if of.pairs > 1 else ""
        meant = f"its interval{corrected} holds 0"
        seen = PlaneMap(of.value, of.b, of.bq, words, at, hatched, meant, ends=(own[0], own[1]))
    else:
        (name,) = map(plotly_safe, of.systems)
        words = wrapped(f"{name}, mean ({plotly_safe(of.unit)})", ROOM)
        seen = PlaneMap(of.value, of.b, of.bq, words, at, ends=(GREY, own[0]))
    return draw_plane_map(seen, number=".3g")


def draw_order(of: Robustness, at: tuple[float, float]) -> go.Figure:
    """The map of the rank correlation of one system's sessions with those at the present point."""
    words = "Rank correlation with the present point"
    return draw_plane_map(PlaneMap(of.correlation, of.b, of.bq, words, at, reach=1.0))
