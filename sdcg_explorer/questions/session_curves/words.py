"""Session curves in words: what they have reached, and how many sessions stand behind."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.metrics.arrays import Ints
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.session_curves.numbers import (
    FEWEST,
    SAW_TOOTH,
    SessionCurves,
    StillSearching,
    Stopping,
    SystemCurves,
)
from sdcg_explorer.questions.wording import counted, enumerated, interval, p_value, plural, share
from sdcg_explorer.scoring.mean_curves import THIN, axis_end
from sdcg_explorer.scoring.selection import ADDITIVE, FURTHER_CURVES
from sdcg_explorer.statistics.permutation import is_clear

ORDINALS = ("first", "second", "third")


def answer(curves: SessionCurves, measure: str) -> str:
    """The page's first line; without intervals, which the figure draws, where there is no room."""
    return wording.fitting(*(_answer(curves, measure, ends=ends) for ends in (True, False)))


def _answer(curves: SessionCurves, measure: str, *, ends: bool) -> str:
    if not any(of.curve(measure).sessions.any() for of in curves.curves):
        what, judged = "session with a judged topic", int(curves.running.max(initial=0))
        what = "session with a share of an ideal" if judged else what
        return wording.none_left(what, curves.without_judgments, judged, unit="nsDCG")
    number = min(len(ORDINALS), curves.most_queries)
    ordinal, reached = ORDINALS[number - 1], _reached(curves, measure, number, ends=ends)
    when = f"After the {ordinal} query" if curves.per_query else "At the end"
    if not reached:
        return f"{when} no session has a defined value."
    more = (
        f"; {wording.between([system for system, _ in reached])}"
        if len(reached) > wording.NAMED
        else ""
    )
    (first, value), *rest = [reached[0], reached[-1]] if more else reached
    others = "".join(f", {system} {text}" for system, text in rest)
    if measure == SAW_TOOTH:  # what one query alone is worth: curves start anew with each
        which = f"The {ordinal} query" if curves.per_query else "The last cell"
        alone = f"{which} alone reaches these shares of its ideal, discounted"
        return f"{alone}: {first} {value}{others}{more}."
    gained = "has reached {} of the ideal" if measure == "normalised" else "has gained {}"
    if measure in FURTHER_CURVES:
        gained += f" by {ADDITIVE[measure].words}"
    return f"{when} {first} {gained.format(value)}{others}{more}."


def _reached(
    curves: SessionCurves, measure: str, number: int, *, ends: bool
) -> list[tuple[str, str]]:
    """Systems with what their curves have reached after so many queries, the highest first."""
    place = (number * curves.per_query if curves.per_query else curves.positions) - 1
    least = min(of.at_least for of in curves.curves)
    own = [(of.system, of.curve(measure)) for of in curves.curves if of.at_least == least]
    known = [each for each in own if each[1].sessions[place]]
    written = wording.share if measure in ("normalised", SAW_TOOTH) else wording.short
    return [
        (
            system,
            f"{written(c.mean[place])}"
            f"{wording.interval(written, c.low[place], c.high[place]) if ends else ''}",
        )
        for system, c in sorted(known, key=lambda each: -float(each[1].mean[place]))
    ]


def behind(curves: SessionCurves, measure: str, length: int | None = None) -> str:
    """What stands behind a picture to so many queries: sessions per mean, and what is not."""
    counts = "; ".join(
        f"{of.name}: {wording.counted(int(of.curve(measure).sessions.max(initial=0)), 'session')}"
        for of in curves.curves
    )
    after = "a session keeps its value"
    if measure == SAW_TOOTH:
        after = "a session counts no more"
    elif measure == "normalised" and curves.continues:
        after = "a session's ideal goes on"
    left = wording.left_out(curves.without_judgments)
    return f"{counts}.{goes_on(curves, length)} After its last query {after}.{left}"


