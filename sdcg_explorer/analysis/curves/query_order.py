"""Curves of Figure 1: queries in two groups per system, and their mean worth by rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.curves.mean_curves import Sums
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.counts import QueryCounts, query_counts
from sdcg_explorer.analysis.selection.selection import (
    ADDITIVE,
    FURTHER_CURVES,
    SDCG,
    Selection,
    select,
)
from sdcg_explorer.analysis.sessions.registry import query_score
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.systems.last_against_others import (
    LastAgainstOthers,
    last_against_others,
)
from sdcg_explorer.metrics import best_gains, bootstrap_interval, dcg, group_sums, levels_off, ndcg
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.study import Study

TIE = 1e-12  # equal lists may differ in a sum's last bits
# what a curve shows of its queries
MEASURES = {
    "sdcg": "worth (sDCG)",
    "ndcg": "share (nDCG)",
    **{name: ADDITIVE[name].words for name in FURTHER_CURVES},
}
SPLITS = {"last": ("last", "other"), "best": ("best", "rest")}


@dataclass(frozen=True)
class QueryCurve:
    """Mean worth by rank of one group of one system's queries.

    queries : those it runs over · undefined : those of the group whose worth is undefined
    """

    system: str
    group: str
    queries: int
    mean: Floats
    low: Floats
    high: Floats
    undefined: int = 0

    @property
    def name(self) -> str:
        """The system and the group."""
        return f"{self.system}, {self.group}"

    @property
    def levels_off(self) -> float:
        """Rank at which 99 % of the end is reached; nan where there is no gain."""
        return float(levels_off(self.mean))


@dataclass(frozen=True)
class Drawn:
    """How the curves are drawn; as in the paper unless said.

    depth : ranks · several : only sessions with several queries · discounted : by query · measure :
    of ``MEASURES``; nDCG, a share of the ideal list, is the same whether discounted by query or
    not, and RBP weighs queries alike
    """

    depth: int
    several: bool = False
    discounted: bool = True
    measure: str = "sdcg"

    @property
    def shares(self) -> bool:
        """Whether curves are shares of ideal lists."""
        return self.measure == "ndcg"

    @property
    def weighs(self) -> str:
        """Which of ``ADDITIVE`` weighs cells: of shares sDCG, whose discount they have."""
        return SDCG if self.shares else self.measure

    def factors(self, chosen: Selection) -> Floats:
        """Factor of each query, (Q,)."""
        return chosen.factors if self.discounted else np.ones_like(chosen.factors)


def full_lists(study: Study, definition: Definition, filters: Filters, depth: int) -> Selection:
    """A selection whose lists are known to `depth`, whatever top and short lists say."""
    return select(study, with_full_lists(definition), filters, max(depth, DEPTH))


def with_full_lists(definition: Definition) -> Definition:
    """A definition whose lists are known below the deepest rank that was noticed."""
    observed = definition.short_lists == "observed"
    return replace(definition, short_lists="pad") if observed else definition


def query_curves(chosen: Selection, split: str, drawn: Drawn, bands: bool) -> list[QueryCurve]:
    """Two curves per system: the queries that stand alone in their sessions, and all others."""
    counts = query_counts_of(chosen, split, drawn)
    shares = counts.shares[:, None]
    total = _sums(chosen, counts, drawn)
    undefined = np.zeros_like(counts.queries)
    if drawn.shares:
        undefined = _counted(chosen, split, drawn, None).queries - counts.queries
    means = np.divide(total, shares, out=np.full(total.shape, np.nan), where=shares > 0)
    low = high = np.full(means.shape, np.nan)
    if bands:
        sums = query_sums(chosen, counts, drawn)
        low, high = bootstrap_interval(sums.values, sums.over)
    curves = {"mean": means, "low": low, "high": high}
    return [
        QueryCurve(
            system=chosen.sample.block.system_names[i // 2],
            group=SPLITS[split][i % 2],
            queries=int(counts.queries[i]),
            undefined=int(undefined[i]),
            **{name: _level(curve[i], drawn.depth) for name, curve in curves.items()},
        )
        for system in chosen.sample.shown_systems
        for i in (2 * system, 2 * system + 1)
    ]


def query_counts_of(chosen: Selection, split: str, drawn: Drawn) -> QueryCounts:
    """Counts of a split; those of last and others are kept for as long as the sample is.

    Shares run over the queries whose ideal list gains, which the weights decide.
    """
    if drawn.shares:
        return _counted(chosen, split, drawn, _has_ideal(chosen))
    if split == "last":
        key = split, drawn.depth, drawn.several, chosen.definition.others
        return chosen.sample.kept(key, lambda: _counted(chosen, split, drawn, None))
    return _counted(chosen, split, drawn, None)


def _counted(chosen: Selection, split: str, drawn: Drawn, among: Bools | None) -> QueryCounts:
    return query_counts(
        chosen.sample,
        _alone(chosen, split, drawn),
        drawn.depth,
        several=drawn.several,
        per_session=chosen.definition.others == "per-session",
        among=among,
    )


def _alone(chosen: Selection, split: str, drawn: Drawn) -> Ints:
    """The query of each session, from 0, that stands alone: its last, or its best, (S,)."""
    sample = chosen.sample
    if split == "last":
        return sample.queries - 1
    name = "dcg" if not (drawn.discounted or drawn.shares) else drawn.measure
    if drawn.weighs in FURTHER_CURVES:
        worth = chosen.gains @ chosen.discount() * drawn.factors(chosen)
    else:
        worth = query_score(name, chosen)
    worth = np.where(sample.judged_at, worth, np.nan)
    best = np.max(worth, axis=1, keepdims=True, where=~np.isnan(worth), initial=0.0)
    return np.argmax(worth >= best * (1 - TIE), axis=1)


def _has_ideal(chosen: Selection) -> Bools:
    """Whether the topic of each query has a document that gains, (S, Q)."""
    return chosen.best_lists[chosen.sample.topics, 0] > 0


def _sums(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> Floats:
    """Worth by rank of each group's queries added up, weighted, (G, R)."""
    if drawn.shares:
        rows = _shares_of(chosen, counts, drawn) * counts.share[:, None]
        return group_sums(rows, counts.group, counts.size)
    gains = np.einsum("gqr,q->gr", counts.gains(chosen.weights), drawn.factors(chosen))
    return dcg(gains, chosen.discount(gains.shape[1]))


