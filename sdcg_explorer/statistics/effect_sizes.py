"""How large is a difference? Standardised, and as a share of pairs."""

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.statistics.two_way import t_quantile

DIGITS = 12  # beyond them lies rounding, which makes no order
ROUNDED = 1e-20  # of a share's squared error


def rounding(values: Floats) -> float:
    """How large differences of such values can be by rounding alone."""
    return float(np.abs(values).max(initial=0.0)) * 10.0**-DIGITS


def hedges_g(difference: float, of_a: Floats, of_b: Floats, df: int) -> float:
    r"""Difference in pooled standard deviations of sessions, corrected for few searchers.

    .. math:: g = \frac{d}{s} \cdot
        \frac{\Gamma(df / 2)}{\sqrt{df / 2} \, \Gamma((df - 1) / 2)}

    Parameters
    ----------
    difference : d, in the unit of the scores · of_a, of_b : (N_a,) and (N_b,) scores of sessions ·
        df : number of searchers less 2

    Returns
    -------
    g, without a unit; nan below 2 degrees of freedom, of fewer than two sessions with either, and
    where scores don't vary

    Source: Hedges (1981).

    >>> round(hedges_g(2.0, np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 5.0]), 4), 3)
    1.596
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


def superiority(
    values: Floats, is_b: Bools, units: Ints, groups: Ints, size: float, error: float = 0.0
) -> tuple[float, float, float]:
    """P(b > a) + ½ P(a = b) over pairs of sessions of one group, the mean over groups.

    Parameters
    ----------
    values, is_b, units, groups : (N,) of each session; groups are the units, or one
    size : what values may differ by and still be tied
    error : of the difference, by its model; larger than that of plain means, it widens the
        interval

    Returns
    -------
    the share, and its 95% interval by t on the log odds, nan where units show no spread

    Source: Vargha & Delaney (2000); Brunner & Munzel (2000) for the error, here with units in the
    place of values.

    >>> is_b, one = np.array([True, False, True]), np.zeros(3, int)
    >>> superiority(np.array([1.0, 3.0, 2.0]), is_b, np.arange(3), one, 0)[0]
    0.0
    """
    tied = np.round(values / size) if size else values
    _, group = np.unique(groups, return_inverse=True)
    n_b, n_a = np.bincount(group, weights=is_b), np.bincount(group, weights=~is_b)
    both = (n_b > 0) & (n_a > 0)
    if not both.any():
        return float("nan"), float("nan"), float("nan")
    ranks = pd.Series(tied).groupby(group).rank().to_numpy()
    among = pd.Series(tied).groupby(2 * group + is_b).rank().to_numpy()  # their own system's
    others = np.where(is_b, n_a[group], n_b[group])
    placed = np.divide(ranks - among, others, out=np.zeros(among.size), where=others > 0)
    placed = np.where(is_b, placed, 1 - placed)  # share of its pairs that b wins
    share = (np.bincount(group, weights=placed * is_b)[both] / n_b[both]).astype(np.float64)
    theta = float(share.mean())
    if n_b.size > 1:
        weight = np.where(is_b, 1 / np.maximum(n_b, 1)[group], -1 / np.maximum(n_a, 1)[group])
        apart = np.bincount(group, weights=values * weight)[both].astype(np.float64)
        (of, df), (plain, _) = (_group_error(means) for means in (share, apart))
    else:
        signed = np.where(is_b, values, -values)
        (of, df), (plain, _) = (_unit_error(of_each, is_b, units) for of_each in (placed, signed))
    wider = max(1.0, error**2 / plain) if plain > 0 and error > 0 else 1.0
    return theta, *_log_odds_interval(theta, of * wider, df)


def _group_error(means: Floats) -> tuple[float, float]:
    """Squared error of a mean of groups, and its df."""
    return (float(means.var(ddof=1) / means.size) if means.size > 1 else 0.0), means.size - 1.0


def _unit_error(values: Floats, is_b: Bools, units: Ints) -> tuple[float, float]:
    """Squared error of b's mean plus a's, by unit, and Satterthwaite's df.

    Units of the same systems share a spread; all do where there is one alone of some.
    """
    means = np.where(is_b, values[is_b].mean(), values[~is_b].mean())
    parts = (values - means) / np.where(is_b, is_b.sum(), (~is_b).sum())
    _, unit = np.unique(units, return_inverse=True)
    used = [np.bincount(unit, weights=mask) > 0 for mask in (is_b, ~is_b)]
    _, kind, counts = np.unique(used[0] + 2 * used[1], return_inverse=True, return_counts=True)
    if counts.min() < 2:
        kind, counts = np.zeros_like(kind), counts.sum(keepdims=True)
    if counts.min() < 2:
        return 0.0, 0.0
    squares = np.bincount(unit, weights=parts).astype(np.float64) ** 2
    of = np.bincount(kind, weights=squares) * counts / (counts - 1)
    total = float(of.sum())
    return total, 1 / float(((of / total) ** 2 / (counts - 1)).sum()) if total > 0 else 0.0


def _log_odds_interval(theta: float, variance: float, df: float) -> tuple[float, float]:
    """95% interval of a share by t; nan without spread, or at 0 or 1."""
    from scipy import special

    if not variance > ROUNDED or not 0 < theta < 1:
        return float("nan"), float("nan")
    margin = t_quantile(df) * variance**0.5 / (theta * (1 - theta))
    odds = np.log(theta / (1 - theta))
    return float(special.expit(odds - margin)), float(special.expit(odds + margin))
