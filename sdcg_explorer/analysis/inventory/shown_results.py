"""Results that were shown, by system: how many, which grades they have, how many came again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Ints
from sdcg_explorer.analysis.definition.definition import Filters
from sdcg_explorer.analysis.inventory.counted_overview import (
    grades_by_rank,
    repeats_by_system,
    shown_by_rank,
)
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.counting.counted_study import CountedStudy
from sdcg_explorer.study.result_rows import NEVER, codes, earlier_ranks
from sdcg_explorer.study.study import Study


@dataclass(frozen=True, eq=False)
class ShownResults:
    """Results in the top of each system (G,), rank by rank (G, top) in results and judged.

    grades (G, L + 1) : results with each grade, the last of unjudged ones · repeats : that an
    earlier query of the session had shown on the same topic, repeats_by_document on any ·
    searchers, empty : searchers, and queries without results · is_known : whether unjudged results
    were told apart of the sessions in sight
    """

    results: Ints
    judged: Ints
    grades: Ints
    repeats: Ints
    repeats_by_document: Ints
    searchers: int
    empty: int
    is_known: bool = True


def shown_results(study: Study, sample: Sample, filters: Filters) -> ShownResults:
    """What was shown in the sessions of a sample, which passed the filters."""
    if isinstance(study, CountedStudy):
        return _of_counts(study, sample, filters)
    systems, place = np.unique(sample.systems, return_inverse=True)
    searchers = sample.block.searchers[sample.sessions]
    lengths = sample.block.lengths[sample.sessions, : sample.most_queries]
    return ShownResults(
        *_judged(sample, place, systems.size),
        _grades(sample, place, systems.size),
        _repeats(sample, place, systems.size),
        _by_document(study, sample, place, systems.size),
        searchers=int(np.unique(searchers[searchers >= 0]).size),
        empty=int((lengths == 0)[sample.asked_at].sum()),
    )


def _of_counts(study: CountedStudy, sample: Sample, filters: Filters) -> ShownResults:
    results, judged = shown_by_rank(study, sample, filters)
    labels = len(study.labels)
    own = grades_by_rank(sample).sum(axis=1)
    unjudged = (results - judged).sum(axis=1)
    repeats = repeats_by_system(sample)
    totals = study.counted.totals if filters == Filters() else {}
    return ShownResults(
        results,
        judged,
        np.column_stack([own[:, :labels], unjudged]),
        repeats,
        repeats,
        searchers=totals.get("searchers", 0),
        empty=totals.get("queries_without_results", 0),
        is_known=results.shape[1] > 0,
    )


def _judged(sample: Sample, place: Ints, systems: int) -> tuple[Ints, Ints]:
    codes = sample.block.codes[..., : sample.top][sample.sessions]
    results = np.zeros((systems, sample.top), dtype=np.int64)
    unjudged = results.copy()
    ranks = slice(codes.shape[2])
    np.add.at(results[:, ranks], place, (codes != sample.block.empty).sum(axis=1))
    np.add.at(unjudged[:, ranks], place, (codes == sample.block.unjudged).sum(axis=1))
    return results, results - unjudged


def _grades(sample: Sample, place: Ints, systems: int) -> Ints:
    block = sample.block
    codes = block.codes[..., : sample.top][sample.sessions]
    codes = codes.reshape(len(place), int(np.prod(codes.shape[1:])))
    own = np.where(codes == block.again, block.empty, codes)
    counts = np.zeros((systems, block.empty + 1), dtype=np.int64)
    np.add.at(counts, (np.repeat(place, codes.shape[1]), own.ravel()), 1)
    return counts[:, : block.empty]


def _repeats(sample: Sample, place: Ints, systems: int) -> Ints:
    seen = sample.block.seen_at[..., : sample.top][sample.sessions] <= sample.top
    repeats = np.zeros(systems, dtype=np.int64)
    np.add.at(repeats, place, seen.sum(axis=(1, 2)))
    return repeats


def _by_document(study: Study, sample: Sample, place: Ints, systems: int) -> Ints:
    """Results in the top whose document came earlier in the session's top, whatever the topic."""
    shown = study.looked_at()
    group = np.full(len(study.sessions), -1)
    group[sample.sessions] = place
    top = np.flatnonzero((shown.rank <= sample.top) & (group[shown.session] >= 0))
    doc = codes(study.results["doc"])[shown.row[top]]
    before, _ = earlier_ranks(shown.session[top], shown.number[top], shown.rank[top], doc)
    return np.bincount(group[shown.session[top[before < NEVER]]], minlength=systems)
