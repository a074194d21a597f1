"""How much better is the last query than the others? Figure 1 of ECIR 2008."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.definition import Definition, Filters
from analysis.selection import Selection, select
from analysis.wording import counted, left_out
from metrics import bootstrap_interval, dcg, group_sums, levels_off, query_scores
from study.block import DEPTH
from study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
FEW = 10
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
            return "No query is left by the filters, or none of their topics is judged."
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
        few = [c for c in self.curves if 0 < c.queries < FEW]
        return [f"Only {counted(c.queries, 'query')} behind {c.system}, {c.group}." for c in few]

    def behind(self) -> str:
        """What stands behind the picture: queries per curve."""
        counts = "; ".join(
            f"{c.system}, {c.group}: {counted(c.queries, 'query')}" for c in self.curves
        )
        return f"{counts}. Full lists to rank {self.depth}.{left_out(self.without_judgments)}"


def _value(curve: QueryCurve, rank: int) -> str:
    value = f"{curve.mean[rank - 1]:.3g}"
    if np.isnan(curve.low[rank - 1]):
        return value
    return f"{value} (95 % interval {curve.low[rank - 1]:.3g} to {curve.high[rank - 1]:.3g})"


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
    chosen = select(study, definition, filters)
    curves = [curve for split in splits for curve in _curves(chosen, split, depth, bands)]
    judged = int(chosen.judged.sum())
    return QueryOrder(tuple(curves), depth, judged, chosen.sessions.size - judged)


def _curves(chosen: Selection, split: str, depth: int, bands: bool) -> list[QueryCurve]:
    session, query = np.nonzero((chosen.topics >= 0) & chosen.judged[:, None])
    alone = query == _alone(chosen, split)[session]
    share = _shares(chosen, session, alone)
    key = chosen.systems[session] * 2 + ~alone
    order = np.argsort(key, kind="stable")
    session, query, key, share = session[order], query[order], key[order], share[order]
    gains = chosen.query_gains(session, query, depth)
    gains *= (chosen.factors[query] * share)[:, None]
    size = 2 * len(chosen.block.system_names)
    counts = group_sums(share, key, size)[:, None]
    discount = chosen.discount(depth)
    sums = dcg(group_sums(gains, key, size), discount)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    low = high = np.full(means.shape, np.nan)
    if bands:
        low, high = _intervals(chosen, dcg(gains, discount), share, key, session)
    totals = np.bincount(key, minlength=size)
    return [
        QueryCurve(
            system=chosen.block.system_names[i // 2],
            group=SPLITS[split][i % 2],
            queries=int(totals[i]),
            mean=means[i],
            low=low[i],
            high=high[i],
        )
        for system in sorted(set(chosen.systems.tolist()))
        for i in (2 * system, 2 * system + 1)
    ]


def _alone(chosen: Selection, split: str) -> Ints:
    """Number (from 0) of the query that stands alone in each session."""
    if split == "last":
        return chosen.queries - 1
    top = chosen.definition.top
    values = query_scores(chosen.gains(top), chosen.discount(top), chosen.factors, chosen.queries)
    return np.nanargmax(values["sdcg"], axis=1)


def _shares(chosen: Selection, session: Ints, alone: Bools) -> Floats:
    """Weight of each query in its group's mean: per-session others share their session's one."""
    if chosen.definition.others == "pooled":
        return np.ones(session.size)
    return np.where(alone, 1.0, 1.0 / np.maximum(chosen.queries[session] - 1, 1))


def _intervals(
    chosen: Selection, curves: Floats, share: Floats, key: Ints, session: Ints
) -> tuple[Floats, Floats]:
    clusters = int(chosen.clusters.max(initial=0)) + 1
    size = 2 * len(chosen.block.system_names)
    place = chosen.clusters[session] * size + key
    sums = group_sums(curves, place, clusters * size).reshape(clusters, size, -1)
    counts = group_sums(share, place, clusters * size).reshape(clusters, size, 1)
    return bootstrap_interval(sums, np.broadcast_to(counts, sums.shape))
