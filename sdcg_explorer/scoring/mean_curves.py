"""Grades counted by place: all that a mean curve needs, whatever b, bq and the gains are.

Gain is linear in these counts: a few thousand numbers hold every mean curve under any gains and
bases. The server's curves are made of them, and the browser is sent them to draw its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdcg_explorer import metrics
from sdcg_explorer.metrics import bootstrap_interval
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.scoring.selection import PLACES, Sample, Selection
from sdcg_explorer.study.arrays import whole_groups

MOST_COUNTED = 20_000_000  # numbers that counts may be; beyond, gains are added up anew


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
        where = self._block_place, self.sample.top
        return self.sample.graded(*where, self.group, one, self.sessions.size)

    @property
    def is_small(self) -> bool:
        """Whether counts take less memory than they save time."""
        lists = self.sessions.size * self.sample.most_queries
        return self.sample.counted(self.sample.top, lists) <= MOST_COUNTED

    def gains(self, weights: Floats) -> Floats:
        """Gains of each group's sessions added up, (K, Q, top); weights (L + 3,)."""
        if self.by_cluster or not self.is_small:
            each = self.sample.gained(self._block_place, self.sample.top, weights)
            gains = metrics.group_sums(each, self.group, self.sessions.size)
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
        of_groups = self.sessions, self.layout, self.system, self.cluster
        for first, end in whole_groups(ends, size):
            own = slice(*np.searchsorted(self.group, (first, end)).tolist())
            group, some = self.group[own] - first, (each[first:end] for each in of_groups)
            yield SessionCounts(self.sample, self.by_cluster, self.rows[own], group, *some)

    @property
    def _block_place(self) -> tuple[Ints, slice]:
        return self.rows, slice(self.sample.most_queries)


def session_counts(sample: Sample, least: int, *, by_cluster: bool = False) -> SessionCounts:
    """Judged sessions with at least so many queries, by system and layout (and cluster).

    They are kept for as long as the sample is.
    """

    def made() -> SessionCounts:
        first, layout = sample.ideal_layouts
        systems = len(sample.block.system_names)
        clusters = sample.clusters if by_cluster else np.zeros_like(sample.systems)
        rows = np.flatnonzero(sample.judged & (sample.queries >= least))
        key = (clusters[rows] * systems + sample.systems[rows]) * first.size + layout[rows]
        order = np.argsort(key, kind="stable")
        keys, group = np.unique(key[order], return_inverse=True)
        owner, of_layout = np.divmod(keys, first.size)
        cluster, system = np.divmod(owner, systems)
        of_groups = np.bincount(group, minlength=keys.size), of_layout, system, cluster
        return SessionCounts(sample, by_cluster, rows[order], group, *of_groups)

    return sample.kept(("session counts", least, by_cluster), made)


def each_session(sample: Sample) -> SessionCounts:
    """Every session as a group of its own, in the order of the sample."""
    rows = np.arange(sample.sessions.size)
    one, nobody = np.ones_like(rows), np.zeros_like(rows)
    layout = sample.ideal_layouts[1]
    return SessionCounts(sample, False, rows, rows, one, layout, sample.systems, nobody)


THIN = 10  # sessions: below, a mean is of some, and its curve is thin


def axis_end(running: Ints) -> int:
    """How far at least ``THIN`` sessions run; to the end where there are fewer from the start.

    running (Q,) : sessions of all systems that have each query (or position), never rising

    >>> import numpy as np
    >>> axis_end(np.array([20, 12, 9, 1])), axis_end(np.array([3, 1]))
    (2, 2)
    """
    return int((running >= THIN).sum()) or running.size


@dataclass(frozen=True)
class MeanCurve:
    """A mean over sessions at each position, its interval, and how many sessions it runs over."""

    mean: Floats
    low: Floats
    high: Floats
    sessions: Ints


