"""Two systems on one score: the design that the data have, and the analysis that fits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.comparing.effect_sizes import hedges_g, rounding, share_ahead, superiority
from analysis.comparing.permutation import DRAWS, permutation_p
from analysis.comparing.scored_sessions import Scored, group_means
from analysis.comparing.topic_mean_error import absorbed

WITHIN, BETWEEN, PAIRED = "within", "between", "paired by topic"
MET = 0.05  # least part of a planted difference that topics must leave
SPARSE = 1.1  # ratio of variances from which topic means take too much error along


@dataclass(frozen=True)
class Pair:
    """Two systems compared; the difference is b − a of topic-centred scores.

    design : within or between searchers, or paired by topic · mixed : searchers of several
    systems and of one, of whom the fewer are left out · apart : sessions left out because no
    session with the other system is on their topic · alone : sessions that name no searcher ·
    units : searchers (sessions that name none, or topics) compared, all and of each system ·
    searchers_of : named searchers of each system · ahead : share of resamples in which b is ·
    arrangements : behind p_permutation · superiority : of b over a · met : which part of a planted
    difference the centring leaves · leak : what it takes from other systems' · widened : factor of
    the interval, for sparse topics
    """

    system_a: str
    system_b: str
    design: str
    mixed: tuple[int, int] | None
    n_a: int
    n_b: int
    apart: int
    alone: int
    units: int
    units_of: tuple[int, int]
    searchers_of: tuple[int, int]
    topics: int
    is_crossed: bool
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    df: float
    ahead: float
    p_permutation: float
    arrangements: int
    hedges_g: float
    superiority: float
    met: float
    leak: float
    widened: float

    @property
    def unit(self) -> str:
        """What the units are: searchers, sessions where none names its searcher, or topics."""
        if self.design == PAIRED:
            return "topic"
        return "session" if self.alone == self.n_a + self.n_b else "searcher"


def compare(scored: Scored, a: int, b: int, *, draws: int = DRAWS) -> Pair:
    """Compare two systems (codes) by the analysis that their design asks for."""
    design, mixed, rows, pair = _recognised(scored, a, b)
    is_b, matched = pair.system == b, design != BETWEEN
    cells = _Cells.of(pair, is_b)
    met, leak = _left(scored, rows, cells, (a, b))
    known, crossed = met > MET, _is_crossed(pair, is_b)
    ratio, df = absorbed(*cells.parts(pair, matched), np.bincount(scored.topic))
    ratio, df = (ratio, df) if ratio > SPARSE else (1.0, np.inf)
    low, high, df = _interval(cells, matched, ratio, df) if known else (np.nan, np.nan, np.nan)
    strata = cells.unit
    if not matched:
        strata = np.zeros_like(cells.unit) if crossed else topic_sets(pair.topic, cells.cell)
    how: Any = {"draws": draws, "widened": np.sqrt(ratio)}
    p, others = permutation_p(cells.values, cells.is_b.astype(np.int64), strata, **how)
    of = int((~cells.is_b).sum()), int(cells.is_b.sum())
    units = of[0] if matched else sum(of)
    difference = cells.difference(pair.centred) if known else np.nan
    groups = pair.unit if matched else np.zeros_like(pair.unit)
    over = superiority(pair.centred, is_b, groups, rounding(pair.score)) if known else np.nan
    return Pair(
        system_a=scored.names[a],
        system_b=scored.names[b],
        design=design,
        mixed=mixed,
        n_a=int((~is_b).sum()),
        n_b=int(is_b.sum()),
        apart=int(np.isin(scored.system, (a, b)).sum() - rows.sum()) if design == PAIRED else 0,
        alone=int(pair.alone.sum()),
        units=units,
        units_of=of,
        searchers_of=(_named(scored, rows, a), _named(scored, rows, b)),
        topics=int(np.unique(pair.topic).size),
        is_crossed=crossed,
        mean_a=_mean(pair.score[~is_b]),
        mean_b=_mean(pair.score[is_b]),
        difference=difference,
        low=low,
        high=high,
        df=df,
        ahead=share_ahead(*cells.by_system(), within=matched) if known else np.nan,
        p_permutation=p if others and known else np.nan,
        arrangements=others if known else 0,
        hedges_g=hedges_g(difference, pair.score[~is_b], pair.score[is_b], units - 2),
        superiority=over,
        met=met,
        leak=leak,
        widened=float(np.sqrt(ratio)),
    )


def _recognised(
    scored: Scored, a: int, b: int
) -> tuple[str, tuple[int, int] | None, Bools, Scored]:
    """Design of two systems, searchers of both and of one where some are either.

    And which sessions (N,) are compared, with their units.
    """
    pair = scored.of(a, b)
    used = np.zeros((int(scored.unit.max(initial=-1)) + 1, 2), dtype=bool)
    used[pair.unit, (pair.system == b).astype(int)] = True
    both: Bools = np.all(used, axis=1)
    of_one = used[~both].sum(axis=0)
    several, single = int(both.sum()), int(of_one.sum())
    among = np.isin(scored.system, (a, b))
    if pair.on_shared_topics.any():
        among[among] = pair.on_shared_topics
        return PAIRED, None, among, scored.take(among, unit=scored.topic)
    between = not several or (of_one.all() and single > several)
    mixed = (several, single) if several and single else None
    rows = among & (~both if between else both)[scored.unit]
    return (BETWEEN if between else WITHIN), mixed, rows, scored.take(rows)


def _named(scored: Scored, rows: Bools, system: int) -> int:
    """Searchers who are named, of the compared sessions of one system."""
    named = rows & (scored.system == system)
    if scored.alone.size:
        named &= ~scored.alone
    return int(np.unique(scored.unit[named]).size)


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
        return cls(unit, second == 1, cell, group_means(pair.centred, cell))

    def by_system(self) -> tuple[Floats, Floats]:
        """Values of a's cells and of b's, by searcher."""
        return self.values[~self.is_b], self.values[self.is_b]

    def parts(self, pair: Scored, matched: bool) -> tuple[Floats, Ints, Ints, Ints]:
        """Weight, unit and topic of each session, and group of each unit, for ``absorbed``."""
        weight = 1 / np.bincount(self.cell)[self.cell]
        if not matched:
            return weight, self.cell, self.is_b.astype(np.int64), pair.topic
        signed = np.where(self.is_b[self.cell], weight, -weight)
        unit = np.unique(self.unit, return_inverse=True)[1]
        return signed, unit[self.cell], np.zeros(unit.max() + 1, dtype=np.int64), pair.topic

    def difference(self, sessions: Floats) -> float:
        """Mean difference b − a of units' values (of units' own differences, where matched)."""
        values = group_means(sessions, self.cell)
        return _mean(values[self.is_b]) - _mean(values[~self.is_b])


def _left(
    scored: Scored, rows: Bools, cells: _Cells, systems: tuple[int, int]
) -> tuple[float, float]:
    """What centring by topic leaves of a difference of 1, and the most it takes from others'."""
    left: dict[int, float] = {}
    for system in np.unique(scored.system).tolist():
        planted = (scored.system == system).astype(float)
        left[system] = cells.difference((planted - scored.by_topic(planted))[rows])
    met = (left.pop(systems[1]) - left.pop(systems[0])) / 2
    return met, max((abs(part) for part in left.values()), default=0.0)


