"""Figures of the report, drawn again from the analyses."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.side_by_side import side_by_side
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.analysis.robustness.all_definitions import all_definitions
from sdcg_explorer.analysis.robustness.robustness import Robustness, robustness
from sdcg_explorer.analysis.sessions.individual_sessions import individual_sessions
from sdcg_explorer.analysis.sessions.reformulations import BY_QUERY, Reformulations, reformulations
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.figures.all_definitions import draw_all_definitions
from sdcg_explorer.figures.compare_systems import draw_compare_systems
from sdcg_explorer.figures.individual_sessions import draw_individual_sessions
from sdcg_explorer.figures.next_study import draw_next_study
from sdcg_explorer.figures.overview import draw_judged_share, draw_overview
from sdcg_explorer.figures.pairs import draw_pairs
from sdcg_explorer.figures.query_order import draw_query_order
from sdcg_explorer.figures.reformulations import (
    draw_by_query,
    draw_changes,
    draw_first_queries,
    draw_shares,
)
from sdcg_explorer.figures.robustness import draw_order, draw_robustness
from sdcg_explorer.figures.session_curves import draw_session_curves
from sdcg_explorer.questions.compare_systems import plan_of
from sdcg_explorer.study.study import Study


def drawn(study: Study, definition: Definition, filters: Filters) -> list[Any]:
    """Figures drawn here from the analyses, in the order of the pages."""
    asked, systems = (study, definition, filters), study.block().system_names
    counts, order = overview(*asked), query_order(*asked, depth=100, bands=True)
    figures: list[Any] = [draw_overview(counts, systems), draw_judged_share(counts, systems)]
    if any(curve.queries for curve in order.curves):
        figures.append(draw_query_order(order, systems))
    if (curves := session_curves(*asked, bands=True)).sessions:
        figures += [draw_session_curves(curves, systems, measure=m) for m in ("normalised", "raw")]
    if (each := individual_sessions(*asked)).names:
        figures.append(draw_individual_sessions(each, systems))
    if len((steps := reformulations(*asked)).changes):
        figures += drawn_of(steps, systems)
    if (compared := compare_systems(*asked)).names:
        figures.append(draw_compare_systems(compared, systems))
    if 1 < compared.by_topic["topic"].nunique() <= 12:
        figures.append(draw_compare_systems(compared, systems, by_topic=True))
    if compared.has_several:
        figures.append(draw_pairs(compared))
    if compared.pairs and (planned := plan_of(compared, compared.most)).plans:
        figures.append(draw_next_study(planned))
    held = robustness(*asked)
    figures += drawn_over_the_plane(held, (definition.b, definition.bq))
    if len(held.systems) > 1 and held.is_known and len(study.sessions) <= 1_000:
        every = all_definitions(*asked)
        figures += [draw_all_definitions(every)] if every else []
    shown = [under for under in side_by_side(*asked).each if under.ranked]
    return figures + [draw_session_curves(under.curves, systems) for under in shown]


def drawn_over_the_plane(held: Robustness, at: tuple[float, float]) -> list[Any]:
    """The map of a difference, or of a mean and of the order of sessions."""
    maps = [draw_robustness(held, at)] if held.is_known else []
    return [*maps, draw_order(held, at)] if held.has_order else maps


def drawn_of(steps: Reformulations, systems: tuple[str, ...]) -> list[Any]:
    """Figures of a study with reformulations."""
    by_query = [draw_by_query(steps, systems, measure) for measure in BY_QUERY]
    changes = [draw_changes(steps, systems)] * bool(len(steps.boxes(steps.changes)))
    first = [draw_first_queries(steps, systems)] * bool(len(steps.boxes(steps.first)))
    return [draw_shares(steps, systems), *changes, *by_query, *first]
