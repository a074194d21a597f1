"""Who is ahead at many points, or under many definitions."""

from __future__ import annotations

from dataclasses import dataclass

from sdcg_explorer.analysis.arrays import Bools, Floats
from sdcg_explorer.analysis.statistics.permutation import LEVEL


@dataclass(frozen=True, eq=False)
class Lead:
    """Differences of two systems, second less first, at many points or under many definitions.

    value, p (…) : each difference, and its p by t; nan where there is none · pairs : two systems of
    those compared, of which these are one: p counts as often, which is what Holm makes of the pair
    that differs most, and stricter for others

    Source: Holm (1979).

    >>> import numpy as np
    >>> Lead(("A", "B"), np.array([0.2, -0.1, 0.3]), np.array([0.01, 0.04, 0.9])).clear.tolist()
    [True, True, False]
    """

    systems: tuple[str, str]
    value: Floats
    p: Floats
    pairs: int = 1

    @property
    def clear(self) -> Bools:
        """Where the interval excludes 0, widened for so many pairs."""
        return self.p * self.pairs <= LEVEL

    def at(self, where: Bools) -> Lead:
        """The same at some points, or under some definitions."""
        return Lead(self.systems, self.value[where], self.p[where], self.pairs)

    @property
    def wins(self) -> list[tuple[str, Bools]]:
        """Each system and where it is ahead, first the one that is so more often."""
        first, second = self.systems
        each = (second, self.value > 0), (first, self.value < 0)
        return sorted(each, key=lambda own: -own[1].sum())
