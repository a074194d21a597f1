"""A difference within sessions: last queries less the others, of one system on one measure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.sessions.registry import QUERY_SCORES
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.statistics.fit import Estimate
from sdcg_explorer.analysis.statistics.permutation import FEWEST_ARRANGEMENTS, permutation_p
from sdcg_explorer.analysis.systems.clear import is_clear

MEASURES = {
    name: QUERY_SCORES[name].unit for name in ("dcg", "sdcg")
}  # before and after the query discount (decision 57)
COLUMNS = (
    *("system", "measure", "sessions", "searchers", "unnamed", "last", "others"),
    *("difference", "low", "high", "p_t", "p_permutation", "arrangements"),
)
SURE = 0.03  # a bound of p from which on no drawn p passes LEVEL


@dataclass(frozen=True, eq=False)
class Difference:
    """Last queries of one system less the mean of the others, within sessions, on one measure.

    sessions (U,) : of each unit, a searcher or a session that names none · named : units that are
    searchers · others, last (U,) : mean worth over the sessions of each unit
    """

    system: str
    measure: str
    sessions: Ints
    named: int
    others: Floats
    last: Floats

    @cached_property
    def rounding(self) -> float:
        """What differences are by rounding alone."""
        return rounding(np.concatenate([self.others, self.last]))

    @cached_property
    def each(self) -> Floats:
        """Difference of each unit, (U,); 0 where rounding alone makes one."""
        d = self.last - self.others
        return np.where(np.abs(d) <= self.rounding, 0.0, d)

    @property
    def difference(self) -> float:
        """Mean over the units."""
        mean = float(self.each.mean())
        return 0.0 if abs(mean) <= self.rounding else mean

    @cached_property
    def by_unit(self) -> Estimate:
        """The difference with its error over the units; none with one, or without spread."""
        size = self.each.size
        if size < 2 or np.ptp(self.each) <= self.rounding:
            return Estimate(self.difference, math.nan, math.nan)
        return Estimate(self.difference, float(self.each.std(ddof=1)) / math.sqrt(size), size - 1)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """95 % by t."""
        return self.by_unit.interval()

    @cached_property
    def permuted(self) -> tuple[float, int]:
        """P of the permutation test, and its arrangements: both change places within units."""
        size = self.each.size
        labels, strata = np.repeat([0, 1], size), np.tile(np.arange(size), 2)
        return permutation_p(np.concatenate([self.others, self.last]), labels, strata)

    @property
    def t_leads(self) -> bool:
        """Whether so few units have too few arrangements, which double with each."""
        few = self.each.size < math.log2(FEWEST_ARRANGEMENTS + 1)
        return few and not math.isnan(self.by_unit.p)

    @property
    def p(self) -> float:
        """The p that leads."""
        return self.by_unit.p if self.t_leads else self.permuted[0]

    @cached_property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0 and p is at most .05."""
        return is_clear(*self.interval, self._p_or_bound)

    def _p_or_bound(self) -> float:
        """A bound of p, where that is sure to be small, or else p, which takes long to draw.

        Source: Hoeffding (1963): p ≤ 2 exp(−(Σd)² / 2 Σd²).
        """
        most = 2 * math.log(2 / SURE) * float((self.each**2).sum())
        return SURE if float(self.each.sum()) ** 2 > most else self.p

    @property
    def unnamed(self) -> int:
        """Units that are sessions without a searcher."""
        return self.each.size - self.named

    def row(self) -> dict[str, Any]:
        """A row of the table; last and others are means over the sessions."""
        means = [float(np.average(v, weights=self.sessions)) for v in (self.last, self.others)]
        number = int(self.sessions.sum()), self.named, self.unnamed
        found = self.difference, *self.interval, self.by_unit.p, *self.permuted
        return dict(zip(COLUMNS, (self.system, self.measure, *number, *means, *found), strict=True))
