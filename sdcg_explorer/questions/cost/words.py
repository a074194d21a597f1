"""Gain beside what it cost in words: by then, session by session, and for each so many units."""

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.cost.numbers import CostCurves, CostPoints
from sdcg_explorer.questions.session_curves import words as session_words
from sdcg_explorer.scoring.costs import OPENED, QUERIES, RESULTS_SEEN, SECONDS, Cost
from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.scoring.scored_sessions import drawn_one_in
from sdcg_explorer.statistics.correlations import Coefficient

ONE = {QUERIES.name: "query", RESULTS_SEEN.name: "result seen", OPENED.name: "document opened"}
SOURCES = {
    QUERIES.name: "each query costs 1, with or without results",
    RESULTS_SEEN.name: "a query costs the results examined or clicked where the log says which "
    "were examined, else all results listed",
    OPENED.name: "a query costs its clicked results",
    SECONDS: "a query costs the time until the next one; the last one, the time until the "
    "session's end (column seconds), else its dwell times",
}
PICTURE = (
    "Each line is a system's mean once a given cost has been spent; a query's gain counts "
    "only when its whole cost has been spent. Lines are thin where fewer than "
    f"{THIN} sessions got that far."
)
STEPS = "The steps below show the share of sessions that cost as much."
CAUSE = (
    "A correlation doesn't show that spending more brings more: hard topics cost much and gain "
    "little."
)


def amount(cost: Cost, value: float) -> str:
    """So much of a cost.

    >>> amount(QUERIES, 2.0), amount(RESULTS_SEEN, 1.0)
    ('2 queries', '1 result seen')
    >>> amount(Cost("seconds", "seconds"), 174.8)
    '174.8 seconds'
    >>> amount(Cost("tokens", "tokens", column="tokens"), 1155.0)
    '1,155 tokens'
    >>> amount(Cost("usd", "usd", column="usd"), 1.5)
    '1.50 in usd'
    """
    is_exact = value == int(value) or value >= 100  # where three digits would round whole units
    number = f"{round(value, 1):,.10g}" if is_exact else wording.short(value)
    unit = ONE.get(cost.name, cost.unit) if value == 1 else cost.unit
    joint = "in " * bool(cost.column and not cost.column.endswith("s"))
    return f"{number} {joint}{unit}"


def cost_in_list(cost: Cost) -> str:
    """A cost as a list shows it.

    >>> cost_in_list(QUERIES)
    'queries'
    """
    name = cost.name if cost.column else cost.unit
    return name if cost.by_query else f"{name} (whole session)"


def headline(of: CostCurves, measure: str) -> str:
    """The page's first line, where there are curves: what was reached once half had stopped."""
    if not of.sessions:
        return wording.why_none("session with a judged topic", of.without_judgments)
    if not of.curves:
        why = f"There is no curve because no query has a known cost in {of.cost.unit}. Log "
        if of.cost.name == SECONDS:
            return f"{why}the time of each query, and each session's seconds."
        return f"{why}it for each query, in a column beside the query number."
    every = [(each.system, each.curve(measure)) for each in of.at_usual]
    gained, written = "{0} has gained {1}", wording.short
    if measure != "raw":
        gained, written = "{0} has reached {1} of the ideal", wording.share
    if not (means := session_words.place_values(every, 0, written)):
        return "The share of the ideal is undefined because ideals gain nothing."
    spent = amount(of.cost, float(of.amounts[of.usual]))
    more = f"known to cost more: {of.beyond:,} of {wording.counted(of.sessions, 'session')}"
    forms = (session_words.means_in_row(means, gained, intervals=so) for so in (True, False))
    return wording.first_fit(*(f"At a cost of {spent}, {form}; {more}." for form in forms))


def _unknown_ends(sessions: int) -> str:
    """In how many sessions the last query's end is not known, and what to log; else nothing."""
    which = f"the last query of {wording.counted(sessions, 'session')}"
    remedy = "log each session's seconds, or how long its results were viewed (dwell)"
    return f" The log doesn't say when {which} ended: {remedy}." if sessions else ""


