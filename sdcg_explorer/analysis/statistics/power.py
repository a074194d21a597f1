"""Power of a t test by noncentral t, planned from the units of a study."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.statistics.permutation import LEVEL
from sdcg_explorer.metrics.interval import SEED

MOST = 10_000  # units, beyond which none are counted
STUDIES = 2_000
MOST_DRAWN = 2_000_000  # units of all studies that are drawn from one
FARTHEST = 60.0  # standard errors from 0, from where on power is 1 for any df
NORMAL = 1e6  # df from which on t is the normal curve


def t_power(apart: npt.ArrayLike, df: npt.ArrayLike) -> Floats:
    r"""Chance of p ≤ .05 in a two-sided t test where the truth is so many standard errors off.

    .. math:: P(|T'_{df, \delta}| > t_{.975, df})

    Both tails count, so that it is .05 at 0. Source: Cohen (1988), ch. 2; Faul et al. (2007).

    >>> round(float(t_power(0.5 * (64 / 2) ** 0.5, 126)), 3)  # d = .5, 64 of either group
    0.801
    """
    from scipy import stats

    df, apart = np.minimum(df, NORMAL), np.minimum(np.abs(apart), FARTHEST)
    far = stats.t.isf(LEVEL / 2, df)
    beneath = np.nan_to_num(stats.nct.cdf(-far, df, apart))  # nan where it is 0 but for rounding
    return np.asarray(stats.nct.sf(far, df, apart) + beneath, dtype=np.float64)


def smallest_found(error: float, df: float, wanted: float) -> float:
    """The smallest difference that a test of this error and df finds with the power wanted."""
    from scipy import optimize

    if not (error > 0 and df >= 1):
        return float("nan")
    found = optimize.root_scalar(
        lambda apart: float(t_power(apart, df)) - wanted, bracket=(0.0, FARTHEST)
    )
    return float(found.root) * error


@dataclass(frozen=True, eq=False)
class Units:
    """How far units lie apart: paired differences (U,), or the units of either system.

    Numbers n are of each group; the groups of the next study are alike in size, and each keeps
    its spread, so that df are Welch's (2n − 2 where spreads are equal), or n − 1 of one group.
    """

    deviations: tuple[Floats, ...]

    @cached_property
    def variances(self) -> Floats:
        """Of each group, (G,)."""
        return np.array([each.var(ddof=1) for each in self.deviations])

    @property
    def groups(self) -> int:
        """1 of paired differences, 2 of systems apart."""
        return len(self.deviations)

    @property
    def spread(self) -> float:
        """Standard deviation, that of both groups where there are two."""
        return float(np.sqrt(self.variances.mean()))

    @property
    def error(self) -> float:
        """Standard error of the difference, by as many units as there are."""
        sizes = np.array([each.size for each in self.deviations])
        return float(np.sqrt((self.variances / sizes).sum()))

    def error_of(self, n: float) -> float:
        """Standard error of the difference by n units in each group."""
        return float(np.sqrt(self.variances.sum() / n))

    def df_of(self, n: float) -> float:
        """Welch's df of n units in each group, n − 1 of one group."""
        return float((n - 1) / np.square(self.variances / self.variances.sum()).sum())

    def power(self, difference: float, n: npt.ArrayLike) -> Floats:
        """Power of a study of n units in each group."""
        n = np.asarray(n, dtype=np.float64)
        apart = abs(difference) / self.error_of(1) * np.sqrt(n)
        return t_power(apart, (n - 1) * self.df_of(2))

    def needed(self, difference: float, wanted: float) -> int:
        """Fewest units in all that give the power wanted; more than ``MOST`` where that is so."""
        sizes = range(2, MOST // self.groups + 1)
        place = bisect_left(sizes, wanted, key=lambda n: float(self.power(difference, n)))
        return (2 + place) * self.groups

    def resampled(self, difference: float, n: int, *, studies: int = STUDIES) -> float:
        """Share of studies, n units drawn anew for each group, whose t test has p ≤ .05.

        Deviations are drawn with replacement about the difference, and widened by √(U / (U − 1)),
        for what is drawn from varies less than what it was drawn from. nan above ``MOST_DRAWN``.
        """
        from scipy import stats

        if n * studies > MOST_DRAWN:
            return float("nan")
        rng = np.random.default_rng(SEED)
        drawn = [
            rng.choice(each * np.sqrt(each.size / (each.size - 1)), (studies, n))
            for each in self.deviations
        ]
        apart = difference + drawn[-1].mean(axis=1)
        apart -= drawn[0].mean(axis=1) if self.groups > 1 else 0.0
        squares = np.array([each.var(axis=1, ddof=1) for each in drawn])
        total = squares.sum(axis=0)
        known = total > 0
        df = (n - 1) / np.square(squares[:, known] / total[known]).sum(axis=0)
        t = np.abs(apart[known]) / np.sqrt(total[known] / n)
        # without any spread nothing is tested
        return float((2 * stats.t.sf(t, df) <= LEVEL).sum() / studies)
