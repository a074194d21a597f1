"""What other measures of the sources say of each query, beside sDCG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.analysis.selection.selection import Selection, stacked
from sdcg_explorer.metrics import (
    Score,
    area,
    best_gains,
    esndcg,
    ldcg,
    lndcg,
    ndcg,
    user_oriented_scores,
    weighting,
)
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.score import LINEAR, NO_IDEAL
from sdcg_explorer.study.grades import NO_GRADE
from sdcg_explorer.study.result_rows import NEVER


@dataclass(frozen=True, eq=False)
class Measured:
    """A selection as its scores look at it; what several of them share is computed once.

    `expected` is the number of relevant documents that a searcher expects of a topic; without it,
    all that are judged relevant.
    """

    chosen: Selection
    expected: float | None = None

    @cached_property
    def shares(self) -> Floats:
        """DCG as a share of the ideal list's, at each rank, (S, Q, top); level after the cells."""
        sample = self.chosen.sample
        lists = self.chosen.best_lists[sample.topics]
        gains = self.chosen.gains
        return ndcg(gains * sample.inside, lists * sample.inside, self.chosen.discount())

    @cached_property
    def codes(self) -> NDArray[Any]:
        """Grade codes of every cell to the top, repeats among them, (S, Q, top)."""
        return self._cells(self.chosen.sample.block.codes, self.chosen.sample.block.empty)

    def _cells(self, values: NDArray[Any], nothing: int) -> NDArray[Any]:
        """Values of the block for the sessions chosen, to the top, (S, Q, top)."""
        sample, top = self.chosen.sample, self.chosen.definition.top
        kept = values[..., :top][sample.sessions, : sample.most_queries]
        return np.pad(kept, ((0, 0), (0, 0), (0, top - kept.shape[2])), constant_values=nothing)

    @cached_property
    def length_adjusted(self) -> dict[str, Floats]:
        """LDCG and LNDCG, whose gain is always 2^g − 1, and whose M is the top X."""
        sample, block = self.chosen.sample, self.chosen.sample.block
        worth = weighting("exponential", block.labels)
        gains = np.append(worth, np.zeros(len(NO_GRADE)))[self.codes]
        lengths = block.lengths[sample.sessions, : sample.most_queries]
        judged = np.where(block.judged > 0, block.worth_judged(worth), 0.0)
        highest = judged.max(axis=1, initial=0.0)
        number = np.where(judged == highest[:, None], block.judged, 0).sum(axis=1, where=judged > 0)
        best = np.append(highest, 0.0)[sample.topics], np.append(number, 0)[sample.topics]
        value = np.where(best[0] > 0, ldcg(gains, lengths), np.nan)  # nothing relevant: undefined
        return {"ldcg": value, "lndcg": lndcg(gains, lengths, *best)}

    @cached_property
    def found_and_known(self) -> tuple[Bools, Bools]:
        """Whether the document in each cell is relevant, and whether an earlier query showed it so.

        (S, Q, top) each. Worth is the gain; a searcher's grades may differ between appearances, and
        a document is then relevant from its first appearance with gain on.
        """
        sample, block, top = self.chosen.sample, self.chosen.sample.block, self.chosen.sample.top
        relevant = (self.chosen.weights[self.codes] > 0) & sample.inside
        if block.things is None:
            return relevant, relevant & (self._cells(block.seen_at, NEVER) <= top)
        things = np.where(sample.inside, self._cells(block.things, -1), -1)
        query = np.broadcast_to(np.arange(sample.most_queries)[:, None], things.shape[1:])
        first = np.full(int(things.max(initial=-1)) + 2, NEVER)
        np.minimum.at(first, things[relevant], np.broadcast_to(query, things.shape)[relevant])
        again = (first[things] < query) & (things >= 0)
        once = self.codes != block.again  # a document once in a list
        return relevant | (again & once), again & once

    @cached_property
    def brought(self) -> NDArray[np.int_]:
        """Relevant documents that each query shows and no earlier one of its session, (S, Q)."""
        return self.new.sum(axis=2)

    @cached_property
    def new(self) -> Bools:
        """Whether each cell shows a relevant document first in its session, (S, Q, top)."""
        relevant, again = self.found_and_known
        return relevant & ~again

    @cached_property
    def end_to_end(self) -> tuple[Floats, Bools, Floats]:
        """Gain where a document is shown first, and where any is, (S, Q, top); best lists (S, top).

        A best list is that of all topics of a session.
        """
        chosen, sample = self.chosen, self.chosen.sample
        gains = np.where(self.new, chosen.weights[self.codes], 0.0)
        first, layout = sample.layouts
        lists, top = chosen.best_lists[self.own_topics[first]], chosen.definition.top
        best = -np.sort(-lists.reshape(first.size, sample.most_queries * top), axis=1)[:, :top]
        return gains, sample.inside & (self.codes != sample.block.empty), best[layout]

    @cached_property
    def expected_session(self) -> tuple[Floats, Floats]:
        """EsNDCG of each session, (S,), and the chance of its paths that see nothing."""
        worth = np.append(self._exponential, np.zeros(len(NO_GRADE)))
        value, nothing = esndcg(worth[self.codes], *self.lists_and_ideals, self.moves)
        judged = self.chosen.sample.judged
        return np.where(judged, value, np.nan), np.where(judged, nothing, np.nan)

    @property
    def _exponential(self) -> Floats:
        return np.maximum(weighting("exponential", self.chosen.sample.block.labels), 0.0)

    @property
    def moves(self) -> tuple[float, float]:
        """Chances to ask the next query, and to read on."""
        return self.chosen.definition.p_reform, self.chosen.definition.p_down

    @property
    def lists_and_ideals(self) -> tuple[Ints, Ints, Floats]:
        """Results of each list (S, Q), queries (S,), and gains of each session's ideal list."""
        sample, top = self.chosen.sample, self.chosen.definition.top
        block = sample.block
        lengths = np.minimum(block.lengths[sample.sessions, : sample.most_queries], top)
        first, layout = sample.layouts
        depth = top * sample.most_queries
        best = best_gains(block.judged, block.worth_judged(self._exponential), depth)
        lists = np.vstack([best, np.zeros(depth)])
        every = lists[self.own_topics[first]].reshape(first.size, sample.most_queries * depth)
        return lengths, sample.queries, (-np.sort(-every, axis=1)[:, :depth])[layout]

    @cached_property
    def own_topics(self) -> Ints:
        """Topics of each session, each once, in the places of its queries, (S, Q); −1 in others."""
        ordered = np.sort(self.chosen.sample.topics, axis=1)
        return np.where(np.diff(ordered, axis=1, prepend=-1) > 0, ordered, -1)

    @cached_property
    def repeated(self) -> NDArray[np.int_]:
        """Relevant documents that each query shows and an earlier one did, (S, Q)."""
        relevant, again = self.found_and_known
        return (relevant & again).sum(axis=2)

    @cached_property
    def relevant_judged(self) -> Ints:
        """Relevant documents of each topic, (T,)."""
        block = self.chosen.sample.block
        return block.judged @ (block.worth_judged(self.chosen.weights[: len(block.labels)]) > 0)

    @cached_property
    def user_oriented(self) -> dict[str, Floats]:
        """What each query brings beside what its session has shown before."""
        sample, every = self.chosen.sample, self.relevant_judged
        wanted = every if self.expected is None else np.where(every > 0, self.expected, 0)
        return user_oriented_scores(
            *self.found_and_known, sample.topics, sample.cells, wanted.astype(np.float64)
        )


