"""Gain beside what it cost in words: by then, session by session, and for each so many units."""

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions.cost.numbers import CostCurves, CostPoints
from sdcg_explorer.questions.session_curves import words as session_words
from sdcg_explorer.questions.wording import (
    NO_INTERVAL,
    all_of,
    counted,
    first_fit,
    left_out,
    missing_interval_note,
    plain,
    plural,
    sessions_of,
    share,
    short,
    signed,
    why_none,
)
from sdcg_explorer.scoring.costs import OPENED, QUERIES, RESULTS_SEEN, SECONDS, Cost
from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.scoring.scored_sessions import drawn_one_in
from sdcg_explorer.statistics.correlations import Coefficient
from sdcg_explorer.study.wording import capital

NOUNS = {QUERIES.name: "query", RESULTS_SEEN.name: "result", OPENED.name: "document"}
SEEN = {RESULTS_SEEN.name: " seen", OPENED.name: " opened"}
SOURCES = {
    QUERIES.name: "each query costs 1, with or without results",
    RESULTS_SEEN.name: "a query costs the results examined or clicked where the log says which "
    "were examined, else all results listed",
    OPENED.name: "a query costs its clicked results",
    SECONDS: "a query costs the time until the next one; the last one, the time until the "
    "session's end (column seconds), else its dwell times",
}
PICTURE = (
    "Each line is a system's mean gain once a given cost has been spent; a query's gain counts "
    "only when its whole cost has been spent. Lines are thin where fewer than "
    f"{THIN} sessions got that far."
)
STEPS = "The steps below show the share of sessions still searching."
CAUSE = (
    "A correlation doesn't show that spending more brings more: hard topics cost much and gain "
    "little."
)
WITHIN = " The value within searcher and topic removes such differences."


def amount(cost: Cost, value: float) -> str:
    """So much of a cost.

    >>> amount(QUERIES, 2.0), amount(RESULTS_SEEN, 1.0)
    ('2 queries', '1 result seen')
    >>> amount(Cost("seconds", "seconds"), 174.8), amount(Cost("", "", column="dwell"), 70.0)
    ('174.8 seconds', 'dwell = 70')
    """
    if cost.name in NOUNS and value == int(value):
        return f"{counted(int(value), NOUNS[cost.name])}{SEEN.get(cost.name, '')}"
    is_exact = value == int(value) or value >= 100  # where three digits would round whole units
    number = f"{round(value, 1):,.10g}" if is_exact else short(value)
    return f"{cost.column} = {number}" if cost.column else f"{number} {cost.unit}"


def cost_in_list(cost: Cost) -> str:
    """A cost as a list shows it.

    >>> cost_in_list(QUERIES)
    'queries'
    """
    name = cost.name if cost.column else cost.unit
    return name if cost.by_query else f"{name} (whole session)"


def axis_quantity(cost: Cost) -> str:
    """What an axis counts, or sums up.

    >>> axis_quantity(QUERIES)
    'number of queries'
    """
    return f"number of {cost.unit}" if cost.name in NOUNS else cost.unit


def headline(of: CostCurves, measure: str) -> str:
    """The page's first line, where there are curves: what was reached once half had stopped."""
    if not of.sessions:
        return why_none("session with a judged topic", of.without_judgments)
    if not of.curves:
        return why_no_curve(of)
    every = [(each.system, each.curve(measure)) for each in of.at_usual]
    means = session_words.place_values(every, 0, short if measure == "raw" else share)
    if not means:
        return "The share of the ideal is undefined because ideals gain nothing."
    gained = "{0} has gained {1}" if measure == "raw" else "{0} has reached {1} of the ideal"
    spent, left = amount(of.cost, float(of.amounts[of.usual])), _costlier_sessions_text(of, measure)
    when = "At" if of.cost.column else "After"
    forms = (session_words.means_in_row(means, gained, intervals=so) for so in (True, False))
    return first_fit(*(f"{when} {spent}, {form}; {left}." for form in forms))


