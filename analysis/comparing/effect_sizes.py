"""How large is a difference? Standardised, as a share of pairs, and as a share of resamples."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import Bools, Floats, Ints
from analysis.comparing.permutation import DRAWS, MOST_CELLS, SEED

DIGITS = 12  # beyond them lies rounding, which makes no order
FEWEST_UNITS = 5  # for a share of resamples
NEAR = 1e-6  # of the largest value: what single precision may part


def rounding(values: Floats) -> float:
    """What differences of such values are by rounding alone."""
    return float(np.abs(values).max(initial=0.0)) * 10.0**-DIGITS


def share_ahead(of_a: Floats, of_b: Floats, *, within: bool) -> float:
    """Share of resamples of searchers in which b's mean is above a's, ties half.

    `within`: both hold one value for each searcher, in one order; nan under five searchers.
    """
    if min(of_a.size, of_b.size) < FEWEST_UNITS:
        return float("nan")
    top = max(float(np.abs(of_a).max()), float(np.abs(of_b).max())) or 1.0
    a, b = (of_a / top).astype(np.float32), (of_b / top).astype(np.float32)
    found = _resampled(b - a) if within else _resampled(b, SEED + 1) - _resampled(a)
    return float(np.where(np.abs(found) <= NEAR, 0.5, found > 0).mean())


def _resampled(values: NDArray[np.float32], seed: int = SEED) -> NDArray[np.float32]:
    """Mean of each resample of the values, (DRAWS,)."""
    counts = _counts(values.size, seed)
    parts = np.array_split(counts, max(1, counts.size // MOST_CELLS))
    means = np.concatenate([part.astype(np.float32) @ values for part in parts])
    return means / np.float32(values.size)


@lru_cache(maxsize=8)
def _counts(units: int, seed: int) -> NDArray[np.uint8]:
    """How often each unit is drawn in each resample, (DRAWS, units)."""
    rng = np.random.default_rng(seed)
    counts = np.empty((DRAWS, units), dtype=np.uint8)
    for rows in np.array_split(np.arange(DRAWS), max(1, counts.size // MOST_CELLS)):
        counts[rows] = rng.multinomial(units, np.full(units, 1 / units), rows.size)
    return counts


def hedges_g(difference: float, of_a: Floats, of_b: Floats, df: int) -> float:
    """Difference in pooled standard deviations of sessions, corrected for few searchers.

    Source: Hedges (1981), with the exact correction Γ(df/2) / (√(df/2) Γ((df − 1)/2)).
    """
    from scipy.special import gammaln

    free = of_a.size + of_b.size - 2
    if df < 2 or min(of_a.size, of_b.size) < 2:
        return float("nan")
    squares = ((of_a - of_a.mean()) ** 2).sum() + ((of_b - of_b.mean()) ** 2).sum()
    spread = np.sqrt(squares / free)
    if spread <= rounding(np.concatenate([of_a, of_b])):
        return float("nan")
    correction = np.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / np.sqrt(df / 2)
    return float(difference / spread * correction)


def superiority(values: Floats, is_b: Bools, groups: Ints, size: float) -> float:
    """P(b > a) + ½ P(a = b) over pairs of sessions of one group, the mean over groups.

    Parameters
    ----------
    values, is_b, groups : (N,) of each session
    size : what values may differ by and still be tied

    Source: Vargha & Delaney (2000).

    >>> superiority(np.array([1.0, 3.0, 2.0]), np.array([True, False, True]), np.zeros(3, int), 0)
    0.0
    """
    tied = np.round(values / size) if size else values
    _, group = np.unique(groups, return_inverse=True)
    ranks = pd.Series(tied).groupby(group).rank().to_numpy()
    n_b = np.bincount(group, weights=is_b)
    pairs = n_b * np.bincount(group, weights=~is_b)
    above = np.bincount(group, weights=ranks * is_b) - n_b * (n_b + 1) / 2
    both = pairs > 0
    return float(np.mean(above[both] / pairs[both])) if both.any() else float("nan")
