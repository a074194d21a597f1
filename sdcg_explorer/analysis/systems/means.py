"""What is compared: sessions with their score, and the means of systems, on topics and on all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.sessions.scores import session_topics
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.metrics import group_sums, mean_interval
from sdcg_explorer.study.study import Study


def scored_of(chosen: Selection, values: Floats, known: Bools) -> Scored:
    """Sessions of a sample whose score is known, by system, searcher and topic."""
    sample = chosen.sample
    searchers = sample.block.searchers[sample.sessions]
    topics = np.array(session_topics(sample), dtype=object)
    return Scored(
        score=values[known],
        system=sample.systems[known].astype(np.int64),
        unit=np.unique(sample.clusters[known], return_inverse=True)[1],
        topic=np.unique(topics[known].astype(str), return_inverse=True)[1],
        queries=sample.queries[known],
        names=sample.block.system_names,
        alone=searchers[known] < 0,
    )


def _means(scored: Scored, groups: Sequence[Ints], size: int) -> pd.DataFrame:
    """Mean of each group's sessions, with its interval by searchers.

    A session may be in several `groups`, each (N,).
    """
    units = int(scored.unit.max(initial=-1)) + 1
    cell = np.concatenate([scored.unit * size + group for group in groups])
    score = np.tile(scored.score, len(groups))
    sums = group_sums(score, cell, units * size).reshape(units, size)
    counts = group_sums(np.ones(cell.size), cell, units * size).reshape(units, size)
    nowhere = np.full(size, np.nan)
    low, high = mean_interval(sums, counts) if units else (nowhere, nowhere)
    total = counts.sum(axis=0)
    named = np.zeros(units, dtype=bool)
    named[scored.unit] = ~scored.alone if scored.alone.size else True
    searchers = (counts[named] > 0).sum(axis=0)
    every = np.concatenate(groups), np.tile(scored.queries, len(groups))
    queries = np.bincount(every[0], weights=every[1], minlength=size)
    per = np.where(total > 0, total, np.nan)
    return pd.DataFrame(
        {
            "sessions": total.astype(int),
            "searchers": pd.array([int(n) or None for n in searchers], dtype="Int64"),
            "queries": queries / per,
            "mean": sums.sum(axis=0) / per,
            "low": low,
            "high": high,
        }
    )


def means_of(scored: Scored, topics: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Means of the systems, and of the systems on each topic; searchers are drawn once for both."""
    size = len(scored.names)
    groups = [scored.system, size + scored.topic * size + scored.system]
    table = _means(scored, groups, size * (1 + len(topics)))
    table.insert(0, "system", list(scored.names) * (1 + len(topics)))
    by_topic = table[size:].copy()
    by_topic.insert(0, "topic", np.repeat(topics, size))
    each = (part[part["sessions"] > 0].reset_index(drop=True) for part in (table[:size], by_topic))
    systems, on_topics = each
    return systems, on_topics


def points_of(study: Study, chosen: Selection, known: Bools, values: Floats) -> pd.DataFrame:
    """One row per session that is compared."""
    sample = chosen.sample
    rows = np.flatnonzero(known)
    names = study.sessions["session"].astype("str").to_numpy()[sample.sessions[rows]]
    systems = np.array(sample.block.system_names, dtype=object)[sample.systems[rows]]
    topics = np.array(session_topics(sample), dtype=object)[rows]
    return pd.DataFrame(
        {
            "session": names,
            "system": systems,
            "topic": topics,
            "queries": sample.queries[rows],
            "score": values[rows],
        }
    )
