"""The sessions that pass the filters, with their gains, cells and ideals under a definition.

What b, bq and the weights do not touch is a `Sample`, and the last ones are kept; a slider only
makes a new `Selection` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer import metrics
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.user_models import rbp_weights, srbp_weights
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import OVER_HIGHEST, Definition, Filters
from sdcg_explorer.study import grades, problems
from sdcg_explorer.study.grade_cube import DEPTH, Block
from sdcg_explorer.study.study import Study

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

    def take(self, rows: slice | Ints) -> Sample:
        """Some of the sessions, any of them several times, with arrays as wide as those of all."""
        own = replace(self, sessions=self.sessions[rows])
        own.__dict__.update(most_queries=self.most_queries)
        return own

    @cached_property
    def places(self) -> Ints:
        """Place of each session of the block among these; −1 where it is not one of them."""
        places = np.full(self.block.queries.size, -1)
        places[self.sessions] = np.arange(self.sessions.size)
        return places

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
        return self._of_queries(self.block.topics)

    @cached_property
    def on_several_topics(self) -> Bools:
        """Sessions whose queries are on more than one topic, (S,)."""
        return ((self.topics != self.topics[:, :1]) & (self.topics >= 0)).any(axis=1)

    @cached_property
    def pools(self) -> Ints:
        """What the ideal of each query is made of, (S, Q): its topic, as a rule; −1 for none."""
        is_topic = self.block.pools is self.block.topics
        return self.topics if is_topic else self._of_queries(self.block.pools)

    def _of_queries(self, codes: Ints) -> Ints:
        codes = codes[self.sessions, : self.most_queries]
        beyond = self.most_queries - codes.shape[1]  # of a part, as wide as the whole
        return np.pad(codes, ((0, 0), (0, beyond)), constant_values=-1) if beyond else codes

    @cached_property
    def systems(self) -> Ints:
        """Code of each session's system, (S,)."""
        return self.block.systems[self.sessions]

    @cached_property
    def shown_systems(self) -> list[int]:
        """Codes of the systems that any session is of, in order."""
        return np.unique(self.systems).tolist()

    @cached_property
    def one_query_count(self) -> int:
        """Number of judged sessions of one query."""
        return int((self.judged & (self.queries == 1)).sum())

    @cached_property
    def clusters(self) -> Ints:
        """Cluster of each session for the bootstrap, (S,): its searcher, or else itself."""
        searchers = self.block.searchers[self.sessions]
        alone = len(self.block.searcher_names) + self.block.by_name[self.sessions]
        return np.unique(np.where(searchers < 0, alone, searchers), return_inverse=True)[1]

    @cached_property
    def is_judged_query(self) -> Bools:
        """Whether a session has its q-th query, on a topic that somebody judged, (S, Q)."""
        return np.append(self.block.judged_pools, False)[self.pools]

    @cached_property
    def judged(self) -> Bools:
        """Whether any topic of each session has judgments, (S,)."""
        return np.any(self.is_judged_query, axis=1)

    @cached_property
    def known(self) -> tuple[Ints, Ints]:
        """Session and query (from 0) of every query on a topic that somebody judged."""
        session, query = np.nonzero(self.is_judged_query)
        return session, query

    @cached_property
    def has_last(self) -> Bools:
        """Whether the last query of each session is on a topic that somebody judged, (S,)."""
        return np.take_along_axis(self.is_judged_query, self.queries[:, None] - 1, axis=1)[:, 0]

    @cached_property
    def others(self) -> Ints:
        """Queries of each session before its last, on topics that somebody judged, (S,)."""
        return self.is_judged_query.sum(axis=1) - self.has_last

    @property
    def topic_count(self) -> int:
        """Topics that queries are on."""
        return int(np.unique(self.topics[self.has_query]).size)

    @property
    def searcher_count(self) -> int:
        """Searchers that any session names."""
        searchers = self.block.searchers[self.sessions]
        return int(np.unique(searchers[searchers >= 0]).size)

    @property
    def shown(self) -> tuple[Ints, Ints]:
        """Results, and judged results, of each system at each rank of the top, (G, top)."""
        results, judged = np.zeros((2, len(self.shown_systems), self.top), dtype=np.int64)
        is_result, is_unjudged = self._codes != self.block.empty, self._codes == self.block.unjudged
        for counts, shown in ((results, is_result), (judged, is_result & ~is_unjudged)):
            np.add.at(counts[:, : shown.shape[2]], self.session_system_places, shown.sum(axis=1))
        return results, judged

    @property
    def result_counts_by_grade(self) -> Ints:
        """Results in the top of each system with each grade, unjudged ones last, (G, L + 1).

        Judged copies of a document in one list are left out.
        """
        own = np.where(self._codes == self.block.again, self.block.empty, self._codes)
        counts = np.zeros((len(self.shown_systems), self.block.empty + 1), dtype=np.int64)
        np.add.at(counts, (self.session_system_places[:, None, None], own), 1)
        return counts[:, : self.block.empty]

    @property
    def repeated(self) -> Ints:
        """Results in the top of each system that an earlier query had shown on the topic, (G,)."""
        seen = self.block.seen_at[..., : self.top][self.sessions] <= self.top
        repeats = seen.sum(axis=(1, 2))
        return metrics.group_sums(repeats, self.session_system_places, len(self.shown_systems))

    @cached_property
    def session_system_places(self) -> Ints:
        """Place of each session's system among those shown, (S,)."""
        return np.searchsorted(self.shown_systems, self.systems)

    @property
    def _codes(self) -> NDArray[np.int8]:
        """Codes in the top, whatever repeats count, (S, Q, up to top)."""
        return self.block.codes[..., : self.top][self.sessions]

    @cached_property
    def has_query(self) -> Bools:
        """Whether a session has its q-th query, (S, Q)."""
        return np.less(np.arange(self.most_queries), self.queries[:, None])

    @cached_property
    def cells(self) -> Ints:
        """Cells of each query, (S, Q); 0 beyond the session."""
        asked = self.has_query
        if self.short_lists == "pad":
            return asked * self.top
        if self.short_lists == "observed":
            observed = self.block.observed[self.sessions, : self.most_queries]
            return np.where(observed < 0, self.top, np.minimum(observed, self.top)) * asked
        lengths = self.block.lengths[self.sessions, : self.most_queries]
        least = 0 if isinstance(self.short_lists, str) else min(self.short_lists, self.top)
        return np.clip(lengths, least, self.top) * asked

    @cached_property
    def has_cell(self) -> Bools:
        """Whether a query has a cell at each rank, (S, Q, top)."""
        return np.less(np.arange(self.top), self.cells[:, :, None])

    @cached_property
    def ideal_layouts(self) -> tuple[Ints, Ints]:
        """Sessions that share topics and cells have one ideal: an example of each, and whose.

        (Y,) first session of each layout; (S,) layout of each session.
        """
        shape = (self.pools + 1) + (len(self.block.judged) + 1) * self.cells
        if (shape == shape[:, :1]).all(axis=1, where=self.pools >= 0).all():
            shape = np.column_stack([shape[:, 0], self.queries])  # alike throughout
        key = np.zeros(len(shape), dtype=np.int64)
        for column in shape.T:
            key = np.unique(key * (column.max(initial=0) + 1) + column, return_inverse=True)[1]
        _, first, layout = np.unique(key, return_index=True, return_inverse=True)
        return first, layout

    @cached_property
    def _cached_values(self) -> dict[tuple[object, ...], Any]:
        return {}

    def kept(self, key: tuple[object, ...], make: Callable[[], Kept]) -> Kept:
        """What `make` made of this sample when it was first asked for under this key."""
        if key not in self._cached_values:
            self._cached_values[key] = make()
        return self._cached_values[key]

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

    def gained(self, place: tuple[Ints, Ints | slice], depth: int, weights: Floats) -> Floats:
        """Gains of rows' cells, (N, …, ranks)."""
        return np.take(weights, self.codes(place, depth))

    def graded(
        self, place: tuple[Ints, Ints | slice], depth: int, groups: Ints, share: Floats, size: int
    ) -> Floats:
        """Cells of groups of rows by place and grade code, (size, …, ranks, L + 3).

        Each row (N,) of `place` weighs its share. Gain is linear in these counts, so that any
        weights come to one product.
        """
        codes = self.codes(place, depth)
        cells = int(np.prod(codes.shape[1:]))
        labels = len(self.block.labels) + len(grades.NO_GRADE)
        counts = np.zeros(size * cells * labels)
        step = max(1, PLACES // max(1, cells))
        for rows in (slice(first, first + step) for first in range(0, len(codes), step)):
            at = groups[rows, None] * cells + np.arange(cells)
            at = at * labels + codes[rows].reshape(len(at), cells)
            np.add.at(counts, at.ravel(), np.repeat(share[rows], cells))
        return counts.reshape(size, *codes.shape[1:], labels)

    def ranks(self, depth: int) -> int:
        """Ranks to `depth`, or to the deepest list."""
        return min(depth, self.block.codes.shape[2])

    def counted(self, depth: int, lists: int) -> int:
        """How many numbers the counts of so many lists are."""
        return lists * self.ranks(depth) * (len(self.block.labels) + len(grades.NO_GRADE))


@dataclass(frozen=True)
class Additive:
    """Weights of cells, w(q, r) = by_query(q) · by_rank(r), whatever a list gains.

    by_query, by_rank : from a definition and their number to factors, (Q,) and
    (R,)
    """

    by_query: Callable[[Definition, int], Floats]
    by_rank: Callable[[Definition, int], Floats]


SDCG = "sdcg"
ADDITIVE = {
    SDCG: Additive(
        lambda d, queries: metrics.query_discount(np.arange(1, queries + 1), d.bq, d.discount),
        lambda d, ranks: metrics.rank_discount(np.arange(1, ranks + 1), d.b, d.discount),
    ),
    "srbp": Additive(
        lambda d, queries: srbp_weights(queries, 1, d.srbp_b, d.p)[:, 0] / (1 - d.p),
        lambda d, ranks: srbp_weights(1, ranks, d.srbp_b, d.p)[0],
    ),
    "rbp": Additive(lambda d, queries: np.ones(queries), lambda d, ranks: rbp_weights(ranks, d.p)),
}
FURTHER_CURVES = tuple(name for name in ADDITIVE if name != SDCG)


def curves_asked(measures: Iterable[str]) -> list[str]:
    """Further measures that are asked for and have curves, in the order of ``ADDITIVE``."""
    return [name for name in FURTHER_CURVES if name in {*measures}]


ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Selection:
    """A sample of sessions seen through one definition.

    measure : of ``ADDITIVE``, whose weights cells have
    """

    sample: Sample
    definition: Definition
    measure: str = SDCG

    @cached_property
    def weights(self) -> Floats:
        """Gain of each grade code, those of unjudged and empty cells included."""
        gains = self.definition.gains(self.sample.block.labels)
        if self.measure in OVER_HIGHEST:
            highest = float(gains.max(initial=0.0))
            gains = gains / highest if highest > 0 else np.zeros_like(gains)
        return np.append(gains, np.zeros(len(grades.NO_GRADE)))

    @cached_property
    def factors(self) -> Floats:
        """D(q), (Q,), or what a query weighs by another measure."""
        return ADDITIVE[self.measure].by_query(self.definition, self.sample.most_queries)

    def discount(self, depth: int | None = None) -> Floats:
        """d(r) for ranks 1 … depth, or to the top; or what a rank weighs by another measure."""
        return ADDITIVE[self.measure].by_rank(self.definition, depth or self.definition.top)

    def with_measure(self, measure: str) -> Selection:
        """The same with the weights of another measure."""
        return replace(self, measure=measure)

    def with_discounts(self, definition: Definition) -> Selection:
        """The same under a definition of the same gains, which are kept, and so are best lists."""
        own = Selection(self.sample, definition, self.measure)
        own.__dict__.update(gains=self.gains, best=self.best)
        return own

    @cached_property
    def gains(self) -> Floats:
        """Gain of each cell, (S, Q, top)."""
        place = np.arange(self.sample.sessions.size), slice(self.sample.most_queries)
        gains = self.sample.gained(place, self.definition.top, self.weights)
        missing = self.definition.top - gains.shape[2]
        return np.pad(gains, ((0, 0), (0, 0), (0, missing))) if missing else gains

    @cached_property
    def best(self) -> Floats:
        """Ideal list of each topic, (T, Q·top) or as far as any topic has judgments."""
        top, block = self.definition.top, self.sample.block
        known = int(block.judged.sum(axis=1).max(initial=0))
        depth = min(top * self.sample.most_queries, max(top, known))
        worth = block.judged_gains(self.weights[: len(block.labels)])
        return metrics.best_gains(block.judged, worth, depth)

    @cached_property
    def ideal_lists(self) -> Floats:
        """Ideal list of each topic to the top, (T + 1, top); the last, of topic −1, is empty."""
        top = self.definition.top
        return np.vstack([self.best[:, :top], np.zeros(top)])

    def parts(self) -> Iterator[Selection]:
        """The same some sessions at a time; all at once where they are few."""
        size = max(1, PLACES // (self.sample.most_queries * self.definition.top))
        number = self.sample.sessions.size
        if number <= size:
            yield self
            return
        for first in range(0, number, size):
            own = replace(self, sample=self.sample.take(slice(first, first + size)))
            own.__dict__.update(best=self.best)
            yield own

    @cached_property
    def query_scores(self) -> dict[str, Floats]:
        """dcg, sdcg, change and change_dcg of each query, (S, Q); nan where nobody judged it."""
        return stacked(part.worth.of_queries for part in self.parts())

    @cached_property
    def worth(self) -> metrics.Worth:
        """What scores of sessions are made of."""
        sample = self.sample
        cells = sample.cells, sample.queries, sample.is_judged_query
        return metrics.Worth(self.gains, self.ideals, self.discount(), self.factors, *cells)

    def ideals(self) -> Floats:
        """I of each session, (S, Q, top)."""
        return self.layout_ideals[self.sample.ideal_layouts[1]]

    @cached_property
    def layout_ideals(self) -> Floats:
        """I of each layout, (Y, Q, top), level after its last cell."""
        first, _ = self.sample.ideal_layouts
        return self._build_ideals(self.sample.pools[first], self.sample.cells[first])

    @property
    def final_ideals(self) -> Floats:
        """I at the end of each session, (S,)."""
        return self.layout_ideals[:, -1, -1][self.sample.ideal_layouts[1]]

    @property
    def continues(self) -> bool:
        """Whether ideals go on after a session's last query (where lists are padded)."""
        d = self.definition
        return d.after_stop == "ideal-continues" and d.short_lists == "pad"

    @property
    def continued_layouts(self) -> tuple[Ints, Ints]:
        """Topics and cells of each layout, (Y, Q), that goes on after its end on the last topic."""
        first, _ = self.sample.ideal_layouts
        topics, asked = self.sample.pools[first], self.sample.has_query[first]
        last = np.take_along_axis(topics, asked.sum(axis=1, keepdims=True) - 1, axis=1)
        return np.where(asked, topics, last), np.full(topics.shape, self.definition.top)

    @cached_property
    def continued_layout_ideals(self) -> Floats:
        """I of each layout, (Y, Q, top), that goes on after its end on the last query's topic."""
        return self._build_ideals(*self.continued_layouts)

    @cached_property
    def above_one(self) -> int:
        """Judged sessions whose share of the ideal passes 1 somewhere; only (every, spread) can."""
        if (self.definition.repeats, self.definition.ideal) != ("every", "spread"):
            return 0
        number = 0
        for part in self.parts():
            vector = metrics.session_vector(part.gains, part.discount(), part.factors)
            share = metrics.normalised(vector, part.ideals())
            above = ((share > 1 + ROUNDING) & part.sample.has_cell).any(axis=(1, 2))
            number += int((above & part.sample.judged).sum())
        return number

    def _build_ideals(self, topics: Ints, cells: Ints) -> Floats:
        is_repeated = self.definition.ideal == "repeated"
        build = metrics.repeated_ideal if is_repeated else metrics.spread_ideal
        return build(self.best, topics, cells, self.discount(), self.factors)


def stacked(parts: Iterable[Mapping[str, Floats]]) -> dict[str, Floats]:
    """Arrays by name, one part of the sessions after the other."""
    each = [*parts]
    return {name: np.concatenate([part[name] for part in each]) for name in each[0]}


def select(study: Study, definition: Definition, filters: Filters, depth: int = DEPTH) -> Selection:
    """Sessions of a study that pass the filters, under a definition, lists known to `depth`.

    Raises
    ------
    ValueError : a system, topic or searcher that the study does not have
    """
    study = definition.graded(study)
    block = study.block(max(depth, definition.top), definition.arrangement)
    structure = definition.top, definition.repeats, definition.short_lists
    # kept for as long as nothing but b, bq and weights moves
    sample = RESULTS.of(
        ("sample", block, filters, *structure),
        lambda: Sample(block, passing(block, filters), *structure),
    )
    return Selection(sample, definition)


def select_one(study: Study, definition: Definition, session: str) -> Selection:
    """One session of a study under a definition.

    Raises
    ------
    ValueError : a session that the study does not have
    """
    sample = select(study, definition, Filters()).sample
    found = np.flatnonzero((study.sessions["session"] == session).to_numpy())
    if not found.size:
        raise ValueError(f"no session {session!r} in the study")
    return Selection(replace(sample, sessions=found), definition)


def passing(block: Block, filters: Filters, *, part: bool = False) -> Ints:
    """Rows of the sessions that pass the filters; of a `part`, other parts have names, too."""
    keep = block.queries >= filters.min_queries
    keep &= block.queries <= (filters.max_queries or np.inf)
    for what in ("system", "searcher", "topic"):
        asked, names = getattr(filters, f"{what}s"), getattr(block, f"{what}_names")
        if asked:
            known = _codes(what, tuple(n for n in asked if n in names) if part else asked, names)
            found = np.isin(getattr(block, f"{what}s"), [*known, -1] if what == "topic" else known)
            keep &= found.all(axis=1) if found.ndim > 1 else found
    return np.flatnonzero(keep)


def _codes(what: str, wanted: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    for name in wanted:
        if name not in names:
            known = problems.cut(", ".join(names)) or "none"
            raise ValueError(f"no {what} {problems.cut(repr(name))}; the study's {what}s: {known}")
    return [names.index(name) for name in wanted]
