"""What was shown in a counted log, by system and rank: what Overview and advice say of it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.definition.definition import Filters
from sdcg_explorer.analysis.selection.counted_sample import CountedSample
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.counting.counted_study import CountedStudy


def grades_by_rank(sample: Sample) -> Ints:
    """Judged results of each system by rank and grade code, repeats among them, (G, R, L + 3)."""
    whole = replace(cast(CountedSample, sample), repeats="every", short_lists="pad")
    rows = np.arange(sample.sessions.size)
    place = rows, slice(whole.most_queries)
    size, one = len(sample.block.system_names), np.ones(rows.size)
    grades = whole.graded(place, sample.top, sample.systems, one, size).sum(axis=1)
    return grades[sample.shown_systems].astype(np.int64)


def shown_by_rank(study: CountedStudy, sample: Sample, filters: Filters) -> tuple[Ints, Ints]:
    """Results, and judged results, of each system at each rank of the top, (G, R).

    Empty where sessions are filtered by more than their system: what nobody judged was counted by
    system and rank alone.
    """
    if filters.topics or filters.min_queries > 1 or filters.max_queries:
        nothing = np.zeros((len(sample.shown_systems), 0), dtype=np.int64)
        return nothing, nothing
    shown = study.counted.tables["shown"]
    results = np.zeros((len(sample.block.system_names), study.counted.top), dtype=np.int64)
    system, rank = (shown[name].to_numpy(dtype=np.int64) for name in ("system", "rank"))
    results[system, rank - 1] = shown["results"]
    judged = grades_by_rank(sample).sum(axis=2)
    return results[sample.shown_systems, : judged.shape[1]], judged


def repeats_by_system(sample: Sample) -> Ints:
    """Judged results of each system that an earlier query of the session had shown, (G,)."""
    block = cast(CountedSample, sample).block
    own = np.full(block.number.size, -1)
    own[sample.sessions] = sample.systems
    system = own[block.group]
    again = (system >= 0) & (block.repeat == 1) & (block.rank < sample.top)
    weights: Floats = block.results[again]
    found = np.bincount(system[again], weights, len(sample.block.system_names))
    return found[sample.shown_systems].astype(np.int64)
