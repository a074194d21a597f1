"""Shares of sessions that were right: their intervals, and whether two systems' differ."""

import math

import numpy as np

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.statistics.two_way import t_quantile

Z = 1.959963984540054  # the normal's 97.5% point


def wilson(share: float, number: float) -> tuple[float, float]:
    r"""95% interval of a share of so many independent cases.

    .. math:: \frac{p + z^2 / 2n \pm z \sqrt{p (1 - p) / n + z^2 / 4n^2}}{1 + z^2 / n}

    nan of no case.

    Source: Wilson (1927).

    >>> [round(end, 4) for end in wilson(0.75, 12)]
    [0.4677, 0.9111]
    """
    if not number > 0:
        return math.nan, math.nan
    middle = share + Z**2 / (2 * number)
    margin = Z * math.sqrt(share * (1 - share) / number + Z**2 / (4 * number**2))
    low, high = (end / (1 + Z**2 / number) for end in (middle - margin, middle + margin))
    return max(0.0, low), min(1.0, high)


def effective_n(right: Floats, unit: Ints) -> float:
    """Number of independent cases that would make a share as certain, from 0.

    right (N,) : 1 or 0 · unit (N,) : whose cases resemble each other. Where each stands alone it
    is N; else what the spread of units says, less for few of them by t, and N at most. Where all
    or none are right it is the number of units.

    Source: Korn & Graubard (1998).

    >>> effective_n(np.array([1.0, 0.0, 1.0]), np.arange(3))
    3.0
    >>> effective_n(np.array([1.0, 1.0, 0.0, 0.0]), np.array([0, 0, 1, 1])) < 1
    True
    """
    _, code, number = np.unique(unit, return_inverse=True, return_counts=True)
    if number.size == right.size:
        return float(right.size)
    share = float(right.mean())
    if number.size < 2 or share in (0.0, 1.0):
        return float(number.size)
    apart = np.bincount(code, weights=right) - share * number
    variance = number.size / (number.size - 1) * float(apart @ apart) / right.size**2
    if not variance > 0:
        return float(right.size)
    few = (t_quantile(right.size - 1.0) / t_quantile(number.size - 1.0)) ** 2
    return min(float(right.size), few * share * (1 - share) / variance)


def share_of(right: Floats, *units: Ints) -> tuple[float, float, float]:
    """Share of those that are right (N,), and its 95% interval; nan of none.

    units : of cases that resemble each other, (N,) each; that with the least `effective_n` counts.

    >>> [round(each, 3) for each in share_of(np.array([1.0, 1.0, 1.0, 0.0]), np.arange(4))]
    [0.75, 0.301, 0.954]
    """
    share = float(right.mean()) if right.size else math.nan
    number = min((effective_n(right, unit) for unit in units), default=float(right.size))
    return share, *wilson(share, number)


def mcnemar(only_a: int, only_b: int) -> float:
    """McNemar's p from the numbers of cases that only one of two got right.

    Exact and two-sided, from the binomial with half; 1 where there is no such case.

    Source: McNemar (1947).

    >>> mcnemar(1, 4), mcnemar(0, 0)
    (0.375, 1.0)
    """
    ways = sum(math.comb(only_a + only_b, few) for few in range(min(only_a, only_b) + 1))
    return min(1.0, 2 * ways / 2 ** (only_a + only_b))
