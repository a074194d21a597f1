"""Curves of Figure 1: queries in two groups per system, and their mean worth by rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.selection import Selection
from metrics import bootstrap_interval, dcg, group_sums, levels_off

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


@dataclass(frozen=True, eq=False)
class _Groups:
    """Queries on judged topics, each in a group of its system; two groups per system.

    session, query, group, share (N,): of each query its group, and its weight in the group's mean;
    counts, queries (groups,): sum of shares, and number of queries; tally (groups, Q, ranks,
    codes): its cells by query number, rank and grade code.
    """

    session: Ints
    query: Ints
    group: Ints
    share: Floats
    counts: Floats
    queries: Ints
    tally: Floats


def query_curves(chosen: Selection, split: str, drawn: Drawn, bands: bool) -> list[QueryCurve]:
    """Two curves per system: the queries that stand alone in their sessions, and all others."""
    groups = _groups(chosen, split, drawn)
    gains = np.einsum("gqr,q->gr", groups.tally @ chosen.weights, drawn.factors(chosen))
    counts = groups.counts[:, None]
    discount = chosen.discount(gains.shape[1])
    sums = dcg(gains, discount)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    low = high = np.full(means.shape, np.nan)
    if bands:
        low, high = _intervals(chosen, groups, drawn)
    curves = {"mean": means, "low": low, "high": high}
    return [
        QueryCurve(
            system=chosen.sample.block.system_names[i // 2],
            group=SPLITS[split][i % 2],
            queries=int(groups.queries[i]),
            **{name: _level(curve[i], drawn.depth) for name, curve in curves.items()},
        )
        for system in chosen.sample.shown_systems
        for i in (2 * system, 2 * system + 1)
    ]


def _groups(chosen: Selection, split: str, drawn: Drawn) -> _Groups:
    sample = chosen.sample
    if split == "last":
        key = split, drawn.depth, drawn.several, chosen.definition.others
        return sample.kept(key, lambda: _grouped(chosen, sample.queries - 1, drawn))
    worth = chosen.query_scores["sdcg" if drawn.discounted else "dcg"]
    best = np.max(worth, axis=1, keepdims=True, where=sample.judged_at, initial=0.0)
    return _grouped(chosen, np.argmax(worth >= best * (1 - TIE), axis=1), drawn)


def _grouped(chosen: Selection, alone: Ints, drawn: Drawn) -> _Groups:
    """Group the queries by whether they are the one that stands alone in its session."""
    sample = chosen.sample
    session, query = sample.known
    if drawn.several:
        kept = sample.queries[session] > 1
        session, query = session[kept], query[kept]
    is_alone = query == alone[session]
    share = np.ones(session.size)
    if chosen.definition.others == "per-session":  # the others of a session share its one voice
        others = np.bincount(session[~is_alone], minlength=sample.sessions.size)
        share = np.where(is_alone, 1.0, 1.0 / np.maximum(others[session], 1))
    group = sample.systems[session] * 2 + ~is_alone
    size = 2 * len(sample.block.system_names)
    most = sample.most_queries
    tally = sample.tally(
        sample.codes((session, query), drawn.depth), group * most + query, share, size * most
    )
    return _Groups(
        session=session,
        query=query,
        group=group,
        share=share,
        counts=np.bincount(group, share, minlength=size).astype(float),
        queries=np.bincount(group, minlength=size),
        tally=tally.reshape(size, most, *tally.shape[1:]),
    )


def _level(curve: Floats, depth: int) -> Floats:
    """A curve that stays level from its end (the deepest list) to `depth`."""
    return np.pad(curve, (0, depth - curve.size), mode="edge")


def _intervals(chosen: Selection, groups: _Groups, drawn: Drawn) -> tuple[Floats, Floats]:
    session, query = groups.session, groups.query
    gains = np.take(chosen.weights, chosen.sample.codes((session, query), drawn.depth))
    gains *= (drawn.factors(chosen)[query] * groups.share)[:, None]
    size = groups.counts.size
    clusters = int(chosen.sample.clusters.max(initial=0)) + 1
    place = chosen.sample.clusters[session] * size + groups.group
    sums = dcg(group_sums(gains, place, clusters * size), chosen.discount(gains.shape[1]))
    counts = np.bincount(place, groups.share, minlength=clusters * size).astype(float)
    shape = clusters, size, gains.shape[1]
    return bootstrap_interval(sums.reshape(shape), counts.reshape(clusters, size, 1))
