"""Averages over sessions, their intervals, and where a curve has levelled off."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Ints
from .query import cg, dcg
from .session import normalised

FEWEST_CLUSTERS = 5
RESAMPLES = 1000
SEED = 2008
KEPT_DRAWS = 8_000_000


def group_sums(values: NDArray[Any], groups: Ints, size: int) -> NDArray[Any]:
    """Sums of the rows of each group.

    Parameters
    ----------
    values : (N, …)
    groups : (N,) group of each row, in 0 … size − 1
    size : number of groups

    Returns
    -------
    (size, …); 0 for a group without rows

    >>> group_sums(np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), 3).tolist()
    [2.0, 5.0, 0.0]
    """
    sums = np.zeros((size, *values.shape[1:]), dtype=values.dtype)
    if groups.size:
        if np.any(groups[1:] < groups[:-1]):
            order = np.argsort(groups, kind="stable")
            values, groups = values[order], groups[order]
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        sums[groups[starts]] = np.add.reduceat(values, starts, axis=0)
    return sums


def bootstrap_interval(
    sums: Floats, counts: Floats, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Floats, Floats]:
    """Pointwise 95 % percentile interval of means, resampling clusters (searchers).

    Every curve of one call is resampled by the same draws, so that a searcher who used two
    systems is drawn for both.

    Parameters
    ----------
    sums : (C, …) sum of the defined values of each cluster
    counts : (C, …) number of values in each sum; its last axis may be 1, where they are alike
    resamples, seed : number of draws and the generator's seed

    Returns
    -------
    low, high : (…); nan where fewer than five clusters have a value

    Source: Efron & Tibshirani (1993), percentile interval; clusters as Järvelin et al.'s design
    (each searcher four sessions) asks for.

    >>> low, high = bootstrap_interval(np.ones((6, 1)), np.ones((6, 1)))
    >>> low.tolist(), high.tolist()
    ([1.0], [1.0])
    """
    clusters, shape = len(sums), sums.shape[1:]
    enough = (counts > 0).sum(axis=0) >= FEWEST_CLUSTERS
    if not np.any(enough):
        return np.full(shape, np.nan), np.full(shape, np.nan)
    columns = [sums.reshape(clusters, -1), counts.reshape(clusters, -1)]
    flat = np.concatenate(columns, axis=1)
    totals = np.concatenate([drawn @ flat for drawn in _draws(clusters, resamples, seed)])
    split = columns[0].shape[1]
    drawn = np.broadcast_to(totals[:, split:].reshape(-1, *counts.shape[1:]), (len(totals), *shape))
    known = np.broadcast_to(enough, shape).ravel()
    drawn_sums, drawn_counts = totals[:, :split][:, known], drawn.reshape(len(totals), -1)[:, known]
    blank = np.full(drawn_sums.shape, np.nan)
    means = np.divide(drawn_sums, drawn_counts, out=blank, where=drawn_counts > 0)
    quantile = np.nanquantile if np.isnan(means).any() else np.quantile
    interval = np.full((2, known.size), np.nan)
    interval[:, known] = quantile(means, [0.025, 0.975], axis=0)
    low, high = interval.reshape(2, *shape)
    return low, high


def _draws(clusters: int, resamples: int, seed: int) -> Iterable[Floats]:
    """How often each cluster is drawn in each resample, a few million draws at a time."""
    if clusters * resamples <= KEPT_DRAWS:
        return (_counted_draws(clusters, resamples, seed),)
    rng = np.random.default_rng(seed)
    step = max(1, KEPT_DRAWS // (4 * clusters))
    return (_drawn(rng, min(step, resamples - i), clusters) for i in range(0, resamples, step))


@lru_cache(maxsize=2)
def _counted_draws(clusters: int, resamples: int, seed: int) -> Floats:
    """Draws of a study's size, which all its curves share."""
    return _drawn(np.random.default_rng(seed), resamples, clusters)


def _drawn(rng: np.random.Generator, rows: int, clusters: int) -> Floats:
    """Counts of each row's draws, some rows at a time so that they stay in the cache."""
    counts = np.empty((rows, clusters))
    step = max(1, 100_000 // clusters)
    for first in range(0, rows, step):
        block = counts[first : first + step]
        drawn = rng.integers(0, clusters, block.shape, dtype=np.int32)
        drawn += np.arange(len(block), dtype=np.int32)[:, None] * np.int32(clusters)
        block[:] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return counts


def average_curves(gains: Floats, ideal: Floats, discount: Floats) -> dict[str, Floats]:
    r"""Curves of several queries averaged rank by rank, and their ratios of means.

    .. math:: \overline{CG}[i] = \frac{1}{N} \sum_q CG_q[i] \quad
              NCG[i] = \overline{CG}[i] / \overline{ICG}[i] \quad
              NDCG[i] = \overline{DCG}[i] / \overline{IDCG}[i]

    Parameters
    ----------
    gains, ideal : (N, R) gain at each rank of each query's list, and of its ideal list
    discount : (R,) factor of each rank

    Returns
    -------
    cg, dcg, ideal_cg, ideal_dcg, in the unit of the gains, and ncg, ndcg, each (R,); the ratios nan
    where the ideal has gained nothing

    Source: Yukawa, lecture 5 (2023); Järvelin et al. (ECIR 2008), Appendix eq. 5.

    >>> curves = average_curves(np.array([[1.0, 0]]), np.array([[2.0, 2]]), np.array([1, 0.5]))
    >>> curves["ncg"].tolist(), curves["ndcg"].tolist()
    ([0.5, 0.25], [0.5, 0.3333333333333333])
    """
    kinds = {"cg": cg(gains), "dcg": dcg(gains, discount)}
    kinds |= {"ideal_cg": cg(ideal), "ideal_dcg": dcg(ideal, discount)}
    means = {name: curve.mean(axis=0) for name, curve in kinds.items()}
    means["ncg"] = normalised(means["cg"], means["ideal_cg"])
    means["ndcg"] = normalised(means["dcg"], means["ideal_dcg"])
    return means


def area(curves: Floats) -> Floats:
    r"""Area under a normalised curve: its mean over ranks 1 to k.

    .. math:: \frac{1}{k} \sum_{i \le k} nDCG[i]

    Parameters
    ----------
    curves : (…, k) a share of the ideal at each rank

    Returns
    -------
    (…), the mean of what is defined; nan where nothing is

    Source: Yukawa, lecture 5 (2023).

    >>> float(area(np.array([1.0, 0.5])))
    0.75
    """
    known = ~np.isnan(curves)
    total = np.where(known, curves, 0.0).sum(axis=-1)
    return normalised(total, known.sum(axis=-1).astype(float))


def levels_off(curves: Floats, share: float = 0.99) -> Floats:
    r"""First rank at which a curve has reached a share of its end.

    .. math:: \min \{ i : c[i] \ge share \cdot c[end] \}

    Parameters
    ----------
    curves : (…, R) never falling
    share : of the end value

    Returns
    -------
    (…) rank from 1; nan where the curve ends at 0 or is undefined

    Source: the reading of Figure 1 in Järvelin et al. (ECIR 2008) §3.2.

    >>> float(levels_off(np.array([1.0, 3.0, 3.0])))
    2.0
    """
    end = curves[..., -1:]
    first = np.argmax(curves >= share * end, axis=-1) + 1
    return np.asarray(np.where(end[..., 0] > 0, first, np.nan), dtype=np.float64)