def session_sums(
    chosen: Selection, least: int, by_cluster: bool, saw: bool = False
) -> tuple[list[Sums], Ints]:
    """What mean curves are made of: sums by cluster, or over all of them, and by system.

    Sessions of one system, layout (and cluster, for bands) share their ideal, so their gains are
    added up before anything is cumulated or divided: the mean of ratios over a common ideal is
    the ratio of the sums.

    Returns
    -------
    raw, normalised (and saw-tooth, if asked for) · rows (N,) : the sessions they run over
    """
    counts = session_counts(chosen.sample, least, by_cluster=by_cluster)
    parts, first = list[list[Sums]](), 0
    for part in counts.parts():
        parts.append(_sum_values(chosen, part, first, saw))
        first = int(part.cluster.max(initial=first)) + 1
    return [_combine_parts([part.pop(0) for part in parts]) for _ in range(2 + saw)], counts.rows


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of values by cluster and system, of as many as stand in a part (C, G, P).

    number : sessions whose values are defined · over : what sums are divided by; both may have one
    column for all positions
    """

    values: Floats
    number: Floats
    over: Floats

    def to(self, positions: int) -> Sums:
        """The same at so many positions: cut, or at their last value."""

        def reaching(each: Floats) -> Floats:
            more = max(0, positions - each.shape[2])
            return np.pad(each[..., :positions], ((0, 0), (0, 0), (0, more)), mode="edge")

        return Sums(*map(reaching, (self.values, self.number, self.over)))


def _sum_values(chosen: Selection, counts: SessionCounts, first: int, saw: bool) -> list[Sums]:
    """Sums of each kind of value, by cluster from the first on, and by system.

    A kind is a sum of values and what one session's share of it is divided by: 1 for a mean of
    values, the ideal for a ratio of means.
    """
    sample, gains = chosen.sample, counts.gains(chosen.weights)
    cells = sample.cells[sample.ideal_layouts[0]]
    running = metrics.session_vector(gains, chosen.discount(), chosen.factors)
    vector = metrics.concatenated(running, cells[counts.layout])
    if chosen.continues:
        ideal = chosen.continued_layout_ideals.reshape(len(cells), -1)[counts.layout]
    else:
        ideal = metrics.concatenated(chosen.layout_ideals, cells)[counts.layout]
    share, one = metrics.normalised(vector, ideal), np.ones((1, 1))
    of = one
    if chosen.definition.average == "ratio-of-means":
        share, of = np.where(ideal > 0, vector, np.nan), ideal
    kinds = [(vector, one), (share, of)]
    if saw:
        kinds.append((_saw_tooth(chosen, counts, gains), one))
    return [_add_groups(counts, first, *kind) for kind in kinds]


def _saw_tooth(chosen: Selection, counts: SessionCounts, gains: Floats) -> Floats:
    """D(q)·nDCG(q) of each query after the other, summed over a group's sessions, (K, P).

    nan after a session's last query: nothing is left to be worth anything (S08 §2.2).
    """
    sample = chosen.sample
    first = sample.ideal_layouts[0][counts.layout]
    lists, inside = chosen.ideal_lists[sample.pools[first]], sample.has_cell[first]
    cells = sample.cells[first]
    worth = metrics.ndcg(gains * inside, lists * inside, chosen.discount())
    worth = worth * chosen.factors[:, None]
    running = metrics.concatenated(np.where(inside, worth, np.nan), cells)
    ended = np.arange(running.shape[1]) >= cells.sum(axis=1)[:, None]
    return np.where(ended, np.nan, running)


def _add_groups(counts: SessionCounts, first: int, values: Floats, of: Floats) -> Sums:
    """Sums of the groups' values by cluster and system."""
    systems = len(counts.sample.block.system_names)
    clusters = int(counts.cluster.max(initial=first)) + 1 - first
    owner, shape = (counts.cluster - first) * systems + counts.system, (clusters, systems, -1)
    defined = ~np.isnan(values)
    whole = bool(defined.all())  # then one column counts for all positions
    weight = counts.sessions[:, None] * (defined[:, :1] if whole else defined)
    known = values if whole else np.where(defined, values, 0.0)

    def by_owner(each: Floats) -> Floats:
        return metrics.group_sums(each, owner, clusters * systems).reshape(shape)

    number = by_owner(weight.astype(float))
    return Sums(by_owner(known), number, number if of.size == 1 else by_owner(weight * of))


def _combine_parts(parts: list[Sums]) -> Sums:
    """Sums of all parts; the number of sessions over all clusters."""
    number = sum(part.number.sum(axis=0, keepdims=True) for part in parts)
    values, over = np.concatenate([part.values for part in parts]), [part.over for part in parts]
    wide = max(each.shape[2] for each in over)  # some have one column for all positions
    over = np.concatenate([np.broadcast_to(each, (*each.shape[:2], wide)) for each in over])
    return Sums(values, np.asarray(number), over)


def score_sums(sample: Sample, scores: Floats) -> Sums:
    """Scores of sessions (S, K) added up by cluster and system, of those that are known."""
    counts = replace(each_session(sample), cluster=sample.clusters)
    return _combine_parts([_add_groups(counts, 0, scores, np.ones((1, 1)))]).to(scores.shape[1])


def curves_of(
    sums: Sums, *, bands: bool, interval: Callable[..., tuple[Floats, Floats]] = bootstrap_interval
) -> list[MeanCurve]:
    """Mean curve of each system from sums of all clusters."""
    total = sums.values.sum(axis=0)
    sessions = np.broadcast_to(sums.number[0], total.shape).astype(np.int64)
    below = np.broadcast_to(sums.over.sum(axis=0), total.shape)
    mean = np.divide(total, below, out=np.full(total.shape, np.nan), where=sessions > 0)
    low = high = np.full(mean.shape, np.nan)
    if bands:
        low, high = interval(sums.values, sums.over)
    edges = (mean, low, high, sessions)
    return [MeanCurve(*(edge[system] for edge in edges)) for system in range(len(mean))]
