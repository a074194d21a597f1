"""What is in this study? Its size, Table 2 of ECIR 2008, and how much of it is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.inventory.shown_results import ShownResults, shown_results
from sdcg_explorer.analysis.selection.rows import OF_SESSIONS, Rows
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.questions.words.wording import counted
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.observed import Observed


@dataclass(frozen=True, eq=False)
class Overview:
    """Counts of the sessions that pass the filters.

    by_length (G, Q): sessions of each system with 1, 2, … queries; judged_share (G, top): share
    of each system's results at each rank that have a grade, nan where none is shown.
    rows : which topics and repeats are known · is_known : whether unjudged results are
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
    rows: Rows = OF_SESSIONS
    is_known: bool = True

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

    def answer(self) -> str:
        """The page's first line."""
        if not self.sessions:
            return "No session is left: widen the filters under Show."
        by = f" by {counted(self.searchers, 'searcher')}" if self.searchers else ""
        topics = counted(self.topics, self.rows.topic)
        return (
            f"{counted(self.sessions, 'session')}{by} on {topics} with "
            f"{counted(len(self.systems), 'system')}; {counted(self.queries, 'query')}; "
            f"{self._judged()}."
        )

    def _judged(self) -> str:
        if not self.is_known:
            return "the judged share was counted of all sessions only, and not of those in sight"
        if np.isnan(self.judged_overall):
            return f"no result is shown in the top {self.top}"
        if self.judged_overall == 1:
            return f"every shown result in the top {self.top} is judged"
        return f"{self.judged_overall:.1%} of the results in the top {self.top} are judged"

    def repeated(self) -> str:
        """How many results came again in their session, on one topic and on any."""
        again = f"{self.rows.shown} in the top {self.top} that their session had shown before"
        if self.repeats == self.repeats_by_document:
            return f"{again}: {self._of_shown(self.repeats)}."
        return (
            f"{again} on the same topic: {self._of_shown(self.repeats)}; "
            f"on any topic: {self._of_shown(self.repeats_by_document)}."
        )

    def _of_shown(self, numbers: tuple[int, ...]) -> str:
        """Each system's number of its results."""
        return ", ".join(
            f"{system} {number:,} of {int(self.grades[f'shown by {system}'].sum()):,}"
            for system, number in zip(self.systems, numbers, strict=True)
        )

    def behind(self) -> str:
        """What a reader should know of the counts."""
        parts = []
        if self.empty:
            parts.append(f"{counted(self.empty, 'query')} without results, counted as queries.")
        if self.without_judgments:
            parts.append(
                f"{counted(self.without_judgments, 'session')} on topics nobody judged: their "
                "worth is undefined, and they are left out of every mean."
            )
        return " ".join(parts)


def overview(study: Observed, definition: Definition, filters: Filters) -> Overview:
    """Counts of the sessions that pass the filters; judged shares within the top."""
    logged = replace(definition, unjudged="zero", grades="judgments", short_lists="pad")
    sample = select(study, replace(logged, repeats="every"), filters).sample
    systems, place = np.unique(sample.systems, return_inverse=True)
    lengths = np.zeros((systems.size, sample.most_queries), dtype=np.int64)
    np.add.at(lengths, (place, sample.queries - 1), sample.number)
    seen = shown_results(study, sample)
    total = int(seen.results.sum())
    names = tuple(sample.block.system_names[i] for i in systems.tolist())
    return Overview(
        systems=names,
        by_length=lengths,
        judged_share=seen.judged / np.where(seen.results > 0, seen.results, np.nan),
        judged_overall=float(seen.judged.sum() / total) if total else float("nan"),
        sessions=sample.count(),
        queries=int((sample.queries * sample.number).sum()),
        topics=sample.topics_known,
        searchers=seen.searchers,
        empty=seen.empty,
        top=definition.top,
        without_judgments=sample.count(~sample.judged),
        grades=_grades(study, seen, names),
        repeats=tuple(seen.repeats.tolist()),
        repeats_by_document=tuple(seen.repeats_by_document.tolist()),
        rows=sample.rows,
        is_known=seen.is_known,
    )


def _grades(study: Observed, seen: ShownResults, names: tuple[str, ...]) -> pd.DataFrame:
    """Judgments with each grade, and results in the top that have it, by system."""
    judgments = pd.array([*study.grade_counts, None], dtype="Int64")
    shown = {f"shown by {name}": row for name, row in zip(names, seen.grades, strict=True)}
    grades = [*map(label, study.labels), "unjudged"]
    table = pd.DataFrame({"grade": grades, "judgments": judgments, **shown})
    return table if seen.is_known else table.iloc[:-1]
