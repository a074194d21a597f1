"""Who is ahead at many points, or under many definitions, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats
from sdcg_explorer.analysis.statistics.permutation import LEVEL
from sdcg_explorer.questions.words.wording import enumerated

POINTS, DEFINITIONS = ("at", "points of b and bq"), ("under", "definitions")


@dataclass(frozen=True, eq=False)
class Lead:
    """Differences of two systems, second less first, at many points or under many definitions.

    value, p (…) : each difference, and its p by t; nan where there is none · pairs : two systems of
    those compared, of which these are one: p counts as often, which is what Holm makes of the pair
    that differs most, and stricter for others

    Source: Holm (1979).

    >>> value = np.array([0.2, 0.1, 0.3, 0.0])
    >>> Lead(("A", "B"), value, np.array([0.01, 0.04, 0.9, 1.0])).said("at", "points")
    'B is ahead at 3 of 4 points and they are equal at 1; the interval excludes 0 at 2'
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

    def said(self, at: str, places: str) -> str:
        """Where each of two systems is ahead, where they are equal, and where clearly."""
        if not any(where.any() for _, where in self.wins):
            return self.who(at, places)
        if np.isnan(self.p).all():
            return f"{self.who(at, places)}; there is no interval"
        return f"{self.who(at, places)}; {self._excludes} {self._where_clear(at, 'none of them')}"

    def who(self, at: str, places: str) -> str:
        """Where each of two systems is ahead, and where they are equal."""
        (ahead, most), behind = self.wins
        first, second = self.systems
        if np.isnan(self.value).all():
            none = "can't be told from their topics: no difference can be given"
            return f"{first} and {second} {none}"
        equal, unknown = self.value == 0, np.isnan(self.value)
        if not most.any():
            return f"{first} and {second} are equal {at} {_of(equal, places)}"
        of = f" of {behind[0]}" if self.pairs > 1 else ""
        parts = [f"{ahead} is ahead{of} {at} {_of(most, places)}"]
        others = behind, ("they are equal", equal), ("no difference is known", unknown)
        parts += [f"{words} {at} {where.sum():,}" for words, where in others if where.any()]
        return enumerated(parts)

    def and_under(self, under: Lead) -> str:
        """Who is ahead at all points of b and bq, and whether so under all definitions.

        >>> points = Lead(("A", "B"), np.ones(4), np.full(4, 0.2))
        >>> points.and_under(Lead(("A", "B"), np.array([1.0, -1.0, 1.0]), np.full(3, 0.2)))
        'B is ahead at all 4 points of b and bq, but under 1 of 3 definitions A is; the interval \
excludes 0 nowhere'
        """
        (_, most), (behind, others) = self.wins
        if not most.any():
            return f"{self.said(*POINTS)}; {under.said(*DEFINITIONS)}"
        there = dict(under.wins)
        if there[behind].any():
            lead = "and" if others.any() else "but"
            number = f"{there[behind].sum():,} of {under.value.size:,} definitions"
            also = f"{lead} under {number} {behind} is"
        else:
            ahead = self.wins[0][0]
            also = f"and under {_of(there[ahead], DEFINITIONS[1])}"
        known = not (np.isnan(self.p).all() or np.isnan(under.p).all())
        clear = f"{self._excludes} {self._clear_in(under)}" if known else "there is no interval"
        return f"{self.who(*POINTS)}, {also}; {clear}"

    @property
    def _excludes(self) -> str:
        return "clear after Holm" if self.pairs > 1 else "the interval excludes 0"

    def _clear_in(self, under: Lead) -> str:
        if not (self.clear.any() or under.clear.any()):
            return "nowhere"
        return f"{self._where_clear('at')} and {under._where_clear('under')}"

    def _where_clear(self, at: str, none: str = "none") -> str:
        """Where the interval excludes 0, and in whose favour if both are ahead somewhere."""
        if not self.clear.any():
            return f"{at} {none}"
        if not self.wins[1][1].any():
            return f"{at} {self.clear.sum():,}"
        own = [(name, int((self.clear & where).sum())) for name, where in self.wins]
        return enumerated([f"{at} {n:,} in favour of {name}" for name, n in own if n])


def _of(where: Bools, places: str) -> str:
    number, every = int(where.sum()), where.size
    return f"all {every:,} {places}" if number == every else f"{number:,} of {every:,} {places}"
