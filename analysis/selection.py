"""The sessions that pass the filters, with their gains, cells and ideals under a definition.

What b, bq and the weights do not touch is a `Sample`, kept by the study's last questions; a slider
only makes a new `Selection` of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.definition import Definition, Filters
from metrics import (
    best_gains,
    normalised,
    query_discount,
    rank_discount,
    repeated_ideal,
    session_vector,
    spread_ideal,
)
from study.arranged import Arrangement
from study.block import DEPTH, Block
from study.study import AS_SHOWN, Study

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
EVERY = slice(None)
ROUNDING = 1e-12
Kept = TypeVar("Kept")


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
        alone = len(self.block.searcher_names) + self.block.by_name[self.sessions]
        return np.unique(np.where(searchers < 0, alone, searchers), return_inverse=True)[1]

    @cached_property
    def judged(self) -> Bools:
        """Whether any topic of each session has judgments, (S,)."""
        return np.any(np.append(self.block.judged_topics, False)[self.topics], axis=1)

    @cached_property
    def asked(self) -> tuple[Ints, Ints]:
        """Session and query (from 0) of every query whose session is judged."""
        session, query = np.nonzero((self.topics >= 0) & self.judged[:, None])
        return session, query

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

    def tally(self, codes: NDArray[np.int8], groups: Ints, share: Floats, size: int) -> Floats:
        """Cells of each group by place and code, (size, …, L + 3), each row weighing its share.

        Gain is linear in these counts, so that any weights come to one product.
        """
        cells = int(np.prod(codes.shape[1:]))
        labels = len(self.block.labels) + 3
        place = groups[:, None] * cells + np.arange(cells)
        place = place * labels + codes.reshape(len(codes), cells)
        weights = None if (share == 1).all() else np.repeat(share, cells)
        counts = np.bincount(place.ravel(), weights, minlength=size * cells * labels)
        return counts.reshape(size, *codes.shape[1:], labels).astype(float)


@dataclass(frozen=True, eq=False)
class Selection:
    """A sample of sessions seen through one definition."""

    sample: Sample
    definition: Definition

    @cached_property
    def weights(self) -> Floats:
        """Gain of each grade code, those of unjudged and empty cells included."""
        return np.append(self.definition.gains(self.sample.block.labels), [0.0, 0.0, 0.0])

    @cached_property
    def factors(self) -> Floats:
        """D(q), (Q,)."""
        numbers = np.arange(1, self.sample.most_queries + 1)
        return query_discount(numbers, self.definition.bq, self.definition.discount)

    def discount(self, depth: int | None = None) -> Floats:
        """d(r) for ranks 1 … depth, or to the top."""
        ranks = np.arange(1, (depth or self.definition.top) + 1)
        return rank_discount(ranks, self.definition.b, self.definition.discount)

    def gains(self, rows: Ints | slice = EVERY) -> Floats:
        """Gain of each cell of these sessions, (S, Q, top)."""
        sessions = np.arange(self.sample.sessions.size)[rows]
        place = sessions, slice(self.sample.most_queries)
        gains = np.take(self.weights, self.sample.codes(place, self.definition.top))
        missing = self.definition.top - gains.shape[2]
        return np.pad(gains, ((0, 0), (0, 0), (0, missing))) if missing else gains

    @cached_property
    def best(self) -> Floats:
        """Ideal list of each topic, (T, Q·top)."""
        depth = self.definition.top * self.sample.most_queries
        block = self.sample.block
        return best_gains(block.judged, self.weights[: len(block.labels)], depth)

    @cached_property
    def ideals(self) -> Floats:
        """I of each layout, (Y, Q, top), level after its last cell."""
        first, _ = self.sample.layouts
        return self._ideals(self.sample.topics[first], self.sample.cells[first])

    @property
    def continues(self) -> bool:
        """Whether ideals go on after a session's last query (where lists are padded)."""
        d = self.definition
        return d.after_stop == "ideal-continues" and d.short_lists == "pad"

    @cached_property
    def ideals_beyond(self) -> Floats:
        """I of each layout, (Y, Q, top), that goes on after its end on the last query's topic."""
        first, _ = self.sample.layouts
        topics, asked = self.sample.topics[first], self.sample.asked_at[first]
        last = np.take_along_axis(topics, asked.sum(axis=1, keepdims=True) - 1, axis=1)
        cells = np.full(topics.shape, self.definition.top)
        return self._ideals(np.where(asked, topics, last), cells)

    @cached_property
    def above_one(self) -> int:
        """Judged sessions whose share of the ideal passes 1 somewhere; only (every, spread) can."""
        d, sample = self.definition, self.sample
        if (d.repeats, d.ideal) != ("every", "spread"):
            return 0
        vector = session_vector(self.gains(), self.discount(), self.factors)
        share = normalised(vector, self.ideals[sample.layouts[1]])
        inside = np.less(np.arange(d.top), sample.cells[:, :, None])
        above = ((share > 1 + ROUNDING) & inside).any(axis=(1, 2))
        return int((above & sample.judged).sum())

    def _ideals(self, topics: Ints, cells: Ints) -> Floats:
        build = repeated_ideal if self.definition.ideal == "repeated" else spread_ideal
        return build(self.best, topics, cells, self.discount(), self.factors)


def select(study: Study, definition: Definition, filters: Filters, depth: int = DEPTH) -> Selection:
    """Sessions of a study that pass the filters, under a definition, lists known to `depth`.

    Raises
    ------
    ValueError : a system, topic or searcher that the study does not have
    """
    structure = definition.top, definition.repeats, definition.short_lists
    sample = sample_of(
        study, filters, max(depth, definition.top), *structure, definition.arrangement
    )
    return Selection(sample, definition)


def select_one(study: Study, definition: Definition, session: str) -> Selection:
    """One session of a study under a definition.

    Raises
    ------
    ValueError : a session that the study does not have
    """
    found = np.flatnonzero((study.sessions["session"] == session).to_numpy())
    if not found.size:
        raise ValueError(f"no session {session!r} in the study")
    block = study.block(max(DEPTH, definition.top), definition.arrangement)
    structure = definition.top, definition.repeats, definition.short_lists
    return Selection(Sample(block, found, *structure), definition)


@lru_cache(maxsize=32)
def sample_of(
    study: Study,
    filters: Filters,
    depth: int,
    top: int,
    repeats: str,
    short_lists: str | int,
    how: Arrangement = AS_SHOWN,
) -> Sample:
    """Sessions that pass the filters, kept for as long as nothing but b, bq and weights moves."""
    block = study.block(depth, how)
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
    return Sample(block, np.flatnonzero(keep), top, repeats, short_lists)


def _codes(what: str, wanted: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    for name in wanted:
        if name not in names:
            raise ValueError(f"no {what} {name!r}; the study has {', '.join(names) or 'none'}")
    return [names.index(name) for name in wanted]
