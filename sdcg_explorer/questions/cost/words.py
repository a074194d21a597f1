"""Gain beside what it cost in words: by then, session by session, and for each so many units."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions.cost.numbers import CostCurve, CostCurves, CostPoints, Together
from sdcg_explorer.questions.wording import (
    NAMED,
    NO_INTERVAL,
    between,
    counted,
    interval,
    left_out,
    none_left,
    share,
    short,
    signed,
    without_interval,
)
from sdcg_explorer.scoring.costs import OPENED, QUERIES, RESULTS_SEEN, SECONDS, Cost
from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.statistics.correlations import Coefficient

NOUNS = {QUERIES.name: "query", RESULTS_SEEN.name: "result", OPENED.name: "document"}
SEEN = {RESULTS_SEEN.name: " seen", OPENED.name: " opened"}
SOURCES = {
    QUERIES.name: "a query costs 1, with or without results",
    RESULTS_SEEN.name: "a query costs the results that were examined or clicked where the log says "
    "which were examined, else all that it lists",
    OPENED.name: "a query costs the results of it that were clicked",
    SECONDS: "a query costs the time until the next one, the last the time until the session's "
    "end, which a column seconds of the session tells, or else as long as its results were looked "
    "at (dwell times)",
}
WHY_RANKS = (
    "Spearman's ρ: ranks, for a few sessions cost many times what others do; and not Kendall's τ, "
    "whose interval can't be had for thousands of sessions"
)
PICTURE = (
    "A line is a system's mean gain once so much was spent; a query's gain counts once its whole "
    f"cost is spent. It is thin where fewer than {THIN} sessions cost as much."
)
STEPS = "The steps beneath are the share of sessions that do."
LEVEL = "95 % interval "
MOST = 160  # letters that a headline holds: beyond them the figure shows the intervals
CAUSE = (
    "Cost and gain are both the session's: that they go together doesn't say that spending more "
    "brings more. Hard topics cost much and gain little, which is why what searchers and topics "
    "add is taken off beside."
)


def amount(cost: Cost, value: float) -> str:
    """So much of a cost.

    >>> amount(QUERIES, 2.0), amount(RESULTS_SEEN, 1.0)
    ('2 queries', '1 result seen')
    """
    if cost.name in NOUNS and value == int(value):
        return f"{counted(int(value), NOUNS[cost.name])}{SEEN.get(cost.name, '')}"
    return f"{short(value)} {cost.unit}"


def listed(cost: Cost) -> str:
    """A cost as a list shows it.

    >>> listed(QUERIES)
    'queries'
    """
    name = cost.name if cost.column else cost.unit
    return name if cost.by_query else f"{name}, of sessions in all"


def answer(of: CostCurves, measure: str) -> str:
    """The page's first line, where there are curves: what was reached once half had stopped."""
    if not of.sessions:
        return none_left("session with a judged topic", of.without_judgments)
    reached = _reached(of, measure)
    if not reached:
        return why_no_curve(of) or f"For {amount(of.cost, 0.0)} nobody has gained anything."
    more = f"; {between([system for system, *_ in reached])}" if len(reached) > NAMED else ""
    named = [reached[0], reached[-1]] if more else reached
    spent, left = amount(of.cost, float(of.amounts[of.usual])), _left(of, measure)
    said = f"For {spent} {_compared(named, measure)}{more}; {left}."
    if len(said) <= MOST:
        return said
    bare = [(system, value, "") for system, value, _ in named]
    return f"For {spent} {_compared(bare, measure)}{more}; {left}."


def _compared(reached: list[tuple[str, str, str]], measure: str) -> str:
    """What the first has gained, and the others after it."""
    (first, value, around), *rest = reached
    others = "".join(f", {system} {mean}{about}" for system, mean, about in rest)
    if measure == "raw":
        return f"{first} has gained {value}{around}{others}"
    return f"{first} has reached {value}{around} of the ideal{others}"


def _left(of: CostCurves, measure: str) -> str:
    """How many sessions cost more, or else are known to have spent so much, and why not all."""
    sessions = counted(of.sessions, "session")
    lacking = of.unknown + of.in_part
    if not lacking:
        return f"{f'{of.beyond:,}' if of.beyond else 'none'} of {sessions} cost more"
    known = sum(int(each.curve(measure).sessions[0]) for each in of.there)
    if of.no_end == of.sessions:
        why = "no last query has a known end"
    elif of.no_end:
        why = f"of {of.no_end:,} the last query has no known end"
    else:
        why = f"what {lacking:,} cost is not wholly known"
    return f"{known:,} of {sessions} are known that far: {why}"


def _reached(of: CostCurves, measure: str) -> list[tuple[str, str, str]]:
    """Systems, means at the usual amount and their intervals, the highest first."""
    known = [each for each in of.there if each.curve(measure).sessions.any()]
    written = short if measure == "raw" else share

    def mean(each: CostCurve) -> float:
        return float(each.curve(measure).mean[0])

    found, level = list[tuple[str, str, str]](), ""  # which is said once
    for each in sorted(known, key=lambda each: -mean(each)):
        curve = each.curve(measure)
        around = interval(written, float(curve.low[0]), float(curve.high[0]))
        found.append((each.system, written(mean(each)), around.replace(level, "")))
        level = LEVEL if around else level
    return found