def figure_notes(of: CostCurves) -> str:
    """What stands behind the curves, and how far the cost is known."""
    sizes = {each.system: int(each.raw.sessions.max(initial=0)) for each in of.curves}
    left = wording.left_out(of.without_judgments, (of.unknown, "session", "with unknown cost"))
    part = f" Cost known only in part: {wording.counted(of.in_part, 'session')}." * bool(of.in_part)
    end = ""
    if of.amounts.size and of.most > of.amounts[-1]:
        ends, most = (amount(of.cost, float(each)) for each in (of.amounts[-1], of.most))
        end = f" The axis ends at {ends}, the last that {THIN} sessions reach; the most is {most}."
    kept = "After its last query, a session keeps its gain."
    return f"{wording.sessions_of(sizes)} {kept}{end}{left}{part}{_unknown_ends(of.no_end)}"


def counting(cost: Cost) -> str:
    """How a cost is counted, by its formula, in which unit, and of what of the log."""
    said = SOURCES.get(cost.name) or f"the column {cost.column} of each {cost.of}"
    if cost.name == SECONDS and not cost.by_query:
        said = "the column seconds of each session"
    whole = "; a session's cost is their sum" if cost.by_query else ""
    times = "" if cost.per == 1 else f" · {cost.per:g}"
    gain = f"Gain per {cost.rate} is sDCG at the session's end{times} / cost"
    return f"Cost in {cost.unit}: {said}{whole}. {gain}."


def cautions(of: CostCurves, measure: str) -> list[str]:
    """Plain sentences where a reader could be misled."""
    drawn, spent = [each.curve(measure) for each in of.curves if of.bands], of.amounts > 0
    return wording.missing_interval_note([(each.mean[spent], each.low[spent]) for each in drawn])


def correlation_sentence(of: CostPoints) -> str:
    """Whether sessions that cost more score higher, over all systems."""
    what, unit = of.measure.words, of.cost.unit
    if not len(of.points):
        why = f"No session has both a known cost in {unit} and this score."
        return f"{why}{_unknown_ends(of.no_end)}"
    rho = of.found[0][-1]
    if np.isnan(rho.value):
        return f"Cost ({unit}) and {what} can't be correlated: one of them doesn't vary."
    found = _coefficient(rho)
    if not np.isnan(of.within.value):
        found += f"; within searcher and topic, {_coefficient(of.within)}"
    return f"Spearman's ρ between the cost of sessions ({unit}) and their {what} is {found}."


def _coefficient(of: Coefficient) -> str:
    return f"{wording.signed(of.value)}{wording.interval(wording.signed, of.low, of.high)}"


def points_cautions(of: CostPoints) -> list[str]:
    """Where a reader of a correlation could be misled."""
    return [] if np.isnan(of.found[0][-1].value) else [CAUSE]


def system_correlations(of: CostPoints) -> str:
    """The coefficient of each system, where there are several."""
    said = [f"{name} {_coefficient(rho)}" for name, _, rho in of.found[1:]]
    return f"ρ by system: {'; '.join(said)}." if said else ""


def points_note(of: CostPoints) -> str:
    """What stands behind the points."""
    one_in = drawn_one_in(of.points)
    drawn = f" One session in {one_in:,} is drawn; coefficients are of all." if one_in > 1 else ""
    no_cost = of.without_cost, "session", "with unknown total cost"
    left = wording.left_out(0, (of.without_score, "session", "without the score"), no_cost)
    return f"{wording.counted(len(of.points), 'session')}.{drawn}{left}"


def method(points: CostPoints) -> str:
    """A paragraph of a methods section."""
    return (
        f"{counting(points.cost)} Mean gain was computed by cost; a query's gain counts when its "
        "cost is spent, and a session keeps its gain after its last query. Where both vary, total "
        f"cost and {points.measure.words} were correlated by Spearman's ρ; with at least "
        f"{FEWEST_CLUSTERS} searchers (or sessions that name none), 95% intervals are bootstrapped "
        f"over them ({RESAMPLES:,} resamples, t on atanh)."
    )