def _ndcg(of: Measured) -> Floats:
    return of.shares[:, :, -1]


def _ndcg_area(of: Measured) -> Floats:
    return area(np.where(of.chosen.sample.inside, of.shares, np.nan))


def _length_adjusted(name: str, of: Measured) -> Floats:
    return of.length_adjusted[name]


def _user_oriented(name: str, of: Measured) -> Floats:
    return of.user_oriented[name]


NOTHING = "where nothing is relevant"
NO_LIST = "for an empty list, and where nothing is relevant"
OTHER_MEASURES: dict[str, Score[Measured]] = {
    "ndcg": Score(
        _ndcg,
        "dcg as a share of the ideal list's",
        "nDCG",
        r"nDCG[end]",
        "JK02",
        undefined=NO_IDEAL,
        bases=("b",),
        by_gain=LINEAR,
        worked=("3.5/I1", "4/I1", "0", "2/I1"),
    ),
    "ndcg_area": Score(
        _ndcg_area,
        "area under the curve of nDCG",
        "nDCG",
        r"\overline{nDCG[i]}",
        "Y",
        undefined=NO_IDEAL,
        bases=("b",),
        worked=(
            "(3/3 + 3.5/4 + 8*3.5/I1)/10",
            "(3/3 + 4/4 + 8*4/I1)/10",
            "0",
            "(2/3 + 2/4 + 8*2/I1)/10",
        ),
    ),
    "ldcg": Score(
        partial(_length_adjusted, "ldcg"),
        "length-adjusted DCG, the gain always 2^g − 1",
        "LDCG",
        r"\sum_{r \le N} g_r \delta(r) / E",
        "L14",
        undefined=NO_LIST,
        bases=(),
        worked=("(7 + 1/log2(3))*M/E2", "(7 + 3/log2(3))*M/E3", "–", "3*M/E2"),
    ),
    "lndcg": Score(
        partial(_length_adjusted, "lndcg"),
        "ldcg as a share of the ideal list's",
        "LNDCG",
        r"LDCG / ILDCG",
        "L14, eq. 8",
        undefined=NO_LIST,
        bases=(),
        worked=("(7 + 1/log2(3))/E2/7", "(7 + 3/log2(3))/E3/7", "–", "3/E2/7"),
    ),
    "coverage": Score(
        partial(_user_oriented, "coverage"),
        "share of the relevant documents known before that it shows again",
        "share",
        r"\lvert K \cap R \cap A \rvert / \lvert K \cap R \rvert",
        "Y",
        undefined="where no relevant document was shown before",
        bases=(),
        worked=("–", "1/2", "0/3", "1/3"),
    ),
    "novelty": Score(
        partial(_user_oriented, "novelty"),
        "share of the relevant documents that it shows which were not known before",
        "share",
        r"\lvert (R \cap A) \setminus K \rvert / \lvert R \cap A \rvert",
        "Y",
        undefined="where it shows no relevant document",
        bases=(),
        worked=("2/2", "1/2", "–", "0/1"),
    ),
    "relative_recall": Score(
        partial(_user_oriented, "relative_recall"),
        "relevant documents found so far, as a share of those expected",
        "share",
        r"found / expected",
        "Y",
        undefined=NOTHING,
        bases=(),
        worked=("2/3", "3/3", "3/3", "3/3"),
    ),
    "recall_effort": Score(
        partial(_user_oriented, "recall_effort"),
        "relevant documents expected, for each result examined until they were found",
        "documents per result",
        r"expected / examined",
        "Y",
        undefined="where nothing is relevant, or no cell examined",
        bases=(),
        worked=("3/10", "3/12", "3/12", "3/12"),
    ),
}


def other_measures(chosen: Selection, expected: float | None = None) -> dict[str, Floats]:
    """Each of ``OTHER_MEASURES`` for every query, (S, Q); `expected` as in `Measured`."""
    return measured(chosen, OTHER_MEASURES, expected)


def measured(
    chosen: Selection, scores: Mapping[str, Score[Measured]], expected: float | None = None
) -> dict[str, Floats]:
    """Scores of every query (S, Q), or of every session (S,), some sessions at a time."""
    parts = (Measured(part, expected) for part in chosen.parts())
    return stacked({name: score.function(of) for name, score in scores.items()} for of in parts)


def brought(chosen: Selection) -> Ints:
    """Relevant documents that each query shows and no earlier one of its session, (S, Q)."""
    return np.concatenate([Measured(part).brought for part in chosen.parts()])
