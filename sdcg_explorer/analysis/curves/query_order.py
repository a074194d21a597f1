"""How much better is the last query than the others? Figure 1 of ECIR 2008."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.curves.query_curves import (
    MEASURES,
    Drawn,
    QueryCurve,
    full_lists,
    query_curves,
)
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.additive import ADDITIVE, FURTHER_CURVES, SDCG
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.systems.last_against_others import (
    LastAgainstOthers,
    last_against_others,
)
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.study import Study

EACH = 10  # ranks that an axis is longer by
SHOWN_RANK = 20  # at which the curves are read
COLUMNS = ["system", "group", "rank", "queries", "mean", "low", "high"]


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
        ranks = np.arange(1, self.depth + 1)
        each = [
            pd.DataFrame({**vars(c), "rank": ranks}, columns=COLUMNS)[: max(1, self.longest)]
            for c in self.curves
        ]
        return pd.concat(each, ignore_index=True)

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
    (analysis/curves/query_curves.py); `bands` adds bootstrap intervals, searchers resampled;
    `several` draws sessions with several queries alone; without `discounted` sDCG(q) is DCG, D(q)
    being 1. With the `measure` ndcg each query's DCG is a share of its ideal list's; the best query
    is then that of the highest nDCG at top, and queries whose ideal gains nothing are left out.
    With rbp or srbp cells weigh as these say, and the best query is that of the most by them.

    Raises
    ------
    ValueError : a measure that is not in ``MEASURES`` (analysis/curves/query_curves.py)
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
