"""How many searchers does the next study need? Power by noncentral t from this study's units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.statistics.power import MOST, Units, smallest_found
from sdcg_explorer.analysis.statistics.reach import reach_of
from sdcg_explorer.analysis.systems.planned_by import units_of
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.two_systems import Pair

POWERS = (0.8, 0.9)
POINTS = 80  # of a power curve
ROOM = 1.15  # right of the last number that is needed
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


def number_of(units: int) -> str:
    """A number of units, as far as they are counted."""
    return f"{units:,}" if units <= MOST else f"more than {MOST:,}"


@dataclass(frozen=True, eq=False)
class NextStudy:
    """What a next study of two systems needs.

    units : of this study, None where they can't be planned by · reason : why nothing is
    planned, of those that questions/words/next_study.py says · smallest : difference
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

    def table(self) -> pd.DataFrame:
        """A row for each difference."""
        rows = [self._row(plan, self.units) for plan in self.plans if self.units]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def _row(self, plan: Plan, units: Units) -> dict[str, object]:
        few, many = (number_of(n).replace(",", "") for n in plan.units)
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
        reason = "" if seen else "equal"
    error = (pair.high - pair.low) / 2 / float(reach_of(pair.df))  # which the interval is made of
    return NextStudy(
        pair=pair,
        score=score,
        measure=measure,
        sessions=(pair.n_a + pair.n_b) / pair.units if pair.units else math.nan,
        units=units,
        reason=reason,
        smallest=smallest_found(error, pair.df, POWERS[0]),
        plans=tuple(plans),
        several=several,
    )
