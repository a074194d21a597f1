"""Two systems on one score: the design that the data have, and the analysis that fits it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.effects import hedges_g, rounding, share_ahead, superiority
from analysis.permutation import DRAWS, permutation_p

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

WITHIN, BETWEEN = "within", "between"
MET = 0.05  # least part of a planted difference that topics must leave


@dataclass(frozen=True, eq=False)
class Scored:
    """Sessions (N,) with a defined score, of all systems that are compared.

    unit : searcher of each, a session without one its own · topic : code of its topic(s) ·
    nameless : sessions that name no searcher
    """

    score: Floats
    system: Ints
    unit: Ints
    topic: Ints
    queries: Ints
    names: tuple[str, ...]
    nameless: int = 0

    @cached_property
    def centred(self) -> Floats:
        """Each score less the mean of all sessions on its topic."""
        return self.score - self.by_topic(self.score)

    def by_topic(self, values: Floats) -> Floats:
        """Mean over the sessions of each one's topic, (N,)."""
        return _means(values, self.topic)[self.topic]

    def of(self, *systems: int) -> Scored:
        """Sessions of some systems, with their scores as centred among all."""
        rows = np.isin(self.system, systems)
        return self.take(rows)

    def take(self, rows: Bools) -> Scored:
        """These sessions alone, centred as before."""
        fields = ("score", "system", "unit", "topic", "queries")
        part = replace(self, **{name: getattr(self, name)[rows] for name in fields})
        part.__dict__["centred"] = self.centred[rows]
        return part


@dataclass(frozen=True)
class Pair:
    """Two systems compared; the difference is b − a of topic-centred scores.

    design : within or between searchers · mixed : searchers of several systems and of one, of
    whom the fewer are left out · searchers : those compared, all and of each system · ahead :
    share of resamples in which b is · arrangements : behind p_permutation · met : which part of a
    planted difference the centring leaves
    """

    system_a: str
    system_b: str
    design: str
    mixed: tuple[int, int] | None
    n_a: int
    n_b: int
    searchers: int
    searchers_of: tuple[int, int]
    topics: int
    is_crossed: bool
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    ahead: float
    p_permutation: float
    arrangements: int
    hedges_g: float
    superiority: float
    met: float

    @property
    def df(self) -> str:
        """What the interval's t stands on."""
        if self.design == WITHIN:
            return f"t on the searchers' differences, df = {self.searchers - 1}"
        return "Welch's t on the searchers' means"


def compare(scored: Scored, a: int, b: int, *, draws: int = DRAWS) -> Pair:
    """Compare two systems (codes) by the analysis that their design asks for."""
    pair = scored.of(a, b)
    used = np.zeros((int(scored.unit.max(initial=-1)) + 1, 2), dtype=bool)
    used[pair.unit, (pair.system == b).astype(int)] = True
    both: Bools = np.all(used, axis=1)
    several, single = int(both.sum()), int((np.any(used, axis=1) & ~both).sum())
    design = WITHIN if several >= single and several else BETWEEN
    pair = pair.take((both if design == WITHIN else ~both)[pair.unit])
    is_b = pair.system == b
    cells = _Cells.of(pair, is_b)
    met = cells.difference(_planted(scored, a, b, pair), design)
    known = met > MET
    low, high = _interval(cells, design) if known else (np.nan, np.nan)
    p, arrangements = _permuted(pair, cells, design, draws) if known else (np.nan, 0)
    n = int((~is_b).sum()), int(is_b.sum())
    of = int((~cells.is_b).sum()), int(cells.is_b.sum())
    searchers = of[0] if design == WITHIN else sum(of)
    difference = cells.difference(pair.centred, design) if known else np.nan
    return Pair(
        system_a=scored.names[a],
        system_b=scored.names[b],
        design=design,
        mixed=(several, single) if several and single else None,
        n_a=n[0],
        n_b=n[1],
        searchers=searchers,
        searchers_of=of,
        topics=int(np.unique(pair.topic).size),
        is_crossed=_is_crossed(pair, is_b),
        mean_a=_mean(pair.score[~is_b]),
        mean_b=_mean(pair.score[is_b]),
        difference=difference,
        low=low,
        high=high,
        ahead=share_ahead(*cells.by_system(), within=design == WITHIN) if known else np.nan,
        p_permutation=p if arrangements else np.nan,
        arrangements=arrangements,
        hedges_g=hedges_g(difference, pair.score[~is_b], pair.score[is_b], searchers - 2),
        superiority=superiority(
            pair.centred,
            is_b,
            pair.unit if design == WITHIN else np.zeros_like(pair.unit),
            rounding(pair.score),
        ),
        met=met,
    )


