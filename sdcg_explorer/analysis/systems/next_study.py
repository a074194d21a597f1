"""How many searchers does the next study need? Power by noncentral t from this study's units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.statistics.power import MOST, STUDIES, Units, smallest_found
from sdcg_explorer.analysis.statistics.reach import reach_of
from sdcg_explorer.analysis.systems.planned_by import units_of
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.two_systems import BETWEEN, BOTH, PAIRED, Pair
from sdcg_explorer.questions.words.wording import counted, enumerated, short

POWERS = (0.8, 0.9)
POINTS = 80  # of a power curve
ROOM = 1.15  # right of the last number that is needed
GUESS = (
    "One that is looked at because it came out clear is likely too large (winner's curse; Button "
    "et al. 2013): plan with the smallest difference that would matter."
)
SEEN, HALF = "the difference seen", "half of it"
COLUMNS = (
    *("system_a", "system_b", "score", "design", "unit", "planned_for", "difference"),
    *("standardised", "units_80", "units_90", "resampled_80", "resampled_90"),
)
WIDE = ("system_a", "system_b", "score", "design")


@dataclass(frozen=True)
class Plan:
    """A difference to be found, and how many units in all give each of ``POWERS``."""

    words: str
    difference: float
    units: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NextStudy:
    """What a next study of two systems needs.

    units : of this study, None where they can't be planned by, for a reason · smallest : difference
    that this study had 80 % power for · plans : for the difference seen, half of it, one entered ·
    several : whether the pair is one of several
    """

    pair: Pair
    score: str
    measure: str
    sessions: float
    units: Units | None
    reason: str
    smallest: float
    plans: tuple[Plan, ...]
    several: bool

    def answer(self) -> str:
        """How many units which difference takes."""
        if not self.plans:
            return self.reason
        first, *others = self.plans
        parts = [self._whole(first), *map(self._shorter, others)]
        return f"{'; '.join(parts)}."

    def _whole(self, plan: Plan) -> str:
        """One difference in full."""
        (few, many), unit = map(self._counted, plan.units), self.pair.unit
        seen = plan.words == SEEN
        size = f", {short(plan.difference)} {self.measure}," if seen else ","
        if plan.units[0] > MOST:
            return f"For {plan.words}{size} {few} {unit}s are needed"
        if few == many:
            return f"For {plan.words}{size} {few} {unit}s give 80 % power, and 90 %"
        return f"For {plan.words}{size} {few} {unit}s give 80 % power, {many} give 90 %"

    def _shorter(self, plan: Plan) -> str:
        """A further difference after it."""
        few, many = map(self._counted, plan.units)
        return f"for {plan.words} {few}" if few == many else f"for {plan.words} {few} and {many}"

    def _counted(self, units: int) -> str:
        return f"{units:,}" if units <= MOST else f"more than {MOST:,}"

    def said(self) -> list[str]:
        """What the study could have found, and how far the numbers can be relied on."""
        could = [self._smallest()] if self.smallest > 0 else []
        if not self.plans or self.units is None:
            return could
        return [*could, self._guess(), self._planned(), *self._for_whom()]

    def sentences(self) -> list[str]:
        """All of it in words, for the pair by its name."""
        pair = self.pair
        first = f"The next study of {pair.system_a} and {pair.system_b}: {self.answer()}"
        return [first, *self.said()]

    def _smallest(self) -> str:
        """The smallest difference that this study could have found."""
        pair = self.pair
        here = f"With {counted(pair.units, pair.unit)} this study had"
        found = f"80 % power for a difference of {short(self.smallest)} {self.measure}"
        return f"{here} {found}; a smaller one it would have missed more often."

    def _guess(self) -> str:
        """How far off the difference seen may be, in units."""
        if math.isnan(self.pair.low):
            return f"The difference seen is a guess, here without an interval. {GUESS}"
        low, high = sorted(math.copysign(1, self.pair.difference) * end for end in self._ends)
        most = f"were it {short(high)}, {self._needed(high)} would do"
        if low <= 0:
            ends = f"95 % interval, {short(low)} to {short(high)}, holds 0; {most}"
        else:
            ends = f"95 % interval is {short(low)} to {short(high)}; {most}"
            ends += f", were it {short(low)}, {self._needed(low)} would be needed for 80 % power"
        return f"The difference seen is a guess: its {ends}. {GUESS}"

    @property
    def _ends(self) -> tuple[float, float]:
        return self.pair.low, self.pair.high

    def _needed(self, difference: float) -> str:
        """Units for 80 % power, in words."""
        needed = self.units.needed(difference, POWERS[0]) if self.units else 0
        return f"{self._counted(needed)} {self.pair.unit}s"

    def _planned(self) -> str:
        """By what it is planned."""
        unit, spread = self.pair.unit, short(self.units.spread if self.units else math.nan)
        tested = "Noncentral t, two-sided at .05,"
        apart = f"standard deviation {spread} {self.measure}"
        if self.pair.design == BETWEEN:
            by = f"of two groups of {unit}s, equally many with each system ({apart}; Welch's df"
            return f"{tested} {by}, 2n − 2 where both spreads are equal)."
        return f"{tested} of {unit}s' paired differences ({apart}, df n − 1)."

    def _for_whom(self) -> list[str]:
        """What has to be alike in the next study."""
        pair, sentences = self.pair, list[str]()
        if pair.design == BOTH:
            both = counted(pair.both, pair.unit)
            sentences.append(f"Planned by the {both} of both systems: all of the next use both.")
        if pair.design == PAIRED:
            sentences.append("One session with either system on each topic, as here.")
        elif pair.unit == "searcher":
            each = f"{self.sessions:.3g} session{'' if self.sessions == 1 else 's'}"
            sentences.append(f"Each searcher makes {each} with these systems, as here on average.")
        if self.several:
            sentences.append("For this pair alone: several pairs, corrected after Holm, need more.")
        return sentences

    def method(self) -> str:
        """A paragraph of a methods section, empty where nothing is planned."""
        if not self.plans:
            return ""
        pair = self.pair
        sizes = {f"{short(plan.difference)} {self.measure}": None for plan in self.plans}
        return (
            f"Next study: units for 80 % and 90 % power to find {enumerated([*sizes])} "
            f"between {pair.system_a} and {pair.system_b}. {self._planned()} Checked with "
            f"{STUDIES:,} studies drawn from this one's {pair.unit}s."
        )

    def behind(self) -> str:
        """What the table's columns are."""
        return (
            "standardised is the difference in standard deviations; resampled is the share of "
            f"{STUDIES:,} studies with p ≤ .05, of as many {self.pair.unit}s drawn from this one's."
        )

    def table(self) -> pd.DataFrame:
        """A row for each difference."""
        rows = [self._row(plan, self.units) for plan in self.plans if self.units]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def _row(self, plan: Plan, units: Units) -> dict[str, object]:
        few, many = (self._counted(n).replace(",", "") for n in plan.units)
        drawn = [self._resampled(plan, units, n) for n in plan.units]
        own = {name: getattr(self.pair, name) for name in ("system_a", "system_b", "design")}
        return own | {
            "score": self.score,
            "unit": self.pair.unit,
            "planned_for": plan.words,
            "difference": plan.difference,
            "standardised": plan.difference / units.spread,
            **{"units_80": few, "units_90": many},
            **{"resampled_80": drawn[0], "resampled_90": drawn[1]},
        }

    def _resampled(self, plan: Plan, units: Units, n: int) -> float:
        return units.resampled(plan.difference, n // units.groups) if n <= MOST else math.nan

    @cached_property
    def sizes(self) -> Floats:
        """Numbers of units, of all systems together, that curves are drawn at."""
        groups = self.units.groups if self.units else 1
        counts = [n for plan in self.plans for n in plan.units if n <= MOST] or [MOST]
        end = min(MOST, max(ROOM * max(*counts, self.pair.units), 12))
        each = np.geomspace(2, end / groups, POINTS).round()
        return np.unique(each) * groups

    def curve(self, plan: Plan) -> Floats:
        """Power at each of ``sizes``."""
        if self.units is None:
            return np.full(self.sizes.size, np.nan)
        return self.units.power(plan.difference, self.sizes / self.units.groups)


def require_difference(entered: float | None) -> None:
    """Refuse a difference that no study can be planned for.

    Raises
    ------
    ValueError : it is not above 0
    """
    if entered is not None and not 0 < entered < math.inf:
        raise ValueError(f"a difference of {entered:g} to plan for; it has to be above 0.")


def next_study(
    pair: Pair,
    scored: Scored,
    *,
    score: str,
    measure: str,
    several: bool = False,
    entered: float | None = None,
) -> NextStudy:
    """Plan a next study of a pair's systems; `measure` is the score's unit.

    Raises
    ------
    ValueError : a difference entered that is not above 0
    """
    require_difference(entered)
    units, reason = units_of(pair, scored)
    plans: list[Plan] = []
    if units:
        seen = abs(pair.difference)
        wanted = [(SEEN, seen), (HALF, seen / 2)] if seen else []
        wanted += [(f"{entered:g} {measure}", entered)] if entered else []
        plans = [
            Plan(words, size, tuple(units.needed(size, power) for power in POWERS))
            for words, size in wanted
        ]
        reason = "" if seen else "The difference seen is 0: enter one to plan for."
    return NextStudy(
        pair=pair,
        score=score,
        measure=measure,
        sessions=(pair.n_a + pair.n_b) / pair.units if pair.units else math.nan,
        units=units,
        reason=reason,
        smallest=smallest_found(_error(pair), pair.df, POWERS[0]),
        plans=tuple(plans),
        several=several,
    )


def _error(pair: Pair) -> float:
    """Standard error of a pair's difference, which its interval is made of."""
    return (pair.high - pair.low) / 2 / float(reach_of(pair.df))