def why_no_curve(of: CostCurves) -> str:
    """Why nothing is drawn over amounts, and what to log; nothing where something is."""
    if of.are_drawn or not of.sessions:
        return ""
    if of.cost.by_query:
        if of.no_end:
            return f"There is no curve: {_no_end(of.no_end)}"
        return f"There is no curve: of no session is known what its queries cost in {of.cost.unit}."
    name = of.cost.column or of.cost.name
    each = "the time of each query" if name == SECONDS else f"{name} of each query, a column beside"
    return (
        f"There is no curve: the log has {name} of whole sessions alone, so nobody knows what had "
        f"been spent when something was found. Log {each}"
        f"{'' if name == SECONDS else ' its query number'}."
    )


def _no_end(sessions: int) -> str:
    """Why the cost of sessions is not known to their end, and what to log."""
    return (
        f"the log doesn't say when the last query of {counted(sessions, 'session')} ended. Log the "
        "seconds of each session, or how long its results were looked at (dwell)."
    )


def behind(of: CostCurves) -> str:
    """What stands behind the curves, and how cost is counted."""
    counts = "; ".join(
        f"{each.system}: {counted(int(each.raw.sessions.max(initial=0)), 'session')}"
        for each in of.curves
    )
    text = f"{counts}. After its last query a session keeps its value." if counts else ""
    text += left_out(of.unknown, why="of whose cost nothing is known")
    if of.in_part:
        number = counted(of.in_part, "session")
        text += f" Of {number} the cost is known in part only: what lies beyond is in no mean."
    if of.no_end:
        text += f" Why: {_no_end(of.no_end)}"
    return f"{text}{_ends(of)}{left_out(of.without_judgments)}".strip()


def _ends(of: CostCurves) -> str:
    """What is said of an axis that ends before the costliest session does."""
    if not of.is_cut:
        return ""
    end, most = (amount(of.cost, float(each)) for each in (of.amounts[-1], of.most))
    return f" The axis ends at {end}, the last that {THIN} sessions reach; one cost {most}."


def source(cost: Cost) -> str:
    """How a cost is counted, by its formula, in which unit, and of what of the log."""
    said = SOURCES.get(cost.name) or f"the column {cost.column} of each {cost.of}, as it stands"
    if cost.name == SECONDS and not cost.by_query:
        said = "the column seconds of each session, as it stands"
    whole = ", cost(q) of its queries added up" if cost.by_query else ""
    times = "" if cost.per == 1 else f" · {cost.per:g}"
    rate = f"the gain for it is V[end]{times} / cost, in sDCG per {cost.rate}"
    return f"Cost of a session in {cost.unit}{whole}: {said}; {rate}. Undefined costs are left out."


def advice(of: CostCurves, measure: str) -> list[str]:
    """Plain sentences where a reader could be misled."""
    if not of.bands:
        lacking = any(np.isnan(each.curve(measure).low).any() for each in of.there)
        return [NO_INTERVAL] if lacking else []
    drawn = [(each.system, each.curve(measure)) for each in of.curves]
    spent = of.amounts > 0  # for nothing nobody has gained
    edges = [(name, each.mean[spent], each.low[spent]) for name, each in drawn]
    return without_interval(edges, "step")


def of_points(of: CostPoints) -> str:
    """Whether sessions that cost more score higher, over all systems."""
    if not len(of.points):
        if of.no_end:
            return f"Nothing can be said of {of.cost.unit}: {_no_end(of.no_end)}"
        return f"No session is left whose {of.cost.unit} and score are both known."
    every = of.found[0]
    what = f"{of.measure.words} and {of.cost.unit}"
    number = counted(every.sessions, "session")
    if np.isnan(every.rho.value):
        return f"Nothing can be said of {what}: one of the two is the same everywhere ({number})."
    said = f"{_direction(every.rho, of)}: Spearman's ρ {_written(every.rho)}, {number}"
    if np.isnan(of.within.value):
        return f"{said}."
    return f"{said}; within searcher and topic {_written(of.within)}."


def _direction(of: Coefficient, shown: CostPoints) -> str:
    if not of.low * of.high > 0:
        return f"No clear agreement of {shown.measure.words} with {shown.cost.unit}"
    how = "higher" if of.value > 0 else "lower"
    return f"Sessions with more {shown.cost.unit} have a {how} {shown.measure.words}"


def _written(of: Coefficient) -> str:
    lacks = "" if np.isnan(of.value) else " without an interval"
    return f"{signed(of.value)}{interval(signed, of.low, of.high) or lacks}"


def of_each(of: CostPoints) -> str:
    """The coefficient of each system, where there are several."""

    def said(each: Together) -> str:
        return f"{each.name} {_written(each.rho)} ({counted(each.sessions, 'session')})"

    return f"By system: {'; '.join(map(said, of.found[1:]))}." if of.found[1:] else ""


def behind_points(of: CostPoints) -> str:
    """What stands behind the points."""
    units = "searchers" if of.names_searchers else "sessions"
    text = f"{WHY_RANKS}; 95 % intervals resample {units} {RESAMPLES:,} times."
    if of.one_in > 1:
        text += f" One session in {of.one_in:,} is drawn; coefficients are of all."
    if of.clusters < FEWEST_CLUSTERS:
        text += f" There is none with fewer than {FEWEST_CLUSTERS} {units}."
    text += left_out(of.without_score, why="without the score")
    whose = "last query has no known end" if of.no_end else "cost in all is not known"
    return text + left_out(of.without_cost, why=f"whose {whose}")


def method(points: CostPoints) -> str:
    """A paragraph of a methods section."""
    return (
        f"{source(points.cost)} Mean gain was taken over amounts, a query's gain counting once its "
        "cost was spent, and a session keeping its value after its last query. Cost in all and "
        f"{points.measure.words} were compared by Spearman's ρ, with intervals by resampling "
        f"searchers, or sessions without one ({RESAMPLES:,} times, t on atanh)."
    )
