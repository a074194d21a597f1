"""How much better is the last query than the others? Figure 1 of ECIR 2008."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.definition import Definition, Filters
from analysis.selection import Selection, select
from analysis.wording import NO_INTERVAL, counted, left_out, short
from metrics import bootstrap_interval, dcg, group_sums, levels_off, query_scores
from study.block import DEPTH
from study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
FEW = 10
TIE = 1e-12  # equal lists may differ in a sum's last bits
WITHHELD = (
    "The log withholds the results of {} queries, each the real last one of its session: "
    "here 'last' is the last query with results."
)
SPLITS = {"last": ("last", "other"), "best": ("best", "rest")}


@dataclass(frozen=True)
class QueryCurve:
    """Mean sDCG(q) by rank of one group of one system's queries."""

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


@dataclass(frozen=True, eq=False)
class QueryOrder:
    """The curves of one split of the queries, system by system."""

    curves: tuple[QueryCurve, ...]
    depth: int
    sessions: int
    without_judgments: int
    bands: bool = False
    withheld: int = 0

    def curve(self, system: str, group: str) -> QueryCurve:
        """Curve of one system and group."""
        return next(c for c in self.curves if (c.system, c.group) == (system, group))

    def table(self) -> pd.DataFrame:
        """One row per system, group and rank."""
        return pd.concat(
            [
                pd.DataFrame(
                    {
                        "system": curve.system,
                        "group": curve.group,
                        "rank": np.arange(1, self.depth + 1),
                        "queries": curve.queries,
                        "mean": curve.mean,
                        "low": curve.low,
                        "high": curve.high,
                    }
                )
                for curve in self.curves
            ],
            ignore_index=True,
        )

    def answer(self) -> str:
        """The page's first line."""
        if not any(curve.queries for curve in self.curves):
            return "No query is left, or nobody judged its topic: widen the filters under Show."
        rank = min(20, self.depth)
        systems = list(dict.fromkeys(curve.system for curve in self.curves))
        parts = [self._compared(system, rank, i == 0) for i, system in enumerate(systems)]
        return "; ".join(part for part in parts if part) + "."

    def _compared(self, system: str, rank: int, first: bool) -> str:
        one, two = (curve for curve in self.curves if curve.system == system)
        if not one.queries:
            return ""
        lead = f"{'In' if first else 'in'} {system} the {one.group} query is worth"
        at = f" at rank {rank}" if first else ""
        told = f"{lead} {_value(one, rank)}{at}"
        if not two.queries:
            return f"{told} (every session has one query only)"
        return f"{told}, the {'others' if two.group == 'other' else 'rest'} {_value(two, rank)}"

    def levelling(self) -> str:
        """Where each curve levels off, in words."""
        parts = [
            f"{curve.system}, {curve.group}: {'–' if np.isnan(at) else f'rank {at:g}'}"
            for curve in self.curves
            if curve.queries
            for at in [curve.levels_off]
        ]
        return "Levels off (99 % of its end): " + "; ".join(parts) + "."

    def advice(self) -> list[str]:
        """Plain sentences where a reader could be misled."""
        held = [WITHHELD.format(self.withheld)] if self.withheld else []
        few = [c for c in self.curves if 0 < c.queries < FEW]
        said = [f"Only {counted(c.queries, 'query')} behind {c.system}, {c.group}." for c in few]
        bare = [c for c in self.curves if c.queries and np.isnan(c.low).all()]
        return [*held, *said, *([NO_INTERVAL] if self.bands and bare else [])]

    def behind(self) -> str:
        """What stands behind the picture: queries per curve."""
        counts = "; ".join(
            f"{c.system}, {c.group}: {counted(c.queries, 'query')}" for c in self.curves
        )
        return f"{counts}. Full lists to rank {self.depth}.{left_out(self.without_judgments)}"


def _value(curve: QueryCurve, rank: int) -> str:
    mean, low, high = (short(edge[rank - 1]) for edge in (curve.mean, curve.low, curve.high))
    return mean if low == "nan" else f"{mean} (95 % interval {low} to {high})"


