"""Intervals by t, and what topic means absorb: dense matrices of every session's part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction as Exact

import numpy as np
from scipy.stats import t as students_t

Matrix = np.ndarray


def centring(topics: Sequence[str]) -> Matrix:
    """Matrix that takes off the mean of each topic."""
    same = np.array([[1.0 if a == b else 0.0 for b in topics] for a in topics])
    return np.eye(len(topics)) - same / same.sum(axis=1, keepdims=True)


def spread_of(units: Matrix) -> Matrix:
    """Square of the standard error of a mean of units, as a matrix over sessions."""
    n = len(units)
    return units.T @ (np.eye(n) - 1 / n) @ units / (n * (n - 1))


def plain_absorbed(groups: Sequence[Matrix], topics: Sequence[str]) -> tuple[float, float]:
    """Ratio of variances and Satterthwaite's df; groups hold parts (units, sessions), last − first.

    One group: the mean of its units is tested.
    """
    off = centring(topics)
    maps = [parts @ off for parts in groups]
    weight = maps[-1].mean(axis=0) - (maps[0].mean(axis=0) if len(maps) == 2 else 0.0)
    expected = np.sum([spread_of(units) for units in maps], axis=0)
    trace = float(np.trace(expected))
    return float(weight @ weight) / trace, trace**2 / float(np.trace(expected @ expected))


def _mean(values: Sequence[Exact]) -> Exact:
    return sum(values, Exact(0)) / len(values)


def variance(values: Sequence[Exact]) -> Exact:
    """Sum of squares over n − 1."""
    middle = _mean(values)
    return sum(((value - middle) ** 2 for value in values), Exact(0)) / (len(values) - 1)


def t_interval(d: Sequence[Exact], ratio: float, most: float) -> tuple[float, float]:
    """95 % interval of a mean, its variance times a ratio, with at most so many df."""
    df = min(len(d) - 1, most)
    half = float(students_t.ppf(0.975, df)) * math.sqrt(ratio * variance(d) / len(d))
    return float(_mean(d)) - half, float(_mean(d)) + half


def welch_interval(
    of_a: Sequence[Exact], of_b: Sequence[Exact], ratio: float, most: float
) -> tuple[float, float]:
    """95 % interval of mean b − mean a, variances their own."""
    errors = [variance(of) / len(of) for of in (of_a, of_b)]
    middle = float(_mean(of_b) - _mean(of_a))
    if not sum(errors):
        return middle, middle
    weights = [e * e / (len(of) - 1) for e, of in zip(errors, (of_a, of_b), strict=True)]
    df = min(float(sum(errors) ** 2 / sum(weights)), most)
    half = float(students_t.ppf(0.975, df)) * math.sqrt(ratio * sum(errors))
    return middle - half, middle + half
