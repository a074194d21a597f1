"""Intervals of means whose values come in clusters: a searcher's sessions resemble each other."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from .arrays import Bools, Floats, Ints

FEWEST_CLUSTERS = 5
FEWEST_GAINING = 10  # clusters, where some gain nothing: below, bands miss the mean too often
FEWEST_RESAMPLED = 10  # clusters of a mean, below which its interval is by t
T = (  # its 97.5% points, of 1 to 8 degrees of freedom
    *(12.706204736174698, 4.302652729749464, 3.182446305284263, 2.7764451051977987),
    *(2.570581835636314, 2.4469118511449692, 2.3646242515927844, 2.306004135204166),
)
RESAMPLES = 1000
SEED = 2008
KEPT_DRAWS = 8_000_000
AT_ONCE = 500_000  # values of t that are made at once, so that they stay in the cache
WORKED_ON = 2_000_000  # values of clusters that are worked on at once
MANY_CLUSTERS, FEW = 2_000, 4  # from so many on, where at most a fourth has values, these alone
ROUNDING = 1e-12


def mean_interval(sums: Floats, counts: Floats) -> tuple[Floats, Floats]:
    r"""95% intervals of means of groups: by t where fewer than ten clusters have a value.

    .. math:: r \pm t_{.975, C - 1} \sqrt{\frac{C}{C - 1} \sum e^2} / \sum counts

    with r = Σ sums / Σ counts, a cluster's error e = sum − r · count, and C clusters that have a
    value; with ten or more, ``bootstrap_interval`` is used.

    Parameters
    ----------
    sums : (C, …) sum of the defined values of each cluster
    counts : (C, …) number of values in each sum, or what they are a share of

    Returns
    -------
    low, high : (…) in the unit of the mean; nan for one cluster, and where all means are equal; low
        is at least 0 if no sum is negative

    Source: Student (1908); the clusters' variance: Field & Welsh (2007).

    >>> low, high = mean_interval(np.array([2.0, 3, 3, 4, 5, 7]), np.ones(6))
    >>> round(float(low), 2), round(float(high), 2)
    (2.12, 5.88)
    """
    low, high = bootstrap_interval(sums, counts)
    number = (counts > 0).sum(axis=0)
    total = np.where(number > 0, counts.sum(axis=0), 1.0)
    mean = sums.sum(axis=0) / total
    spread = np.sqrt(((sums - mean * counts) ** 2).sum(axis=0))
    known = (number > 1) & (spread > ROUNDING * np.sqrt((sums**2).sum(axis=0)))
    free = np.clip(number - 1, 1, len(T))
    reach = np.array(T)[free - 1] * spread * np.sqrt(1 + 1 / free) / total
    reach = np.where(known, reach, np.nan)
    floor = np.where((sums < 0).any(axis=0), -np.inf, 0.0)
    few = number < FEWEST_RESAMPLED
    return np.where(few, np.maximum(mean - reach, floor), low), np.where(few, mean + reach, high)


def bootstrap_interval(
    sums: Floats, counts: Floats, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Floats, Floats]:
    r"""Pointwise 95% intervals of means, by bootstrap-t over clusters (searchers).

    With r = Σ sums / Σ counts and a cluster's error e = sum − r · count, each resample has
    t* = (r* − r) / se*; the interval is r − t*[.975] · se to r − t*[.025] · se, where
    se = √Σe² / Σ counts (a factor for few clusters would cancel). A resample whose clusters
    are all alike counts as an infinite t*. Every curve of one call is resampled by the same
    draws, so that a searcher who used two systems is drawn for both.

    Parameters
    ----------
    sums : (C, …) sum of the defined values of each cluster
    counts : (C, …) number of values in each sum, or what they are a share of; its last axis may be
        1, where they are alike
    resamples, seed : number of draws and the generator's seed

    Returns
    -------
    low, high : (…) in the unit of the mean; nan where fewer than five clusters have a value, where
        some sums are 0 and fewer than ten are not, where all means are alike, or where an end
        would be infinite; low is at least 0 if no sum is negative

    Source: Efron & Tibshirani (1993) §12.5; Hall (1992) §3.5; the clusters' variance: Field &
    Welsh (2007). Why these limits: docs/statistics.md.

    >>> low, high = bootstrap_interval(np.array([2.0, 3, 3, 4, 5, 7]), np.ones(6))
    >>> round(float(low), 2), round(float(high), 2)
    (2.42, 7.65)
    """
    shape = sums.shape[1:]
    if len(sums) < FEWEST_CLUSTERS or not sums.size:
        return np.full(shape, np.nan), np.full(shape, np.nan)
    flat, apart = sums.reshape(len(sums), -1), counts.reshape(len(counts), -1)
    column = np.arange(apart.shape[1]).reshape(counts.shape[1:])
    column = np.broadcast_to(column, shape).ravel()
    shown = np.flatnonzero(_has_reliable_interval(flat, apart, column))
    interval = np.full((2, flat.shape[1]), np.nan)
    if shown.size:
        draws = _resample_counts(len(sums), resamples, seed)
        flat = flat if shown.size == column.size else flat[:, shown]
        interval[:, shown] = _studentised_interval(flat, apart, column[shown], draws)
    low, high = interval.reshape(2, *shape)
    return low, high


def _has_reliable_interval(sums: Floats, counts: Floats, column: Ints) -> Bools:
    """Where simulated studies keep the promise of an interval, (P,)."""
    some = counts > 0
    stand = some.sum(axis=0)[column]
    gained = (some[:, column] & (sums != 0)).sum(axis=0)
    return (stand >= FEWEST_CLUSTERS) & ((gained == stand) | (gained >= FEWEST_GAINING))


def _studentised_interval(
    sums: Floats, counts: Floats, column: Ints, draws: Iterable[Floats]
) -> tuple[Floats, Floats]:
    """Ends of each column's interval, (P,), its counts being those of `column`."""
    total = counts.sum(axis=0)[column]
    mean = sums.sum(axis=0) / total
    errors = np.take(counts, column, axis=1)
    errors *= -mean
    errors += sums
    spread = np.sqrt(np.einsum("cp,cp->p", errors, errors))
    known = spread > ROUNDING * np.sqrt(np.einsum("cp,cp->p", sums, sums))
    errors /= np.where(known, spread, 1.0)
    errors[np.abs(errors) < ROUNDING] = 0.0
    parts = _by_values(errors, counts, column)
    blocks = (_resampled_t(errors, counts, column, block, parts) for block in draws)
    drawn = np.concatenate([*blocks], axis=1)
    nth = max(0, int(0.025 * (drawn.shape[1] + 1)) - 1)
    drawn.partition((nth, drawn.shape[1] - 1 - nth), axis=1)
    floor = np.where((sums < 0).any(axis=0), -np.inf, 0.0)
    low = np.maximum(mean - drawn[:, -1 - nth] * spread / total, floor)
    high = mean - drawn[:, nth] * spread / total
    known &= np.isfinite(drawn[:, [nth, -1 - nth]]).all(axis=1)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _resampled_t(
    errors: Floats, counts: Floats, column: Ints, draws: Floats, parts: tuple[dict[int, Ints], Ints]
) -> Floats:
    """t* of each resample, (P, resamples), some columns at a time."""
    step = max(1, min(AT_ONCE // len(draws), WORKED_ON // len(errors)))
    drawn = np.empty((errors.shape[1], len(draws)))
    few, many = parts
    for j, own in few.items():
        pair = errors[own, j][:, None], counts[own, column[j]][:, None]
        drawn[j] = _t_values_of_draws(*pair, np.array([0]), draws[:, own])[0]
    for first in range(0, many.size, step):
        part = many[first : first + step]
        which, place = np.unique(column[part], return_inverse=True)
        drawn[part] = _t_values_of_draws(errors[:, part], counts[:, which], place, draws)
    return drawn


def _by_values(errors: Floats, counts: Floats, column: Ints) -> tuple[dict[int, Ints], Ints]:
    """Columns of which few of many clusters have values, with these clusters; the others."""
    if len(errors) < MANY_CLUSTERS:
        return {}, np.arange(column.size)
    few, many = dict[int, Ints](), list[int]()
    for j, c in enumerate(column.tolist()):
        own = np.flatnonzero((errors[:, j] != 0) | (counts[:, c] != 0))
        if own.size * FEW <= len(errors):
            few[j] = own.astype(np.int64)
        else:
            many.append(j)
    return few, np.array(many, dtype=np.int64)


def _t_values_of_draws(errors: Floats, counts: Floats, place: Ints, draws: Floats) -> Floats:
    """t* = Σe / √Σ(e − δn)² over the clusters drawn, δ = Σe / Σn; 0 where all of it is 0."""
    added, squares = _resampled_sums(errors, draws), _resampled_sums(errors**2, draws)
    number = _resampled_sums(counts, draws)
    place = place if len(number) > 1 else np.array([0])
    off = added / np.where(number > 0, number, 1.0)[place]
    weighed, squared = errors * counts[:, place], counts**2  # alike where a cluster has one value
    both = added if (weighed == errors).all() else _resampled_sums(weighed, draws)
    of_numbers = number if (squared == counts).all() else _resampled_sums(squared, draws)
    left = squares + off * (off * of_numbers[place] - 2 * both)
    infinite = np.where(added == 0, 0.0, np.copysign(np.inf, added))
    varies = left > ROUNDING * squares
    return np.divide(added, np.sqrt(np.maximum(left, 0)), out=infinite, where=varies)


def _resampled_sums(values: Floats, draws: Floats) -> Floats:
    """Sums of values (C, P) over the clusters drawn, (P, resamples).

    Of few columns without BLAS, whose threads wait for each other longer than that takes.
    """
    if values.shape[1] <= FEW:
        return np.stack([np.einsum("rc,c->r", draws, column) for column in values.T])
    return values.T @ draws.T


def _resample_counts(clusters: int, resamples: int, seed: int) -> Iterable[Floats]:
    """How often each cluster is drawn in each resample, a few million draws at a time."""
    if clusters * resamples <= KEPT_DRAWS:
        return (_counted_draws(clusters, resamples, seed).astype(np.float64),)
    rng = np.random.default_rng(seed)
    step = max(1, KEPT_DRAWS // (4 * clusters))
    return (_drawn(rng, min(step, resamples - i), clusters) for i in range(0, resamples, step))


@lru_cache(maxsize=2)
def _counted_draws(clusters: int, resamples: int, seed: int) -> Ints:
    """Draws of a study's size, which all its curves share, in as few bytes each as hold them."""
    draws = _drawn(np.random.default_rng(seed), resamples, clusters)
    return draws.astype(np.min_scalar_type(clusters))


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
