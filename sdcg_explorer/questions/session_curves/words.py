"""Session curves in words: what they have reached, and how many sessions stand behind."""

from collections.abc import Callable, Sequence

import numpy as np

from sdcg_explorer.metrics.arrays import Ints
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.session_curves import numbers
from sdcg_explorer.scoring.definition import FURTHER
from sdcg_explorer.scoring.mean_curves import THIN, MeanCurve
from sdcg_explorer.scoring.selection import FURTHER_CURVES
from sdcg_explorer.statistics.permutation import is_clear

READ_AT = 3  # query at whose end curves are read
LEVEL = "95% interval "


def headline(curves: numbers.SessionCurves, measure: str, length: int | None = None) -> str:
    """The page's first line, of an axis to so many queries.

    Without intervals, which the figure draws, where there is no room.
    """
    if not any(of.curve(measure).sessions.any() for of in curves.curves):
        what, judged = "session with a judged topic", curves.sessions
        what = "session with a share of an ideal" if judged else what
        return wording.why_none(what, curves.without_judgments, judged, unit="nsDCG")
    place = curves.end(length)
    when = f"At position {place:,}"
    if curves.per_query:
        number = min(READ_AT, place // curves.per_query)
        place, when = number * curves.per_query, f"After {wording.counted(number, 'query')}"
    least = min(of.at_least for of in curves.curves)
    each = [(of.system, of.curve(measure)) for of in curves.curves if of.at_least == least]
    is_share = measure in ("normalised", numbers.SAW_TOOTH)
    means = place_values(each, place - 1, wording.share if is_share else wording.short)
    if not means:
        return f"{when}, no session has a defined value."
    gained = "{0} has reached {1} of the ideal" if is_share else "{0} has gained {1}"
    if measure == numbers.SAW_TOOTH:  # curves start anew with each query
        gained = "{0} stands at {1} (the query's share of its ideal, times the query discount)"
    unit = f" {FURTHER[measure].words}" if measure in FURTHER_CURVES else ""
    forms = (means_in_row(means, f"{gained}{unit}", intervals=so) for so in (True, False))
    return wording.first_fit(*(f"{when}, {form}." for form in forms))


def means_in_row(means: Sequence[tuple[str, str, str]], lead: str, *, intervals: bool) -> str:
    """Systems with their means, the first as `lead` has it; of many the ends."""
    ends = [means[0], means[-1]] if len(means) > wording.NAMED else means
    forms = [lead, *["{0} {1}"] * (len(ends) - 1)]
    told = ", ".join(
        f"{form.format(system, value)}{around if intervals else ''}"
        for form, (system, value, around) in zip(forms, ends, strict=True)
    )
    return told if ends is means else f"{told}; the {len(means) - 2:,} others lie in between"


def place_values(
    curves: Sequence[tuple[str, MeanCurve]], place: int, written: Callable[[float], str]
) -> list[tuple[str, str, str]]:
    """Systems with what their curves are at a place, and its interval, the highest first."""
    known = [each for each in curves if each[1].sessions[place]]
    found, said = list[tuple[str, str, str]](), ""
    for system, curve in sorted(known, key=lambda each: -round(float(each[1].mean[place]), 9)):
        around = wording.interval(written, float(curve.low[place]), float(curve.high[place]))
        found.append((system, written(float(curve.mean[place])), around.replace(said, "")))
        said = LEVEL if around else said  # once
    return found


def figure_notes(curves: numbers.SessionCurves, measure: str, length: int | None = None) -> str:
    """What stands behind a picture to so many queries: sessions per mean, and what is not."""
    sizes = {of.name: int(of.curve(measure).sessions.max(initial=0)) for of in curves.curves}
    left = wording.left_out(curves.without_judgments)
    if not any(sizes.values()):
        return left.strip()
    after = " After its last query, a session keeps its gain." * (measure != numbers.SAW_TOOTH)
    end = "" if length else axis_end_sentence(curves)
    return f"{wording.sessions_of(sizes)}{end}{after}{left}"


def axis_end_sentence(curves: numbers.SessionCurves) -> str:
    """Where the axis ends, if that is before the last session does."""
    place = "query" if curves.per_query else "position"
    return axis_end_note(curves.running, curves.end() // (curves.per_query or 1), place)


def axis_end_note(running: Ints, end: int, place: str = "query") -> str:
    """What is said of an axis that ends before the last session does, else nothing.

    >>> import numpy as np
    >>> axis_end_note(np.array([20, 12, 9, 1]), 2)
    ' The axis ends at query 2 of 4, the last that 10 sessions reach.'
    >>> axis_end_note(np.array([20, 12, 9, 1]), 4)
    ''
    """
    if end >= running.size:
        return ""
    reached = f"the last that {THIN} sessions reach"
    return f" The axis ends at {place} {end:,} of {running.size:,}, {reached}."


def cautions(curves: numbers.SessionCurves, measure: str) -> list[str]:
    """Plain sentences where a reader could be misled."""
    drawn = [of.curve(measure) for of in curves.curves if curves.bands]
    return wording.missing_interval_note([(of.mean, of.low) for of in drawn if of.sessions.any()])


def stopping_sentence(found: numbers.Stopping) -> str:
    """Whether systems differ in when searchers stop, and when half have; of many the ends."""
    if not found.systems:
        return ""
    test, p = "", found.by_searcher
    if found.plain is not None and np.isnan(p):
        test = (
            "There is no test of when searchers stop: it needs differences that vary, and "
            f"{numbers.FEWEST} searchers (or sessions that name none) with each system. "
        )
    elif found.plain is not None:
        differ = "differ" if is_clear(np.nan, np.nan, lambda: p) else "don't differ clearly"
        test = f"The systems {differ} in when searchers stop ({wording.p_value(p)}, log-rank). "
    ordered = sorted(found.systems, key=lambda of: of.median_stopping_query)
    first, last = (ordered[place].median_stopping_query for place in (0, -1))
    each = [f"query {of.median_stopping_query} with {of.system}" for of in ordered]
    halves = f"by {', '.join(each)}"
    if first == last and len(each) > 1:
        halves = f"by query {first} with each system"
    elif len(each) > wording.NAMED:
        halves = f"by query {first} to {last}, depending on the system"
    kept_back = wording.withheld_note(found.withheld)
    return f"{test}Half of the sessions have ended {halves}. {kept_back}".strip()


def method(found: numbers.Stopping) -> str:
    """How systems were compared in when searchers stop; empty where they were not."""
    if found.plain is None or np.isnan(found.by_searcher):
        return ""
    return (
        "When searchers stop was compared by a log-rank test, topics pooled, with searchers (or "
        f"sessions that name none) as units ({wording.p_value(found.by_searcher)}; plain "
        f"log-rank test, {wording.p_value(found.plain)})."
    )
