"""Sessions with score, system, searcher and topic, as comparisons take them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import group_sums, mean_interval, normalised
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring import cache, scores
from sdcg_explorer.scoring.selection import Selection
from sdcg_explorer.statistics.effect_sizes import rounding
from sdcg_explorer.statistics.permutation import DRAWS, arrangements, permutation_p
from sdcg_explorer.study.study import Study

LEAST_SHARED = 0.5  # of the sessions, on topics of several systems, for topics to be the units
FEWEST_OF_RUNS = 8  # topics that are units where a system has several sessions on some


@dataclass(frozen=True, eq=False)
class Scored:
    """Sessions (N,) with a defined score, of all systems that are compared.

    unit : searcher of each, a session without one its own · topic : code of its topic, or of its
    combination of topics, as `topic_noun` says · alone (N,) : whether a session names no searcher;
    none is where it is empty · place (N,) : among those of its searcher, where it is to be taken
    off, else empty
    """

    score: Floats
    system: Ints
    unit: Ints
    topic: Ints
    queries: Ints
    names: tuple[str, ...]
    alone: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    place: Floats = field(default_factory=lambda: np.zeros(0))
    topic_noun: str = "topic"

    @cached_property
    def centred(self) -> Floats:
        """Each score less the mean of all sessions on its topic, rounding taken off."""
        step = rounding(self.score)
        centred = self.score - self.by_topic(self.score)
        return np.round(centred / step) * step if step else centred

    @cached_property
    def means(self) -> dict[str, float]:
        """Mean of each system that has a session."""
        means = group_means(self.score, self.system, len(self.names)).tolist()
        return {name: mean for name, mean in zip(self.names, means, strict=True) if mean == mean}

    def by_topic(self, values: Floats) -> Floats:
        """Mean over the sessions of each one's topic, (N,)."""
        return group_means(values, self.topic)[self.topic]

    def take(self, rows: Bools, unit: Ints | None = None) -> Scored:
        """These sessions alone, centred as before, with their units or other ones (N,)."""
        every = ("score", "system", "unit", "topic", "queries", "alone", "place")
        part = {name: getattr(self, name)[rows] for name in every if getattr(self, name).size}
        part |= {} if unit is None else {"unit": unit[rows]}
        taken = replace(self, **part)
        taken.__dict__["centred"] = self.centred[rows]
        return taken

    @property
    def names_searchers(self) -> bool:
        """Whether any session names its searcher."""
        return not (self.alone.size and bool(self.alone.all()))

    @cached_property
    def is_on_paired_topic(self) -> Bools:
        """Sessions on topics that pair the systems, (N,); none where topics are no units."""
        return paired_topic_mask(self.unit, self.system, self.topic)


def resampled_units(alone: Bools) -> str:
    """What intervals resample, in words, by whether each names no searcher, (N,)."""
    if not alone.any():
        return "searchers"
    return "sessions" if alone.all() else "searchers (or sessions that name none)"


