"""Mean curves of sessions: gains added up where an ideal is shared, then cumulated and divided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.sample import Sample
from analysis.selection import Selection
from metrics import bootstrap_interval, concatenated, group_sums, ndcg, normalised, session_vector


@dataclass(frozen=True)
class MeanCurve:
    """A mean over sessions at each position, its interval, and how many sessions it runs over."""

    mean: Floats
    low: Floats
    high: Floats
    sessions: Ints

    def to(self, end: int) -> MeanCurve:
        """The curve to a position."""
        return MeanCurve(self.mean[:end], self.low[:end], self.high[:end], self.sessions[:end])


def mean_curves(
    chosen: Selection, least: int, bands: bool, saw: bool = False
) -> tuple[list[list[MeanCurve]], Ints]:
    """Raw and normalised mean curve of every system's sessions with at least so many queries.

    Sessions of one system, layout (and cluster, for bands) share their ideal, so their gains are
    added up before anything is cumulated or divided: the mean of ratios over a common ideal is
    the ratio of the sums.

    Returns
    -------
    raw, normalised (and saw-tooth, if asked for) : one curve per system of the block, each; rows
    (N,) : the sessions they run over
    """
    sample = chosen.sample
    groups = sample.kept(("sessions", least, bands), lambda: _groups(sample, least, bands))
    gains = _summed_gains(chosen, groups, least, bands)
    cells = sample.cells[sample.layouts[0]]
    running = session_vector(gains, chosen.discount(), chosen.factors)
    vector = concatenated(running, cells[groups.layout])
    if chosen.continues:
        ideal = chosen.ideals_beyond.reshape(len(cells), -1)[groups.layout]
    else:
        ideal = concatenated(chosen.ideals, cells)[groups.layout]
    share = normalised(vector, ideal)
    of = np.ones((1, 1))
    if chosen.definition.average == "ratio-of-means":
        share, of = np.where(ideal > 0, vector, np.nan), ideal
    one = np.ones((1, 1))
    kinds = [(vector, one), (share, of)]
    if saw:
        kinds.append((_saw_tooth(chosen, groups, gains), one))
    return _summaries(sample, groups, kinds, bands), groups.rows


def _saw_tooth(chosen: Selection, groups: _Groups, gains: Floats) -> Floats:
    """D(q)·nDCG(q) of each query after the other, summed over a group's sessions, (K, P).

    nan after a session's last query: nothing is left to be worth anything (S08 §2.2).
    """
    sample = chosen.sample
    first = sample.layouts[0][groups.layout]
    lists, inside = chosen.best_lists[sample.topics[first]], sample.inside[first]
    cells = sample.cells[first]
    worth = ndcg(gains * inside, lists * inside, chosen.discount()) * chosen.factors[:, None]
    running = concatenated(np.where(inside, worth, np.nan), cells)
    ended = np.arange(running.shape[1]) >= cells.sum(axis=1)[:, None]
    return np.where(ended, np.nan, running)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Sessions of one system, layout and cluster, which share their ideal.

    rows (N,): sessions, in the order of their groups; group (N,): group of each; sessions (K,):
    their number; layout, system, cluster (K,): of each group.
    """

    rows: Ints
    group: Ints
    sessions: Ints
    layout: Ints
    system: Ints
    cluster: Ints


def _groups(sample: Sample, least: int, bands: bool) -> _Groups:
    first, layout = sample.layouts
    systems = len(sample.block.system_names)
    clusters = sample.clusters if bands else np.zeros_like(sample.systems)
    rows = np.flatnonzero(sample.judged & (sample.queries >= least))
    key = (clusters[rows] * systems + sample.systems[rows]) * first.size + layout[rows]
    order = np.argsort(key, kind="stable")
    keys, group, sessions = np.unique(key[order], return_inverse=True, return_counts=True)
    owner, of_layout = np.divmod(keys, first.size)
    cluster, system = np.divmod(owner, systems)
    return _Groups(rows[order], group, sessions, of_layout, system, cluster)


def _summed_gains(chosen: Selection, groups: _Groups, least: int, bands: bool) -> Floats:
    """Gains of each group's sessions added up, cell by cell, (K, Q, top).

    Without bands there are few groups, and their grades are counted once for all weights.
    """
    sample, size = chosen.sample, groups.sessions.size
    if bands:
        return group_sums(chosen.gains(groups.rows), groups.group, size)

    def tally() -> Floats:
        codes = sample.codes((groups.rows, slice(sample.most_queries)), sample.top)
        return sample.tally(codes, groups.group, np.ones(groups.group.size), size)

    gains = sample.kept(("session tally", least), tally) @ chosen.weights
    return np.pad(gains, ((0, 0), (0, 0), (0, sample.top - gains.shape[2])))


def _summaries(
    sample: Sample, groups: _Groups, kinds: list[tuple[Floats, Floats]], bands: bool
) -> list[list[MeanCurve]]:
    """Mean curve of each system, for each kind of value, from the groups' sums.

    A kind is a sum of values and what one session's share of it is divided by: 1 for a mean of
    values, the ideal for a ratio of means.
    """
    systems = len(sample.block.system_names)
    clusters = int(groups.cluster.max(initial=0)) + 1
    owner = groups.cluster * systems + groups.system
    added, number, over = [], [], []
    for values, of in kinds:
        defined = ~np.isnan(values)
        whole = bool(defined.all())  # then one column counts for all positions
        weight = groups.sessions[:, None] * (defined[:, :1] if whole else defined)
        known = values if whole else np.where(defined, values, 0.0)
        added.append(group_sums(known, owner, clusters * systems))
        number.append(group_sums(weight.astype(float), owner, clusters * systems))
        over.append(
            number[-1] if of.size == 1 else group_sums(weight * of, owner, clusters * systems)
        )

    def stacked(parts: list[Floats]) -> Floats:
        width = max(part.shape[1] for part in parts)
        wide = np.stack([np.broadcast_to(p, (len(p), width)) for p in parts], axis=1)
        return wide.reshape(clusters, systems, len(kinds), width)

    sums, counts = stacked(added), stacked(over)
    total, below = sums.sum(axis=0), counts.sum(axis=0)
    sessions = np.broadcast_to(stacked(number).sum(axis=0), total.shape).astype(np.int64)
    mean = np.divide(total, below, out=np.full(total.shape, np.nan), where=sessions > 0)
    low = high = np.full(mean.shape, np.nan)
    if bands:
        low, high = bootstrap_interval(sums, counts)
    edges = (mean, low, high, sessions)
    return [
        [MeanCurve(*(edge[system, kind] for edge in edges)) for system in range(systems)]
        for kind in range(len(kinds))
    ]
