"""What is in this study? Its size, Table 2 of ECIR 2008, and how much of it is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import Study


@dataclass(frozen=True, eq=False)
class Overview:
    """Counts of the sessions that pass the filters.

    by_length (G, Q): sessions of each system with 1, 2, … queries; judged_share (G, top): share
    of each system's results at each rank that have a grade, nan where none is shown.
    """

    systems: tuple[str, ...]
    by_length: Ints
    judged_share: Floats
    judged_overall: float
    sessions: int
    queries: int
    topics: int
    searchers: int
    empty: int
    top: int
    without_judgments: int
    grades: pd.DataFrame
    repeats: tuple[int, ...]
    repeats_by_document: tuple[int, ...]

    @property
    def mean_queries(self) -> Floats:
        """Mean number of queries of each system's sessions, (G,)."""
        numbers = np.arange(1, self.by_length.shape[1] + 1)
        return (self.by_length @ numbers) / self.by_length.sum(axis=1)

    def table(self) -> pd.DataFrame:
        """Table 2: sessions per number of queries and system, with the mean."""
        numbers = [str(n) for n in range(1, self.by_length.shape[1] + 1)]
        table = pd.DataFrame(self.by_length, columns=pd.Index(numbers))
        table.insert(0, "system", self.systems)
        table["sessions"] = self.by_length.sum(axis=1)
        table["mean queries"] = self.mean_queries
        return table

    def judged_table(self) -> pd.DataFrame:
        """Judged share of the results by system and rank."""
        ranks = np.arange(1, self.top + 1)
        return pd.DataFrame(
            {
                "system": np.repeat(self.systems, ranks.size),
                "rank": np.tile(ranks, len(self.systems)),
                "judged_share": self.judged_share.ravel(),
            }
        )


def overview(study: Study, definition: Definition, filters: Filters) -> Overview:
    """Counts of the sessions that pass the filters; judged shares within the top."""
    logged = replace(definition, unjudged="zero", grades="judgments", short_lists="pad")
    sample = select(study, replace(logged, repeats="every"), filters).sample
    names = tuple(sample.block.system_names[i] for i in sample.shown_systems)
    lengths = np.zeros((len(names), sample.most_queries), dtype=np.int64)
    np.add.at(lengths, (sample.system_places, sample.queries - 1), 1)
    results, judged = sample.shown
    total = int(results.sum())
    return Overview(
        systems=names,
        by_length=lengths,
        judged_share=judged / np.where(results > 0, results, np.nan),
        judged_overall=float(judged.sum() / total) if total else float("nan"),
        sessions=sample.sessions.size,
        queries=int(sample.queries.sum()),
        topics=sample.topics_known,
        searchers=sample.searchers_known,
        empty=sample.without_results,
        top=definition.top,
        without_judgments=int((~sample.judged).sum()),
        grades=_grades(study, sample, names),
        repeats=tuple(sample.repeated.tolist()),
        repeats_by_document=tuple(_repeats_by_document(study, sample).tolist()),
    )


def _repeats_by_document(study: Study, sample: Sample) -> Ints:
    """Results that an earlier query of the session had shown on any topic, by system."""
    groups = np.full(study.block().queries.size, -1)
    groups[sample.sessions] = sample.system_places
    return study.repeats_by_document(groups, sample.top)


def _grades(study: Study, sample: Sample, names: tuple[str, ...]) -> pd.DataFrame:
    """Judgments with each grade, and results in the top that have it, by system.

    The last row is of unjudged results.
    """
    judgments = pd.array([*study.grade_counts, None], dtype="Int64")
    each = zip(names, sample.shown_by_grade, strict=True)
    grades = {"grade": [*map(label, study.labels), "unjudged"], "judgments": judgments}
    return pd.DataFrame(grades | {f"shown by {name}": row for name, row in each})
