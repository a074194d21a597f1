"""Permutation tests: labels change places within strata, and the difference is computed again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.metrics.interval import SEED

Arrangements = NDArray[np.int8]  # of labels, by code: (N, U)

DRAWS = 10_000
LEVEL = 0.05  # of every test: at most so large a p is called clear
FEWEST_ARRANGEMENTS = 39  # with fewer p can't fall below .05 on either side, and t leads
CLOSE, ROUNDED = 1e-9, 1e-12  # of what is compared, of the largest value: rounding
MOST_CELLS = 4_000_000  # that are worked on at once
AT_ONCE = 1_000_000  # that are drawn at once, so that they stay in the processor's cache
MOST_DRAWN = 60_000_000  # labels in all; beyond 6,000 units fewer are drawn, a byte each


def permutation_p(
    values: Floats, labels: Ints, strata: Ints, others: Arrangements, *, observed: float = math.nan
) -> tuple[float, int]:
    """Test by permutation: labels change places within strata.

    Two labels are compared by their difference in standard errors: by Student's t of differences in
    strata of two, by Welch's t of the others, weighted where there are both. More labels are
    compared by the sum over labels of squared means in squared standard errors. Means of strata are
    taken off, as nothing changes places between them.

    Parameters
    ----------
    values, labels, strata : (U,) of each unit; labels from 0
    others : (N, U) ``arrangements`` of these labels
    observed : t of two labels by a better estimate, which takes the place of the values' own

    Returns
    -------
    p = (1 + k) / (1 + N), k of N arrangements besides the one observed separate them as far ·
    N, 0 where no other arrangement exists

    Source: Phipson & Smyth (2010) for the added one; Janssen (1997) and Chung & Romano (2013) for
    standard errors, without which groups of unlike size and spread are called different too often.

    >>> labels, strata = np.array([0, 0, 1, 1]), np.zeros(4, int)
    >>> others = arrangements(labels, strata)
    >>> permutation_p(np.array([1.0, 2.0, 5.0, 6.0]), labels, strata, others)
    (0.3333333333333333, 5)
    """
    codes, stratum = _consecutive_codes(labels), _consecutive_codes(strata)
    if not len(others) or codes.max(initial=0) < 1:
        return 1.0, 0
    parted = _Parted.of(_centre_within_strata(values, stratum), codes, stratum)
    actual = parted.by(codes[None].astype(np.int8))[0] if math.isnan(observed) else abs(observed)
    parts = np.array_split(others, max(1, others.size // MOST_CELLS))
    found = np.concatenate([parted.by(part) for part in parts])
    far = int((found >= actual * (1 - CLOSE)).sum())
    return (1 + far) / (1 + len(others)), len(others)


def _consecutive_codes(values: Ints) -> Ints:
    return np.unique(values, return_inverse=True)[1]


def _centre_within_strata(values: Floats, stratum: Ints) -> Floats:
    """Values less the mean of their stratum, in which alone labels change places.

    In units of a power of two: whatever their size was, their squares' squares are numbers.
    """
    centred = values - (np.bincount(stratum, weights=values) / np.bincount(stratum))[stratum]
    largest = np.abs(values).max()
    centred = np.where(np.abs(centred) <= ROUNDED * largest, 0.0, centred)
    return np.ldexp(centred, -np.frexp(largest)[1])


@dataclass(frozen=True, eq=False)
class _Parted:
    """How far arrangements of labels part units.

    pairs (2, P) : places of the units of strata that hold one of either label · alone : the others
    """

    values: Floats
    counts: Ints
    pairs: Ints
    alone: Ints

    @classmethod
    def of(cls, values: Floats, codes: Ints, stratum: Ints) -> _Parted:
        counts, sizes = np.bincount(codes), np.bincount(stratum)
        first = np.bincount(stratum, weights=codes == 0)
        paired = (sizes == 2) & (first == 1) & (counts.size == 2)
        order = np.argsort(stratum, kind="stable")
        pairs = order[paired[stratum[order]]].reshape(-1, 2).T
        alone = np.flatnonzero(~paired[stratum])
        return cls(values, np.bincount(codes[alone], minlength=counts.size), pairs, alone)

    def by(self, labels: Arrangements) -> Floats:
        """Of each arrangement (N, U), (N,): |t|, or the sum of squares."""
        means, errors = self._independent_means(labels[:, self.alone])
        if self.counts.size > 2:
            return _squares_over_errors(means**2, errors).sum(axis=1)
        apart, error = np.zeros(len(labels)), np.zeros(len(labels))
        if self.counts.all():
            weight = 1 / (self.values[self.alone].var() * (1 / self.counts).sum() or 1.0)
            apart += weight * (means[:, 1] - means[:, 0])
            error += weight**2 * errors.sum(axis=1)
        if self.pairs.size:
            mean, variance = self._paired_means(labels[:, self.pairs[0]])
            weight = 1 / ((self._differences**2).mean() / self._differences.size or 1.0)
            apart, error = apart + weight * mean, error + weight**2 * variance
        return np.sqrt(_squares_over_errors(apart**2, error))

    def _independent_means(self, labels: Arrangements) -> tuple[Floats, Floats]:
        """Means of the labels and their squared errors, (N, labels); of one unit by all spreads."""
        values, found = self.values[self.alone], list[tuple[Floats, Floats]]()
        for label, count in enumerate(self.counts.tolist()):
            has_label = (labels == label).astype(float)
            mean = has_label @ values / max(count, 1)
            spread = np.maximum(has_label @ values**2 - count * mean**2, 0.0)
            found.append((mean, spread))
        means, spreads = (np.stack(by_label, axis=1) for by_label in zip(*found, strict=True))
        free = np.maximum(self.counts - 1, 0)
        pooled = spreads.sum(axis=1, keepdims=True) / max(int(free.sum()), 1)
        of = np.where(free > 0, spreads / np.maximum(free, 1), pooled if free.any() else 1.0)
        return means, of / np.maximum(self.counts, 1)

    def _paired_means(self, labels: Arrangements) -> tuple[Floats, Floats]:
        """Mean difference of the pairs and its squared error, (N,)."""
        n = self._differences.size
        mean = (2 * (labels.astype(np.float64) @ self._differences) - self._differences.sum()) / n
        spread = np.maximum((self._differences**2).sum() - n * mean**2, 0.0)
        return mean, spread / max(n * (n - 1), 1)

    @property
    def _differences(self) -> Floats:
        return self.values[self.pairs[0]] - self.values[self.pairs[1]]


def _squares_over_errors(squares: Floats, errors: Floats) -> Floats:
    """Squares in squared errors, which rounding keeps from 0; 0 where both are."""
    smallest = ROUNDED * np.maximum(squares, errors)
    return np.divide(squares, errors + smallest, out=np.zeros_like(squares), where=squares > 0)


def arrangements(
    labels: Ints, strata: Ints, *, draws: int = DRAWS, seed: int = SEED
) -> Arrangements:
    """Ways in which labels may stand besides the one observed, as they change places in strata.

    Parameters
    ----------
    labels, strata : (U,) of each unit
    draws, seed : random arrangements; where no more exist, all of them are gone through once

    Returns
    -------
    (N, U) code of each unit's label; fewer than `draws` of more than 6,000 units

    >>> arrangements(np.array([7, 7, 9]), np.zeros(3, int)).tolist()
    [[0, 1, 0], [1, 0, 0]]
    """
    codes, stratum = _consecutive_codes(labels), _consecutive_codes(strata)
    draws = min(draws, MOST_DRAWN // max(1, codes.size))
    order = np.argsort(stratum, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(stratum[order])) + 1)
    if _are_few(codes, stratum, draws + 1):
        orders = product(*([*_distinct_orders(codes[group])] for group in groups))
        by_stratum = np.array([*map(np.concatenate, orders)], dtype=np.int8)
        found = by_stratum[:, np.argsort(order)]
        return found[(found != codes).any(axis=1)]
    rng = np.random.default_rng(seed)
    found = np.tile(codes.astype(np.int8), (draws, 1))
    step = max(1, AT_ONCE // max(1, codes.size))
    for size in sorted({len(group) for group in groups} - {1}):
        alike = np.stack([group for group in groups if len(group) == size])
        for first in range(0, draws, step):
            some = found[first : first + step]
            some[:, alike] = rng.permuted(some[:, alike], axis=2)
    return found


def _are_few(codes: Ints, stratum: Ints, most: int) -> bool:
    """Whether at most so many arrangements of labels within their strata differ.

    They are the product over strata of n! / Π n_label!, here in logarithms.
    """
    from scipy.special import gammaln

    counts = np.unique(stratum * (codes.max(initial=0) + 1) + codes, return_counts=True)[1]
    number = gammaln(np.bincount(stratum) + 1).sum() - gammaln(counts + 1).sum()
    return bool(number < math.log(most + 0.5))


def _distinct_orders(labels: Ints) -> Iterator[Ints]:
    """Every order of some labels, equal ones not told apart."""
    if not labels.size:
        yield labels
        return
    first = labels.min()
    rest = labels[labels != first]
    for places in combinations(range(labels.size), labels.size - rest.size):
        others = np.setdiff1d(np.arange(labels.size), places)
        for order in _distinct_orders(rest):
            found = np.full(labels.size, first)
            found[others] = order
            yield found


def is_clear(low: float, high: float, p: Callable[[], float]) -> bool:
    """Whether a difference's interval excludes 0 and its p is at most ``LEVEL``.

    `p` is the one that counts: corrected, where there are several pairs. It is asked for only
    where the interval does not settle it. What is undefined does not stand against a difference,
    but one of the two must be there.

    >>> is_clear(1.0, 2.0, lambda: 0.01), is_clear(-1.0, 2.0, lambda: 0.01)
    (True, False)
    >>> is_clear(math.nan, math.nan, lambda: 0.01), is_clear(math.nan, math.nan, lambda: math.nan)
    (True, False)
    """
    if low <= 0 <= high:
        return False
    value = p()
    return not (math.isnan(low) and math.isnan(value)) and not value > LEVEL
