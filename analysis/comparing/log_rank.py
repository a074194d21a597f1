"""The log-rank test between systems on when sessions end: plain, and clustered by searcher."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints

ROUNDING = 1e-9  # of a session: a variance that is none


@dataclass(frozen=True)
class LogRank:
    """Chi-squared of a log-rank test, its degrees of freedom and p; nan where nothing varies."""

    chi2: float
    df: int
    p: float


def log_rank(lengths: Ints, group: Ints) -> LogRank:
    r"""Test that sessions of several groups end alike, as if sessions were independent.

    .. math:: \chi^2 = U^T V^{-1} U \quad
              U_k = \sum_q \left( d_{kq} - d_q \tfrac{Y_{kq}}{Y_q} \right) \quad
              V_{kl} = \sum_q d_q \tfrac{Y_q - d_q}{Y_q - 1} \tfrac{Y_{kq}}{Y_q}
                       \left( [k = l] - \tfrac{Y_{lq}}{Y_q} \right)

    :math:`Y_{kq}` sessions of group k have a q-th query, which is the last of :math:`d_{kq}`; no
    session is cut off. U and V leave one group out.

    Parameters
    ----------
    lengths : (N,) queries of each session, from 1 · group : (N,) code of each

    Returns
    -------
    chi-squared on groups − 1; nan with one group, or where all sessions end after the same query

    Source: Mantel (1966); Peto & Peto (1972).

    >>> round(log_rank(np.array([1, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 1, 1, 1])).chi2, 4)
    5.2128
    """
    scores = _Scores.of(lengths, group)
    return _tested(scores, scores.variance)


def clustered_log_rank(lengths: Ints, group: Ints, cluster: Ints) -> LogRank:
    r"""Log-rank test whose variance allows for sessions of one searcher resembling each other.

    .. math:: \chi^2 = U^T \left( \sum_c W_c W_c^T \right)^{-1} U \quad
              W_{ck} = \sum_{i \in c} \sum_{q \le n_i}
                       \left( [g_i = k] - \tfrac{Y_{kq}}{Y_q} \right)
                       \left( [n_i = q] - \tfrac{d_q}{Y_q} \right)

    Parameters
    ----------
    lengths, group : as of ``log_rank`` · cluster : (N,) searcher of each session

    Returns
    -------
    chi-squared on groups − 1; nan where ``log_rank`` is, or where nothing varies between clusters

    Source: Lin & Wei (1989); Lee, Wei & Amato (1992): the score of Cox's model at no difference.

    >>> lengths, who = np.array([1, 1, 2, 3, 4, 4]), np.array([0, 1, 2, 0, 1, 2])
    >>> round(clustered_log_rank(lengths, np.array([0, 0, 0, 1, 1, 1]), who).chi2, 4)
    2.9924
    """
    scores = _Scores.of(lengths, group)
    sums = np.zeros((int(cluster.max(initial=-1)) + 1, scores.total.size))
    np.add.at(sums, cluster, scores.residuals)
    return _tested(scores, sums.T @ sums)


@dataclass(frozen=True, eq=False)
class _Scores:
    """U (K,), V (K, K) and each session's part of U, (N, K), of K groups."""

    total: Floats
    variance: Floats
    residuals: Floats

    @classmethod
    def of(cls, lengths: Ints, group: Ints) -> _Scores:
        codes, group = np.unique(group, return_inverse=True)
        ends = np.zeros((int(lengths.max(initial=1)), codes.size))
        np.add.at(ends, (lengths - 1, group), 1.0)
        running = ends[::-1].cumsum(axis=0)[::-1]
        ended, all_running = ends.sum(axis=1), running.sum(axis=1)
        part, hazard = running / all_running[:, None], ended / all_running
        spread = ended * (all_running - ended) / np.maximum(all_running - 1, 1)
        own = np.eye(codes.size)[group]
        passed = hazard.cumsum()[lengths - 1, None] * own
        passed -= (hazard[:, None] * part).cumsum(axis=0)[lengths - 1]
        return cls(
            total=(ends - ended[:, None] * part).sum(axis=0),
            variance=np.diag(spread @ part) - (spread[:, None] * part).T @ part,
            residuals=own - part[lengths - 1] - passed,
        )


def _tested(scores: _Scores, variance: Floats) -> LogRank:
    """Chi-squared of U by a variance, one group left out."""
    from scipy.special import chdtrc

    df, least = scores.total.size - 1, ROUNDING * len(scores.residuals)
    if df < 1:
        return LogRank(np.nan, 0, np.nan)
    if any(np.linalg.eigvalsh(v[:df, :df])[0] <= least for v in (scores.variance, variance)):
        return LogRank(np.nan, df, np.nan)
    u = scores.total[:df]
    chi2 = float(u @ np.linalg.solve(variance[:df, :df], u))
    return LogRank(chi2, df, float(chdtrc(df, chi2)))