def _costlier_sessions_text(of: CostCurves, measure: str) -> str:
    """How many sessions cost more, or else of how many the cost is known that far."""
    sessions = counted(of.sessions, "session")
    if of.unknown + of.in_part:
        known = sum(int(each.curve(measure).sessions[0]) for each in of.at_usual)
        return f"{known:,} of {sessions} {plural(known, 'has', 'have')} a known cost that far"
    return f"{of.beyond:,} of {sessions} took more" if of.beyond else "no session took more"


def why_no_curve(of: CostCurves) -> str:
    """Why nothing is drawn over amounts, and what to log; nothing where something is."""
    if of.curves or not of.sessions:
        return ""
    if of.cost.by_query:
        if of.no_end:
            return f"There is no curve because {_unknown_end_note(of.no_end)}"
        return f"There is no curve: no query has a known cost in {of.cost.unit}."
    name = of.cost.column or of.cost.name
    each = f"{name} of each query, in a column beside its query number,"
    each = "the time of each query" if name == SECONDS else each
    why = f"There is no curve because the log gives {name} of whole sessions only."
    return f"{why} Log {each} to draw one."


def _unknown_end_note(sessions: int, which: str = "") -> str:
    """Why the cost of sessions is not known to their end, and what to log."""
    return (
        f"the log doesn't say when the last query of {counted(sessions, 'session')}{which} ended. "
        "Log each session's seconds, or how long its results were viewed (dwell)."
    )


def figure_notes(of: CostCurves) -> str:
    """What stands behind the curves, and how cost is counted."""
    sizes = {each.system: int(each.raw.sessions.max(initial=0)) for each in of.curves}
    text = f"{sessions_of(sizes)} After its last query, a session keeps its gain." if sizes else ""
    text += left_out(of.without_judgments, (of.unknown, "session", "with unknown cost"))
    if of.in_part:
        count = counted(of.in_part, "session counts", "sessions count")
        text += f" {count} only as far as {plural(of.in_part, 'its', 'their')} cost is known."
    if of.no_end:
        text += f" Reason: {_unknown_end_note(of.no_end)}"
    if of.amounts.size and of.most > of.amounts[-1]:
        end, most = amount(of.cost, float(of.amounts[-1])), float(of.most)
        most = plain(most) if most == int(most) else short(most)
        reached = f"the last that {THIN} sessions reach; the maximum is {most}"
        text += f" The axis ends at {end}, {reached}."
    return text.strip()


def counting(cost: Cost) -> str:
    """How a cost is counted, by its formula, in which unit, and of what of the log."""
    said = SOURCES.get(cost.name) or f"the column {cost.column} of each {cost.of}"
    if cost.name == SECONDS and not cost.by_query:
        said = "the column seconds of each session"
    whole = "; a session's cost is their sum" if cost.by_query else ""
    times = "" if cost.per == 1 else f" · {cost.per:g}"
    return (
        f"Cost in {cost.unit}: {said}{whole}. Gain per {cost.rate} is sDCG at the session's "
        f"end{times} / cost."
    )


def cautions(of: CostCurves, measure: str) -> list[str]:
    """Plain sentences where a reader could be misled."""
    if not of.bands:
        lacking = any(np.isnan(each.curve(measure).low).any() for each in of.at_usual)
        return [NO_INTERVAL] if lacking else []
    drawn, spent = [each.curve(measure) for each in of.curves], of.amounts > 0
    return missing_interval_note([(each.mean[spent], each.low[spent]) for each in drawn])


