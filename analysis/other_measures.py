"""What other measures of the sources say of each query, beside sDCG."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.selection import Selection
from metrics import area, ldcg, lndcg, ndcg, user_oriented_scores, weighting

Floats = NDArray[np.float64]
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
    sample, top = chosen.sample, chosen.definition.top
    codes = sample.block.codes[..., :top][sample.sessions, : sample.most_queries]
    missing = ((0, 0), (0, 0), (0, top - codes.shape[2]))
    return np.pad(codes, missing, constant_values=sample.block.empty)


def _length_adjusted(chosen: Selection) -> dict[str, Floats]:
    """LDCG and LNDCG, whose gain is always 2^g − 1, and whose M is the top X."""
    sample, block = chosen.sample, chosen.sample.block
    worth = weighting("exponential", block.labels)
    gains = np.append(worth, [0.0, 0.0, 0.0])[_codes(chosen)]
    lengths = block.lengths[sample.sessions, : sample.most_queries]
    judged = np.where((block.judged > 0) & (worth > 0), worth, 0.0)
    highest = judged.max(axis=1, initial=0.0)
    number = np.where(judged == highest[:, None], block.judged, 0).sum(axis=1, where=judged > 0)
    best = np.append(highest, 0.0)[sample.topics], np.append(number, 0)[sample.topics]
    return {"ldcg": ldcg(gains, lengths), "lndcg": lndcg(gains, lengths, *best)}


def _user_oriented(chosen: Selection, expected: float | None) -> dict[str, Floats]:
    """What each query brings beside what its session has shown before."""
    sample, block, top = chosen.sample, chosen.sample.block, chosen.definition.top
    inside = np.less(np.arange(top), sample.cells[:, :, None])
    relevant = (chosen.weights[_codes(chosen)] > 0) & inside
    seen = block.seen_at[..., :top][sample.sessions, : sample.most_queries]
    again = np.pad(seen <= top, ((0, 0), (0, 0), (0, top - seen.shape[2])))
    every = block.judged @ (chosen.weights[: len(block.labels)] > 0)
    wanted = every if expected is None else np.where(every > 0, expected, 0)
    return user_oriented_scores(
        relevant, again, sample.topics, sample.cells, wanted.astype(np.float64)
    )
