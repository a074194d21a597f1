"""Groups of sessions that pass the filters, from counts: what a `Sample` is, for means alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.selection.rows import OF_GROUPS, Rows
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.counting.counted_study import CountedBlock
from sdcg_explorer.study.grades import NO_GRADE
from sdcg_explorer.study.observed import NeedsSessionsError

CellsOf = tuple[Ints, ...]


@dataclass(frozen=True, eq=False)
class CountedSample(Sample):
    """Groups of a counted block: sessions of one system, layout and bucket, `number` in each.

    Raises
    ------
    NeedsSessionsError : a top, repeats or short lists that counts made otherwise can't follow
    """

    block: CountedBlock

    def __post_init__(self) -> None:
        most, known = self.block.top, self.block.short_lists
        deep = "single results below" if self.top > most else "repeats told within"
        if self.top > most or (self.top < most and self.repeats == "first"):
            raise NeedsSessionsError(f"{deep} rank {min(self.top, most)} (top {most} was counted)")
        if _least(self.short_lists, self.top) < _least(known, self.top):
            raise NeedsSessionsError(f"the length of each list (short lists were counted {known})")

    @property
    def rows(self) -> Rows:
        """Groups of sessions, of which judged topics and results are known."""
        return OF_GROUPS

    def single(self, values: NDArray[Any]) -> None:
        """Nothing is known of single sessions."""
        return

    def need_single(self, needed: str = "single sessions") -> None:
        """Refuse it.

        Raises
        ------
        NeedsSessionsError : in any case
        """
        raise NeedsSessionsError(needed)

    def parts(self, size: int) -> Iterator[Sample]:
        """All at once."""
        yield self

    @property
    def topics_known(self) -> int:
        """Topics that somebody judged."""
        return int(np.unique(self.topics[self.judged_at]).size)

    @property
    def searchers_known(self) -> int:
        """Searchers of the whole log."""
        return self._of_log("searchers")

    @property
    def without_results(self) -> int:
        """Queries of the whole log without any result."""
        return self._of_log("queries_without_results")

    def _of_log(self, name: str) -> int:
        """What was counted of the log; 0 of a part of it."""
        return (
            self.block.totals.get(name, 0) if self.sessions.size == self.block.queries.size else 0
        )

    @property
    def shown(self) -> tuple[Ints, Ints]:
        """Results, and judged results, of each system at each rank of the top, (G, top).

        Empty, (G, 0), where not all sessions of these systems are there: what nobody judged was
        counted by system and rank alone.
        """
        systems = self.shown_systems
        if np.isin(self.block.systems, systems).sum() > self.sessions.size:
            nothing = np.zeros((len(systems), 0), dtype=np.int64)
            return nothing, nothing
        judged = self._graded_by_rank.sum(axis=2)
        return self.block.shown[systems, : judged.shape[1]], judged

    @property
    def shown_by_grade(self) -> Ints:
        """Results in the top of each system with each grade, the last of unjudged ones."""
        results, judged = self.shown
        own = self._graded_by_rank.sum(axis=1)[:, : len(self.block.labels)]
        return np.column_stack([own, (results - judged).sum(axis=1)])

    @cached_property
    def _graded_by_rank(self) -> Ints:
        """Judged results of each system by rank and grade code, repeats too, (G, R, L + 3)."""
        whole = replace(self, repeats="every", short_lists="pad")
        rows = np.arange(self.sessions.size)
        place = rows, slice(self.most_queries)
        size, one = len(self.block.system_names), np.ones(rows.size)
        grades = whole.graded(place, self.top, self.systems, one, size).sum(axis=1)
        return grades[self.shown_systems].astype(np.int64)

    @property
    def repeated(self) -> Ints:
        """Judged results of each system that an earlier query of the session had shown, (G,)."""
        block = self.block
        own = np.full(block.number.size, -1)
        own[self.sessions] = self.systems
        system = own[block.list_group][block.list]
        again = (system >= 0) & (block.repeat == 1) & (block.rank < self.top)
        found = np.bincount(system[again], block.results[again], len(block.system_names))
        return found[self.shown_systems].astype(np.int64)

    def codes(self, place: tuple[Ints | slice, Ints | slice], depth: int) -> NDArray[np.int8]:
        """There are none.

        Raises
        ------
        NeedsSessionsError : in any case
        """
        raise NeedsSessionsError

    def graded(
        self, place: tuple[Ints, Ints | slice], depth: int, groups: Ints, share: Floats, size: int
    ) -> Floats:
        """Cells of groups of rows by place and grade code, from the counts."""
        at, queries = self._lists(place)
        of, rank, code, results = self._within(depth, at)
        known = of >= 0
        whose, within = np.divmod(of[known], queries)
        ranks, labels = self.ranks(depth), len(self.block.labels) + len(NO_GRADE)
        cell = (groups[whose] * queries + within) * ranks + rank[known]
        weights = results[known] * share[whose]
        counts = np.bincount(
            cell * labels + code[known], weights, minlength=size * queries * ranks * labels
        )
        shape = (size, queries) if isinstance(place[1], slice) else (size,)
        return counts.astype(float).reshape(*shape, ranks, labels)

    def gained(self, place: tuple[Ints, Ints | slice], depth: int, weights: Floats) -> Floats:
        """Gains of rows' cells, those of all sessions of a row added up, from the counts."""
        at, queries = self._lists(place)
        of, rank, code, results = self._within(depth, at)
        known = of >= 0
        ranks, lists = self.ranks(depth), place[0].size * queries
        worth = results[known] * weights[code[known]]
        gains = np.bincount(of[known] * ranks + rank[known], worth, minlength=lists * ranks)
        shape = (place[0].size, queries) if isinstance(place[1], slice) else (lists,)
        return gains.astype(float).reshape(*shape, ranks)

    def _lists(self, place: tuple[Ints, Ints | slice]) -> tuple[Ints, int]:
        """Number of each list among those of a place, (S, Q), −1 of others; and lists of a row."""
        at = np.full((self.sessions.size, self.most_queries), -1)
        rows, queries = place
        if isinstance(queries, slice):
            shape = rows.size, self.most_queries
            at[rows] = np.arange(rows.size * self.most_queries).reshape(shape)
            return at, self.most_queries
        at[rows, queries] = np.arange(rows.size)
        return at, 1

    def ranks(self, depth: int) -> int:
        """Ranks to `depth`, or as far as was counted."""
        return min(depth, self.block.top)

    def _within(self, depth: int, at: Ints) -> CellsOf:
        """Number of the list of each count to a depth, (S, Q) `at`, with rank, code and results."""
        if depth < self.block.top and self.repeats == "first":
            raise NeedsSessionsError(f"repeats told within rank {depth}")
        of, row = np.full(self.block.list_group.size, -1), self._rows_of_lists
        known = row >= 0
        of[known] = at[row[known], self.block.list_query[known]]
        columns = self._counts
        if depth < self.block.top:
            columns = tuple(each[columns[1] < depth] for each in columns)
        lists, rank, code, results = columns
        return of[lists], rank, code, results

    @cached_property
    def _rows_of_lists(self) -> Ints:
        """Row of each list's group, −1 where it is not among them."""
        own = np.full(self.block.number.size, -1)
        own[self.sessions] = np.arange(self.sessions.size)
        return own[self.block.list_group]

    @cached_property
    def _counts(self) -> CellsOf:
        """List, rank, code and results of the counts, without repeats that don't count."""
        block = self.block
        columns = block.list, block.rank, block.code, block.results
        kept = (self._rows_of_lists >= 0)[block.list]
        if self.repeats == "first":
            kept &= block.repeat == 0
        return columns if kept.all() else tuple(each[kept] for each in columns)


def _least(short_lists: str | int, top: int) -> int:
    """Cells that a list has at least; as-is is the finest."""
    known = {"as-is": 0, "pad": top}
    return known[short_lists] if isinstance(short_lists, str) else min(short_lists, top)
