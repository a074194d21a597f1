"""Mean curves of sessions: gains added up where an ideal is shared, then cumulated and divided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.counts import SessionCounts, session_counts
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


def counts_of(sample: Sample, least: int, by_cluster: bool = False) -> SessionCounts:
    """Counts of sessions with at least so many queries, kept for as long as the sample is."""
    key = "session counts", least, by_cluster
    return sample.kept(key, lambda: session_counts(sample, least, by_cluster=by_cluster))


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
    counts = counts_of(sample, least, bands)
    gains = counts.gains(chosen.weights)
    cells = sample.cells[sample.layouts[0]]
    running = session_vector(gains, chosen.discount(), chosen.factors)
    vector = concatenated(running, cells[counts.layout])
    if chosen.continues:
        ideal = chosen.ideals_beyond.reshape(len(cells), -1)[counts.layout]
    else:
        ideal = concatenated(chosen.ideals, cells)[counts.layout]
    share = normalised(vector, ideal)
    of = np.ones((1, 1))
    if chosen.definition.average == "ratio-of-means":
        share, of = np.where(ideal > 0, vector, np.nan), ideal
    one = np.ones((1, 1))
    kinds = [(vector, one), (share, of)]
    if saw:
        kinds.append((_saw_tooth(chosen, counts, gains), one))
    return _summaries(sample, counts, kinds, bands), counts.rows


def _saw_tooth(chosen: Selection, counts: SessionCounts, gains: Floats) -> Floats:
    """D(q)·nDCG(q) of each query after the other, summed over a group's sessions, (K, P).

    nan after a session's last query: nothing is left to be worth anything (S08 §2.2).
    """
    sample = chosen.sample
    first = sample.layouts[0][counts.layout]
    lists, inside = chosen.best_lists[sample.topics[first]], sample.inside[first]
    cells = sample.cells[first]
    worth = ndcg(gains * inside, lists * inside, chosen.discount()) * chosen.factors[:, None]
    running = concatenated(np.where(inside, worth, np.nan), cells)
    ended = np.arange(running.shape[1]) >= cells.sum(axis=1)[:, None]
    return np.where(ended, np.nan, running)


def _summaries(
    sample: Sample, counts: SessionCounts, kinds: list[tuple[Floats, Floats]], bands: bool
) -> list[list[MeanCurve]]:
    """Mean curve of each system, for each kind of value, from the groups' sums.

    A kind is a sum of values and what one session's share of it is divided by: 1 for a mean of
    values, the ideal for a ratio of means.
    """
    systems = len(sample.block.system_names)
    clusters = int(counts.cluster.max(initial=0)) + 1
    owner = counts.cluster * systems + counts.system
    added, number, over = [], [], []
    for values, of in kinds:
        defined = ~np.isnan(values)
        whole = bool(defined.all())  # then one column counts for all positions
        weight = counts.sessions[:, None] * (defined[:, :1] if whole else defined)
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

    sums, numbers = stacked(added), stacked(over)
    total, below = sums.sum(axis=0), numbers.sum(axis=0)
    sessions = np.broadcast_to(stacked(number).sum(axis=0), total.shape).astype(np.int64)
    mean = np.divide(total, below, out=np.full(total.shape, np.nan), where=sessions > 0)
    low = high = np.full(mean.shape, np.nan)
    if bands:
        low, high = bootstrap_interval(sums, numbers)
    edges = (mean, low, high, sessions)
    return [
        [MeanCurve(*(edge[system, kind] for edge in edges)) for system in range(systems)]
        for kind in range(len(kinds))
    ]
