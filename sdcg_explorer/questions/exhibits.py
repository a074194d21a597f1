"""What can be taken away of an answer: numbers and the figures that show them, by file name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.analysis.curves.side_by_side import SideBySide
from sdcg_explorer.analysis.curves.stopping import Stopping
from sdcg_explorer.analysis.inventory.overview import Overview
from sdcg_explorer.analysis.ratings.agreement import Agreement
from sdcg_explorer.analysis.ratings.agreement_map import AgreementMap
from sdcg_explorer.analysis.ratings.versions import VERSIONS
from sdcg_explorer.analysis.robustness.robustness import Robustness
from sdcg_explorer.analysis.robustness.specification import AllDefinitions
from sdcg_explorer.analysis.sessions.inspector import Inspected
from sdcg_explorer.analysis.sessions.reformulations import Reformulations
from sdcg_explorer.analysis.sessions.session_heatmap import Wall
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.last_against_others import LastAgainstOthers
from sdcg_explorer.analysis.systems.next_study import NextStudy
from sdcg_explorer.figures.agreement import draw_agreement, draw_agreement_map
from sdcg_explorer.figures.all_definitions import draw_all_definitions
from sdcg_explorer.figures.compare_systems import draw_compare_systems
from sdcg_explorer.figures.inspector import draw_inspector
from sdcg_explorer.figures.next_study import draw_next_study
from sdcg_explorer.figures.overview import draw_judged_share, draw_overview
from sdcg_explorer.figures.pairs import draw_pairs
from sdcg_explorer.figures.reformulations import (
    draw_by_query,
    draw_changes,
    draw_first_queries,
    draw_shares,
)
from sdcg_explorer.figures.robustness import draw_order, draw_robustness
from sdcg_explorer.figures.session_curves import draw_session_curves

APART = "Where score and rating disagree most"
EVERY_PAIR = "Every pair of systems"
LAST_AGAINST_OTHERS = "Last queries against the others of their sessions"
NEXT_STUDY = "Units that a next study needs"
STILL_SEARCHING = "Share of sessions still searching after each query"
MOST_TOPICS = 12  # that are drawn beside each other


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Numbers as a table, what they are, and the figure that shows them, where one does.

    given : the table, or what makes it when it is asked for, where it is large · said : what it
    says in a sentence, where that is not the page's answer · of_study : of the whole study,
    whatever definition and filters are in force
    """

    caption: str
    given: pd.DataFrame | Callable[[], pd.DataFrame]
    figure: go.Figure | None = None
    said: str = ""
    of_study: bool = False

    @property
    def table(self) -> pd.DataFrame:
        """The numbers; a large table is made anew each time."""
        return self.given() if callable(self.given) else self.given


Exhibits = dict[str, Exhibit]


def of_overview(seen: Overview, systems: Sequence[str]) -> Exhibits:
    """Table 2, and how much of what was shown is judged."""
    if not seen.sessions:
        return {}
    return {
        "sessions_by_length": Exhibit(
            "Sessions by their number of queries", seen.table(), draw_overview(seen, systems)
        ),
        "judged_share": Exhibit(
            "Judged share of the results by rank",
            seen.judged_table(),
            draw_judged_share(seen, systems),
        ),
    }


def of_stopping(stopped: Stopping) -> Exhibits:
    """The share of each system's sessions that goes on after each query."""
    return {"stopping": Exhibit(STILL_SEARCHING, stopped.table(), said=stopped.said())}


def of_reformulations(
    steps: Reformulations, systems: Sequence[str], *, length: int | None = None, focus: str = ""
) -> Exhibits:
    """What each step did, changes, means by query number, and the worth of first queries."""
    if not len(steps.changes):
        return {}
    by_query = {
        f"{measure}_by_query": Exhibit(
            f"Mean {measure} by query number",
            steps.by_query,
            draw_by_query(steps, systems, measure, length=length, focus=focus),
        )
        for measure in steps.shown_by_query
    }
    changes = draw_changes(steps, systems) if len(steps.boxes(steps.changes)) else None
    first = draw_first_queries(steps, systems) if len(steps.boxes(steps.first)) else None
    return {
        "reformulation_shares": Exhibit(
            f"Reformulations that gained, stayed and lost in {steps.words}, by step",
            steps.shares,
            draw_shares(steps, systems, length=length),
        ),
        "reformulations": Exhibit(f"Change of {steps.words} by step", steps.changes, changes),
        **by_query,
        "first_queries": Exhibit(
            "Worth of the first query by the number of queries", steps.first, first
        ),
    }


