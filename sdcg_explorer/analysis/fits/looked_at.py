"""What searchers looked at: which results of which query, counted over groups of searchers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.metrics.interval import SEED
from sdcg_explorer.study.result_rows import Shown
from sdcg_explorer.study.study import Study

MOST_GROUPS = 100  # of searchers, each of which is left out once


@dataclass(frozen=True, eq=False)
class LookedAt:
    """Counts over groups of searchers (F,), of sessions where none is named.

    results (F, Q, R) : sessions in which the r-th result of the q-th query was looked at · queries
    (F, Q) : sessions that have a q-th query · by : examined, where the log marks what was, or
    clicked; "" where nothing is marked, and a query stands for one result (R = 1) · sessions,
    marked : in all, and in which anything was looked at · searchers : clusters that were grouped,
    of `names_searchers` or not
    """

    results: Floats
    queries: Floats
    by: str
    sessions: int
    marked: int
    searchers: int
    names_searchers: bool

    @property
    def total(self) -> float:
        """Cells that were looked at."""
        return float(self.results.sum())

    @property
    def shares(self) -> Floats:
        """Share of each cell in all that was looked at, (Q, R); nan where nothing was."""
        return self.results.sum(axis=0) / (self.total or np.nan)


def looked_at(study: Study, chosen: Selection) -> LookedAt:
    """What the searchers of some sessions looked at, to the top of the definition.

    Where the log marks what was examined, that and what was clicked or opened; else each result
    down to the lowest that was. Where nothing is marked, the queries that were asked.
    """
    sample = chosen.sample
    ranks = min(chosen.definition.top, int(sample.block.lengths.max(initial=1)) or 1)
    shape = sample.sessions.size, sample.most_queries, ranks
    by = _marks(study)
    seen = _seen(study.looked_at(), sample.sessions, shape, down=by == "clicked")
    if not seen.any():
        by, seen = "", sample.asked_at[:, :, None]
    group = _groups(sample.clusters)
    size = int(group.max(initial=-1)) + 1
    names = sample.block.searcher_names
    return LookedAt(
        results=_added(seen, group, size),
        queries=_added(sample.asked_at, group, size),
        by=by,
        sessions=sample.sessions.size,
        marked=int(seen.any(axis=(1, 2)).sum()),
        searchers=np.unique(sample.clusters).size,
        names_searchers=bool(names) and sample.searchers_known > 0,
    )


def _marks(study: Study) -> str:
    """What tells that a result was looked at."""
    known = (name for name in ("examined", "clicked") if name in study.results)
    return next((name for name in known if study.results[name].notna().any()), "")


def _seen(shown: Shown, sessions: Ints, shape: tuple[int, int, int], *, down: bool) -> Bools:
    """Cells that were looked at, (S, Q, R); all `down` to the lowest that is marked, or it alone.

    A mark below the last rank says that all above it were seen.
    """
    place = np.full(int(max(shown.session.max(initial=0), sessions.max(initial=0))) + 1, -1)
    place[sessions] = np.arange(sessions.size)
    rows = shown.noticed & (place[shown.session] >= 0)
    session, number, rank = place[shown.session[rows]], shown.number[rows], shown.rank[rows]
    if down:
        deepest = np.zeros(shape[:2], dtype=np.int64)
        np.maximum.at(deepest, (session, number), rank)
        return np.less(np.arange(shape[2]), deepest[:, :, None])
    seen, near = np.zeros(shape, dtype=bool), rank <= shape[2]
    seen[session[near], number[near], rank[near] - 1] = True
    return seen


def _groups(clusters: Ints) -> Ints:
    """Group of each session: its searcher, or one of ``MOST_GROUPS`` that searchers are put in."""
    size = int(clusters.max(initial=-1)) + 1
    if size <= MOST_GROUPS:
        return clusters
    dealt = np.random.default_rng(SEED).permutation(size) % MOST_GROUPS
    return dealt[clusters]


def _added(values: Bools, group: Ints, size: int) -> Floats:
    """Sum of sessions' values over each group."""
    total = np.zeros((size, *values.shape[1:]))
    np.add.at(total, group, values)
    return total
