"""Do sessions that cost more bring more? Each session's cost in all beside a score of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.costs.costs import Cost, cost_named, totals_of, without_end
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.ratings.rating_scores import may_have, named_score, score_of, scores_of
from sdcg_explorer.analysis.ratings.versions import Paired
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.other_measures import Measured, measured
from sdcg_explorer.analysis.sessions.registry import USUAL
from sdcg_explorer.analysis.statistics.correlations import Coefficient, between
from sdcg_explorer.analysis.systems.means import points_of, scored_of
from sdcg_explorer.analysis.systems.outcome import outcomes_of, right_of
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.metrics import Score
from sdcg_explorer.study.study import Study

OUTCOME = "outcome: "  # before the name of a column that says yes or no
KIND = "spearman"  # by ranks, for costs are skewed; τ-b has no interval for many sessions
MOST_POINTS = 5_000  # sessions that are drawn, each so-manieth
ALL, WITHIN = "all sessions", "all, within searcher and topic"


@dataclass(frozen=True)
class Together:
    """How cost and score go together, Spearman's ρ, over sessions of one system, or of all."""

    name: str
    sessions: int
    rho: Coefficient


@dataclass(frozen=True, eq=False)
class CostPoints:
    """Sessions (N,) whose cost in all and score are known.

    points : a row for each, its cost as `spent` · found : over all systems first, then over each ·
    within : over all, what searchers and topics add taken off both · without_score, without_cost :
    sessions left out; of the former the cost is not looked at · no_end : of the latter those whose
    last query has no known end
    """

    cost: Cost
    score: str
    measure: Score[Measured]
    points: pd.DataFrame
    found: tuple[Together, ...]
    within: Coefficient
    clusters: int
    names_searchers: bool
    without_score: int
    without_cost: int
    no_end: int

    @property
    def one_in(self) -> int:
        """Of how many sessions one is drawn; coefficients are of all."""
        return max(1, -(-len(self.points) // MOST_POINTS))

    def table(self) -> pd.DataFrame:
        """A row for each coefficient."""
        rows = [(each.name, each.sessions, *each.rho) for each in self.found]
        rows.append((WITHIN, len(self.points), *self.within))
        return pd.DataFrame(rows, columns=["over", "sessions", "rank_correlation", "low", "high"])


def scores_beside(study: Study) -> list[str]:
    """Scores to choose from: those that systems are compared on, then outcomes."""
    return [*scores_of(study), *(f"{OUTCOME}{column}" for column in outcomes_of(study))]


def _right(study: Study, score: str) -> Score[Measured]:
    """Whether the answer was right, as a score by its whole name."""
    column = score.removeprefix(OUTCOME)
    right = right_of(study, column)

    def answered(of: Measured) -> Floats:
        return right[of.chosen.sample.sessions]

    return Score(answered, "outcome", f"1 where right, by {column}", "", "the study's own")


def cost_points(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    spent: str = "",
    score: str = USUAL,
) -> CostPoints:
    """Cost in all and score of each session, and how the two go together.

    `spent` is one of ``costs_of``, the usual one if none; `score` one of
    ``scores_beside``.

    Raises
    ------
    ValueError : the study has no such cost or score
    """
    asked, chosen = cost_named(study, spent), select(study, definition, filters)
    is_outcome = score.startswith(OUTCOME)
    score = score if is_outcome else named_score(study, score)
    measure = _right(study, score) if is_outcome else score_of(study, score)
    values = measured(chosen, {score: measure})[score]
    total = totals_of(study, asked.name)[chosen.sample.sessions]
    scored = (may_have(score, chosen) | is_outcome) & np.isfinite(values)
    known = scored & ~np.isnan(total)
    sessions = scored_of(chosen, values, known)
    used = np.unique(sessions.system).tolist()
    of_systems = [(sessions.names[i], sessions.system == i) for i in used]
    every = [(ALL, np.ones(sessions.score.size, dtype=bool)), *(of_systems if used[1:] else [])]
    return CostPoints(
        cost=asked,
        score=score,
        measure=measure,
        points=points_of(study, chosen, known, values).assign(spent=total[known]),
        found=tuple(
            _together(name, sessions.take(rows), total[known][rows]) for name, rows in every
        ),
        within=_within(sessions, total[known]),
        clusters=np.unique(sessions.unit).size,
        names_searchers=sessions.names_searchers,
        without_score=int((~scored).sum()),
        without_cost=int((scored & ~known).sum()),
        no_end=int((scored & without_end(study, asked)[chosen.sample.sessions]).sum()),
    )


def _together(name: str, of: Scored, spent: Floats) -> Together:
    """The coefficient of some sessions, searchers (or sessions without one) resampled."""
    return Together(name, of.score.size, between(KIND, of.score, spent, of.unit))


def _within(of: Scored, spent: Floats) -> Coefficient:
    """The coefficient of all, what searchers and topics add taken off both."""
    paired = Paired(spent, of.queries.astype(float), of.unit, of.unit, of.topic)
    if not spent.size:
        return Coefficient(np.nan)
    left = paired.residuals(of.score[:, None])[:, 0]
    return between(KIND, left, paired.y_left, of.unit, paired.wider)