def _shares_of(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> Floats:
    """The nDCG of each query by rank, (N, depth): beyond its list's end the ideal still grows."""
    place = counts.session, counts.query
    gains = chosen.sample.gained(place, drawn.depth, chosen.weights)
    gains = np.pad(gains, ((0, 0), (0, drawn.depth - gains.shape[1])))
    block = chosen.sample.block
    worth = block.worth_judged(chosen.weights[: len(block.labels)])
    best = best_gains(block.judged, worth, drawn.depth)
    return ndcg(gains, best[chosen.sample.topics[place]], chosen.discount(drawn.depth))


def _level(curve: Floats, depth: int) -> Floats:
    """A curve that stays level from its end (the deepest list) to `depth`."""
    return np.pad(curve, (0, depth - curve.size), mode="edge")


def query_sums(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> Sums:
    """Worth by rank added up by cluster and group, (C, G, R); its queries, and what divides it."""
    session, query = counts.session, counts.query
    size = counts.size
    clusters = int(chosen.sample.clusters.max(initial=0)) + 1
    place = chosen.sample.clusters[session] * size + counts.group
    if drawn.shares:
        rows = _shares_of(chosen, counts, drawn) * counts.share[:, None]
        sums = group_sums(rows, place, clusters * size)
    else:
        gains = chosen.sample.gained((session, query), drawn.depth, chosen.weights)
        gains *= (drawn.factors(chosen)[query] * counts.share)[:, None]
        sums = dcg(group_sums(gains, place, clusters * size), chosen.discount(gains.shape[1]))
    shares = np.bincount(place, counts.share, clusters * size).astype(float)
    shape = clusters, size, sums.shape[1]
    queries = counts.queries[None, :, None].astype(float)
    return Sums(sums.reshape(shape), queries, shares.reshape(*shape[:2], 1))


EACH = 10  # ranks that an axis is longer by
SHOWN_RANK = 20  # at which the curves are read
COLUMNS = ["system", "group", "rank", "queries", "mean", "low", "high"]


def curves_table(curves: Iterable[QueryCurve], longest: int) -> pd.DataFrame:
    """One row per system, group and rank, as far as the longest list."""
    each = [
        pd.DataFrame({**vars(c), "rank": np.arange(1, c.mean.size + 1)}, columns=COLUMNS)
        for c in curves
    ]
    return pd.concat([rows[: max(1, longest)] for rows in each], ignore_index=True)


@dataclass(frozen=True, eq=False)
class QueryOrder:
    """The curves of one split of the queries, system by system.

    reach : ranks that are drawn, as the lists end there · single : sessions of one query, by
    system · paired : last against others within sessions,
    where that is the split
    """

    curves: tuple[QueryCurve, ...]
    drawn: Drawn
    sessions: int
    without_judgments: int
    reach: int
    longest: int
    single: dict[str, int]
    paired: LastAgainstOthers | None = None
    bands: bool = False
    withheld: int = 0

    @property
    def depth(self) -> int:
        """Ranks of the curves."""
        return self.drawn.depth

    @property
    def drawn_curves(self) -> list[QueryCurve]:
        """Curves that any query stands behind."""
        return [curve for curve in self.curves if curve.queries]

    def curve(self, system: str, group: str) -> QueryCurve:
        """Curve of one system and group."""
        return next(c for c in self.curves if (c.system, c.group) == (system, group))

    def table(self) -> pd.DataFrame:
        """One row per system, group and rank, as far as the longest list."""
        return curves_table(self.curves, self.longest)

    def at_ranks(self, ranks: Sequence[int]) -> pd.DataFrame:
        """The rows of a few ranks, of queries that there are."""
        rows = self.table()
        return rows[rows["rank"].isin(ranks) & (rows["queries"] > 0)]

    @property
    def unit(self) -> str:
        """What the curves are counted in."""
        if self.drawn.shares:
            return "nDCG (share of the ideal list)"
        if self.drawn.weighs in FURTHER_CURVES:
            return f"{ADDITIVE[self.drawn.weighs].words} (gain over the highest)"
        return "sDCG (gain)" if self.drawn.discounted else "DCG (gain)"

    @property
    def shown_rank(self) -> int:
        """Rank at which the curves are read."""
        return min(SHOWN_RANK, self.reach)

    @cached_property
    def apart(self) -> list[tuple[str, float]]:
        """How much higher the first curve of each system is at the rank, where it has both."""
        names = [curve.system for curve in self.curves[::2]]
        means = np.array([curve.mean[self.shown_rank - 1] for curve in self.curves]).reshape(-1, 2)
        gaps = means[:, 0] - means[:, 1]
        gaps[np.abs(gaps) <= rounding(means[np.isfinite(means)])] = 0.0
        found = zip(names, gaps.tolist(), strict=True)
        return sorted([each for each in found if np.isfinite(each[1])], key=lambda each: -each[1])


def query_order(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    splits: tuple[str, ...] = ("last",),
    depth: int = DEPTH,
    bands: bool = False,
    several: bool = False,
    discounted: bool = True,
    measure: str = "sdcg",
) -> QueryOrder:
    """Mean sDCG(q), or nDCG, by rank of last queries against others, or of best against the rest.

    Full lists to `depth`, whatever top and short lists say; the best query of a session is the
    one with the highest sDCG(q) at top, the earliest on ties. `splits` are keys of ``SPLITS``
    (analysis/curves/query_order.py); `bands` adds bootstrap intervals, searchers resampled;
    `several` draws sessions with several queries alone; without `discounted` sDCG(q) is DCG, D(q)
    being 1. With the `measure` ndcg each query's DCG is a share of its ideal list's; the best query
    is then that of the highest nDCG at top, and queries whose ideal gains nothing are left out.
    With rbp or srbp cells weigh as these say, and the best query is that of the most by them.

    Raises
    ------
    ValueError : a measure that is not in ``MEASURES`` (analysis/curves/query_order.py)
    """
    if measure not in MEASURES:
        raise ValueError(f"measure {measure!r}; known are {', '.join(MEASURES)}.")
    view = study, definition, filters
    drawn = Drawn(depth, several, discounted, measure)
    within = splits == ("last",) and measure == SDCG
    chosen = full_lists(*view, depth).by(drawn.weighs)
    sample = chosen.sample
    return QueryOrder(
        curves=tuple(c for split in splits for c in query_curves(chosen, split, drawn, bands)),
        drawn=drawn,
        sessions=int(sample.judged.sum()),
        without_judgments=int((~sample.judged).sum()),
        longest=sample.ranks(depth),
        reach=min(depth, EACH * -(-sample.ranks(depth) // EACH)),
        single={
            sample.block.system_names[i]: int(sample.of_one_query[i]) for i in sample.shown_systems
        },
        paired=last_against_others(*view) if within else None,
        bands=bands,
        withheld=study.report.withheld,
    )
