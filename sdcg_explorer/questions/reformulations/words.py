"""Reformulations in words: how many gain, and what stands behind."""

import numpy as np

from sdcg_explorer.questions import wording
from sdcg_explorer.questions.reformulations.numbers import Reformulations, SystemSteps
from sdcg_explorer.questions.session_curves.words import axis_end_note
from sdcg_explorer.scoring.mean_curves import THIN

BOXES = (
    "boxes span the 25th to 75th percentile, whiskers the 5th to 95th; none for fewer than "
    f"{THIN} values."
)
LATER = (
    "Means at later queries come from fewer, longer sessions, so a rise or fall need not occur "
    "within any session."
)


def headline(steps: Reformulations) -> str:
    """The page's first line: how many reformulations gain and lose, of many systems the ends."""
    known = [system for system in steps.systems if system.reformulations]
    if not known:
        if steps.undefined:
            words = wording.capital(steps.words)
            return f"{words} is never defined for two queries in a row. Choose another measure."
        if steps.running.any():
            return "No session has several scored queries, so there are no reformulations."
        return wording.why_none("session on a judged topic", steps.without_judgments)
    lead = f"Reformulations with more {steps.words} than the query before:"
    overall = _share_of_cases("all systems", *known)
    each = ", ".join(_share_of_cases(of.system, of) for of in known)
    if len(known) > wording.NAMED:
        least, *_, most = sorted(known, key=lambda system: system.share)
        ends = (f"{wording.percent(of.share)} with {of.system}" for of in (most, least))
        each = f"{overall}, from {' to '.join(ends)}" if most.share > least.share else overall
    return wording.first_fit(f"{lead} {each}.", f"{lead} {overall}.")


def _share_of_cases(who: str, *systems: SystemSteps) -> str:
    """Which share of some systems' reformulations gain, and which lose."""
    counts = [(of.reformulations, of.gained, of.lost) for of in systems]
    every, more, less = np.sum(counts, axis=0).tolist()
    gained, lost = (wording.percent(number / every) for number in (more, less))
    return f"{gained} of {every:,} with {who} (less: {lost})"


def figure_notes(steps: Reformulations, *, every: bool = False) -> str:
    """What stands behind the pictures, to the last query or while enough sessions run."""
    left = wording.left_out(
        steps.without_judgments, (steps.undefined, "query", f"without {steps.words}")
    )
    end = axis_end_note(steps.running, steps.end(every=every))
    return f"Bars of fewer than {THIN} reformulations are faint.{end}{left}"


def cautions(steps: Reformulations) -> list[str]:
    """Plain sentences where a reader could be misled."""
    each = [
        f"{of.system} {wording.signed(of.first_with_queries)}"
        f"{wording.interval(wording.signed, *of.first_interval)}"
        for of in steps.systems
        if of.first_interval[0] * of.first_interval[1] > 0
    ]
    lead = f"Rank correlation of the first query's {steps.words} with the number of queries"
    told = [f"{lead}: {', '.join(each)}."] if each else []
    return [*told, LATER] if (np.diff(steps.running) < 0).any() else told
