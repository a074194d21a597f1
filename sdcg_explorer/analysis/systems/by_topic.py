"""On which topics was either of two systems ahead? Each with the two sessions that show it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.scored_sessions import Scored, group_means
from sdcg_explorer.analysis.systems.two_systems import PAIRED, Pair
from sdcg_explorer.metrics.arrays import Floats, Ints

RESULTS = ("lost", "tied", "won")  # by the second system, against the first
COLUMNS = (
    *("system_a", "system_b", "score", "topic", "n_a", "n_b", "mean_a", "mean_b", "difference"),
    *("result", "session_a", "session_b"),
)
NAMED = ("system_a", "system_b", "score")  # the same in every row of two systems


@dataclass(frozen=True, eq=False)
class ByTopic:
    """Topics of both systems (K,), the one that the second lost worst first.

    table : a row per topic, ``COLUMNS``; where a system has several sessions on a topic the one
    named is nearest to their mean · apart : sessions on topics of one of the two alone
    """

    pair: Pair
    unit: str
    table: pd.DataFrame
    apart: int
    scores: Floats
    cells: Ints

    def number(self, result: str) -> int:
        """Topics of one of ``RESULTS``."""
        return int((self.table["result"] == result).sum())

    @property
    def is_of_runs(self) -> bool:
        """Whether a system has several sessions on a topic."""
        return self.scores.size > 2 * len(self.table)

    @cached_property
    def runs_apart(self) -> float:
        """Standard deviation of a system's sessions on one topic; nan where none has several."""
        left = self.scores - group_means(self.scores, self.cells)[self.cells]
        free = self.scores.size - np.unique(self.cells).size
        return math.sqrt(float(left @ left) / free) if free else math.nan

    @cached_property
    def topics_apart(self) -> float:
        """Standard deviation of topics' means, of either system half; nan of a single one."""
        means = self.table[["mean_a", "mean_b"]].to_numpy(float).mean(axis=1)
        return float(means.std(ddof=1)) if means.size > 1 else math.nan

    def short_table(self) -> pd.DataFrame:
        """What of the table is not the same in every row."""
        return self.table.drop(columns=list(NAMED))


def pairs_topics(compared: Comparison, place: int) -> bool:
    """Whether a pair is looked at topic by topic: nobody of a name stands between the systems."""
    is_paired = compared.pairs[place].design == PAIRED
    return is_paired or not compared.scored.names_searchers


def by_topic(compared: Comparison, place: int) -> ByTopic:
    """Topics of a pair of systems by difference, second less first."""
    pair, scored = compared.pairs[place], compared.scored
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    names = np.unique(compared.points["topic"].astype(str))
    rows = np.flatnonzero(np.isin(scored.system, (a, b)))
    cell = 2 * scored.topic[rows] + (scored.system[rows] == b)
    counts = np.bincount(cell, minlength=2 * names.size).reshape(-1, 2)
    shared = np.flatnonzero(counts.min(axis=1))
    inside = np.isin(cell // 2, shared)
    rows, cell = rows[inside], cell[inside]
    means = group_means(scored.score[rows], cell, 2 * names.size).reshape(-1, 2)[shared]
    apart = means[:, 1] - means[:, 0]
    apart[np.abs(apart) <= rounding(scored.score)] = 0.0
    shown = compared.points["session"].to_numpy()[_nearest(scored, rows, cell)].reshape(-1, 2)
    table = pd.DataFrame(
        {
            "system_a": pair.system_a,
            "system_b": pair.system_b,
            "score": compared.score,
            "topic": names[shared],
            **dict(zip(("n_a", "n_b"), counts[shared].T, strict=True)),
            **dict(zip(("mean_a", "mean_b"), means.T, strict=True)),
            "difference": apart,
            "result": np.array(RESULTS, dtype=object)[np.sign(apart).astype(np.int64) + 1],
            **dict(zip(("session_a", "session_b"), shown.T, strict=True)),
        },
        columns=list(COLUMNS),
    ).sort_values("difference", kind="stable", ignore_index=True)
    return ByTopic(pair, compared.unit, table, int((~inside).sum()), scored.score[rows], cell)


def _nearest(scored: Scored, rows: Ints, cell: Ints) -> Ints:
    """Of each cell's sessions that nearest to their mean, the first of equals, cell by cell."""
    score = scored.score[rows]
    far = np.abs(score - group_means(score, cell)[cell])
    step = rounding(score)
    order = np.lexsort((rows, np.round(far / step) if step else far, cell))
    return rows[order[np.unique(cell[order], return_index=True)[1]]]
