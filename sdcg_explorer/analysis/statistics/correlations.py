"""Pearson's, Spearman's and Kendall's coefficients, as they are and partial, with intervals.

All three are Daniels' (1944): what two variables' differences do together, over the root of what
each does alone; r takes differences as they are, ρ those of ranks, τ-b their signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.statistics.effect_sizes import DIGITS
from sdcg_explorer.analysis.statistics.fit import reach_of
from sdcg_explorer.metrics import normalised
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES, SEED

MOST_PAIRED = 2_000  # values, beyond which τ-b has no interval, being made of all their pairs
DEFINED = 0.9  # of the resamples, for an interval
AT_ONCE = 4_000_000  # weights that are looked at in one step
STEEPEST = 3.0  # atanh of a resample's coefficient, which few alike would make infinite
LEFT = 1e-9  # of x or y once z is off, below which it is rounding
SAME = 1e-12  # of a square, below which it is rounding


class Coefficient(NamedTuple):
    """A coefficient with its 95 % interval; nan where undefined."""

    value: float
    low: float = np.nan
    high: float = np.nan


@dataclass(frozen=True, eq=False)
class Clustered:
    """Values (N,) that come in clusters (searchers), and how often each draw has each cluster.

    draws (R, C) : the first has each cluster once
    """

    cluster: Ints
    draws: Floats

    @classmethod
    def of(cls, cluster: Ints, resamples: int = RESAMPLES, seed: int = SEED) -> Clustered:
        """Resampled clusters, coded from 0; none where they are fewer than five."""
        size = int(cluster.max(initial=-1)) + 1
        own = np.ones((1, size))
        if size < FEWEST_CLUSTERS:
            return cls(cluster, own)
        drawn = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), resamples)
        return cls(cluster, np.vstack([own, drawn.astype(np.float64)]))

    def blocks(self) -> Iterator[Clustered]:
        """Some draws at a time."""
        step = max(1, AT_ONCE // max(1, self.cluster.size))
        for first in range(0, len(self.draws), step):
            yield replace(self, draws=self.draws[first : first + step])

    @property
    def size(self) -> int:
        """C, the number of clusters."""
        return self.draws.shape[1]

    @cached_property
    def weights(self) -> Floats:
        """How often each draw has each value, (N, R)."""
        return np.ascontiguousarray(self.draws.T)[self.cluster]

    @cached_property
    def number(self) -> Floats:
        """Values of each draw, (R,)."""
        return self.added(np.ones(self.cluster.size))

    def added(self, values: Floats) -> Floats:
        """Sum of values (N,) over each draw, (R,)."""
        return self.draws @ np.bincount(self.cluster, weights=values, minlength=self.size)

    @cached_property
    def in_order(self) -> tuple[Ints, Ints]:
        """Values with those of a cluster beside each other, and where each cluster starts."""
        order = np.argsort(self.cluster, kind="stable")
        return order, np.searchsorted(self.cluster[order], np.arange(self.size))

    def paired(self, values: Ints) -> Floats:
        """Sums over pairs of values in order, (N, N), in each draw, (R,)."""
        _, starts = self.in_order
        rows = np.add.reduceat(values, starts, axis=0, dtype=np.int32)
        by_cluster = np.add.reduceat(rows, starts, axis=1, dtype=np.int64).astype(float)
        return ((self.draws @ by_cluster) * self.draws).sum(axis=1)


class Variable(NamedTuple):
    """What a coefficient needs of one variable: itself, and what it does alone in each draw."""

    own: Any
    alone: Floats


class Kind(NamedTuple):
    """A coefficient: its name, a variable made ready, and what two do together in each draw."""

    words: str
    ready: Callable[[Floats, Clustered], Variable]
    together: Callable[[Any, Any, Clustered], Floats]


def rounded(values: Floats) -> Floats:
    """Values (N, …) whose differences by rounding alone are ties, by column."""
    step = np.abs(values).max(axis=0, initial=0.0) * 10.0**-DIGITS
    step = np.where(step > 0, step, 1.0)
    return np.round(values / step) * step


def _ready_values(values: Floats, of: Clustered) -> Variable:
    centred = rounded(values) - values.mean()
    if np.ptp(rounded(values)) == 0:
        centred = np.zeros_like(centred)
    sums, squares = of.added(centred), of.added(centred**2)
    alone = squares - sums**2 / of.number
    return Variable((centred, sums), np.where(alone > SAME * squares, alone, 0.0))


def _values_together(one: Any, two: Any, of: Clustered) -> Floats:
    return of.added(one[0] * two[0]) - one[1] * two[1] / of.number


def _ready_ranks(values: Floats, of: Clustered) -> Variable:
    """Midranks of each draw, less their mean, (N, R), and these times the weights."""
    place = np.unique(rounded(values), return_inverse=True)[1]
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(place.max() + 1))
    alike = np.add.reduceat(of.weights[order], starts, axis=0)
    below = np.cumsum(alike, axis=0)
    ranks = below - alike / 2 - below[-1] / 2
    spread = ranks[place]
    return Variable((spread, spread * of.weights), (alike * ranks**2).sum(axis=0))


def _ranks_together(one: Any, two: Any, of: Clustered) -> Floats:
    return np.einsum("nr,nr->r", one[0], two[1])


def _ready_signs(values: Floats, of: Clustered) -> Variable:
    """Which of each two values is the larger, (N, N); beyond ``MOST_PAIRED`` values themselves."""
    own = rounded(values)
    if own.size > MOST_PAIRED:
        return Variable(own, np.full(len(of.draws), float(np.ptp(own) > 0)))
    own = own[of.in_order[0]]
    signs = (own[:, None] > own).astype(np.int8) - (own[:, None] < own)
    return Variable(signs, of.paired(np.abs(signs)))


def _signs_together(one: Any, two: Any, of: Clustered) -> Floats:
    if one.ndim > 1:
        return of.paired(one * two)
    from scipy.stats import kendalltau

    whole: Any = kendalltau(one, two)  # of the first draw, the only one
    return np.array([whole.statistic])


KINDS = {
    "pearson": Kind("Pearson's r", _ready_values, _values_together),
    "spearman": Kind("Spearman's ρ", _ready_ranks, _ranks_together),
    "kendall": Kind("Kendall's τ-b", _ready_signs, _signs_together),
}


def coefficient(kind: str, one: Variable, two: Variable, of: Clustered) -> Floats:
    """A coefficient in every draw, (R,); nan where either does not vary."""
    together = KINDS[kind].together(one.own, two.own, of)
    return normalised(together, np.sqrt(one.alone * two.alone))


def between(kind: str, one: Floats, two: Floats, cluster: Ints, wider: float = 1.0) -> Coefficient:
    """How far values of both (N,) go together, clusters resampled; `wider` as in `estimate`."""
    if one.size < 2:
        return Coefficient(np.nan)
    codes = np.unique(cluster, return_inverse=True)[1]
    ready, drawn = KINDS[kind].ready, list[Floats]()
    for of in Clustered.of(codes).blocks():
        drawn.append(coefficient(kind, ready(one, of), ready(two, of), of))
    return estimate(np.concatenate(drawn), int(codes.max()) + 1, wider)


def partial(xy: Floats, xz: Floats, yz: Floats) -> Floats:
    """Coefficients of x and y with z partialled out; nan where z is one with x or with y.

    (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)), of τ-b as well (Kendall 1942).
    """
    left = np.sqrt(np.clip((1 - xz**2) * (1 - yz**2), 0.0, None))
    return normalised(xy - xz * yz, np.where(left > LEFT, left, 0.0))


def of_columns(kind: str, values: Floats, other: Floats) -> Floats:
    """Pearson's or Spearman's coefficient of each column (N, P) with other values (N,), (P,)."""
    both = [rounded(values), rounded(other[:, None])]
    if kind == "spearman":
        from scipy.stats import rankdata

        both = [rankdata(each, axis=0) for each in both]
    elif kind != "pearson":
        raise ValueError(f"coefficient {kind!r} over columns; known are pearson and spearman.")
    x, y = (np.where(np.ptp(each, axis=0) > 0, each - each.mean(axis=0), 0.0) for each in both)
    return normalised(y[:, 0] @ x, np.sqrt((x**2).sum(axis=0) * (y**2).sum()))


def estimate(drawn: Floats, clusters: int, wider: float = 1.0) -> Coefficient:
    """A coefficient (that of the first draw) with its interval by resampled clusters.

    z = atanh r, plus and minus t(C − 1) times the standard deviation of the draws' z, and back;
    `wider` for what was fitted before.
    """
    value, others = float(drawn[0]), drawn[1:][~np.isnan(drawn[1:])]
    if not abs(value) < 1 - SAME or others.size < max(2.0, DEFINED * (drawn.size - 1)):
        return Coefficient(value)
    end = np.tanh(STEEPEST)
    spread = float(np.arctanh(np.clip(others, -end, end)).std())
    if spread <= SAME:
        return Coefficient(value)
    reach = float(reach_of(clusters - 1)) * spread * wider
    low, high = np.tanh(np.arctanh(value) + np.array([-reach, reach])).tolist()
    return Coefficient(value, low, high)
