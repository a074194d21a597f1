"""Topic means of few sessions: how much error they take along when they are taken off."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats, Ints

MOST_UNITS = 1_500  # for whose degrees of freedom a square matrix is built


def absorbed(
    weight: Floats, row: Ints, group: Ints, topic: Ints, sessions: Ints
) -> tuple[float, float]:
    """Variance of a difference against what its standard error expects, after centring by topic.

    Scores less their topic's mean vary less than scores do, and together; a standard error that
    takes them for independent is too small where a topic has few sessions. Both are counted for
    sessions with independent errors of one variance.

    Parameters
    ----------
    weight, row, topic : (N,) of the pair's sessions: part in its unit's value, unit, topic
    group : (U,) of each unit: all 0 where the mean of values is tested, else 0 and 1 (1 − 0)
    sessions : (T,) sessions behind each topic's mean, all compared systems

    Returns
    -------
    ratio of the two variances, nan where a group has one unit · Satterthwaite's df, inf for
    more than ``MOST_UNITS`` units

    Source: Satterthwaite (1946) for the df.

    >>> one = np.ones(4)
    >>> group, topic = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> np.round(absorbed(one, np.arange(4), group, topic, np.array([2, 2])), 9).tolist()
    [2.0, 1.0]
    """
    units, counts = group.size, np.bincount(group)
    if counts.min() < 2:
        return float("nan"), float("nan")
    means = np.zeros((units, sessions.size))
    np.add.at(means, (row, topic), weight)
    means /= np.sqrt(np.maximum(sessions, 1))
    own = np.bincount(row, weights=weight**2, minlength=units)
    side = np.where(group == 0, -1.0, 1.0) / counts[group]
    true = (side**2 * own).sum() - ((side @ means) ** 2).sum()
    expected = 0.0
    for g, n in enumerate(counts.tolist()):
        rows = group == g
        whole = own[rows].sum() - (means[rows].sum(axis=0) ** 2).sum()
        each = own[rows].sum() - (means[rows] ** 2).sum()
        expected += (each - whole / n) / (n * (n - 1))
    if expected <= 1e-12 * own.sum():
        return float("nan"), float("nan")
    if units > MOST_UNITS:
        return float(true / expected), float("inf")
    spread = np.diag(own) - means @ means.T
    for g, n in enumerate(counts.tolist()):
        rows = np.flatnonzero(group == g)
        spread[rows] -= spread[rows].mean(axis=0)
        spread[:, rows] -= spread[:, rows].mean(axis=1, keepdims=True)
        spread[rows] /= np.sqrt(n * (n - 1))
        spread[:, rows] /= np.sqrt(n * (n - 1))
    return float(true / expected), float(np.trace(spread) ** 2 / (spread**2).sum())
