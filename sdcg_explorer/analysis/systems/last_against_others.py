"""Is the last query better than the others of its session? Tested within sessions, per system."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import Sample, Selection, select
from sdcg_explorer.analysis.sessions.registry import QUERY_SCORES
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.statistics.fit import Estimate
from sdcg_explorer.analysis.statistics.permutation import (
    FEWEST_ARRANGEMENTS,
    is_clear,
    permutation_p,
)
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.study.study import Study

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


GIVEN = ("budget", "max_queries", "scripted", "turn", "turn_id")  # columns that say who ends it


@dataclass(frozen=True, eq=False)
class LastAgainstOthers:
    """Differences by system and measure.

    systems : all that have a judged session · single : sessions of one query · undefined :
    sessions of several whose last query, or every other, is on a topic nobody judged · top :
    results of each query that count · ends_given : whether a script or a budget ends sessions, and
    no searcher
    """

    differences: tuple[Difference, ...]
    systems: tuple[str, ...]
    single: int
    undefined: int
    top: int
    ends_given: bool = False

    @property
    def by_system(self) -> dict[str, Difference]:
        """Each system's difference before the query discount."""
        return self.of("dcg")

    def of(self, measure: str) -> dict[str, Difference]:
        """Each system's difference before the query discount (dcg) or after it (sdcg)."""
        return {each.system: each for each in self.differences if each.measure == measure}

    def table(self) -> pd.DataFrame:
        """A row per system and measure."""
        return pd.DataFrame([each.row() for each in self.differences], columns=list(COLUMNS))


@dataclass(frozen=True, eq=False)
class _Sides:
    """The queries of sessions that have a last one and others, on judged topics.

    session, query (N,) : of each · side (N,) : 2 × its unit, and 1 more for a last query · share
    (N,) : its weight in the unit's mean · sessions, named (U,) : of each unit, which is a searcher
    (or a session that names none) with one system · own : units of each system, which stand
    together · systems : that have a judged session · undefined : sessions of several queries that
    lack a last one or others
    """

    session: Ints
    query: Ints
    side: Ints
    share: Floats
    sessions: Ints
    named: Bools
    own: dict[int, slice]
    systems: tuple[str, ...]
    undefined: int


def last_against_others(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    measures: tuple[str, ...] = tuple(MEASURES),
) -> LastAgainstOthers:
    """Difference within sessions that have both, searchers as units, for every system.

    `measures` are dcg, each query's worth before the query discount, and sdcg, after it: of equal
    lists the later one is worth less.
    """
    chosen = select(study, definition, filters)
    sample = chosen.sample
    sides = sample.kept(("sides",), lambda: _sides(sample))
    names = sample.block.system_names
    worth = {measure: _worth(chosen, sides, measure) for measure in measures}
    found = [
        Difference(
            system=names[system],
            measure=measure,
            sessions=sides.sessions[own],
            named=int(sides.named[own].sum()),
            others=values[own, 0],
            last=values[own, 1],
        )
        for system, own in sides.own.items()
        for measure, values in worth.items()
    ]
    about = int(sample.of_one_query.sum()), sides.undefined, definition.top
    return LastAgainstOthers(tuple(found), sides.systems, *about, _ends_given(study, definition))


def _ends_given(study: Study, definition: Definition) -> bool:
    """Whether all sessions of the study are of one length, or a column says who ends them."""
    lengths = select(study, definition, Filters()).sample.queries
    named = any(name.lower() in GIVEN for name in study.extras)
    return named or (lengths.size > 1 and bool((lengths == lengths[0]).all()))


def _sides(sample: Sample) -> _Sides:
    rows = np.flatnonzero(sample.has_last & (sample.others > 0))
    key = sample.systems[rows] * (sample.sessions.size + 1) + sample.clusters[rows]
    _, first, unit = np.unique(key, return_index=True, return_inverse=True)
    sessions = np.bincount(unit, minlength=first.size)
    system = sample.systems[rows][first]
    codes, starts, units = np.unique(system, return_index=True, return_counts=True)
    own = zip(codes.tolist(), starts.tolist(), (starts + units).tolist(), strict=True)
    names, judged = sample.block.system_names, sample.systems[sample.judged]
    named = sample.block.searchers[sample.sessions[rows[first]]] >= 0
    place = np.full(sample.sessions.size, -1)
    place[rows] = unit
    session, query = sample.known
    kept = place[session] >= 0
    session, query = session[kept], query[kept]
    last = query == sample.queries[session] - 1
    number = np.where(last, 1, sample.others[session])
    return _Sides(
        session=session,
        query=query,
        side=2 * place[session] + last,
        share=1 / (number * sessions[place[session]]),
        sessions=sessions,
        named=named,
        own={code: slice(start, end) for code, start, end in own},
        systems=tuple(names[code] for code in np.unique(judged).tolist()),
        undefined=int(sample.judged.sum() - sample.of_one_query.sum() - sessions.sum()),
    )


def _worth(chosen: Selection, sides: _Sides, measure: str) -> Floats:
    """Mean worth of the others and of the last queries of each unit, (U, 2).

    Before the query discount grades are counted once for all weights and b.
    """
    sample, units = chosen.sample, sides.sessions.size

    def tally(share: Floats) -> Floats:
        place = (sides.session, sides.query), sample.top
        return sample.graded(*place, sides.side, share, 2 * units)[..., : len(sample.block.labels)]

    if measure == "dcg":
        counts = sample.kept(("tally of sides",), lambda: tally(sides.share).copy())
    else:
        counts = tally(sides.share * chosen.factors[sides.query])
    _, ranks, labels = counts.shape
    worth = chosen.discount(ranks)[:, None] * chosen.weights[:labels]
    return (counts.reshape(2 * units, ranks * labels) @ worth.ravel()).reshape(units, 2)
