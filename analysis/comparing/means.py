"""What is compared: sessions with their score, and the means of systems, on topics and on all."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.arrays import Bools, Floats, Ints
from analysis.comparing.scored_sessions import Scored
from analysis.scores import session_topics
from analysis.selection import Selection
from metrics import bootstrap_interval, group_sums
from study.study import Study


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


def _means(scored: Scored, group: Ints, size: int) -> pd.DataFrame:
    """Mean of each group's sessions, with the interval that resampling searchers gives."""
    units = int(scored.unit.max(initial=-1)) + 1
    cell = scored.unit * size + group
    sums = group_sums(scored.score, cell, units * size).reshape(units, size)
    counts = group_sums(np.ones(cell.size), cell, units * size).reshape(units, size)
    nowhere = np.full(size, np.nan)
    low, high = bootstrap_interval(sums, counts) if units else (nowhere, nowhere)
    total = counts.sum(axis=0)
    named = np.zeros(units, dtype=bool)
    named[scored.unit] = ~scored.alone if scored.alone.size else True
    searchers = (counts[named] > 0).sum(axis=0)
    queries = np.bincount(group, weights=scored.queries, minlength=size)
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


def system_means(scored: Scored) -> pd.DataFrame:
    """Means of the systems."""
    table = _means(scored, scored.system, len(scored.names))
    table.insert(0, "system", scored.names)
    return table[table["sessions"] > 0].reset_index(drop=True)


def topic_means(scored: Scored, topics: list[str]) -> pd.DataFrame:
    """Means of the systems on each topic."""
    size = len(scored.names)
    table = _means(scored, scored.topic * size + scored.system, size * len(topics))
    table.insert(0, "system", list(scored.names) * len(topics))
    table.insert(0, "topic", np.repeat(topics, size))
    return table[table["sessions"] > 0].reset_index(drop=True)


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
