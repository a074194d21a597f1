"""The sessions that pass the filters, with their gains, cells and ideals under a definition."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.definition import Definition, Filters
from metrics import best_gains, query_discount, rank_discount, repeated_ideal, spread_ideal
from study.block import DEPTH, Block
from study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Selection:
    """Sessions of a block (S, up to Q queries) seen through one definition.

    `sessions` (S,) are rows of the block; sessions without judgments are among them, and marked
    in `judged`.
    """

    block: Block
    definition: Definition
    sessions: Ints

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
    def clusters(self) -> Ints:
        """Cluster of each session for the bootstrap, (S,): its searcher, or else itself."""
        searchers = self.block.searchers[self.sessions]
        alone = len(self.block.searcher_names) + np.arange(searchers.size)
        return np.unique(np.where(searchers < 0, alone, searchers), return_inverse=True)[1]

    @cached_property
    def judged(self) -> Bools:
        """Whether any topic of each session has judgments, (S,)."""
        return np.any(np.append(self.block.judged_topics, False)[self.topics], axis=1)

    @cached_property
    def weights(self) -> Floats:
        """Gain of each grade code, those of unjudged and empty cells included."""
        return np.append(self.definition.gains(self.block.labels), [0.0, 0.0, 0.0])

    @cached_property
    def factors(self) -> Floats:
        """D(q), (Q,)."""
        numbers = np.arange(1, self.most_queries + 1)
        return query_discount(numbers, self.definition.bq, self.definition.discount)

    def discount(self, depth: int) -> Floats:
        """d(r) for ranks 1 … depth."""
        return rank_discount(np.arange(1, depth + 1), self.definition.b, self.definition.discount)

    def gains(self, depth: int, rows: Ints | None = None) -> Floats:
        """Gain of each cell, (S, Q, depth), repeats as the definition counts them.

        `rows` picks sessions of this selection, in that order.
        """
        chosen = self.sessions if rows is None else self.sessions[rows]
        return self._worth((chosen, slice(self.most_queries)), depth)

    def query_gains(self, session: Ints, query: Ints, depth: int) -> Floats:
        """Gain of each rank of single queries, (N, depth), by session and query from 0."""
        return self._worth((self.sessions[session], query), depth)

    def _worth(self, place: tuple[Ints, Ints | slice], depth: int) -> Floats:
        width = min(depth, self.block.codes.shape[2])
        gains = np.take(self.weights, self.block.codes[..., :width][place])
        if self.definition.repeats == "first":
            gains[self.block.seen_at[..., :width][place] <= depth] = 0.0
        missing = [(0, 0)] * (gains.ndim - 1) + [(0, depth - width)]
        return np.pad(gains, missing) if depth > width else gains

    @cached_property
    def cells(self) -> Ints:
        """Cells of each query, (S, Q); 0 beyond the session."""
        top, short = self.definition.top, self.definition.short_lists
        asked = np.arange(self.most_queries) < self.queries[:, None]
        if short == "pad":
            return asked * top
        lengths = self.block.lengths[self.sessions, : self.most_queries]
        least = 0 if isinstance(short, str) else min(short, top)
        return np.clip(lengths, least, top) * asked

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
    def best(self) -> Floats:
        """Ideal list of each topic, (T, Q·top)."""
        depth = self.definition.top * self.most_queries
        return best_gains(self.block.judged, self.weights[: len(self.block.labels)], depth)

    @cached_property
    def ideals(self) -> Floats:
        """I of each layout, (Y, Q, top), level after its last cell."""
        first, _ = self.layouts
        build = repeated_ideal if self.definition.ideal == "repeated" else spread_ideal
        return build(
            self.best,
            self.topics[first],
            self.cells[first],
            self.discount(self.definition.top),
            self.factors,
        )


def select(study: Study, definition: Definition, filters: Filters) -> Selection:
    """Sessions of a study that pass the filters, under a definition.

    Raises
    ------
    ValueError : a system, topic or searcher that the study does not have
    """
    block = study.block(max(DEPTH, definition.top))
    keep = (block.queries >= filters.min_queries) & (
        block.queries <= (filters.max_queries or np.inf)
    )
    if filters.systems:
        keep &= np.isin(block.systems, _codes("system", filters.systems, block.system_names))
    if filters.searchers:
        wanted = _codes("searcher", filters.searchers, block.searcher_names)
        keep &= np.isin(block.searchers, wanted)
    if filters.topics:
        wanted = [*_codes("topic", filters.topics, block.topic_names), -1]
        keep &= np.isin(block.topics, wanted).all(axis=1)
    return Selection(block, definition, np.flatnonzero(keep))


def _codes(what: str, wanted: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    for name in wanted:
        if name not in names:
            raise ValueError(f"no {what} {name!r}; the study has {', '.join(names) or 'none'}")
    return [names.index(name) for name in wanted]
