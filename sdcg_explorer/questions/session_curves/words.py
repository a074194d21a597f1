"""Session curves in words: what they have reached, and how many sessions stand behind."""

from collections.abc import Callable, Sequence

import numpy as np

from sdcg_explorer.metrics.arrays import Ints
from sdcg_explorer.questions.session_curves.numbers import (
    FEWEST,
    SAW_TOOTH,
    SessionCurves,
    Stopping,
)
from sdcg_explorer.questions.wording import (
    NAMED,
    counted,
    enumerated,
    first_fit,
    interval,
    left_out,
    missing_interval_note,
    p_value,
    plural,
    sessions_of,
    share,
    short,
    why_none,
)
from sdcg_explorer.scoring.mean_curves import THIN, MeanCurve, axis_end
from sdcg_explorer.scoring.selection import ADDITIVE, FURTHER_CURVES
from sdcg_explorer.statistics.permutation import is_clear

NUMBERS = ("one query", "two queries", "three queries")
ORDINALS = ("first", "second", "third")
LEVEL = "95% interval "
TOGETHER = "All sessions end after the same query."
FEW = f"Curves are thin where fewer than {THIN} of their sessions are still running."


def headline(curves: SessionCurves, measure: str, length: int | None = None) -> str:
    """The page's first line, of an axis to so many queries.

    Without intervals, which the figure draws, where there is no room.
    """
    if not any(of.curve(measure).sessions.any() for of in curves.curves):
        what, judged = "session with a judged topic", curves.sessions
        what = "session with a share of an ideal" if judged else what
        return why_none(what, curves.without_judgments, judged, unit="nsDCG")
    forms = (_headline(curves, measure, length, intervals=intervals) for intervals in (True, False))
    return first_fit(*forms)