def correlation_sentence(of: CostPoints, *, bare: bool = False) -> str:
    """Whether sessions that cost more score higher, over all systems; `bare` of intervals."""
    what, unit = of.measure.words, of.cost.unit
    if not len(of.points):
        if of.no_end:
            which = " with this score" * (of.without_score > 0)
            return f"Seconds are unknown: {_unknown_end_note(of.no_end, which)}"
        return f"No session has both a known cost in {unit} and this score."
    rho = of.found[0][-1]
    spent = "its duration" if of.cost.name == SECONDS else f"its {axis_quantity(of.cost)}"
    both = f"a session's {what} and {spent}"
    if np.isnan(rho.value):
        alike = f"one of them is the same in {all_of(len(of.points))} sessions"
        why = alike if len(of.points) > 1 else "there is only one session"
        return f"No correlation between {both} can be given: {why}."
    overall, within = (f"ρ = {_coefficient_text(each, bare=bare)}" for each in (rho, of.within))
    also = "" if np.isnan(of.within.value) else f"; within searcher and topic {within}"
    if np.isnan(rho.low):
        few = f": too few {of.units}" if of.clusters < FEWEST_CLUSTERS else ""
        return (
            f"Spearman's ρ between {both} is {signed(rho.value)}, without an interval{few}{also}."
        )
    is_clear, is_clear_within = (each.low * each.high > 0 for each in (rho, of.within))
    how, how_within = ("higher" if each.value > 0 else "lower" for each in (rho, of.within))
    more = "longer sessions" if of.cost.name == SECONDS else f"sessions with more {unit}"
    more += " tend to have a"
    if is_clear_within and not is_clear:
        return (
            f"Within searcher and topic, {more} {how_within} {what} (Spearman's {within}); over "
            f"all sessions there is no clear relation ({overall})."
        )
    if not is_clear:
        return f"There is no clear relation between {both}: Spearman's {overall}{also}."
    tend = f"{capital(more)} {how} {what}"
    if not is_clear_within:
        but = also and f", but not clearly so within searcher and topic ({within})"
        return f"{tend} (Spearman's {overall}){but}."
    but = "" if how == how_within else f"but a {how_within} one "
    return f"{tend}: Spearman's {overall}; {but}within searcher and topic, {within}."


def points_cautions(of: CostPoints) -> list[str]:
    """Where a reader of a correlation could be misled."""
    if np.isnan(of.found[0][-1].value):
        return []
    return [CAUSE if np.isnan(of.within.value) else CAUSE + WITHIN]


def _coefficient_text(of: Coefficient, *, bare: bool = False) -> str:
    around = "" if bare or np.isnan(of.low) else ", 95% interval "
    return signed(of.value) + (around and f"{around}{signed(of.low)} to {signed(of.high)}")


def system_correlations(of: CostPoints) -> str:
    """The coefficient of each system, where there are several."""
    known = not all(np.isnan(rho.value) for _, _, rho in of.found[1:])
    said = [f"{name} {_coefficient_text(rho)}" for name, _, rho in of.found[1:] if known]
    return f"ρ by system: {'; '.join(said)}." if said else ""


def points_note(of: CostPoints, *, alone: bool = False) -> str:
    """What stands behind the points; `alone` where no curves say what has no judgments."""
    text = f"{counted(len(of.points), 'session')}." if len(of.points) else ""
    if (one_in := drawn_one_in(of.points)) > 1:
        text += f" One session in {one_in:,} is drawn; coefficients are of all."
    if any(np.isfinite(rho.low) for *_, rho in of.found):
        text += f" 95% intervals are bootstrapped over {of.units}."
    unknown = "whose last query has no known end" if of.no_end else "with unknown total cost"
    left = left_out(
        of.without_judgments if alone else 0,
        (of.without_score - of.without_judgments, "session", "without the score"),
        (of.without_cost, "session", unknown),
    )
    return (text + left).strip()


def method(points: CostPoints) -> str:
    """A paragraph of a methods section."""
    return (
        f"{counting(points.cost)} Mean gain was computed by cost; a query's gain counts when its "
        "cost is spent, and a session keeps its gain after its last query. Where both vary, total "
        f"cost and {points.measure.words} were correlated by Spearman's ρ; with at least "
        f"{FEWEST_CLUSTERS} searchers (or sessions that name none), 95% intervals are bootstrapped "
        f"over them ({RESAMPLES:,} resamples, t on atanh)."
    )
