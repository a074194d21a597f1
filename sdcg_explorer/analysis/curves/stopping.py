"""When do searchers stop? The share of sessions still searching after each query, by system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import Sample, select
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.statistics.fit import reach_of
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.two_systems import effects_of, omnibus
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.study.study import Study

NO_VARIANCE = 1e-9  # of a session: a variance that is none


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
    if df < 1 or np.linalg.eigvalsh(variance)[0] <= NO_VARIANCE * lengths.size:
        return LogRank(np.nan, df, np.nan)
    chi2 = float(u @ np.linalg.solve(variance, u))
    return LogRank(chi2, df, float(chdtrc(df, chi2)))


def log_rank_by_searcher(lengths: Ints, group: Ints, cluster: Ints) -> float:
    r"""P of the log-rank score, tested as scores of sessions are: searchers are the units.

    .. math:: M_i = 1 - \sum_{q \le n_i} d_q / Y_q

    :math:`M_i` is what a session adds to its group's score. Two groups are compared by t by
    searcher (sdcg_explorer/analysis/statistics/fit.py), more by labels that change places.

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


FEWEST = 5  # searchers, or sessions without one: below, neither interval nor test (decision 83)
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class StillSearching:
    """Sessions of one system that go on after query 1, 2, …, Q.

    lengths (N,) : queries of each session · cluster (N,) : its searcher, or else itself · most : Q
    """

    system: str
    lengths: Ints
    cluster: Ints
    most: int

    @cached_property
    def still(self) -> Ints:
        """Sessions with more than q queries, (Q,)."""
        ends = np.bincount(self.lengths, minlength=self.most + 1)
        return self.lengths.size - ends.cumsum()[1:]

    @property
    def share(self) -> Floats:
        """Share of the sessions, (Q,): Kaplan and Meier's estimate, no session being cut off."""
        return self.still / self.lengths.size

    @cached_property
    def units(self) -> int:
        """Searchers, and sessions that name none."""
        return int(np.unique(self.cluster).size)

    @cached_property
    def error(self) -> Floats:
        r"""Standard error of the share, clustered by searcher, (Q,); nan under ``FEWEST``.

        .. math:: \sqrt{\tfrac{G}{G - 1} \sum_c \Big( \sum_{i \in c} ([n_i > q] - S(q)) / N \Big)^2}

        Each session its own cluster, this is Greenwood's error times the root of G / (G − 1).
        """
        if self.units < FEWEST:
            return np.full(self.most, np.nan)
        who = np.unique(self.cluster, return_inverse=True)[1]
        squares = [
            (np.bincount(who, (self.lengths > q) - share) ** 2).sum()
            for q, share in enumerate(self.share, start=1)
        ]
        return np.sqrt(self.units / (self.units - 1) * np.array(squares)) / self.lengths.size

    @cached_property
    def interval(self) -> tuple[Floats, Floats]:
        """95 % interval, (Q,) each: by t on log(−log S); nan at 0 and 1, or without spread."""
        low, high = np.full(self.most, np.nan), np.full(self.most, np.nan)
        known = (self.error > ROUNDING) & (self.share > 0) & (self.share < 1)
        if known.any():
            of, log = self.share[known], np.log(self.share[known])
            reach = reach_of(self.units - 1) * self.error[known] / (of * -log)
            low[known], high[known] = of ** np.exp(reach), of ** np.exp(-reach)
        return low, high

    @property
    def half(self) -> int:
        """The first query by which half of the sessions have ended."""
        return int(np.argmax(2 * self.still <= self.lengths.size)) + 1

    def rows(self) -> pd.DataFrame:
        """One row per query."""
        low, high = self.interval
        return pd.DataFrame(
            {
                "system": self.system,
                "query_number": np.arange(1, self.most + 1),
                "sessions": self.lengths.size,
                "still_searching": self.still,
                "share": self.share,
                "error": self.error,
                "low": low,
                "high": high,
            }
        )


@dataclass(frozen=True, eq=False)
class Stopping:
    """When sessions end, system by system, and whether the systems differ.

    plain : log-rank test over all systems, None with one · by_searcher : its p by searcher, nan
    where a system has fewer than ``FEWEST`` units · names_searchers : whether any session does ·
    withheld : queries that the log keeps back, each the real last one of its session
    """

    systems: tuple[StillSearching, ...]
    plain: LogRank | None
    by_searcher: float
    names_searchers: bool
    withheld: int

    def table(self) -> pd.DataFrame:
        """One row per system and query number."""
        rows = [of.rows() for of in self.systems]
        return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()


def stopping(study: Study, definition: Definition, filters: Filters) -> Stopping:
    """When the sessions behind the session curves end, whatever their results are worth.

    Sessions on topics nobody judged are left out, as they are of the curves.
    """
    sample = select(study, definition, filters).sample
    return sample.kept(("stopping",), lambda: _stopping(sample, study.report.withheld))


def _stopping(sample: Sample, withheld: int) -> Stopping:
    rows = np.flatnonzero(sample.judged)
    system, lengths = sample.systems[rows], sample.queries[rows]
    cluster, names = sample.clusters[rows], sample.block.system_names
    most = int(lengths.max(initial=1))
    each = tuple(
        StillSearching(names[code], lengths[system == code], cluster[system == code], most)
        for code in np.unique(system).tolist()
    )
    several, enough = len(each) > 1, all(of.units >= FEWEST for of in each)
    return Stopping(
        systems=each,
        plain=log_rank(lengths, system) if several else None,
        by_searcher=log_rank_by_searcher(lengths, system, cluster) if enough else np.nan,
        names_searchers=bool((sample.block.searchers[sample.sessions[rows]] >= 0).any()),
        withheld=withheld,
    )
