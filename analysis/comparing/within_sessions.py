"""A difference within sessions: last queries less the others, of one system on one measure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.comparing.clear import is_clear
from analysis.comparing.effect_sizes import rounding
from analysis.comparing.permutation import permutation_p
from analysis.registry import QUERY_SCORES
from analysis.wording import counted, p_value, short

MEASURES = {
    name: QUERY_SCORES[name].unit for name in ("dcg", "sdcg")
}  # before and after the query discount
COLUMNS = (
    *("system", "measure", "sessions", "searchers", "unnamed", "last", "others"),
    *("difference", "low", "high", "p_permutation"),
)
SURE = 0.03  # a bound of p from which on no drawn p passes LEVEL


@dataclass(frozen=True, eq=False)
class Difference:
    """Last queries of one system less the mean of the others, within sessions, on one measure.

    sessions (U,) : of each unit, a searcher or a session that names none · named : units that are
    searchers · others, last (U,) : mean worth over the sessions of each unit · of_groups : units
    are groups of sessions, as counts have them, so that every session counts alike
    """

    system: str
    measure: str
    sessions: Ints
    named: int
    others: Floats
    last: Floats
    of_groups: bool = False

    @cached_property
    def rounding(self) -> float:
        """What differences are by rounding alone."""
        return rounding(np.concatenate([self.others, self.last]))

    @cached_property
    def each(self) -> Floats:
        """Difference of each unit, (U,); 0 where rounding alone makes one."""
        d = self.last - self.others
        if self.of_groups:  # what each group adds to the mean of all sessions, to first order
            mean = np.average(d, weights=self.sessions)
            d = mean + (d - mean) * self.sessions / self.sessions.mean()
        return np.where(np.abs(d) <= self.rounding, 0.0, d)

    @property
    def difference(self) -> float:
        """Mean over the units."""
        mean = float(self.each.mean())
        return 0.0 if abs(mean) <= self.rounding else mean

    @cached_property
    def interval(self) -> tuple[float, float]:
        """95 % by t; nan with one unit, or without spread."""
        from scipy.special import stdtrit

        size = self.each.size
        if size < 2 or np.ptp(self.each) <= self.rounding:
            return math.nan, math.nan
        reach = float(stdtrit(size - 1, 0.975) * self.each.std(ddof=1) / np.sqrt(size))
        return self.difference - reach, self.difference + reach

    @cached_property
    def p(self) -> float:
        """Permutation test: last and others change places within units."""
        size = self.each.size
        labels, strata = np.repeat([0, 1], size), np.tile(np.arange(size), 2)
        return permutation_p(np.concatenate([self.others, self.last]), labels, strata)[0]

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

    def gap(self, unit: str = "") -> str:
        """How much more or less the last query is worth."""
        if not self.difference:
            return f"a difference of 0{unit}"
        more = "more" if self.difference > 0 else "less"
        return f"{short(abs(self.difference))}{unit} {more}"

    def said(self, *, first: bool = True, brief: bool = False) -> str:
        """The difference in a sentence; shorter after a first one, and without test and counts."""
        gap, clear = self.gap(f" {MEASURES[self.measure]}"), self.is_clear
        which = " between the last query and the others of its session" if first else ""
        lead = "" if clear else f"no clear difference{which}"
        if clear:
            lead = f"the last query is worth {gap} than the others of its session"
            lead = lead if first else f"the last is worth {gap}"
        parts = ["" if clear else gap, self._between()]
        if not brief:
            parts += [f"permutation test {p_value(self.p)}", self.counts()]
        return f"{self.system}: {lead} ({'; '.join(filter(None, parts))})."

    def _between(self) -> str:
        """The interval of what is said to be more, or less."""
        low, high = self.interval if self.difference >= 0 else (-end for end in self.interval)
        if math.isnan(low):
            return "no interval"
        return f"95 % interval {short(min(low, high))} to {short(max(low, high))} by t"

    def counts(self) -> str:
        """Sessions that are compared, and by whom they are."""
        sessions = counted(int(self.sessions.sum()), "session")
        if self.of_groups:
            return f"{sessions} in {counted(self.each.size, 'group')}"
        unnamed = self.each.size - self.named
        if not self.named:
            return sessions
        by = f"by {counted(self.named, 'searcher')}"
        if not unnamed:
            return f"{sessions} {by}"
        none = "names" if unnamed == 1 else "name"
        return f"{sessions}, of which {unnamed:,} {none} no searcher, the others {by}"

    def row(self) -> dict[str, Any]:
        """A row of the table; last and others are means over the sessions."""
        means = [float(np.average(v, weights=self.sessions)) for v in (self.last, self.others)]
        unnamed = 0 if self.of_groups else self.each.size - self.named
        number = int(self.sessions.sum()), self.named, unnamed
        values = self.system, self.measure, *number, *means, self.difference, *self.interval, self.p
        return dict(zip(COLUMNS, values, strict=True))
