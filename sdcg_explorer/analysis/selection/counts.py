"""Grades counted by place: all that a mean curve needs, whatever b, bq and the gains are.

Gain is linear in these counts: a few thousand numbers hold every mean curve under any gains and
bases. The server's curves are made of them, and the browser is sent them to draw its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from sdcg_explorer.analysis.selection.selection import PLACES, Sample
from sdcg_explorer.metrics import group_sums
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints

MOST_COUNTED = 20_000_000  # numbers that counts may be; beyond, gains are added up anew


@dataclass(frozen=True, eq=False)
class QueryCounts:
    """Grades of queries by rank, in groups: two of each system, in the order of the block.

    session, query, group, share (N,) : of each query on a judged topic its group, and its weight
    in the group's mean · shares, queries (G,) : sum of the weights, and number of queries · grades
    (G, Q, R, L + 3) : cells of each group by query number, rank and grade code, weighted
    """

    sample: Sample
    depth: int
    session: Ints
    query: Ints
    group: Ints
    share: Floats

    @property
    def size(self) -> int:
        """Number of groups."""
        return 2 * len(self.sample.block.system_names)

    @cached_property
    def shares(self) -> Floats:
        """What each group's sums are divided by, (G,)."""
        return np.bincount(self.group, self.share, self.size).astype(float)

    @cached_property
    def queries(self) -> Ints:
        """Queries of each group, (G,)."""
        return np.bincount(self.group, minlength=self.size)

    @cached_property
    def grades(self) -> Floats:
        """Cells of each group by query number, rank and grade code, (G, Q, R, L + 3)."""
        most = self.sample.most_queries
        where, place = (self._at, self.depth), self.group * most + self.query
        grades = self.sample.graded(*where, place, self.share, self.size * most)
        return grades.reshape(self.size, most, *grades.shape[1:])

    @property
    def are_few(self) -> bool:
        """Whether counts take less memory than they save time."""
        lists = self.size * self.sample.most_queries
        return self.sample.counted(self.depth, lists) <= MOST_COUNTED

    def gains(self, weights: Floats) -> Floats:
        """Gains of each group by query number and rank added up, (G, Q, R); weights (L + 3,)."""
        if self.are_few:
            return self.grades @ weights
        most = self.sample.most_queries
        gains = self.sample.gained(self._at, self.depth, weights) * self.share[:, None]
        sums = group_sums(gains, self.group * most + self.query, self.size * most)
        return sums.reshape(self.size, most, -1)

    @property
    def _at(self) -> tuple[Ints, Ints]:
        return self.session, self.query


def query_counts(
    sample: Sample,
    alone: Ints,
    depth: int,
    *,
    several: bool,
    per_session: bool,
    among: Bools | None = None,
) -> QueryCounts:
    """Queries to `depth`, grouped by whether they are the one that stands alone in its session.

    Parameters
    ----------
    alone : (S,) the query, from 0, that stands alone
    several : only of sessions with several queries
    per_session : the other queries of a session share its one voice
    among : (S, Q) only these queries
    """
    session, query = sample.known
    if among is not None:
        wanted = among[session, query]
        session, query = session[wanted], query[wanted]
    if several:
        wanted = sample.queries[session] > 1
        session, query = session[wanted], query[wanted]
    is_alone = query == alone[session]
    share = np.ones(session.size)
    if per_session:
        others = np.bincount(session[~is_alone], minlength=sample.sessions.size)
        share = np.where(is_alone, 1.0, 1.0 / np.maximum(others[session], 1))
    return QueryCounts(
        sample, depth, session, query, sample.systems[session] * 2 + ~is_alone, share
    )


@dataclass(frozen=True, eq=False)
class SessionCounts:
    """Grades of sessions of one system and layout, which share their ideal (and of one cluster).

    rows (N,) : sessions, in the order of their groups · group (N,) : group of each · sessions,
    layout, system, cluster (K,) : of each group its number of sessions, and whose it is ·
    by_cluster : whether clusters are told apart; there are then nearly as many groups as sessions
    """

    sample: Sample
    by_cluster: bool
    rows: Ints
    group: Ints
    sessions: Ints
    layout: Ints
    system: Ints
    cluster: Ints

    @cached_property
    def grades(self) -> Floats:
        """Cells of each group by query number, rank and grade code, (K, Q, R, L + 3)."""
        one = np.ones(self.group.size)
        where = self._place, self.sample.top
        return self.sample.graded(*where, self.group, one, self.sessions.size)

    @property
    def are_few(self) -> bool:
        """Whether counts take less memory than they save time."""
        lists = self.sessions.size * self.sample.most_queries
        return self.sample.counted(self.sample.top, lists) <= MOST_COUNTED

    def gains(self, weights: Floats) -> Floats:
        """Gains of each group's sessions added up, (K, Q, top); weights (L + 3,)."""
        if self.by_cluster or not self.are_few:
            each = self.sample.gained(self._place, self.sample.top, weights)
            gains = group_sums(each, self.group, self.sessions.size)
        else:
            gains = self.grades @ weights
        beyond = self.sample.most_queries - gains.shape[1], self.sample.top - gains.shape[2]
        return np.pad(gains, ((0, 0), *((0, more) for more in beyond)))

    def parts(self) -> Iterator[SessionCounts]:
        """The same some groups at a time, those of one cluster together."""
        size = max(1, PLACES // (self.sample.most_queries * self.sample.top))
        if self.layout.size <= size or not self.by_cluster:
            yield self
            return
        ends = np.flatnonzero(np.diff(self.cluster, append=-1)) + 1
        cuts = np.unique(np.searchsorted(ends, np.arange(size, ends[-1] + size, size)))
        bounds = [0, *ends[np.minimum(cuts, ends.size - 1)].tolist()]
        for first, end in pairwise(dict.fromkeys(bounds)):
            own = slice(*np.searchsorted(self.group, (first, end)).tolist())
            of_groups = (
                each[first:end] for each in (self.sessions, self.layout, self.system, self.cluster)
            )
            group = self.group[own] - first
            yield SessionCounts(self.sample, self.by_cluster, self.rows[own], group, *of_groups)

    @property
    def _place(self) -> tuple[Ints, slice]:
        return self.rows, slice(self.sample.most_queries)


def session_counts(sample: Sample, least: int, *, by_cluster: bool = False) -> SessionCounts:
    """Judged sessions with at least so many queries, by system and layout (and cluster)."""
    first, layout = sample.layouts
    systems = len(sample.block.system_names)
    clusters = sample.clusters if by_cluster else np.zeros_like(sample.systems)
    rows = np.flatnonzero(sample.judged & (sample.queries >= least))
    key = (clusters[rows] * systems + sample.systems[rows]) * first.size + layout[rows]
    order = np.argsort(key, kind="stable")
    keys, group = np.unique(key[order], return_inverse=True)
    sessions = np.bincount(group, minlength=keys.size)
    owner, of_layout = np.divmod(keys, first.size)
    cluster, system = np.divmod(owner, systems)
    return SessionCounts(
        sample, by_cluster, rows[order], group, sessions, of_layout, system, cluster
    )


def each_session(sample: Sample) -> SessionCounts:
    """Every session as a group of its own, in the order of the sample."""
    rows = np.arange(sample.sessions.size)
    one, nobody = np.ones_like(rows), np.zeros_like(rows)
    layout = sample.layouts[1]
    return SessionCounts(sample, False, rows, rows, one, layout, sample.systems, nobody)