def paired_topic_mask(unit: Ints, system: Ints, topic: Ints) -> Bools:
    """Sessions on topics that pair the systems, (N,); none where topics are no units.

    Topics are the units where nobody used two systems, most sessions are on topics of several
    systems, and sessions of one topic are alone in sharing something: each searcher made one
    session, or each system had one searcher. Where a system has several sessions on a topic, as of
    several runs, topics are at least ``FEWEST_OF_RUNS``, and more than such sessions on average.

    Parameters
    ----------
    unit, system, topic : (N,) codes of each session's searcher (or itself), system and topic
    """
    systems = int(system.max(initial=0)) + 1
    units, used = np.unique(unit).size, np.unique(unit * systems + system).size
    alone = units in (unit.size, np.unique(system).size)
    cells = np.unique(topic * systems + system)
    met = np.bincount(cells // systems)
    shared, number = met[topic] > 1, int((met > 1).sum())
    runs = topic.size / max(1, cells.size)
    least = 2 if runs <= 1 else max(FEWEST_OF_RUNS, int(runs) + 1)
    if used > units or not alone or number < least or shared.mean() < LEAST_SHARED:
        return np.zeros_like(shared)
    return shared


def share_no_topic(chosen: Selection) -> bool:
    """Whether several systems have judged sessions, but no two of them on the same topic."""
    sample = chosen.sample
    systems, number = sample.systems[sample.judged], len(sample.block.system_names)
    topics = sample.topics[sample.judged]
    cells = np.unique((topics * number + systems[:, None])[topics >= 0])
    return np.unique(systems).size > 1 and np.bincount(cells // number).max(initial=0) == 1


def group_means(values: Floats, groups: Ints, size: int = 0) -> Floats:
    """Mean of each group, of at least so many; they are numbered from 0, nan where one is empty."""
    counts = np.bincount(groups, minlength=size).astype(np.float64)
    sums = np.bincount(groups, weights=values, minlength=size).astype(np.float64)
    return normalised(sums, counts)


def scored_of(chosen: Selection, values: Floats, known: Bools) -> Scored:
    """Sessions of a sample whose score is known, by system, searcher and topic."""
    sample = chosen.sample
    searchers = sample.block.searchers[sample.sessions]
    topics = np.array(scores.session_topics(sample, in_order=False), dtype=object)
    return Scored(
        score=values[known],
        system=sample.systems[known].astype(np.int64),
        unit=np.unique(sample.clusters[known], return_inverse=True)[1],
        topic=np.unique(topics[known].astype(str), return_inverse=True)[1],
        queries=sample.queries[known],
        names=sample.block.system_names,
        alone=searchers[known] < 0,
        topic_noun="topic combination" if sample.on_several_topics[known].any() else "topic",
    )


def _group_means_with_intervals(scored: Scored, groups: Sequence[Ints], size: int) -> pd.DataFrame:
    """Mean of each group's sessions, with its interval by searchers.

    A session may be in several `groups`, each (N,).
    """
    units = int(scored.unit.max(initial=-1)) + 1
    cell = np.concatenate([scored.unit * size + group for group in groups])
    score = np.tile(scored.score, len(groups))
    sums = group_sums(score, cell, units * size).reshape(units, size)
    counts = group_sums(np.ones(cell.size), cell, units * size).reshape(units, size)
    low, high = mean_interval(sums, counts)
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
    table = _group_means_with_intervals(scored, groups, size * (1 + len(topics)))
    table.insert(0, "system", list(scored.names) * (1 + len(topics)))
    by_topic = table[size:].copy()
    by_topic.insert(0, "topic", np.repeat(topics, size))
    each = (part[part["sessions"] > 0].reset_index(drop=True) for part in (table[:size], by_topic))
    systems, on_topics = each
    return systems, on_topics


def points_of(study: Study, chosen: Selection, known: Bools, values: Floats) -> pd.DataFrame:
    """One row per session that is compared."""
    rows = np.flatnonzero(known)
    named = scores.names_of(study, chosen.sample, rows, in_order=False)  # as scores are compared
    return named.assign(queries=chosen.sample.queries[rows], score=values[rows])


MOST_POINTS = 5_000  # sessions of all systems that a figure draws, each so-manieth


def drawn_one_in(points: pd.DataFrame) -> int:
    """One in how many sessions is drawn as a point; means and coefficients use all."""
    return max(1, -(-len(points) // MOST_POINTS))


def permuted(
    values: Floats, labels: Ints, strata: Ints, *, draws: int = DRAWS, observed: float = math.nan
) -> tuple[float, int]:
    """``permutation_p`` by arrangements that are kept: they serve every score."""
    key = "arrangements", labels.tobytes(), strata.tobytes(), draws
    others = cache.RESULTS.of(key, lambda: arrangements(labels, strata, draws=draws))
    return permutation_p(values, labels, strata, others, observed=observed)
