"""Pearson's, Spearman's and Kendall's coefficients, as they are and partial, with intervals.

All three are Daniels' (1944): the sum of products of two variables' differences, over the root of
the product of their sums of squares; r takes differences as they are, ρ those of ranks, τ-b their
signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import normalised
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES, SEED
from sdcg_explorer.statistics import effect_sizes, two_way

MOST_PAIRED = 2_000  # values, beyond which τ-b has no interval, being made of all their pairs
DEFINED = 0.9  # of the resamples, for an interval
AT_ONCE = 4_000_000  # weights that are looked at in one step
STEEPEST = 3.0  # atanh of a resample's coefficient, which few alike would make infinite
LEFT = 1e-9  # of x or y once z is off, below which it is rounding
SAME = 1e-12  # of a square, below which it is rounding


class Coefficient(NamedTuple):
    """A coefficient with its 95% interval; nan where undefined."""

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
        once = np.ones((1, size))
        if size < FEWEST_CLUSTERS:
            return cls(cluster, once)
        drawn = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), resamples)
        return cls(cluster, np.vstack([once, drawn.astype(np.float64)]))

    def blocks_of_draws(self) -> Iterator[Clustered]:
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
    def cluster_order(self) -> tuple[Ints, Ints]:
        """Values with those of a cluster beside each other, and where each cluster starts."""
        order = np.argsort(self.cluster, kind="stable")
        return order, np.searchsorted(self.cluster[order], np.arange(self.size))

    def paired(self, values: Ints) -> Floats:
        """Sums over pairs of values in order, (N, N), in each draw, (R,)."""
        _, starts = self.cluster_order
        rows = np.add.reduceat(values, starts, axis=0, dtype=np.int32)
        by_cluster = np.add.reduceat(rows, starts, axis=1, dtype=np.int64).astype(float)
        return ((self.draws @ by_cluster) * self.draws).sum(axis=1)


class Variable(NamedTuple):
    """What a coefficient needs of one variable: itself, and what it does alone in each draw."""

    values: Any
    alone: Floats


class Kind(NamedTuple):
    """A coefficient: its name, a variable made ready, and what two do together in each draw."""

    words: str
    ready: Callable[[Floats, Clustered], Variable]
    together: Callable[[Any, Any, Clustered], Floats]


def rounded(values: Floats) -> Floats:
    """Values (N, …) whose differences by rounding alone are ties, by column."""
    step = np.abs(values).max(axis=0, initial=0.0) * 10.0**-effect_sizes.DIGITS
    step = np.where(step > 0, step, 1.0)
    return np.round(values / step) * step


def _prepare_values(values: Floats, of: Clustered) -> Variable:
    centred = rounded(values) - values.mean()
    if np.ptp(rounded(values)) == 0:
        centred = np.zeros_like(centred)
    total, squares = of.added(centred), of.added(centred**2)
    alone = squares - total**2 / of.number
    return Variable((centred, total), np.where(alone > SAME * squares, alone, 0.0))


def _value_products(one: Any, two: Any, of: Clustered) -> Floats:
    return of.added(one[0] * two[0]) - one[1] * two[1] / of.number


def _prepare_ranks(values: Floats, of: Clustered) -> Variable:
    """Midranks of each draw, less their mean, (N, R), and these times the weights."""
    place = np.unique(rounded(values), return_inverse=True)[1]
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(place.max() + 1))
    alike = np.add.reduceat(of.weights[order], starts, axis=0)
    below = np.cumsum(alike, axis=0)
    ranks = below - alike / 2 - below[-1] / 2
    spread = ranks[place]
    return Variable((spread, spread * of.weights), (alike * ranks**2).sum(axis=0))


def _rank_products(one: Any, two: Any, of: Clustered) -> Floats:
    return np.einsum("nr,nr->r", one[0], two[1])


def _prepare_signs(values: Floats, of: Clustered) -> Variable:
    """Which of each two values is the larger, (N, N); beyond ``MOST_PAIRED`` values themselves."""
    values = rounded(values)
    if values.size > MOST_PAIRED:
        return Variable(values, np.full(len(of.draws), float(np.ptp(values) > 0)))
    values = values[of.cluster_order[0]]
    signs = (values[:, None] > values).astype(np.int8) - (values[:, None] < values)
    return Variable(signs, of.paired(np.abs(signs)))


def _sign_products(one: Any, two: Any, of: Clustered) -> Floats:
    if one.ndim > 1:
        return of.paired(one * two)
    from scipy.stats import kendalltau

    whole: Any = kendalltau(one, two)  # of the first draw, the only one
    return np.array([whole.statistic])


KINDS = {
    "pearson": Kind("Pearson's r", _prepare_values, _value_products),
    "spearman": Kind("Spearman's ρ", _prepare_ranks, _rank_products),
    "kendall": Kind("Kendall's τ-b", _prepare_signs, _sign_products),
}


def coefficient(kind: str, one: Variable, two: Variable, of: Clustered) -> Floats:
    """A coefficient (of ``KINDS``) in every draw, (R,); nan where either does not vary."""
    together = KINDS[kind].together(one.values, two.values, of)
    return normalised(together, np.sqrt(one.alone * two.alone))


def between(kind: str, one: Floats, two: Floats, cluster: Ints, wider: float = 1.0) -> Coefficient:
    """How strongly two variables are correlated, with an interval by resampled clusters.

    Parameters
    ----------
    kind : one of ``KINDS`` · one, two : (N,) values, defined · cluster : (N,) code of who is
        resampled · wider : as in ``estimate``

    Returns
    -------
    the coefficient, from −1 to 1; nan of fewer than two values, and where either does not vary

    >>> one, two = np.array([1.0, 2, 3, 4, 5, 6]), np.array([1.0, 3, 2, 5, 4, 6])
    >>> [round(end, 2) for end in between("spearman", one, two, np.arange(6))]
    [0.89, -0.77, 1.0]
    """
    if one.size < 2:
        return Coefficient(np.nan)
    codes = np.unique(cluster, return_inverse=True)[1]
    ready, blocks = KINDS[kind].ready, Clustered.of(codes).blocks_of_draws()
    drawn = [coefficient(kind, ready(one, of), ready(two, of), of) for of in blocks]
    return estimate(np.concatenate(drawn), int(codes.max()) + 1, wider)


def partial(xy: Floats, xz: Floats, yz: Floats) -> Floats:
    """Coefficients (of one shape) of x and y with z partialled out; nan where z is one of them.

    (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)), of τ-b as well (Kendall 1942).
    """
    left = np.sqrt(np.clip((1 - xz**2) * (1 - yz**2), 0.0, None))
    return normalised(xy - xz * yz, np.where(left > LEFT, left, 0.0))


def of_columns(kind: str, values: Floats, other: Floats) -> Floats:
    """Pearson's or Spearman's coefficient of each column with other values.

    Parameters
    ----------
    kind : pearson or spearman · values : (N, P) · other : (N,), both defined

    Returns
    -------
    (P,) from −1 to 1; nan where either does not vary

    Raises
    ------
    ValueError : another coefficient
    """
    both = [rounded(values), rounded(other[:, None])]
    if kind == "spearman":
        both = [pd.DataFrame(each).rank().to_numpy() for each in both]
    elif kind != "pearson":
        raise ValueError(f"coefficient {kind!r} over columns; choose one of pearson and spearman.")
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
    margin = two_way.t_quantile(clusters - 1.0) * spread * wider
    low, high = np.tanh(np.arctanh(value) + np.array([-margin, margin])).tolist()
    return Coefficient(value, low, high)


VERSIONS = {
    "raw": "unadjusted",
    "centred": "within searcher and topic",
    "partial": "with the number of queries partialled out",
}
# by name: values, clusters, and the coefficient by version
Found = dict[str, tuple[int, int, dict[str, Coefficient]]]


@dataclass(frozen=True, eq=False)
class Paired:
    """A rating y and a number of queries z beside scores, (N,) each.

    cluster : who is resampled · searcher, topic : codes from 0, whose means are taken off
    """

    y: Floats
    z: Floats
    cluster: Ints
    searcher: Ints
    topic: Ints

    def take(self, rows: Bools | Ints) -> Paired:
        """Some of them, coded anew."""
        whose = self.cluster[rows], self.searcher[rows], self.topic[rows]
        codes = (np.unique(each, return_inverse=True)[1] for each in whose)
        return Paired(self.y[rows], self.z[rows], *codes)

    @cached_property
    def _mean_adjustment(self) -> two_way.TakenOff:
        sessions = two_way.Sessions(np.zeros_like(self.searcher), self.searcher, self.topic)
        return two_way.TakenOff.by(sessions, np.ones(int(self.searcher.max(initial=-1)) + 1))

    def residuals(self, values: Floats) -> Floats:
        """Values (N, k) less effects of searchers and topics, fitted at once by least squares."""
        if not len(values):
            return values
        left = self._mean_adjustment.without_topics(self._mean_adjustment.without_means(values))
        steps = np.array([effect_sizes.rounding(column) or 1.0 for column in values.T])
        return np.round(left / steps) * steps

    @property
    def wider(self) -> float:
        """By how much residuals vary less than what they are residuals of, √(N / df)."""
        fitted = np.unique(self.searcher).size + self._mean_adjustment.rank
        return float(np.sqrt(self.y.size / max(1.0, self.y.size - fitted)))

    @cached_property
    def residual_rating(self) -> Floats:
        """What searchers and topics leave of y."""
        return self.residuals(self.y[:, None])[:, 0]

    def over(self, kind: str, version: str, values: Floats) -> Floats:
        """A version of a coefficient of y with each column of values (N, P), (P,)."""
        if len(values) < 2:
            return np.full(values.shape[1], np.nan)
        if version == "centred":
            return of_columns(kind, self.residuals(values), self.residual_rating)
        raw = of_columns(kind, values, self.y)
        if version == "raw":
            return raw
        with_y = of_columns(kind, self.z[:, None], self.y)
        return partial(raw, of_columns(kind, values, self.z), with_y)


def estimates(kind: str, scores: Mapping[str, Floats], paired: Paired) -> Found:
    """Of each score: how many have it, of how many clusters, and its coefficient by version.

    Parameters
    ----------
    kind : one of ``KINDS`` · scores : by name, (N,), nan where undefined · paired : of the same N
    """
    alike: dict[bytes, list[str]] = {}
    for name, values in scores.items():
        alike.setdefault(np.isnan(values).tobytes(), []).append(name)
    found: Found = {}
    for names in alike.values():  # those of the same rows share what is made of the rating
        rows = ~np.isnan(scores[names[0]])
        rated = paired.take(rows)
        number, clusters = rated.y.size, np.unique(rated.cluster).size
        if number < 2:
            nothing = dict.fromkeys(VERSIONS, Coefficient(np.nan))
            found |= dict.fromkeys(names, (number, clusters, nothing))
            continue
        few = {"resamples": 0} if kind == "kendall" and number > MOST_PAIRED else {}
        some = {name: scores[name][rows] for name in names}
        blocks = Clustered.of(rated.cluster, **few).blocks_of_draws()
        drawn = [_resampled_coefficients(kind, some, rated, block) for block in blocks]
        wider = {"raw": 1.0, "centred": rated.wider, "partial": 1.0}
        for name in names:
            every = {v: np.concatenate([part[name][v] for part in drawn]) for v in VERSIONS}
            intervals = {v: estimate(one, clusters, wider[v]) for v, one in every.items()}
            found[name] = number, clusters, intervals
    return {name: found[name] for name in scores}


def _resampled_coefficients(
    kind: str, scores: Mapping[str, Floats], paired: Paired, of: Clustered
) -> dict[str, dict[str, Floats]]:
    """Each version of each score's coefficient in some draws."""

    def ready(values: Floats) -> Variable:
        return KINDS[kind].ready(values, of)

    y, z, y_left = ready(paired.y), ready(paired.z), ready(paired.residual_rating)
    left = paired.residuals(np.column_stack([*scores.values()]))
    yz = coefficient(kind, y, z, of)
    drawn: dict[str, dict[str, Floats]] = {}
    for (name, values), centred in zip(scores.items(), left.T, strict=True):
        x = ready(values)
        raw = coefficient(kind, x, y, of)
        own = coefficient(kind, ready(centred), y_left, of)
        left_of_z = partial(raw, coefficient(kind, x, z, of), yz)
        drawn[name] = {"raw": raw, "centred": own, "partial": left_of_z}
    return drawn


def folds(clusters: Ints, number: int, seed: int) -> Ints:
    """The fold of each value, (N,), from 0: clusters shared out evenly by chance, none is split.

    Parameters
    ----------
    clusters : (N,) codes from 0 · number : of folds · seed : the generator's

    >>> folds(np.array([0, 0, 1, 2, 2, 3]), 2, 0).tolist()
    [1, 1, 0, 0, 0, 1]
    """
    size = int(clusters.max(initial=-1)) + 1
    order = np.random.default_rng(seed).permutation(size)
    fold = np.empty(size, dtype=np.int64)
    fold[order] = np.arange(size) % number
    return fold[clusters]