def query_order(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    splits: tuple[str, ...] = ("last",),
    depth: int = DEPTH,
    bands: bool = False,
) -> QueryOrder:
    """Mean sDCG(q) by rank of last queries against others, or of best against the rest.

    Full lists to `depth`, whatever top and short lists say; the best query of a session is the
    one with the highest sDCG(q) at top, the earliest on ties. `splits` names the groups wanted
    (``SPLITS``); `bands` adds bootstrap intervals, searchers resampled.
    """
    if definition.short_lists == "observed":  # lists are full here
        definition = replace(definition, short_lists="pad")
    chosen = select(study, definition, filters, max(depth, DEPTH))
    curves = [curve for split in splits for curve in _curves(chosen, split, depth, bands)]
    judged = chosen.sample.judged
    return QueryOrder(
        curves=tuple(curves),
        depth=depth,
        sessions=int(judged.sum()),
        without_judgments=int((~judged).sum()),
        bands=bands,
        withheld=study.report.withheld,
    )


@dataclass(frozen=True, eq=False)
class _Groups:
    """Queries of judged sessions, each in a group of its system; two groups per system.

    group, share (N,): of each query (in the order of Sample.asked) its group, and its weight in
    the group's mean; counts, queries (groups,): sum of shares, and number of queries; tally
    (groups, Q, ranks, codes): its cells by query number, rank and grade code.
    """

    group: Ints
    share: Floats
    counts: Floats
    queries: Ints
    tally: Floats


def _groups(chosen: Selection, split: str, depth: int) -> _Groups:
    if split == "last":
        key = split, depth, chosen.definition.others
        return chosen.sample.kept(key, lambda: _grouped(chosen, chosen.sample.queries - 1, depth))
    queries = chosen.sample.queries
    worth = query_scores(chosen.gains(), chosen.discount(), chosen.factors, queries)["sdcg"]
    best = np.nanmax(worth, axis=1, keepdims=True, initial=0.0)
    return _grouped(chosen, np.argmax(worth >= best * (1 - TIE), axis=1), depth)


def _grouped(chosen: Selection, alone: Ints, depth: int) -> _Groups:
    """Group the queries by whether they are the one that stands alone in its session."""
    sample = chosen.sample
    session, query = sample.asked
    is_alone = query == alone[session]
    share = np.ones(session.size)
    if chosen.definition.others == "per-session":  # the others of a session share its one voice
        share = np.where(is_alone, 1.0, 1.0 / np.maximum(sample.queries[session] - 1, 1))
    group = sample.systems[session] * 2 + ~is_alone
    size = 2 * len(sample.block.system_names)
    most = sample.most_queries
    tally = sample.tally(
        sample.codes((session, query), depth), group * most + query, share, size * most
    )
    return _Groups(
        group=group,
        share=share,
        counts=np.bincount(group, share, minlength=size).astype(float),
        queries=np.bincount(group, minlength=size),
        tally=tally.reshape(size, most, *tally.shape[1:]),
    )


def _curves(chosen: Selection, split: str, depth: int, bands: bool) -> list[QueryCurve]:
    groups = _groups(chosen, split, depth)
    gains = np.einsum("gqr,q->gr", groups.tally @ chosen.weights, chosen.factors)
    counts = groups.counts[:, None]
    discount = chosen.discount(gains.shape[1])
    sums = dcg(gains, discount)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    low = high = np.full(means.shape, np.nan)
    if bands:
        low, high = _intervals(chosen, groups, depth)
    curves = {"mean": means, "low": low, "high": high}
    return [
        QueryCurve(
            system=chosen.sample.block.system_names[i // 2],
            group=SPLITS[split][i % 2],
            queries=int(groups.queries[i]),
            **{name: _level(curve[i], depth) for name, curve in curves.items()},
        )
        for system in np.unique(chosen.sample.systems).tolist()
        for i in (2 * system, 2 * system + 1)
    ]


def _level(curve: Floats, depth: int) -> Floats:
    """A curve that stays level from its end (the deepest list) to `depth`."""
    return np.pad(curve, (0, depth - curve.size), mode="edge")


def _intervals(chosen: Selection, groups: _Groups, depth: int) -> tuple[Floats, Floats]:
    session, query = chosen.sample.asked
    gains = np.take(chosen.weights, chosen.sample.codes((session, query), depth))
    gains *= (chosen.factors[query] * groups.share)[:, None]
    size = groups.counts.size
    clusters = int(chosen.sample.clusters.max(initial=0)) + 1
    place = chosen.sample.clusters[session] * size + groups.group
    sums = dcg(group_sums(gains, place, clusters * size), chosen.discount(gains.shape[1]))
    counts = np.bincount(place, groups.share, minlength=clusters * size).astype(float)
    shape = clusters, size, gains.shape[1]
    return bootstrap_interval(sums.reshape(shape), counts.reshape(clusters, size, 1))
