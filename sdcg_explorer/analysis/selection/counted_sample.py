"""Groups of sessions that pass the filters, from counts: what a `Sample` is, for means alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.counting.counted_study import CountedBlock, NeedsSessionsError
from sdcg_explorer.study.grades import NO_GRADE

CellsOf = tuple[Ints, Ints, Ints, Ints, Floats]


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
    def is_counted(self) -> bool:
        """They are groups."""
        return True

    @cached_property
    def number(self) -> Ints:
        """Sessions of each group, (S,)."""
        return self.block.number[self.sessions]

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
        row, query, rank, code, results = self._within(depth)
        of = at[row, query]
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
        row, query, rank, code, results = self._within(depth)
        of = at[row, query]
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

    def _within(self, depth: int) -> CellsOf:
        """Row, query, rank, code and results of the counts to a depth."""
        if depth < self.block.top and self.repeats == "first":
            raise NeedsSessionsError(f"repeats told within rank {depth}")
        if depth >= self.block.top:
            return self._counts
        near = self._counts[2] < depth
        row, query, rank, code, results = self._counts
        return row[near], query[near], rank[near], code[near], results[near]

    @cached_property
    def _counts(self) -> CellsOf:
        """Row, query, rank, code and results of the counts, without repeats that don't count."""
        block = self.block
        own = np.full(block.number.size, -1)
        own[self.sessions] = np.arange(self.sessions.size)
        row = own[block.group]
        kept = row >= 0
        if self.repeats == "first":
            kept &= block.repeat == 0
        counts = block.query, block.rank, block.code
        query, rank, code = (each[kept] for each in counts)
        return row[kept], query, rank, code, block.results[kept]


def _least(short_lists: str | int, top: int) -> int:
    """Cells that a list has at least; as-is is the finest."""
    known = {"as-is": 0, "pad": top}
    return known[short_lists] if isinstance(short_lists, str) else min(short_lists, top)
