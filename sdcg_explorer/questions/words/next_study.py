"""How many searchers a next study needs, in words."""

from __future__ import annotations

import math

from sdcg_explorer.analysis.systems.next_study import (
    FEWEST,
    MOST,
    POWERS,
    SEEN,
    STUDIES,
    NextStudy,
    Plan,
    number_of,
)
from sdcg_explorer.analysis.systems.two_systems import BETWEEN, BOTH, PAIRED
from sdcg_explorer.questions.words.wording import counted, enumerated, short

GUESS = (
    "One that is looked at because it came out clear is likely too large (winner's curse; Button "
    "et al. 2013): plan with the smallest difference that would matter."
)
WHOSE = {BETWEEN: "with each system", PAIRED: "with both systems"}
WHY_NOT = {
    "topics": "Planned for these topics only: for topics like these more searchers alone don't do, "
    "as topics are drawn, too. Choose fixed topics to plan searchers.",
    "difference": "Without a difference there is nothing to plan by.",
    "few": f"Fewer than {FEWEST} {{unit}}s {{whose}}: too few to plan by their spread.",
    "alike": "{Unit}s show no spread to plan by.",
    "untold": "Once topics are taken off, too little is left of the {unit}s to plan by.",
    "equal": "The difference seen is 0: enter one to plan for.",
}


def answer(of: NextStudy) -> str:
    """How many units which difference takes."""
    if not of.plans:
        unit, whose = of.pair.unit, WHOSE.get(of.pair.design, "used both systems")
        return WHY_NOT[of.reason].format(unit=unit, Unit=unit.capitalize(), whose=whose)
    first, *others = of.plans
    return f"{'; '.join([_whole(of, first), *map(_shorter, others)])}."


def _whole(of: NextStudy, plan: Plan) -> str:
    """One difference in full."""
    (few, many), unit = map(number_of, plan.units), of.pair.unit
    size = f" {short(plan.difference)} {of.measure}," if plan.words == SEEN else ""
    needed = f"For {plan.words},{size} {few} {unit}s"
    if plan.units[0] > MOST:
        return f"{needed} are needed"
    return f"{needed} give 80 % power, {'and 90 %' if few == many else f'{many} give 90 %'}"


def _shorter(plan: Plan) -> str:
    """A further difference after it."""
    few, many = map(number_of, plan.units)
    return f"for {plan.words} {few}" if few == many else f"for {plan.words} {few} and {many}"


def said(of: NextStudy) -> list[str]:
    """What the study could have found, and how far the numbers can be relied on."""
    found = f"80 % power for a difference of {short(of.smallest)} {of.measure}"
    could = f"With {counted(of.pair.units, of.pair.unit)} this study had {found}"
    told = [f"{could}; a smaller one it would have missed more often."] if of.smallest > 0 else []
    return [*told, _guess(of), _planned(of), *_for_whom(of)] if of.plans else told


def sentences(of: NextStudy) -> list[str]:
    """All of it in words, for the pair by its name."""
    pair = of.pair
    return [f"The next study of {pair.system_a} and {pair.system_b}: {answer(of)}", *said(of)]


def _guess(of: NextStudy) -> str:
    """How far off the difference seen may be, in units."""
    pair = of.pair
    if math.isnan(pair.low):
        return f"The difference seen is a guess, here without an interval. {GUESS}"
    low, high = sorted(math.copysign(1, pair.difference) * end for end in (pair.low, pair.high))
    most = f"were it {short(high)}, {_needed(of, high)} would do"
    if low <= 0:
        ends = f"95 % interval, {short(low)} to {short(high)}, holds 0; {most}"
    else:
        ends = f"95 % interval is {short(low)} to {short(high)}; {most}"
        ends += f", were it {short(low)}, {_needed(of, low)} would be needed for 80 % power"
    return f"The difference seen is a guess: its {ends}. {GUESS}"


def _needed(of: NextStudy, difference: float) -> str:
    """Units for 80 % power, in words."""
    needed = of.units.needed(difference, POWERS[0]) if of.units else 0
    return f"{number_of(needed)} {of.pair.unit}s"


def _planned(of: NextStudy) -> str:
    """By what it is planned."""
    unit, spread = of.pair.unit, short(of.units.spread if of.units else math.nan)
    apart = f"standard deviation {spread} {of.measure}"
    by = f"of {unit}s' paired differences ({apart}, df n − 1)."
    if of.pair.design == BETWEEN:
        by = (
            f"of two groups of {unit}s, equally many with each system ({apart}; Welch's df, 2n − 2 "
            "where both spreads are equal)."
        )
    return f"Noncentral t, two-sided at .05, {by}"


def _for_whom(of: NextStudy) -> list[str]:
    """What has to be alike in the next study."""
    pair, told = of.pair, list[str]()
    if pair.design == BOTH:
        both = counted(pair.both, pair.unit)
        told.append(f"Planned by the {both} of both systems: all of the next use both.")
    if pair.design == PAIRED:
        each = "As many sessions" if pair.is_of_runs else "One session"
        told.append(f"{each} with either system on each topic, as here.")
    elif pair.unit == "searcher":
        each = counted(of.sessions, "session")
        told.append(f"Each searcher makes {each} with these systems, as here on average.")
    if of.several:
        told.append("For this pair alone: several pairs, corrected after Holm, need more.")
    return told


def method(of: NextStudy) -> str:
    """A paragraph of a methods section, empty where nothing is planned."""
    if not of.plans:
        return ""
    pair = of.pair
    sizes = dict.fromkeys(f"{short(plan.difference)} {of.measure}" for plan in of.plans)
    return (
        f"Next study: units for 80 % and 90 % power to find {enumerated([*sizes])} "
        f"between {pair.system_a} and {pair.system_b}. {_planned(of)} Checked with "
        f"{STUDIES:,} studies drawn from this one's {pair.unit}s."
    )


def behind(of: NextStudy) -> str:
    """What the table's columns are."""
    return (
        "standardised is the difference in standard deviations; resampled is the share of "
        f"{STUDIES:,} studies with p ≤ .05, of as many {of.pair.unit}s drawn from this one's."
    )
