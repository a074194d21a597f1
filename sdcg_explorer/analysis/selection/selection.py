"""The sessions that pass the filters, with their gains, cells and ideals under a definition.

What b, bq and the weights do not touch is a `Sample`, and the last ones are kept; a slider only
makes a new `Selection` of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.further import OVER_HIGHEST
from sdcg_explorer.analysis.selection.additive import ADDITIVE, SDCG
from sdcg_explorer.analysis.selection.results import RESULTS
from sdcg_explorer.analysis.selection.sample import PLACES, Sample
from sdcg_explorer.metrics import (
    SESSION_SCORES,
    Worth,
    best_gains,
    normalised,
    query_scores,
    repeated_ideal,
    session_score,
    session_vector,
    spread_ideal,
)
from sdcg_explorer.study.arrangement import AS_SHOWN, Arrangement
from sdcg_explorer.study.grade_cube import DEPTH, Block
from sdcg_explorer.study.grades import NO_GRADE
from sdcg_explorer.study.problems import cut
from sdcg_explorer.study.study import Study

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
        return np.append(gains, np.zeros(len(NO_GRADE)))

    @cached_property
    def factors(self) -> Floats:
        """D(q), (Q,), or what a query weighs by another measure."""
        return ADDITIVE[self.measure].by_query(self.definition, self.sample.most_queries)

    def discount(self, depth: int | None = None) -> Floats:
        """d(r) for ranks 1 … depth, or to the top; or what a rank weighs by another measure."""
        return ADDITIVE[self.measure].by_rank(self.definition, depth or self.definition.top)

    def by(self, measure: str) -> Selection:
        """The same with the weights of another measure."""
        return replace(self, measure=measure)

    def discounted_by(self, definition: Definition) -> Selection:
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
        worth = block.worth_judged(self.weights[: len(block.labels)])
        return best_gains(block.judged, worth, depth)

    @cached_property
    def best_lists(self) -> Floats:
        """Ideal list of each topic to the top, (T + 1, top); the last, of topic −1, is empty."""
        top = self.definition.top
        return np.vstack([self.best[:, :top], np.zeros(top)])

    def parts(self) -> Iterator[Selection]:
        """The same some sessions at a time; all at once where they are few."""
        size = max(1, PLACES // (self.sample.most_queries * self.definition.top))
        for part in self.sample.parts(size):
            if part is self.sample:
                yield self
            else:
                own = Selection(part, self.definition, self.measure)
                own.__dict__.update(best=self.best)
                yield own

    @cached_property
    def query_scores(self) -> dict[str, Floats]:
        """dcg, sdcg, change and change_dcg of each query, (S, Q); nan where nobody judged it."""
        return stacked(
            query_scores(part.gains, part.discount(), part.factors, part.sample.judged_at)
            for part in self.parts()
        )

    @cached_property
    def worth(self) -> Worth:
        """What scores of sessions are made of."""
        sample, ideal = self.sample, self.ideals[self.sample.layouts[1]]
        cells = sample.cells, sample.queries, sample.judged_at
        return Worth(self.gains, ideal, self.discount(), self.factors, *cells)

    @property
    def session_scores(self) -> dict[str, Floats]:
        """Scores of each session that its gains alone make, (S,); nan where nobody judged it."""
        return stacked(
            {name: session_score(name, part.worth) for name in SESSION_SCORES}
            for part in self.parts()
        )

    def session_score(self, name: str) -> Floats:
        """One of them."""
        return np.concatenate([session_score(name, part.worth) for part in self.parts()])

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
        if (self.definition.repeats, self.definition.ideal) != ("every", "spread"):
            return 0
        return sum(part._above_one() for part in self.parts())

    def _above_one(self) -> int:
        vector = session_vector(self.gains, self.discount(), self.factors)
        share = normalised(vector, self.ideals[self.sample.layouts[1]])
        above = ((share > 1 + ROUNDING) & self.sample.inside).any(axis=(1, 2))
        return int((above & self.sample.judged).sum())

    def _ideals(self, topics: Ints, cells: Ints) -> Floats:
        build = repeated_ideal if self.definition.ideal == "repeated" else spread_ideal
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
    structure = top, repeats, short_lists

    return RESULTS.of(
        ("sample", block, filters, *structure),
        lambda: Sample(block, _kept(block, filters), *structure),
    )


def _kept(block: Block, filters: Filters) -> Ints:
    """Rows of the sessions that pass the filters."""
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
    return np.flatnonzero(keep)


def _codes(what: str, wanted: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    for name in wanted:
        if name not in names:
            known = cut(", ".join(names)) or "none"
            raise ValueError(f"no {what} {cut(repr(name))}; the study has {known}")
    return [names.index(name) for name in wanted]
