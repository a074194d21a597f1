"""What is in this study? Its size, Table 2 of ECIR 2008, and how much of it is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.arrays import Floats, Ints
from analysis.definition.definition import Definition, Filters
from analysis.sample import Sample
from analysis.selection import select
from analysis.wording import counted
from study.grades import label
from study.result_rows import NEVER, codes, earlier_ranks
from study.study import Study


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

    def answer(self) -> str:
        """The page's first line."""
        if not self.sessions:
            return "No session is left: widen the filters under Show."
        by = f" by {counted(self.searchers, 'searcher')}" if self.searchers else ""
        return (
            f"{counted(self.sessions, 'session')}{by} on {counted(self.topics, 'topic')} with "
            f"{counted(len(self.systems), 'system')}; {counted(self.queries, 'query')}; "
            f"{self._judged()}."
        )

    def _judged(self) -> str:
        if np.isnan(self.judged_overall):
            return f"no result is shown in the top {self.top}"
        if self.judged_overall == 1:
            return f"every shown result in the top {self.top} is judged"
        return f"{self.judged_overall:.1%} of the results in the top {self.top} are judged"

    def repeated(self) -> str:
        """How many results came again in their session, on one topic and on any."""
        again = f"Results in the top {self.top} that their session had shown before"
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


def overview(study: Study, definition: Definition, filters: Filters) -> Overview:
    """Counts of the sessions that pass the filters; judged shares within the top."""
    logged = replace(definition, unjudged="zero", grades="judgments", short_lists="pad")
    sample = select(study, logged, filters).sample
    shown, place = np.unique(sample.systems, return_inverse=True)
    lengths = np.zeros((shown.size, sample.most_queries), dtype=np.int64)
    np.add.at(lengths, (place, sample.queries - 1), 1)
    results, judged = _judged(sample, place, shown.size)
    session, query = np.nonzero(sample.topics >= 0)
    total = int(results.sum())
    searchers = sample.block.searchers[sample.sessions]
    return Overview(
        systems=tuple(sample.block.system_names[i] for i in shown.tolist()),
        by_length=lengths,
        judged_share=judged / np.where(results > 0, results, np.nan),
        judged_overall=float(judged.sum() / total) if total else float("nan"),
        sessions=int(sample.sessions.size),
        queries=int(sample.queries.sum()),
        topics=int(np.unique(sample.topics[session, query]).size),
        searchers=int(np.unique(searchers[searchers >= 0]).size),
        empty=int((sample.block.lengths[sample.sessions[session], query] == 0).sum()),
        top=definition.top,
        without_judgments=int((~sample.judged).sum()),
        grades=_grades(study, sample, place, shown.size),
        repeats=tuple(_repeats(sample, place, shown.size).tolist()),
        repeats_by_document=tuple(_by_document(study, sample, place, shown.size).tolist()),
    )


def _judged(sample: Sample, place: Ints, systems: int) -> tuple[Ints, Ints]:
    """Results, and judged results, of each system at each rank of the top, (G, top)."""
    codes = sample.block.codes[..., : sample.top][sample.sessions]
    results = np.zeros((systems, sample.top), dtype=np.int64)
    unjudged = results.copy()
    ranks = slice(codes.shape[2])
    np.add.at(results[:, ranks], place, (codes != sample.block.empty).sum(axis=1))
    np.add.at(unjudged[:, ranks], place, (codes == sample.block.unjudged).sum(axis=1))
    return results, results - unjudged


def _grades(study: Study, sample: Sample, place: Ints, systems: int) -> pd.DataFrame:
    """Judgments with each grade, and results in the top that have it, by system."""
    block = sample.block
    codes = block.codes[..., : sample.top][sample.sessions]
    codes = codes.reshape(len(place), int(np.prod(codes.shape[1:])))
    own = np.where(codes == block.again, block.empty, codes)
    counts = np.zeros((systems, block.empty + 1), dtype=np.int64)
    np.add.at(counts, (np.repeat(place, codes.shape[1]), own.ravel()), 1)
    names = [sample.block.system_names[i] for i in sample.shown_systems]
    judgments = pd.array([*study.grade_counts, None], dtype="Int64")
    shown = {f"shown by {n}": counts[i, : block.empty] for i, n in enumerate(names)}
    grades = [*map(label, study.labels), "unjudged"]
    return pd.DataFrame({"grade": grades, "judgments": judgments, **shown})


def _repeats(sample: Sample, place: Ints, systems: int) -> Ints:
    """Results in the top whose document an earlier query of the session had shown there."""
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
