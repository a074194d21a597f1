"""A difference over b and bq in words: who is ahead where, and where clearly."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.robustness.robustness import Lead, Robustness
from sdcg_explorer.questions.words.two_systems import is_by_topic, too_few
from sdcg_explorer.questions.words.win_counts import POINTS, and_under, said
from sdcg_explorer.questions.words.wording import counted, left_out, no_score, share, short

NOT_TESTS = (
    "Neighbours on the grid are nearly the same definition: its points are no independent tests. "
    "Choose b and bq before looking, by what searchers are like, and report the map."
)
CORRECTED = (
    "Of {} pairs of systems this is one: p by t counts so often where the interval is said to "
    "exclude 0, as Holm has it on Compare systems for the pair that differs most, and stricter "
    "than there for others. Intervals are those of this pair alone."
)
BONFERRONI = " P of each point was corrected for {} pairs of systems after Bonferroni."
AS_COMPARED = "the difference and its 95 % interval by t as on Compare systems, {}"
TOPICS_FIXED = (
    "The map answers for these topics. For topics like these, Compare systems answers at one point."
)


def answer(of: Robustness, under: Lead | None = None) -> str:
    """The page's first line; `under` is who is ahead under all definitions, where known."""
    if not any(of.sessions):
        return no_score(of)
    if of.pair is None:
        return _of_one(of)
    if under is None or not of.is_known:
        return f"{said(of.lead, *POINTS)}."
    return f"{and_under(of.lead, under)}."


def _of_one(of: Robustness) -> str:
    name = of.systems[0]
    if np.isnan(of.value).all():
        return f"{name}: no session has this score at every point of the grid."
    least, most = (short(end) for end in (np.nanmin(of.value), np.nanmax(of.value)))
    text = f"{name}: the mean is between {least} and {most} {of.unit} on this grid"
    if least == most:
        text = f"{name}: the mean is {least} {of.unit} at every point of this grid"
    if not of.has_order:
        return f"{text}."
    lowest = share(float(np.nanmin(of.correlation)))
    return f"{text}; sessions keep their order with a rank correlation of at least {lowest}."


def behind(of: Robustness) -> str:
    """What stands behind the map."""
    undefined = counted(of.undefined, "session")
    left = f" Left out: {undefined} whose score is undefined." if of.undefined else ""
    grid = f"{len(of.b)} values of b times {len(of.bq)} of bq, from {of.b[0]:g} to {of.b[-1]:g}"
    how = "the mean of its sessions"
    if of.pair:
        how = AS_COMPARED.format(_topics(of))
    each = zip(of.systems, of.sessions, strict=True)
    sessions = ", ".join(f"{name}: {counted(number, 'session')}" for name, number in each)
    lacking = left_out(of.without_judgments) + left
    return f"{sessions}; {grid}, in equal ratios; at each {how}.{lacking}"


def advice(of: Robustness) -> list[str]:
    """Where a reader could be misled."""
    few = too_few(of.compared) if of.compared else []
    if of.pair is None or not of.is_known:
        return few
    corrected = [CORRECTED.format(of.pairs)] if of.pairs > 1 else []
    fixed = [TOPICS_FIXED] if of.compared and not is_by_topic(of.compared) else []
    return [*few, *corrected, NOT_TESTS, *fixed]


def _topics(of: Robustness) -> str:
    """What topics are in the comparison of two systems."""
    return "topics as units" if of.compared and is_by_topic(of.compared) else "topics fixed"


def method(of: Robustness) -> str:
    """A paragraph of a methods section."""
    what = f"{of.words} in {of.unit}"
    if of.pair:
        first, second = of.pair
        what = f"the difference {second} − {first} in {what}"
    estimator = f"with the estimator of the comparison at each, {_topics(of)}"
    if not of.pair:
        estimator = "as the mean of its sessions at each"
    return (
        f"Robustness: {what} was computed for {len(of.b)} values of b times {len(of.bq)} of "
        f"bq, {of.b[0]:g} to {of.b[-1]:g} in equal ratios, {estimator}; neighbouring points are no "
        "independent tests."
        f"{BONFERRONI.format(of.pairs) if of.pairs > 1 else ''}"
    )


def sentences(of: Robustness, under: Lead | None = None) -> str:
    """Everything in words, as `sdcg robustness` writes it."""
    lines = [answer(of, under), f"Score: {of.words} ({of.score}), in {of.unit}."]
    return "\n".join([*lines, behind(of), *advice(of)]) + "\n"
