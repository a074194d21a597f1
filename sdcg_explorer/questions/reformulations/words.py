"""Reformulations in words: how many gain, which queries are the best, and what stands behind."""

from __future__ import annotations

from sdcg_explorer.questions.reformulations.numbers import USUAL, Reformulations, SystemSteps
from sdcg_explorer.questions.session_curves.words import ends_where
from sdcg_explorer.questions.wording import NAMED, between, counted, left_out, none_left, signed
from sdcg_explorer.scoring.mean_curves import THIN

BOXES = (
    "from the 25th to the 75th percentile, whiskers from the 5th to the 95th, systems in the "
    f"legend's order; none of fewer than {THIN} values."
)
UNDISCOUNTED = "before the query discount"  # as are all numbers of the page
LATER = (
    "Means by query number run over the sessions that go on so far: later ones are other "
    "sessions, not later moments of the same."
)
NEVER = {  # of measures that go one way along a session
    "relative_recall": "What was found stays found: relative recall never falls on a topic.",
    "recall_effort": "Later queries have examined more: recall effort never rises on a topic.",
}


def answer(steps: Reformulations) -> str:
    """The page's first line."""
    known = [system for system in steps.systems if system.reformulations]
    if not known and steps.undefined:
        return f"No two queries in a row have {steps.words}: choose another measure."
    if not known:
        if steps.running.any():
            return "No session shown has several judged queries: nothing was reformulated."
        return none_left("session on a judged topic", steps.without_judgments)
    told = (_extremes if len(known) > NAMED else _each)(known, _gain(steps))
    if steps.measure != USUAL:
        return f"By {steps.words}, {told}."
    return f"{told[0].upper()}{told[1:]}."


def _gain(steps: Reformulations) -> str:
    """What reformulations do that bring more, with what is not taken off it."""
    return f"gain {UNDISCOUNTED}" if steps.measure == USUAL else "gain"


def _each(known: list[SystemSteps], gain: str) -> str:
    """What each system's reformulations did."""
    first, *others = [(of, f"{of.lost / of.reformulations:.0%}") for of in known]
    of, lost = first
    steps = counted(of.reformulations, "reformulation")
    told = [f"in {of.system} {of.share:.0%} of {steps} {gain} ({lost} lose)"]
    told += [
        f"in {of.system} {of.share:.0%} of {of.reformulations:,} ({lost})" for of, lost in others
    ]
    return ", ".join(told)


def _extremes(known: list[SystemSteps], gain: str) -> str:
    """All systems together, and which gains most and least often."""
    least, *_, most = ordered = sorted(known, key=lambda system: system.share)
    names = [system.system for system in ordered]
    steps = sum(system.reformulations for system in known)
    gained, lost = (sum(getattr(system, did) for system in known) for did in ("gained", "lost"))
    return (
        f"of {counted(steps, 'reformulation')} {gained / steps:.0%} {gain} "
        f"({lost / steps:.0%} lose); most in {most.system} ({most.share:.0%}), "
        f"fewest in {least.system} ({least.share:.0%}), {between(names)}"
    )


def behind(steps: Reformulations, *, every: bool = False) -> str:
    """What stands behind the pictures, to the last query or while enough sessions run."""
    counts = "; ".join(
        f"{s.system}: {counted(s.several, 'session')} with several queries" for s in steps.systems
    )
    same = f"Change of {steps.words}, so that the same list issued again is no change."
    return (
        f"{counts}. {_last(steps)}{NEVER.get(steps.measure, same)} Beneath each step stands its "
        f"number of reformulations; bars of fewer than {THIN} are faint."
        f"{ends_where(steps.running, steps.end(every=every))}{left_out(steps.without_judgments)}"
        f"{left_out(steps.undefined, 'query', f'without {steps.words}')}"
    )


def _last(steps: Reformulations) -> str:
    """How often last queries are the best, by system."""
    told = ", ".join(
        f"in {of.system} in {of.last_best / of.several:.0%}" for of in steps.systems if of.several
    )
    by = f"DCG {UNDISCOUNTED}" if steps.measure == USUAL else steps.words
    best = f"By {by}, the last query is the best {told} of the sessions with several. "
    return best if told else ""


def advice(steps: Reformulations) -> list[str]:
    """Plain sentences where a reader could be misled."""
    has = "is worth {}" if steps.measure == USUAL else f"has {{}} {steps.words}"
    said = [
        f"In {s.system} a session's first query "
        f"{has.format('more' if s.first_with_queries > 0 else 'less')} the more queries follow "
        f"(rank correlation {signed(s.first_with_queries)}; 95 % interval {signed(low)} to "
        f"{signed(high)})."
        for s in steps.systems
        for low, high in [s.first_interval]
        if low * high > 0
    ]
    return [*said, LATER]
