"""Shown results as a definition looks at them: whose grades, unjudged ones out, as far as seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.problems import Remedy, UnusableInputError, error
from sdcg_explorer.study.result_rows import Shown, earlier_ranks


@dataclass(frozen=True)
class Arrangement:
    """What of the shown results is looked at, and by whose grades.

    own : grades are the searcher's · condense : unjudged results are taken out, and ranks counted
    anew · observed : results below the deepest that was clicked or examined are taken out, in
    queries where any was
    """

    own: bool = False
    condense: bool = False
    observed: bool = False


NO_GRADE = "no searcher's grades are logged"
OWN_GRADES = "grades are set to the searcher's"
JUDGED = Remedy(
    "Give the log a column grade, or take the judgments': --grades judgments.",
    "Give the log a column grade, or choose the judgments' under Grades.",
)
AS_SHOWN = Arrangement()


@dataclass(frozen=True, eq=False)
class Arranged:
    """Shown results under an arrangement; observed (queries,): deepest rank noticed, −1 if none.

    lengths (queries,) : deepest rank of each list, noticed or not · graded : where grades are the
    searcher's, all results that were shown: they are what is judged then
    """

    shown: Shown
    observed: Ints
    lengths: Ints
    graded: Shown | None = None


def arranged(shown: Shown, how: Arrangement, queries: int) -> Arranged:
    """Results as an arrangement leaves them, with their ranks and earlier appearances anew.

    Raises
    ------
    UnusableInputError : grades are the searcher's, and none is known
    """
    if how.own and not (shown.own < shown.unjudged).any():
        raise UnusableInputError([error("log", None, NO_GRADE, OWN_GRADES, JUDGED)])
    label = shown.own if how.own else shown.label
    deepest = _deepest(shown.query[shown.noticed], shown.rank[shown.noticed], queries)
    lengths = _deepest(shown.query, shown.rank, queries)
    if how == Arrangement():
        return Arranged(shown, np.where(deepest > 0, deepest, -1), lengths)
    keep = np.ones(shown.rank.size, dtype=bool)
    if how.condense:
        keep &= label < shown.unjudged
    near = (shown.rank <= deepest[shown.query]) | (deepest[shown.query] == 0)
    if how.observed:
        keep &= near
    rank, observed = shown.rank, np.where(deepest > 0, deepest, -1)
    if how.condense:
        lengths = np.bincount(shown.query[label < shown.unjudged], minlength=queries)
        rows = np.flatnonzero(keep)
        rows = rows[np.lexsort((shown.rank[rows], shown.query[rows]))]
        sizes = np.bincount(shown.query[rows], minlength=queries)
        rank = shown.rank.copy()
        rank[rows] = np.arange(rows.size) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
        left = np.bincount(shown.query[keep & near], minlength=queries)
        observed = np.where(deepest > 0, left, -1)
    remaining = replace(
        shown,
        row=shown.row[keep],
        query=shown.query[keep],
        session=shown.session[keep],
        number=shown.number[keep],
        rank=rank[keep],
        thing=shown.thing[keep],
        label=label[keep],
        own=shown.own[keep],
        noticed=shown.noticed[keep],
    )
    before, within = earlier_ranks(
        remaining.session, remaining.number, remaining.rank, remaining.thing
    )
    remaining = replace(remaining, before=before, within=within)
    return Arranged(remaining, observed, lengths, shown if how.own else None)


def _deepest(query: Ints, rank: Ints, queries: int) -> Ints:
    """The last rank of each query's results, 0 where it has none."""
    deepest = np.zeros(queries, dtype=np.int64)
    if (query[1:] < query[:-1]).any():
        np.maximum.at(deepest, query, rank)
    elif query.size:  # query by query, as in most logs
        first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
        deepest[query[first]] = np.maximum.reduceat(rank, first)
    return deepest
