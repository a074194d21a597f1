"""Results that were shown, by system: how many, which grades they have, how many came again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Ints
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.study.observed import Observed


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


def shown_results(study: Observed, sample: Sample) -> ShownResults:
    """What was shown in the sessions of a sample."""
    results, judged = sample.shown
    groups = np.full(study.block().queries.size, -1)
    groups[sample.sessions] = sample.system_places
    again, by_document = sample.repeated, study.repeats_by_document(groups, sample.top)
    return ShownResults(
        results,
        judged,
        sample.shown_by_grade,
        again,
        again if by_document is None else by_document,
        searchers=sample.searchers_known,
        empty=sample.without_results,
        is_known=results.shape[1] > 0,
    )
