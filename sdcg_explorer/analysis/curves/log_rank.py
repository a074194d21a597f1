"""The log-rank test between systems on when sessions end: plain, and by searcher."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.several_systems import omnibus
from sdcg_explorer.analysis.systems.two_systems import effects_of

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
    from scipy.special import chdtrc

    total, variance = _scores(lengths, group)
    df = total.size - 1  # one group left out
    u, variance = total[:df], variance[:df, :df]
    if df < 1 or np.linalg.eigvalsh(variance)[0] <= ROUNDING * lengths.size:
        return LogRank(np.nan, df, np.nan)
    chi2 = float(u @ np.linalg.solve(variance, u))
    return LogRank(chi2, df, float(chdtrc(df, chi2)))


def log_rank_by_searcher(lengths: Ints, group: Ints, cluster: Ints) -> float:
    r"""P of the log-rank score, tested as scores of sessions are: searchers are the units.

    .. math:: M_i = 1 - \sum_{q \le n_i} d_q / Y_q

    :math:`M_i` is what a session adds to its group's score. Two groups are compared by t by
    searcher (sdcg_explorer/analysis/statistics/two_way.py), more by labels that change places.

    Parameters
    ----------
    lengths, group : as of ``log_rank`` · cluster : (N,) searcher of each session

    Returns
    -------
    p; nan with one group, or where nothing varies between searchers

    Source: Peto & Peto (1972) for the score; Lin & Wei (1989) for adding it by searcher.

    >>> lengths, who = np.array([1, 1, 2, 3, 4, 4]), np.array([0, 1, 2, 0, 1, 2])
    >>> round(log_rank_by_searcher(lengths, np.array([0, 0, 0, 1, 1, 1]), who), 4)
    0.0604
    """
    codes, system = np.unique(group, return_inverse=True)
    if codes.size < 2:
        return float("nan")
    ended = np.bincount(lengths)[1:]
    hazard = ended / ended[::-1].cumsum()[::-1]
    _, unit = np.unique(cluster, return_inverse=True)
    names = tuple(map(str, codes))
    one = np.zeros_like(system)
    scored = Scored(1 - hazard.cumsum()[lengths - 1], system, unit, one, lengths, names)
    if codes.size == 2:
        return effects_of(scored).difference(0, 1).rounded(rounding(scored.score)).p
    p, others = omnibus(scored)
    return p if others else float("nan")


def _scores(lengths: Ints, group: Ints) -> tuple[Floats, Floats]:
    """U (K,) and V (K, K) of K groups of N sessions."""
    codes, group = np.unique(group, return_inverse=True)
    ends = np.zeros((int(lengths.max(initial=1)), codes.size))
    np.add.at(ends, (lengths - 1, group), 1.0)
    running = ends[::-1].cumsum(axis=0)[::-1]
    ended, all_running = ends.sum(axis=1), running.sum(axis=1)
    part = running / all_running[:, None]
    spread = ended * (all_running - ended) / np.maximum(all_running - 1, 1)
    total = (ends - ended[:, None] * part).sum(axis=0)
    return total, np.diag(spread @ part) - (spread[:, None] * part).T @ part