def of_compare_systems(
    compared: Comparison, last: LastAgainstOthers, systems: Sequence[str]
) -> Exhibits:
    """Sessions and means of the systems, on all topics and by topic; last queries and others."""
    exhibits: Exhibits = {}
    if compared.names:
        figure = draw_compare_systems(compared, systems)
        exhibits["compare_systems"] = Exhibit("Score of each session", compared.points, figure)
        exhibits["means"] = Exhibit("Means by system", compared.systems)
    if 1 < compared.by_topic["topic"].nunique() <= MOST_TOPICS:
        figure = draw_compare_systems(compared, systems, by_topic=True)
        exhibits["means_by_topic"] = Exhibit("Means by topic", compared.by_topic, figure)
    if compared.pairs:
        figure = draw_pairs(compared) if compared.has_several else None
        exhibits["pairs"] = Exhibit(EVERY_PAIR, compared.short_table(), figure)
    if last.differences:
        exhibits["last_against_others"] = Exhibit(LAST_AGAINST_OTHERS, last.table())
    return exhibits


def of_wall(seen: Wall) -> Exhibits:
    """What each query of each session brought, in the order of the wall, and how each ended."""
    return {"wall": Exhibit("What each query brought", seen.table, said=seen.answer())}


def of_next_study(planned: NextStudy | None) -> Exhibits:
    """Power by the number of units, where a study can be planned."""
    if planned is None or not planned.plans:
        return {}
    figure, said = draw_next_study(planned), planned.answer()
    return {"next_study": Exhibit(NEXT_STUDY, planned.table(), figure, said)}


def of_agreement(
    shown: Agreement, coefficients: pd.DataFrame, grid: AgreementMap, at: tuple[float, float]
) -> Exhibits:
    """Every score beside a rating, one of them over b × bq, and where the two disagree."""
    if not shown.number:
        return {}
    figure = None if grid.is_flat else draw_agreement_map(grid, at)
    rating = shown.asked.rating
    over = f"{grid.words} of {grid.score} with {rating}, {VERSIONS[grid.version]}, over b and bq"
    exhibits = {
        "agreement": Exhibit(f"Scores beside {rating}", coefficients, draw_agreement(shown)),
        "agreement_map": Exhibit(over, grid.table(), figure),
        "agreement_apart": Exhibit(f"{APART}: {shown.score}, {rating}", shown.disagreeing()),
    }
    if shown.systems:
        table = pd.DataFrame(shown.systems)
        exhibits["agreement_systems"] = Exhibit("Systems preferred by score and rating", table)
    return exhibits


def of_robustness(
    seen: Robustness, at: tuple[float, float], every: AllDefinitions | None = None
) -> Exhibits:
    """The map, that of the order of sessions with one system, and all definitions if asked for."""
    table, figure = seen.table(), draw_robustness(seen, at)
    exhibits = {"robustness": Exhibit(f"{seen.words.capitalize()} over b and bq", table, figure)}
    if seen.has_order:
        words = "Rank correlation of sessions with those at the present point"
        exhibits["order_of_sessions"] = Exhibit(words, table, draw_order(seen, at))
    if every:
        figure, said = draw_all_definitions(every), every.answer()
        words = f"{seen.words.capitalize()} under all reasonable definitions"
        exhibits["all_definitions"] = Exhibit(words, every.table(), figure, said)
    return exhibits


def of_inspector(session: Inspected, systems: Sequence[str]) -> Exhibit:
    """One session's curve beside the ideal, position by position."""
    place = np.arange(1, session.vector.size + 1)
    columns = {"position": place, "value": session.vector, "ideal": session.ideal}
    figure = draw_inspector(session, systems) if session.vector.size else None
    return Exhibit(session.title(), pd.DataFrame(columns), figure)


def of_side_by_side(
    shown: SideBySide, systems: Sequence[str], *, length: int | None = None, focus: str = ""
) -> Exhibits:
    """Mean session curves under each definition."""
    return {
        re.sub("[^a-z0-9]+", "_", f"under {under.name}".lower()).strip("_"): Exhibit(
            f"Mean session curves under {under.name}",
            under.curves.table(),
            draw_session_curves(under.curves, systems, length=length, focus=focus),
        )
        for under in shown.each
        if under.ranked
    }
