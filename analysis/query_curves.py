"""Curves of Figure 1: queries in two groups per system, and their mean worth by rank."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.counts import QueryCounts, query_counts
from analysis.definition.definition import Definition, Filters
from analysis.selection import Selection, select
from metrics import bootstrap_interval, dcg, group_sums, levels_off
from study.block import DEPTH
from study.study import Study

TIE = 1e-12  # equal lists may differ in a sum's last bits
SPLITS = {"last": ("last", "other"), "best": ("best", "rest")}


@dataclass(frozen=True)
class QueryCurve:
    """Mean worth by rank of one group of one system's queries."""

    system: str
    group: str
    queries: int
    mean: Floats
    low: Floats
    high: Floats

    @property
    def levels_off(self) -> float:
        """Rank at which 99 % of the end is reached; nan where there is no gain."""
        return float(levels_off(self.mean))


@dataclass(frozen=True)
class Drawn:
    """How the curves are drawn; as in the paper unless said.

    depth : ranks · several : only sessions with several queries · discounted : by query
    """

    depth: int
    several: bool = False
    discounted: bool = True

    def factors(self, chosen: Selection) -> Floats:
        """Factor of each query, (Q,)."""
        return chosen.factors if self.discounted else np.ones_like(chosen.factors)


def full_lists(study: Study, definition: Definition, filters: Filters, depth: int) -> Selection:
    """A selection whose lists are known to `depth`, whatever top and short lists say."""
    if definition.short_lists == "observed":
        definition = replace(definition, short_lists="pad")
    return select(study, definition, filters, max(depth, DEPTH))


def query_curves(chosen: Selection, split: str, drawn: Drawn, bands: bool) -> list[QueryCurve]:
    """Two curves per system: the queries that stand alone in their sessions, and all others."""
    counts = counts_of(chosen, split, drawn)
    gains = np.einsum("gqr,q->gr", counts.grades @ chosen.weights, drawn.factors(chosen))
    shares = counts.shares[:, None]
    discount = chosen.discount(gains.shape[1])
    sums = dcg(gains, discount)
    means = np.divide(sums, shares, out=np.full(sums.shape, np.nan), where=shares > 0)
    low = high = np.full(means.shape, np.nan)
    if bands:
        low, high = _intervals(chosen, counts, drawn)
    curves = {"mean": means, "low": low, "high": high}
    return [
        QueryCurve(
            system=chosen.sample.block.system_names[i // 2],
            group=SPLITS[split][i % 2],
            queries=int(counts.queries[i]),
            **{name: _level(curve[i], drawn.depth) for name, curve in curves.items()},
        )
        for system in chosen.sample.shown_systems
        for i in (2 * system, 2 * system + 1)
    ]


def counts_of(chosen: Selection, split: str, drawn: Drawn) -> QueryCounts:
    """Counts of a split; those of last and others are kept for as long as the sample is."""
    sample, others = chosen.sample, chosen.definition.others

    def counts(alone: Ints) -> QueryCounts:
        each = others == "per-session"
        return query_counts(sample, alone, drawn.depth, several=drawn.several, per_session=each)

    if split == "last":
        key = split, drawn.depth, drawn.several, others
        return sample.kept(key, lambda: counts(sample.queries - 1))
    worth = chosen.query_scores["sdcg" if drawn.discounted else "dcg"]
    best = np.max(worth, axis=1, keepdims=True, where=sample.judged_at, initial=0.0)
    return counts(np.argmax(worth >= best * (1 - TIE), axis=1))


def _level(curve: Floats, depth: int) -> Floats:
    """A curve that stays level from its end (the deepest list) to `depth`."""
    return np.pad(curve, (0, depth - curve.size), mode="edge")


def _intervals(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> tuple[Floats, Floats]:
    session, query = counts.session, counts.query
    gains = np.take(chosen.weights, chosen.sample.codes((session, query), drawn.depth))
    gains *= (drawn.factors(chosen)[query] * counts.share)[:, None]
    size = counts.size
    clusters = int(chosen.sample.clusters.max(initial=0)) + 1
    place = chosen.sample.clusters[session] * size + counts.group
    sums = dcg(group_sums(gains, place, clusters * size), chosen.discount(gains.shape[1]))
    shares = np.bincount(place, counts.share, minlength=clusters * size).astype(float)
    shape = clusters, size, gains.shape[1]
    return bootstrap_interval(sums.reshape(shape), shares.reshape(clusters, size, 1))