def goes_on(curves: SessionCurves, length: int | None = None) -> str:
    """How many sessions go on beyond the axis, where any does."""
    place = "query" if curves.per_query else "position"
    return ends_where(curves.running, curves.end(length) // (curves.per_query or 1), place)


def ends_where(running: Ints, end: int, place: str = "query") -> str:
    """What is said of an axis that ends before the last session does, else nothing.

    >>> import numpy as np
    >>> ends_where(np.array([20, 12, 9, 1]), 2)
    ' The axis ends at query 2 of 4, the last that 10 sessions reach; 9 sessions go on.'
    >>> ends_where(np.array([20, 12, 9, 1]), 4)
    ''
    """
    if not 0 < end < running.size:
        return ""
    reach = f", the last that {THIN} sessions reach" if end == axis_end(running) else ""
    number = int(running[end])
    on = f"{wording.counted(number, 'session goes', 'sessions go')} on"
    return f" The axis ends at {place} {end:,} of {running.size:,}{reach}; {on}."


def advice(curves: SessionCurves, measure: str, length: int | None = None) -> list[str]:
    """Plain sentences where a reader could be misled, of what an axis to so many queries shows."""
    drawn = [(of.name, of.curve(measure)) for of in curves.curves]
    edges = [(name, curve.mean, curve.low) for name, curve in drawn if curve.sessions.any()]
    return [*(wording.without_interval(edges) if curves.bands else []), *thin(curves, length)]


def thin(curves: SessionCurves, length: int | None = None) -> list[str]:
    """Where few sessions still run, and the curve is drawn thin on an axis to so many queries."""
    end = curves.end(length)
    few = [(at, of) for of in curves.curves if (at := curves.few_from(of)) < end]
    if len(few) <= wording.NAMED:
        return [_thin(curves, *each) for each in few]
    few.sort(key=lambda each: (each[0], each[1].name))
    start, end = (f"{_where(curves, at)} ({of.name})" for at, of in (few[0], few[-1]))
    return [
        f"Curves are drawn thin from where fewer than {THIN} of their sessions are still "
        f"running: {start} to {end}."
    ]


def _thin(curves: SessionCurves, few: int, of: SystemCurves) -> str:
    if not few:
        return f"{of.name} has fewer than {THIN} sessions: its curve is drawn thin."
    return (
        f"From {_where(curves, few)} on fewer than {THIN} sessions of {of.name} are still "
        "running: its curve is drawn thin from there."
    )


def _where(curves: SessionCurves, position: int) -> str:
    """A position (from 0) in words."""
    step = curves.per_query
    return f"query {position // step + 1}" if step else f"position {position + 1}"


def sentence(found: Stopping) -> str:
    """When half have stopped, who goes on after the first query, and whether systems differ."""
    if not found.systems:
        return ""
    halves = enumerated([f"{of.half} with {of.system}" for of in found.systems])
    goes_on = ", ".join(map(_goes_on, found.systems))
    last = counted(found.withheld, "last query")
    more = f" The log withholds {last}, not counted here." if found.withheld else ""
    return (
        f"Half of the sessions have ended by query {halves}. After the first query still "
        f"search: {goes_on}.{_compared(found)}{more}"
    )


def _goes_on(of: StillSearching) -> str:
    """Which share goes on after the first query."""
    low, high = (edge[0] for edge in of.interval)
    return f"{share(float(of.share[0]))} with {of.system}{interval(share, low, high)}"


def _compared(found: Stopping) -> str:
    """The tests in a sentence."""
    if found.plain is None:
        return ""
    if np.isnan(found.plain.p):
        return " All sessions end after the same query."
    alone, p = f"{p_value(found.plain.p)} as if sessions were independent", found.by_searcher
    if np.isnan(p):
        return f" {_no_test(found)} (log-rank {alone}; topics pooled)."
    differ = is_clear(np.nan, np.nan, lambda: p)
    none = "No clear difference in when searchers stop"
    lead = "Searchers stop at different times" if differ else none
    robust = "by searcher" if found.names_searchers else "by session"
    over = f" over {len(found.systems)} systems" if len(found.systems) > 2 else ""
    return f" {lead} (log-rank{over} {robust} {p_value(p)}; {alone}; topics pooled)."


def _no_test(found: Stopping) -> str:
    """Why nothing is claimed of the systems."""
    few = [of.system for of in found.systems if of.units < FEWEST]
    if not few:
        return "No test by searcher: nothing varies between them"
    unit = "searcher" if found.names_searchers else "session"
    have = plural(len(few), "has", "have")
    return f"No test by searcher: {enumerated(few)} {have} fewer than {counted(FEWEST, unit)}"
