"""The sessions under one definition: the systems' means, their order, and who leads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.curves.curves_by_system import CurvesBySystem
from sdcg_explorer.analysis.curves.leads import Lead
from sdcg_explorer.analysis.definition.definition import (
    DEFAULT,
    Definition,
)
from sdcg_explorer.analysis.statistics.fit import NONE, Estimate

DIGITS = 12  # beyond them lies rounding, which makes no order


@dataclass(frozen=True)
class SystemMean:
    """Mean final share of the ideal of one system's sessions, and its interval."""

    system: str
    mean: float
    low: float
    high: float
    sessions: int


@dataclass(frozen=True, eq=False)
class Under:
    """The sessions under one definition: curves, each session's final share, means by system.

    shares : none where sessions were counted, nor is the number above_one · difference : second
    system less the first
    """

    name: str
    definition: Definition
    in_force: bool
    curves: CurvesBySystem
    shares: Floats | None
    means: tuple[SystemMean, ...]
    above_one: int | None
    difference: Lead

    @property
    def ranked(self) -> list[SystemMean]:
        """The systems whose mean is defined, the highest first."""
        known = [mean for mean in self.means if mean.sessions]
        return sorted(known, key=lambda mean: (-round(mean.mean, DIGITS), mean.system))

    @property
    def order(self) -> tuple[tuple[str, ...], ...]:
        """The systems from the highest mean down, those that tie together."""
        groups = groupby(self.ranked, key=lambda mean: round(mean.mean, DIGITS))
        return tuple(tuple(mean.system for mean in group) for _, group in groups)

    @property
    def first(self) -> str:
        """The systems with the highest mean."""
        return " and ".join(self.order[0]) if self.order else ""

    @cached_property
    def lead(self) -> Estimate:
        """The highest system less the next, each searcher and topic compared with itself."""
        ranked = self.ranked
        if len(ranked) < 2 or self.definition.average == "ratio-of-means":
            return Estimate(*NONE)
        return self.difference(ranked[1].system, ranked[0].system)

    @property
    def unsure(self) -> bool:
        """Whether the interval of that difference holds 0."""
        low, high = self.lead.interval()
        return low <= 0 <= high

    def ahead(self, mean: SystemMean) -> dict[str, float]:
        """What of the lead stands in a system's row: all of it in that of the first."""
        is_first = len(self.ranked) > 1 and mean.system == self.ranked[0].system
        values = (self.lead.value, *self.lead.interval()) if is_first else NONE
        return dict(zip(("ahead", "ahead_low", "ahead_high"), values, strict=True))

    def differs(self) -> str:
        """What it does otherwise than ECIR 2008."""
        return self.definition.instead_of(DEFAULT) or "as the paper counts"