def _interval(
    cells: _Cells, matched: bool, ratio: float, most: float
) -> tuple[float, float, float]:
    """95 % interval of the difference by t, and df, of paired units or Welch's.

    None without spread. `ratio` widens its variance, `most` is the most df.
    """
    from scipy import stats

    of_a, of_b = cells.by_system()
    if min(of_a.size, of_b.size) < 2:
        return np.nan, np.nan, np.nan
    if matched:
        of_b, of_a = of_b - of_a, np.zeros(0)
    means = [(v.var(ddof=1) / v.size, v.size - 1) for v in (of_a, of_b) if v.size]
    variance = sum(of for of, _ in means)
    if np.sqrt(variance) <= rounding(cells.values):
        return np.nan, np.nan, np.nan
    df = min(variance**2 / sum(of**2 / free for of, free in means), most)
    reach = float(stats.t.ppf(0.975, df) * np.sqrt(ratio * variance))
    middle = _mean(of_b) - (_mean(of_a) if of_a.size else 0.0)
    return middle - reach, middle + reach, df


def _is_crossed(pair: Scored, is_b: Bools) -> bool:
    """Whether both systems met every topic."""
    return np.unique(pair.topic[is_b]).tolist() == np.unique(pair.topic[~is_b]).tolist()


def topic_sets(topic: Ints, cell: Ints) -> Ints:
    """Code of the set of topics of each cell, (C,), of topic and cell of each session (N,)."""
    met = np.zeros((int(cell.max(initial=-1)) + 1, int(topic.max(initial=-1)) + 1), dtype=bool)
    met[cell, topic] = True
    return np.unique(met, axis=0, return_inverse=True)[1].ravel()


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")
