"""Permutation tests: labels change places within strata, and the difference is looked at anew."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import Floats, Ints

DRAWS = 10_000
SEED = 2008
LEVEL = 0.05  # of every test: at most so large a p is called clear
CLOSE, ROUNDED = 1e-9, 1e-12  # of the largest centred value, of the largest value: rounding
MOST_CELLS = 4_000_000  # that are worked on at once
MOST_KEPT = 60_000_000  # of arrangements; beyond 6,000 units fewer are drawn


def permutation_p(
    values: Floats,
    labels: Ints,
    strata: Ints,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    widened: float = 1.0,
) -> tuple[float, int]:
    """How often labels that change places within strata part the units as far as they stand.

    Two labels are parted by the difference of their means, more by the sum over labels of
    count × (mean − mean of all)².

    Parameters
    ----------
    values, labels, strata : (U,) of each unit; labels from 0
    draws, seed : random arrangements; where no more exist, all of them are gone through once
    widened : how much wider the observed statistic spreads than that of arrangements (two labels)

    Returns
    -------
    p = (1 + k) / (1 + N), k of N arrangements besides the one observed part them as far ·
    N, 0 where no other arrangement exists

    Source: Phipson & Smyth (2010) for the added one.

    >>> permutation_p(np.array([1.0, 2.0, 5.0, 6.0]), np.array([0, 0, 1, 1]), np.zeros(4, int))
    (0.3333333333333333, 5)
    """
    _, codes = np.unique(labels, return_inverse=True)
    draws = min(draws, MOST_KEPT // max(1, codes.size))
    others = _arrangements(codes.tobytes(), strata.astype(np.int64).tobytes(), draws, seed)
    if not len(others) or codes.max(initial=0) < 1:
        return 1.0, 0
    counts = np.bincount(codes)
    centred = values - values.mean()
    observed = _parted(centred, codes[None].astype(np.int8), counts)[0]
    found = np.concatenate(
        [_parted(centred, part, counts) for part in np.array_split(others, _parts(others))]
    )
    spread = np.abs(centred).max()
    near = max(CLOSE * spread, ROUNDED * np.abs(values).max()) * spread ** (_power(counts) - 1)
    far = int((found >= observed / widened - near).sum())
    return (1 + far) / (1 + len(others)), len(others)


def _power(counts: Ints) -> int:
    """Two labels are parted by a difference, more by squares."""
    return 1 if counts.size == 2 else 2


def _parts(others: NDArray[np.int8]) -> int:
    return max(1, others.size // MOST_CELLS)


def _parted(centred: Floats, labels: NDArray[np.int8], counts: Ints) -> Floats:
    """How far each arrangement (N, U) parts the units, whose values add up to 0, (N,)."""
    if counts.size == 2:
        return np.abs((labels == 1) @ centred) * (1 / counts).sum()
    means = np.stack([(labels == i) @ centred / count for i, count in enumerate(counts)], axis=1)
    return (counts * means**2).sum(axis=1)


@lru_cache(maxsize=8)
def _arrangements(codes: bytes, strata: bytes, draws: int, seed: int) -> NDArray[np.int8]:
    """Arrangements of labels (N, U) besides the one observed."""
    labels, stratum = np.frombuffer(codes, np.int64), np.frombuffer(strata, np.int64)
    order = np.argsort(stratum, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(stratum[order])) + 1)
    if math.prod(_number(labels[group]) for group in groups) <= draws + 1:
        every = np.array([*_each(labels, groups)], dtype=np.int8).reshape(-1, labels.size)
        return every[(every != labels).any(axis=1)]
    rng = np.random.default_rng(seed)
    found = np.tile(labels.astype(np.int8), (draws, 1))
    for size in sorted({len(group) for group in groups} - {1}):
        alike = np.stack([group for group in groups if len(group) == size])
        found[:, alike] = rng.permuted(found[:, alike], axis=2)
    return found


def _number(labels: Ints) -> int:
    """How many arrangements of a stratum's labels differ."""
    counts = np.unique(labels, return_counts=True)[1].tolist()
    return math.factorial(len(labels)) // math.prod(math.factorial(n) for n in counts)


def _each(labels: Ints, groups: Sequence[Ints]) -> Iterator[Ints]:
    """Every arrangement of labels within the groups."""
    for parts in product(*([*_orders(labels[group])] for group in groups)):
        found = np.empty_like(labels)
        for group, part in zip(groups, parts, strict=True):
            found[group] = part
        yield found


def _orders(labels: Ints) -> Iterator[Ints]:
    """Every order of some labels, equal ones not told apart."""
    if not labels.size:
        yield labels
        return
    first = labels.min()
    rest = labels[labels != first]
    for places in combinations(range(labels.size), labels.size - rest.size):
        others = np.setdiff1d(np.arange(labels.size), places)
        for order in _orders(rest):
            found = np.full(labels.size, first)
            found[others] = order
            yield found