def _headline(curves: SessionCurves, measure: str, length: int | None, *, intervals: bool) -> str:
    end = curves.end(length)
    number = min(len(NUMBERS), end // (curves.per_query or 1))
    place = number * curves.per_query if curves.per_query else end
    when, which = f"After {NUMBERS[number - 1]}", f"the {ORDINALS[number - 1]} query"
    if not curves.per_query:
        when = "At the end" if end == curves.positions else f"At position {end:,}"
        which = f"the cell at position {end:,}"
    least = min(of.at_least for of in curves.curves)
    each = [(of.system, of.curve(measure)) for of in curves.curves if of.at_least == least]
    means = place_values(each, place - 1, share if measure in ("normalised", SAW_TOOTH) else short)
    if not means:
        return f"{when}, no session has a defined value."
    if measure == SAW_TOOTH:  # what one query alone reaches: curves start anew with each
        own = "{1} of its own ideal with {0}"
        told = means_in_row(means, own, "{1} with {0}", intervals=intervals)
        return f"With the query discount, if any, {which} alone is worth {told}."
    gained = "{0} has reached {1} of the ideal" if measure == "normalised" else "{0} has gained {1}"
    unit = f" {ADDITIVE[measure].words}" if measure in FURTHER_CURVES else ""
    return f"{when}, {means_in_row(means, f'{gained}{unit}', intervals=intervals)}."


def means_in_row(
    means: Sequence[tuple[str, str, str]], lead: str, rest: str = "{0} {1}", *, intervals: bool
) -> str:
    """Systems with their means, as `lead` has the first and `rest` each other; of many the ends."""
    ends = [means[0], means[-1]] if len(means) > NAMED else means
    forms = [lead, *[rest] * (len(ends) - 1)]
    told = [
        f"{form.format(system, value)}{around if intervals else ''}"
        for form, (system, value, around) in zip(forms, ends, strict=True)
    ]
    if len(means) <= NAMED:
        return ", ".join(told)
    is_tied = not {value for _, value, _ in means[1:-1]}.isdisjoint(value for _, value, _ in ends)
    between = f"{len(means) - 2:,} others lie between{' or tie' * is_tied}"
    return f"{', '.join(told)}; {between}"


def place_values(
    curves: Sequence[tuple[str, MeanCurve]], place: int, written: Callable[[float], str]
) -> list[tuple[str, str, str]]:
    """Systems with what their curves are at a place, and its interval, the highest first."""
    known = [each for each in curves if each[1].sessions[place]]
    found, said = list[tuple[str, str, str]](), ""
    for system, curve in sorted(known, key=lambda each: -round(float(each[1].mean[place]), 9)):
        around = interval(written, float(curve.low[place]), float(curve.high[place]))
        found.append((system, written(float(curve.mean[place])), around.replace(said, "")))
        said = LEVEL if around else said  # once
    return found


def figure_notes(curves: SessionCurves, measure: str, length: int | None = None) -> str:
    """What stands behind a picture to so many queries: sessions per mean, and what is not."""
    sizes = {of.name: int(of.curve(measure).sessions.max(initial=0)) for of in curves.curves}
    continues = measure == "normalised" and curves.continues
    after = "session's ideal continues" if continues else "session keeps its value"
    after = "session no longer counts" if measure == SAW_TOOTH else after
    ends, left = axis_end_sentence(curves, length), left_out(curves.without_judgments)
    if not any(sizes.values()):
        return left.strip()
    return f"{sessions_of(sizes)}{ends} After its last query, a {after}.{left}"


def axis_end_sentence(curves: SessionCurves, length: int | None = None) -> str:
    """Where an axis to so many queries ends, if that is before the last session does."""
    place = "query" if curves.per_query else "position"
    return axis_end_note(curves.running, curves.end(length) // (curves.per_query or 1), place)


def axis_end_note(running: Ints, end: int, place: str = "query") -> str:
    """What is said of an axis that ends before the last session does, else nothing.

    >>> import numpy as np
    >>> axis_end_note(np.array([20, 12, 9, 1]), 2)
    ' The axis ends at query 2 of 4, the last that 10 sessions reach.'
    >>> axis_end_note(np.array([20, 12, 9, 1]), 4)
    ''
    """
    if not 0 < end < running.size:
        return ""
    reach = f", the last that {THIN} sessions reach" if end == axis_end(running) else ""
    return f" The axis ends at {place} {end:,} of {running.size:,}{reach}."


def cautions(curves: SessionCurves, measure: str, length: int | None = None) -> list[str]:
    """Plain sentences where a reader could be misled, of what an axis to so many queries shows."""
    drawn = [of.curve(measure) for of in curves.curves if curves.bands]
    edges = [(curve.mean, curve.low) for curve in drawn if curve.sessions.any()]
    few = any(curves.first_thin_position(of) < curves.end(length) for of in curves.curves)
    return [*missing_interval_note(edges), *[FEW] * few]


def stopping_sentence(found: Stopping) -> str:
    """Whether systems differ in when searchers stop, and when half have, or all at once."""
    if not found.systems:
        return ""
    groups: dict[tuple[bool, int], list[str]] = {}  # by whether all have, and when
    for of in (of for of in found.systems if of.lengths.size > 1):
        half = of.median_stopping_query
        groups.setdefault((int(of.lengths.max()) == half, half), []).append(of.system)
    ends: dict[str, list[str]] = {}
    for (have_all, half), names in sorted(groups.items()):
        rest = "the other " * ((have_all, half) == max(groups) > min(groups))
        each = enumerated(names) if len(names) <= NAMED else f"{rest}{len(names)} systems"
        by = f"by query {half}" + f" with {each}" * (len(found.systems) > 1)
        ends.setdefault("All" if have_all else "Half of the", []).append(by)
    ended = " ".join(f"{who} sessions have ended {', '.join(by)}." for who, by in ends.items())
    last = counted(found.withheld, "last query, which is", "last queries, which are")
    lacking = f"The log withholds {last} not counted here." if found.withheld else ""
    test = _stopping_test_sentence(found)
    return " ".join(filter(None, (test, ended * (test != TOGETHER), lacking)))


def _stopping_test_sentence(found: Stopping) -> str:
    """The test in a sentence."""
    if found.plain is None:
        return ""
    if np.isnan(found.plain):
        return TOGETHER
    p, unit = found.by_searcher, "searcher" if found.names_searchers else "session"
    few = [of.system for of in found.systems if of.units < FEWEST]
    if few:
        who = ["each system"] if len(few) == len(found.systems) else few
        has = plural(len(who), "has", "have")
        return f"There is no test: {enumerated(who)} {has} fewer than {counted(FEWEST, unit)}."
    if np.isnan(p):
        return "There is no test: there is no spread to test against."
    differ = "differ" if is_clear(np.nan, np.nan, lambda: p) else "don't differ clearly"
    return f"The systems {differ} in when searchers stop ({p_value(p)}, log-rank)."


def method(found: Stopping) -> str:
    """How systems were compared in when searchers stop; empty where they were not."""
    if found.plain is None or np.isnan(found.by_searcher):
        return ""
    unit = "searcher" if found.names_searchers else "session"
    return (
        f"When searchers stop was compared by a log-rank test, topics pooled, with the {unit} as "
        f"the unit ({p_value(found.by_searcher)}; plain log-rank test, {p_value(found.plain)})."
    )
