"""Reformulations in words: how many gain, which queries are the best, and what stands behind."""

import numpy as np

from sdcg_explorer.questions.reformulations.numbers import USUAL, Reformulations, SystemSteps
from sdcg_explorer.questions.session_curves.words import axis_end_note
from sdcg_explorer.questions.wording import (
    NAMED,
    all_of,
    counted,
    enumerated,
    first_fit,
    left_out,
    percent,
    signed,
    why_none,
)
from sdcg_explorer.scoring.mean_curves import THIN

BOXES = (
    "boxes span the 25th to 75th percentile, whiskers the 5th to 95th; none for fewer than "
    f"{THIN} values."
)
LATER = (
    "Means at later queries come from fewer, longer sessions, so a rise or fall need not occur "
    "within any session."
)
UNDISCOUNTED = " (DCG before the query discount)"
NEVER = {  # of measures that go one way along a session
    "relative_recall": "What was found stays found: relative recall never falls on a topic.",
    "recall_effort": "Queries only add effort, so recall effort never rises on a topic.",
}


def headline(steps: Reformulations) -> str:
    """The page's first line."""
    known = [system for system in steps.systems if system.reformulations]
    if not known:
        if steps.undefined:
            words = f"{steps.words[0].upper()}{steps.words[1:]}"
            return f"{words} is never defined for two queries in a row. Choose another measure."
        if steps.running.any():
            return "No session has several scored queries, so there are no reformulations."
        return why_none("session on a judged topic", steps.without_judgments)
    lead, than = f"In terms of {steps.words}, ", " than the query before"
    if steps.measure == USUAL:
        lead, than = "", f"{than}{UNDISCOUNTED}"
    if len(known) > NAMED:
        told = _overall_and_extreme_shares(known, than)
    else:
        numbers = [f"{each.reformulations:,}" for each in known]
        numbers[0] = counted(known[0].reformulations, "reformulation")
        told = f"{'; '.join(map(_better_and_worse_shares, known, numbers))}{than}"
    told = f"{lead}{told}."
    told = f"{told[0].upper()}{told[1:]}"
    return first_fit(told, told.replace(UNDISCOUNTED, ""), told.replace(than, ""))


def _better_and_worse_shares(of: SystemSteps, number: str) -> str:
    if of.reformulations == 1:
        how = "better" if of.share else "worse" if of.lost else "no better"
        return f"with {of.system}, the one reformulation does {how}"
    if not of.gained and not of.lost:
        return f"with {of.system}, none of {number} does better or worse"
    if of.reformulations in (of.gained, of.lost):
        every, how = of.reformulations, "better" if of.gained else "worse"
        return f"with {of.system}, {_part_of(every, every, number)} do {how}"
    better, worse = (share_or_count(did, of.reformulations) for did in (of.gained, of.lost))
    do, also = ("does" if each == "1" else "do" for each in (better, worse))
    return f"with {of.system}, {better} of {number} {do} better and {worse} {also} worse"


def share_or_count(part: int, every: int) -> str:
    """A part of all as a percentage, or of few as its number.

    >>> share_or_count(6, 24), share_or_count(2, 8), share_or_count(0, 8)
    ('25%', '2', 'none')
    >>> share_or_count(0, 24), share_or_count(7, 7), share_or_count(299, 300)
    ('none', 'all', 'over 99%')
    """
    if part == every > 1:
        return "all"
    return f"{part or 'none'}" if every < THIN or not part else percent(part / every)


def _part_of(part: int, every: int, number: str) -> str:
    """A part of what the number, in words, counts."""
    if part == every > 1:
        return f"{all_of(every)}{number.removeprefix(f'{every:,}')}"
    return f"{share_or_count(part, every)} of {number}"


def _overall_and_extreme_shares(known: list[SystemSteps], than: str) -> str:
    """All systems together, and which gains most and least often."""
    least, *_, most = sorted(known, key=lambda system: system.share)
    steps = sum(system.reformulations for system in known)
    gained, lost = (sum(getattr(of, did) for of in known) for did in ("gained", "lost"))
    better, worse = (share_or_count(did, steps) for did in (gained, lost))
    do, also = ("does" if each == "1" else "do" for each in (better, worse))
    told = (
        f"of {counted(steps, 'reformulation')}, {better} {do} better and {worse} {also} worse{than}"
    )
    if least.share == most.share:
        return told
    highest, lowest = (_systems_with_share(known, end.share) for end in (most, least))
    return f"{told}: most often better with {highest}, least often with {lowest}"


def _systems_with_share(known: list[SystemSteps], share: float) -> str:
    """The systems that gain so often, by name, or of many their number."""
    names = [of.system for of in known if of.share == share]
    who = enumerated(names) if len(names) <= NAMED else f"{len(names)} systems"
    return f"{who} ({percent(share)})"


def figure_notes(steps: Reformulations, *, every: bool = False, is_stable: bool = True) -> str:
    """What stands behind the pictures, to the last query or while enough sessions run.

    is_stable : whether a list is worth the same when it is returned again
    """
    several = [of for of in steps.systems if of.several > 1]
    best = ""
    if 0 < len(several) <= NAMED:
        numbers = [f"{of.several:,}" for of in several]
        numbers[0] = f"{numbers[0]} sessions of several queries"
        each = [
            f"{_part_of(of.last_best, of.several, number)} with {of.system}"
            for of, number in zip(several, numbers, strict=True)
        ]
        of_measure = "" if steps.measure == USUAL else f" in terms of {steps.words}"
        best = f"The last query is the best of its session{of_measure} in {', '.join(each)}."
    sentences = [
        best,
        NEVER.get(steps.measure, "The same list returned again counts as unchanged." * is_stable),
        "Numbers below the steps count reformulations; bars of fewer than "
        f"{THIN} are faint.{axis_end_note(steps.running, steps.end(every=every))}"
        + left_out(steps.without_judgments, (steps.undefined, "query", f"without {steps.words}")),
    ]
    return " ".join(filter(None, sentences))


def cautions(steps: Reformulations) -> list[str]:
    """Plain sentences where a reader could be misled."""
    told: list[str] = []
    for how, sign in (("lower", -1), ("higher", 1)):
        each = {
            of.system: f"{signed(of.first_with_queries)}{{}} (95% interval {signed(low)} to "
            f"{signed(high)})"
            for of in steps.systems
            for low, high in [of.first_interval]
            if low * high > 0 and of.first_with_queries * sign > 0
        }
        if each:
            of_first = f"the {how} the {steps.words} of the first query"
            lead, names = "The more queries follow", len(each) > 1 or len(steps.systems) == 1
            if len(each) < len(steps.systems):
                who = f"{len(each):,} systems" if names else next(iter(each))
                lead = f"With {who}, the more queries follow"
            found = [of.format(f" with {name}" * names) for name, of in each.items()]
            told.append(f"{lead}, {of_first}: rank correlation {', '.join(found)}.")
    return [*told, *[LATER] * bool((np.diff(steps.running) < 0).any())]
