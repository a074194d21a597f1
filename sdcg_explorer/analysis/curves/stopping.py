"""When do searchers stop? The share of sessions still searching after each query, by system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.curves.log_rank import LogRank, log_rank, log_rank_by_searcher
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.statistics.reach import reach_of
from sdcg_explorer.study.study import Study

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
