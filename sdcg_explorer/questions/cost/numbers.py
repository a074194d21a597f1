"""What did it cost? Mean gain by what had been spent until then, system by system."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import Score, normalised, session_vector
from sdcg_explorer.metrics.arrays import Bools, Floats
from sdcg_explorer.questions.compare_systems.numbers import outcome_columns, right_answers
from sdcg_explorer.questions.session_curves.numbers import SystemCurves
from sdcg_explorer.scoring import costs, live, mean_curves, scored_sessions, scores, selection
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import USUAL, Measured, compared_score, measured
from sdcg_explorer.statistics.correlations import Coefficient, Paired, between
from sdcg_explorer.study.study import Study

OUTCOME = "outcome: "  # before the name of a column that says yes or no
KIND = "spearman"  # by ranks, for costs are skewed; τ-b has no interval for many sessions
ALL, WITHIN = "all sessions", "all, within searcher and topic"


@dataclass(frozen=True, eq=False)
class CostPoints:
    """Sessions (N,) whose cost in all and score are known.

    points : a row for each, its cost as `spent` · found : sessions and Spearman's ρ of cost and
    score, by name, over all systems first, then over each · within : over all, effects of searchers
    and topics removed from both · without_score, without_cost : sessions left out; of the former
    the cost is not looked at · no_end : of the latter those whose last query has no known end
    """

    cost: costs.Cost
    measure: Score[Measured]
    points: pd.DataFrame
    found: tuple[tuple[str, int, Coefficient], ...]
    within: Coefficient
    without_score: int
    without_cost: int
    no_end: int

    def table(self) -> pd.DataFrame:
        """A row for each coefficient."""
        rows = [(name, number, *rho) for name, number, rho in self.found]
        rows.append((WITHIN, len(self.points), *self.within))
        return pd.DataFrame(rows, columns=["over", "sessions", "rank_correlation", "low", "high"])


def score_choices(study: Study) -> list[str]:
    """Scores to choose from: those that systems are compared on, then outcomes."""
    return [*scores.scores_of(study), *(f"{OUTCOME}{name}" for name in outcome_columns(study))]


def cost_points(
    study: Study, definition: Definition, filters: Filters, *, spent: str = "", score: str = USUAL
) -> CostPoints:
    """Cost in all and score of each session, and how the two go together.

    `spent` is one of ``costs_of``, the usual one if none; `score` one of
    ``score_choices``.

    Raises
    ------
    ValueError : the study has no such cost or score
    """
    asked, chosen = costs.cost_by_name(study, spent), selection.select(study, definition, filters)
    if is_outcome := score.startswith(OUTCOME):
        column = score.removeprefix(OUTCOME)
        right, unit = right_answers(study, column), f"1 where right, by {column}"
        measure = scores.of_column(right, "outcome", unit)
    else:
        score = scores.full_score_name(study, compared_score(score, definition))
        measure = scores.score_of(study, score)
    values = measured(chosen, {score: measure})[score]
    total = costs.totals_of(study, asked.name)[chosen.sample.sessions]
    scored = (scores.may_have(score, chosen) | is_outcome) & np.isfinite(values)
    known = scored & ~np.isnan(total)
    sessions = scored_sessions.scored_of(chosen, values, known)
    used = np.unique(sessions.system).tolist()
    of_systems = [(sessions.names[i], sessions.system == i) for i in used]
    every = [(ALL, np.ones(sessions.score.size, dtype=bool)), *(of_systems if used[1:] else [])]
    return CostPoints(
        cost=asked,
        measure=measure,
        points=scored_sessions.points_of(study, chosen, known, values).assign(spent=total[known]),
        found=tuple(
            (name, own.score.size, between(KIND, own.score, total[known][rows], own.unit))
            for name, rows in every
            for own in [sessions.take(rows)]
        ),
        within=_adjusted_correlation(sessions, total[known]),
        without_score=int((~scored).sum()),
        without_cost=int((scored & ~known).sum()),
        no_end=int((scored & costs.has_unknown_end(study, asked)[chosen.sample.sessions]).sum()),
    )


def _adjusted_correlation(of: scored_sessions.Scored, spent: Floats) -> Coefficient:
    """The coefficient of all, what searchers and topics add taken off both."""
    paired = Paired(spent, of.queries.astype(float), of.unit, of.unit, of.topic)
    if not spent.size:
        return Coefficient(np.nan)
    left = paired.residuals(of.score[:, None])[:, 0]
    return between(KIND, left, paired.residual_rating, of.unit, paired.wider)


@dataclass(frozen=True, eq=False)
class CostCurves:
    """Mean curves over amounts of a cost, (P,), system by system; running costs as much, or more.

    usual : place of the amount that about half of the sessions go beyond, whose means are those of
    `at_usual`, with intervals · beyond : sessions that do · sessions, without_judgments : on topics
    that somebody judged, or not · unknown : of the former those whose cost is nowhere known, which
    are left out · in_part : those who leave the means where it is not known any more · no_end : of
    both those whose last query has no known end, where cost is time
    """

    cost: costs.Cost
    curves: tuple[SystemCurves, ...]
    at_usual: tuple[SystemCurves, ...]
    amounts: Floats
    usual: int
    beyond: int
    sessions: int
    without_judgments: int
    unknown: int
    in_part: int
    no_end: int
    most: float
    bands: bool = False

    def table(self) -> pd.DataFrame:
        """One row per system and amount."""
        place = {"cost": self.cost.name, "spent": self.amounts}
        frames = [
            pd.DataFrame({"system": of.system, **place, "running": of.running, **of.columns()})
            for of in self.curves
        ]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def cost(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    spent: str = "",
    every: bool = False,
    bands: bool = False,
) -> CostCurves:
    """Mean gain of each system's sessions, and its share of their ideal, by what was spent.

    `spent` is one of ``costs_of``, the usual one if none; without one of queries there is no curve.
    Amounts go to the last that ``THIN`` sessions reach, or to `every` one's; `bands` adds bootstrap
    intervals, searchers resampled. After its last query a session keeps its gain, and its share.

    Raises
    ------
    ValueError : the study has no such cost
    """
    asked = costs.cost_by_name(study, spent)
    chosen = with_held_ideal(study, definition, filters)
    sample = chosen.sample
    spending = costs.sample_spending(study, sample, asked, every=every)
    rows = sample.judged & ~np.isnan(spending.last)
    last = spending.last[rows]
    amounts, usual = spending.amounts, 0
    if last.size:
        usual = int(np.searchsorted(amounts, np.median(last), side="right")) - 1
    there = spending.over(amounts[usual : usual + 1])
    return CostCurves(
        cost=asked,
        curves=_cost_curves(chosen, rows, spending, bands=bands),
        at_usual=_cost_curves(chosen, rows, there, bands=True),
        amounts=amounts,
        usual=usual,
        beyond=int((last[:, None] > there.amounts).sum()),
        sessions=int(sample.judged.sum()),
        without_judgments=int((~sample.judged).sum()),
        unknown=int(sample.judged.sum()) - last.size,
        in_part=int((rows & ~spending.is_whole).sum()),
        no_end=int((sample.judged & costs.has_unknown_end(study, asked)[sample.sessions]).sum()),
        most=float(last.max(initial=0.0)),
        bands=bands,
    )


def with_held_ideal(study: Study, definition: Definition, filters: Filters) -> selection.Selection:
    """Sessions under a definition whose ideal ends with them: beyond, nothing is spent."""
    return selection.select(study, replace(definition, after_stop="hold"), filters)


def _cost_curves(
    chosen: selection.Selection, rows: Bools, spending: costs.Spending, *, bands: bool
) -> tuple[SystemCurves, ...]:
    """Both curves of each system, and how many sessions still spend at each amount."""
    if not rows.any():
        return ()
    sample = chosen.sample
    systems, cluster = sample.systems[rows], np.zeros(int(rows.sum()), dtype=np.int64)
    if bands:
        cluster = np.unique(sample.clusters[rows], return_inverse=True)[1]
    raw, shares = (
        mean_curves.curves_of(spending.sums(rows, (cluster, systems), *each), bands=bands)
        for each in _cumulated_gain_and_share(chosen)
    )
    names = sample.block.system_names
    return tuple(
        SystemCurves(names[i], 1, raw[i], shares[i], spending.running(rows & (sample.systems == i)))
        for i in np.unique(systems).tolist()
    )


def _cumulated_gain_and_share(chosen: selection.Selection) -> list[tuple[Floats, Floats | None]]:
    """Gain, and share of the ideal, of each session after no query, one, …, (S, Q + 1).

    And what values are a share of, in a ratio of means. What is undefined is nan.
    """
    ends = [session_vector(of.gains, of.discount(), of.factors)[..., -1] for of in chosen.parts()]
    gained = np.pad(np.concatenate(ends), ((0, 0), (1, 0)))
    ideal = np.pad(chosen.layout_ideals[..., -1][chosen.sample.ideal_layouts[1]], ((0, 0), (1, 0)))
    if chosen.definition.average == "ratio-of-means":
        return [(gained, None), (np.where(ideal > 0, gained, np.nan), ideal)]
    ideal[:, 0] = ideal[:, 1]  # nothing yet of what the first query could bring
    return [(gained, None), (normalised(gained, ideal), None)]


def live_cost(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    measure: str,
    spent: str = "",
    every: bool = False,
) -> live.Packed | None:
    """Counts behind the curves by cost: every session's, and when it had spent what."""
    chosen = with_held_ideal(study, definition, filters)
    sample, counts = chosen.sample, mean_curves.each_session(chosen.sample)
    curves = live.sessions_to_send(chosen, [counts], [counts.system], measure)
    spending = costs.sample_spending(study, sample, costs.cost_by_name(study, spent), every=every)
    bounds = live.packed(spending.bounds * sample.judged[:, None])
    return curves and {**curves, "positions": spending.amounts.size, "bounds": bounds}
