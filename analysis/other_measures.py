"""What other measures of the sources say of each query, beside sDCG."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.selection import Selection
from metrics import area, ldcg, lndcg, ndcg, user_oriented_scores, weighting
from study.grades import NO_GRADE
from study.result_rows import NEVER

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
OTHER_MEASURES = (
    *("ndcg", "ndcg_area", "ldcg", "lndcg"),
    *("coverage", "novelty", "relative_recall", "recall_effort"),
)


def other_measures(chosen: Selection, expected: float | None = None) -> dict[str, Floats]:
    """Each of ``OTHER_MEASURES`` for every query, (S, Q); nan where undefined.

    `expected` is the number of relevant documents that a searcher expects of a topic; without it,
    all that are judged relevant.
    """
    return {**_shares(chosen), **_length_adjusted(chosen), **_user_oriented(chosen, expected)}


def _shares(chosen: Selection) -> dict[str, Floats]:
    """DCG as a share of the ideal list's, at the end of the cells and on average over them."""
    sample, top = chosen.sample, chosen.definition.top
    inside = np.less(np.arange(top), sample.cells[:, :, None])
    lists = np.vstack([chosen.best[:, :top], np.zeros(top)])[sample.topics]
    curves = ndcg(chosen.gains() * inside, lists * inside, chosen.discount())
    return {"ndcg": curves[:, :, -1], "ndcg_area": area(np.where(inside, curves, np.nan))}


def _codes(chosen: Selection) -> NDArray[Any]:
    """Grade codes of every cell to the top, repeats among them, (S, Q, top)."""
    sample = chosen.sample
    return _cells(chosen, sample.grades, sample.block.empty)


def _length_adjusted(chosen: Selection) -> dict[str, Floats]:
    """LDCG and LNDCG, whose gain is always 2^g − 1, and whose M is the top X."""
    sample, block = chosen.sample, chosen.sample.block
    worth = weighting("exponential", block.labels)
    gains = np.append(worth, np.zeros(len(NO_GRADE)))[_codes(chosen)]
    lengths = block.lengths[sample.sessions, : sample.most_queries]
    judged = np.where((block.judged > 0) & (worth > 0), worth, 0.0)
    highest = judged.max(axis=1, initial=0.0)
    number = np.where(judged == highest[:, None], block.judged, 0).sum(axis=1, where=judged > 0)
    best = np.append(highest, 0.0)[sample.topics], np.append(number, 0)[sample.topics]
    value = np.where(best[0] > 0, ldcg(gains, lengths), np.nan)  # nothing relevant: undefined
    return {"ldcg": value, "lndcg": lndcg(gains, lengths, *best)}


def found_and_known(chosen: Selection) -> tuple[Bools, Bools]:
    """Whether the document in each cell is relevant, and whether an earlier query has shown it so.

    (S, Q, top) each. Worth is the gain; a searcher's grades may differ between appearances, and a
    document is then relevant from its first appearance with gain on.
    """
    sample, block, top = chosen.sample, chosen.sample.block, chosen.definition.top
    inside = np.less(np.arange(top), sample.cells[:, :, None])
    relevant = (chosen.weights[_codes(chosen)] > 0) & inside
    if block.things is None:
        return relevant, relevant & (_cells(chosen, block.seen_at, NEVER) <= top)
    things = np.where(inside, _cells(chosen, block.things, -1), -1)
    query = np.broadcast_to(np.arange(sample.most_queries)[:, None], things.shape[1:])
    first = np.full(int(things.max(initial=-1)) + 2, NEVER)
    np.minimum.at(first, things[relevant], np.broadcast_to(query, things.shape)[relevant])
    again = (first[things] < query) & (things >= 0)
    once = _codes(chosen) != block.again
    return relevant | (again & once), again & once


def _cells(chosen: Selection, values: NDArray[Any], nothing: int) -> NDArray[Any]:
    """Values of the block for the sessions chosen, to the top, (S, Q, top)."""
    sample, top = chosen.sample, chosen.definition.top
    kept = values[..., :top][sample.sessions, : sample.most_queries]
    missing = ((0, 0), (0, 0), (0, top - kept.shape[2]))
    return np.pad(kept, missing, constant_values=nothing)


def _user_oriented(chosen: Selection, expected: float | None) -> dict[str, Floats]:
    """What each query brings beside what its session has shown before."""
    sample, block = chosen.sample, chosen.sample.block
    relevant, again = found_and_known(chosen)
    every = block.judged @ (chosen.weights[: len(block.labels)] > 0)
    wanted = every if expected is None else np.where(every > 0, expected, 0)
    return user_oriented_scores(
        relevant, again, sample.topics, sample.cells, wanted.astype(np.float64)
    )
