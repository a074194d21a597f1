"""The sessions that pass the filters and their cells, whatever b, bq and the weights are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.study.grade_cube import Block
from sdcg_explorer.study.grades import NO_GRADE

Kept = TypeVar("Kept")
PLACES = 500_000  # cells of sessions that are looked at at once


@dataclass(frozen=True, eq=False)
class Sample:
    """Sessions of a block (S, up to Q queries) and their cells, whatever a gain is worth.

    `sessions` (S,) are rows of the block; sessions without judgments are among them, and marked
    in `judged`.
    """

    block: Block
    sessions: Ints
    top: int
    repeats: str
    short_lists: str | int

    def parts(self, size: int) -> Iterator[Sample]:
        """So many sessions at a time; itself where they are no more."""
        if self.sessions.size <= size:
            yield self
            return
        for first in range(0, self.sessions.size, size):
            yield self.take(slice(first, first + size))

    def take(self, rows: slice | Ints) -> Sample:
        """Some of the sessions, any of them several times, with arrays as wide as those of all."""
        own = Sample(self.block, self.sessions[rows], self.top, self.repeats, self.short_lists)
        own.__dict__.update(most_queries=self.most_queries)
        return own

    @cached_property
    def queries(self) -> Ints:
        """Queries of each session, (S,)."""
        return self.block.queries[self.sessions]

    @cached_property
    def most_queries(self) -> int:
        """Q: queries of the longest session, at least 1."""
        return int(self.queries.max(initial=1))

    @cached_property
    def topics(self) -> Ints:
        """Topic of each query, (S, Q); −1 where there is none."""
        return self.block.topics[self.sessions, : self.most_queries]

    @cached_property
    def systems(self) -> Ints:
        """Code of each session's system, (S,)."""
        return self.block.systems[self.sessions]

    @cached_property
    def shown_systems(self) -> list[int]:
        """Codes of the systems that any session is of, in order."""
        return np.unique(self.systems).tolist()

    @cached_property
    def of_one_query(self) -> Ints:
        """Judged sessions of one query of each system of the block."""
        alone = self.judged & (self.queries == 1)
        size = len(self.block.system_names)
        return np.bincount(self.systems[alone], minlength=size)

    @cached_property
    def clusters(self) -> Ints:
        """Cluster of each session for the bootstrap, (S,): its searcher, or else itself."""
        searchers = self.block.searchers[self.sessions]
        alone = len(self.block.searcher_names) + self.block.by_name[self.sessions]
        return np.unique(np.where(searchers < 0, alone, searchers), return_inverse=True)[1]

    @cached_property
    def judged_at(self) -> Bools:
        """Whether a session has its q-th query, on a topic that somebody judged, (S, Q)."""
        return np.append(self.block.judged_topics, False)[self.topics]

    @cached_property
    def judged(self) -> Bools:
        """Whether any topic of each session has judgments, (S,)."""
        return np.any(self.judged_at, axis=1)

    @cached_property
    def known(self) -> tuple[Ints, Ints]:
        """Session and query (from 0) of every query on a topic that somebody judged."""
        session, query = np.nonzero(self.judged_at)
        return session, query

    @cached_property
    def has_last(self) -> Bools:
        """Whether the last query of each session is on a topic that somebody judged, (S,)."""
        return np.take_along_axis(self.judged_at, self.queries[:, None] - 1, axis=1)[:, 0]

    @cached_property
    def others(self) -> Ints:
        """Queries of each session before its last, on topics that somebody judged, (S,)."""
        return self.judged_at.sum(axis=1) - self.has_last

    @property
    def topics_known(self) -> int:
        """Topics that queries are on."""
        return int(np.unique(self.topics[self.asked_at]).size)

    @property
    def searchers_known(self) -> int:
        """Searchers that any session names."""
        searchers = self.block.searchers[self.sessions]
        return int(np.unique(searchers[searchers >= 0]).size)

    @property
    def without_results(self) -> int:
        """Queries without any result."""
        lengths = self.block.lengths[self.sessions, : self.most_queries]
        return int((lengths == 0)[self.asked_at].sum())

    @property
    def shown(self) -> tuple[Ints, Ints]:
        """Results, and judged results, of each system at each rank of the top, (G, top)."""
        codes, place, results = self._in_top
        unjudged, ranks = results.copy(), slice(codes.shape[2])
        np.add.at(results[:, ranks], place, (codes != self.block.empty).sum(axis=1))
        np.add.at(unjudged[:, ranks], place, (codes == self.block.unjudged).sum(axis=1))
        return results, results - unjudged

    @property
    def shown_by_grade(self) -> Ints:
        """Results in the top of each system with each grade, and judged copies, (G, L + 1)."""
        codes, place, results = self._in_top
        codes = codes.reshape(place.size, int(np.prod(codes.shape[1:])))
        own = np.where(codes == self.block.again, self.block.empty, codes)
        counts = np.zeros((len(results), self.block.empty + 1), dtype=np.int64)
        np.add.at(counts, (np.repeat(place, codes.shape[1]), own.ravel()), 1)
        return counts[:, : self.block.empty]

    @property
    def repeated(self) -> Ints:
        """Results in the top of each system that an earlier query had shown on the topic, (G,)."""
        seen = self.block.seen_at[..., : self.top][self.sessions] <= self.top
        repeats = np.zeros(len(self.shown_systems), dtype=np.int64)
        np.add.at(repeats, self.system_places, seen.sum(axis=(1, 2)))
        return repeats

    @cached_property
    def system_places(self) -> Ints:
        """Place of each session's system among those shown, (S,)."""
        return np.searchsorted(self.shown_systems, self.systems)

    @property
    def _in_top(self) -> tuple[NDArray[np.int8], Ints, Ints]:
        """Codes in the top, the place of each session's system, and zeros by system and rank."""
        codes = self.block.codes[..., : self.top][self.sessions]
        zeros = np.zeros((len(self.shown_systems), self.top), dtype=np.int64)
        return codes, self.system_places, zeros

    @cached_property
    def asked_at(self) -> Bools:
        """Whether a session has its q-th query, (S, Q)."""
        return np.less(np.arange(self.most_queries), self.queries[:, None])

    @cached_property
    def cells(self) -> Ints:
        """Cells of each query, (S, Q); 0 beyond the session."""
        asked = self.asked_at
        if self.short_lists == "pad":
            return asked * self.top
        if self.short_lists == "observed":
            observed = self.block.observed[self.sessions, : self.most_queries]
            return np.where(observed < 0, self.top, np.minimum(observed, self.top)) * asked
        lengths = self.block.lengths[self.sessions, : self.most_queries]
        least = 0 if isinstance(self.short_lists, str) else min(self.short_lists, self.top)
        return np.clip(lengths, least, self.top) * asked

    @cached_property
    def inside(self) -> Bools:
        """Whether a query has a cell at each rank, (S, Q, top)."""
        return np.less(np.arange(self.top), self.cells[:, :, None])

    @cached_property
    def layouts(self) -> tuple[Ints, Ints]:
        """Sessions that share topics and cells have one ideal: an example of each, and whose.

        (Y,) first session of each layout; (S,) layout of each session.
        """
        width = int(self.block.judged.shape[0]) + 1
        shape = (self.topics + 1) + width * self.cells
        if (shape == shape[:, :1]).all(axis=1, where=self.topics >= 0).all():
            shape = np.column_stack([shape[:, 0], self.queries])  # alike throughout
        key = np.zeros(len(shape), dtype=np.int64)
        for column in shape.T:
            key = np.unique(key * (column.max(initial=0) + 1) + column, return_inverse=True)[1]
        _, first, layout = np.unique(key, return_index=True, return_inverse=True)
        return first, layout

    @cached_property
    def _kept(self) -> dict[tuple[object, ...], Any]:
        return {}

    def kept(self, key: tuple[object, ...], make: Callable[[], Kept]) -> Kept:
        """What `make` made of this sample when it was first asked for under this key."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def codes(self, place: tuple[Ints | slice, Ints | slice], depth: int) -> NDArray[np.int8]:
        """Grade codes of sessions and queries to `depth`, or to the deepest list; (…, ranks).

        A repeat that does not count has the code of an empty cell.
        """
        sessions = self.sessions[place[0]]
        codes = self.block.codes[..., :depth][sessions, place[1]]
        if self.repeats == "first":
            seen = self.block.seen_at[..., :depth][sessions, place[1]]
            codes = np.where(seen <= depth, np.int8(self.block.empty), codes)
        return codes

    def graded(
        self, place: tuple[Ints, Ints | slice], depth: int, groups: Ints, share: Floats, size: int
    ) -> Floats:
        """Cells of groups of rows by place and grade code, (size, …, ranks, L + 3).

        Each row (N,) of `place` weighs its share.
        """
        return self.tally(self.codes(place, depth), groups, share, size)

    def gained(self, place: tuple[Ints, Ints | slice], depth: int, weights: Floats) -> Floats:
        """Gains of rows' cells, (N, …, ranks)."""
        return np.take(weights, self.codes(place, depth))

    def tally(self, codes: NDArray[np.int8], groups: Ints, share: Floats, size: int) -> Floats:
        """Cells of each group by place and code, (size, …, L + 3), each row weighing its share.

        Gain is linear in these counts, so that any weights come to one product.
        """
        cells = int(np.prod(codes.shape[1:]))
        labels = len(self.block.labels) + len(NO_GRADE)
        counts = np.zeros(size * cells * labels)
        step = max(1, PLACES // max(1, cells))
        for rows in (slice(first, first + step) for first in range(0, len(codes), step)):
            place = groups[rows, None] * cells + np.arange(cells)
            place = place * labels + codes[rows].reshape(len(place), cells)
            np.add.at(counts, place.ravel(), np.repeat(share[rows], cells))
        return counts.reshape(size, *codes.shape[1:], labels)

    def ranks(self, depth: int) -> int:
        """Ranks to `depth`, or to the deepest list."""
        return min(depth, self.block.codes.shape[2])

    def counted(self, depth: int, lists: int) -> int:
        """How many numbers the counts of so many lists are."""
        return lists * self.ranks(depth) * (len(self.block.labels) + len(NO_GRADE))