@dataclass(frozen=True, eq=False)
class _Cells:
    """Searcher and system of each cell (C,), b's marked, and the cell of each session (N,)."""

    unit: Ints
    is_b: Bools
    cell: Ints
    values: Floats

    @classmethod
    def of(cls, pair: Scored, is_b: Bools) -> _Cells:
        """Cells of two systems' sessions, with their means of centred scores."""
        keys, cell = np.unique(pair.unit * 2 + is_b, return_inverse=True)
        unit, second = np.divmod(keys, 2)
        return cls(unit, second == 1, cell, _means(pair.centred, cell))

    def by_system(self) -> tuple[Floats, Floats]:
        """Values of a's cells and of b's, by searcher."""
        return self.values[~self.is_b], self.values[self.is_b]

    def difference(self, sessions: Floats, design: str) -> float:
        """Mean difference b − a: of searchers' differences, or between searchers' means."""
        values = _means(sessions, self.cell)
        if design == WITHIN:
            return _mean(values[self.is_b] - values[~self.is_b])
        return _mean(values[self.is_b]) - _mean(values[~self.is_b])


def _planted(scored: Scored, a: int, b: int, pair: Scored) -> Floats:
    """A difference of 1 between a and b, as centring by topic leaves it to the pair's sessions."""
    planted = (scored.system == b).astype(float)
    centred = planted - scored.by_topic(planted)
    rows = np.isin(scored.system, (a, b)) & np.isin(scored.unit, pair.unit)
    return centred[rows]


def _interval(cells: _Cells, design: str) -> tuple[float, float]:
    """95 % interval of the difference by t: of paired searchers, or Welch's."""
    from scipy import stats

    of_a, of_b = cells.by_system()
    if min(of_a.size, of_b.size) < 2:
        return np.nan, np.nan
    if design == WITHIN:
        d = of_b - of_a
        if np.ptp(d) <= rounding(d):
            return float(d.mean()), float(d.mean())
        found = stats.ttest_1samp(d, 0.0).confidence_interval()
        return float(found.low), float(found.high)
    if max(np.ptp(of_a), np.ptp(of_b)) <= rounding(cells.values):
        level = float(of_b.mean() - of_a.mean())
        return level, level
    found = stats.ttest_ind(of_b, of_a, equal_var=False).confidence_interval()
    return float(found.low), float(found.high)


def _permuted(pair: Scored, cells: _Cells, design: str, draws: int) -> tuple[float, int]:
    """Permutation test: systems change places within searchers, or searchers change systems.

    Where topics are not crossed, only searchers on the same topics change systems.
    """
    strata = cells.unit
    if design == BETWEEN:
        strata = np.zeros_like(cells.unit)
        if not _is_crossed(pair, cells.is_b[cells.cell]):
            strata = _topics_of(pair, cells)
    return permutation_p(cells.values, cells.is_b.astype(np.int64), strata, draws=draws)


def _is_crossed(pair: Scored, is_b: Bools) -> bool:
    """Whether both systems met every topic."""
    return np.unique(pair.topic[is_b]).tolist() == np.unique(pair.topic[~is_b]).tolist()


def _topics_of(pair: Scored, cells: _Cells) -> Ints:
    """Code of the set of topics of each cell."""
    sets = [frozenset(pair.topic[cells.cell == i].tolist()) for i in range(cells.unit.size)]
    known = {topics: i for i, topics in enumerate(dict.fromkeys(sets))}
    return np.array([known[topics] for topics in sets])


def _means(values: Floats, groups: Ints) -> Floats:
    """Mean of each group; groups are numbered from 0, nan where one is empty."""
    size = int(groups.max(initial=-1)) + 1
    counts = np.bincount(groups, minlength=size)
    sums = np.bincount(groups, weights=values, minlength=size)
    return np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")
