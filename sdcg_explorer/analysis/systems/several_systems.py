"""More than two systems: do they differ at all, and which pairs, corrected."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.statistics.permutation import permutation_p
from sdcg_explorer.analysis.systems.scored_sessions import Scored, group_means
from sdcg_explorer.analysis.systems.two_systems import topic_sets


def holm(p: Floats) -> Floats:
    """P of several pairs, (pairs,), corrected; undefined ones stay so and do not count.

    Source: Holm (1979).
    """
    corrected, known = p.copy(), np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = np.arange(known.size, 0, -1) * p[order]
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def _by_topic(scored: Scored, shared: Bools) -> tuple[Floats, Ints, Ints]:
    """Centred scores, systems and topics of shared topics' sessions, or means of several."""
    values, system, topic = scored.centred[shared], scored.system[shared], scored.topic[shared]
    size = len(scored.names)
    keys, cell = np.unique(topic * size + system, return_inverse=True)
    if keys.size == values.size:
        return values, system, topic
    return group_means(values, cell), keys % size, keys // size


MOST_TESTED = 100  # systems of one test: each takes its share of time, and its code is int8


def omnibus(scored: Scored) -> tuple[float, int]:
    """Whether systems differ at all: labels change places within searchers of several systems.

    Searchers of one system each change systems among themselves, or where not every system met
    every topic among those on the same topics. Where topics are the units, within topics. There is
    none of two systems, or of more than ``MOST_TESTED``.
    """
    if not 2 < np.unique(scored.system).size <= MOST_TESTED:
        return float("nan"), 0
    if (shared := scored.on_shared_topics).any():
        return permutation_p(*_by_topic(scored, shared))
    keys, cell = np.unique(scored.unit * len(scored.names) + scored.system, return_inverse=True)
    unit, system = np.divmod(keys, len(scored.names))
    counts = np.bincount(cell)
    values = np.bincount(cell, weights=scored.centred) / counts
    alone = np.bincount(unit)[unit] == 1
    sets = topic_sets(scored.topic, cell)
    met = [np.unique(scored.topic[scored.system == s]).tolist() for s in np.unique(system)]
    among = sets if any(topics != met[0] for topics in met) else np.zeros_like(sets)
    strata = np.where(alone, unit.max(initial=0) + 1 + among, unit)
    return permutation_p(values, system, strata)
