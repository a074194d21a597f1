"""The block: a study as arrays [session, query, rank], on which every metric is arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.study.arrays import Bools, Floats, Ints
from sdcg_explorer.study.bounds import MOST_PLACES, MOST_RANKS
from sdcg_explorer.study.grades import AGAIN, NO_RESULT, UNJUDGED, code_of
from sdcg_explorer.study.problems import Remedy, UnusableInputError, error
from sdcg_explorer.study.result_rows import (
    NEVER,
    Shown,
    category_codes,
    earlier_ranks,
    slices,
    whole,
)
from sdcg_explorer.study.wording import counted


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


NO_GRADE = "no grades by searchers in the log"
OWN_GRADES = "the definition takes the searchers' grades"
JUDGED = Remedy(
    "Add a column grade to the log, or take the assessors' grades: --grades judgments.",
    "Add a column grade to the log, or choose the assessors' under Grades.",
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
    lengths = _last_rank_per_query(shown.query, shown.rank, queries)
    deepest = _last_rank_per_query(shown.query[shown.noticed], shown.rank[shown.noticed], queries)
    observed = np.where(deepest > 0, deepest, -1)
    if how == AS_SHOWN:
        return Arranged(shown, observed, lengths)
    rank, keep = shown.rank, np.ones(shown.rank.size, dtype=bool)
    near = (rank <= deepest[shown.query]) | (deepest[shown.query] == 0)
    if how.observed:
        keep &= near
    if how.condense:
        keep &= label < shown.unjudged
        lengths = np.bincount(shown.query[label < shown.unjudged], minlength=queries)
        rows = np.flatnonzero(keep)
        rows = rows[np.lexsort((shown.rank[rows], shown.query[rows]))]
        sizes = np.bincount(shown.query[rows], minlength=queries)
        rank = shown.rank.copy()
        rank[rows] = np.arange(rows.size) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
        left = np.bincount(shown.query[keep & near], minlength=queries)
        observed = np.where(deepest > 0, left, -1)
    own = ("row", "query", "session", "number", "thing", "own", "noticed")
    some: dict[str, Any] = {name: getattr(shown, name)[keep] for name in own}
    some |= {"rank": rank[keep], "label": label[keep]}
    place = (some[name] for name in ("session", "number", "rank", "thing"))
    some["before"], some["within"] = earlier_ranks(*place)
    return Arranged(replace(shown, **some), observed, lengths, shown if how.own else None)


def _last_rank_per_query(query: Ints, rank: Ints, queries: int) -> Ints:
    """The last rank of each query's results, 0 where it has none."""
    deepest = np.zeros(queries, dtype=np.int64)
    np.maximum.at(deepest, query, rank)
    return deepest


DEPTH = MOST_RANKS


@dataclass(frozen=True, eq=False)
class Block:
    """Arrays of one study, sessions in the order of its table.

    codes (S, Q, R) int8: place of the grade in `labels`, or `unjudged`, `empty`, or `again`.
    seen_at (S, Q, R) int32: best rank at which an earlier query of the session showed the same
    (topic, doc), NEVER where none did. lengths (S, Q): deepest rank of each list, whatever was
    observed of it. observed (S, Q): deepest rank that was clicked or examined, −1 where none is
    known.
    topics (S, Q): code of each query's topic, −1 beyond the session. pools (S, Q): code of what its
    ideal is made of, the documents judged on its topic, or those of its session where grades are
    from behaviour; the rows of `judged`, T of them. queries (S,). systems (S,)
    and searchers (S,): codes, searcher −1 where unknown. by_name (S,): place of each session
    by its id. judged (T, L): judged documents of each topic that a query is on, by label.
    judged_pools (T,): whether anything is known of each.

    Where grades are the searcher's, which may differ between appearances: things (S, Q, R): code of
    each cell's session and (topic, doc), −1 where there is none. judged (T, C): documents of each
    topic by which labels any searcher gave them, and given (C, L): which those are.
    """

    codes: NDArray[np.int8]
    seen_at: NDArray[np.int32]
    lengths: Ints
    observed: Ints
    topics: Ints
    pools: Ints
    queries: Ints
    systems: Ints
    searchers: Ints
    by_name: Ints
    judged: Ints
    judged_pools: Bools
    labels: tuple[float, ...]
    system_names: tuple[str, ...]
    topic_names: tuple[str, ...]
    searcher_names: tuple[str, ...]
    things: Ints | None = None
    given: Bools | None = None

    @property
    def unjudged(self) -> int:
        """Code of a result without a grade."""
        return code_of(UNJUDGED, self.labels)

    @property
    def empty(self) -> int:
        """Code of a cell without a result."""
        return code_of(NO_RESULT, self.labels)

    @property
    def again(self) -> int:
        """Code of a judged document again in the same list: it counts once, at its better rank."""
        return code_of(AGAIN, self.labels)

    def judged_gains(self, gains: Floats) -> Floats:
        """Gain of the documents in each column of `judged`, by the gains (L,) of the labels.

        A document that searchers graded is worth the best that any of them gave it.
        """
        if self.given is None:
            return gains
        return np.where(self.given, gains, 0.0).max(axis=1, initial=0.0)


def build_block(
    sessions: pd.DataFrame,
    queries: pd.DataFrame,
    judgments: pd.DataFrame,
    arranged: Arranged,
    depth: int,
    *,
    by_session: bool,
) -> Block:
    """Build the block of a study's tables, ranks beyond `depth` left aside.

    by_session : whether a session's ideal is made of what it showed, whatever the topic

    Raises
    ------
    UnusableInputError : more than MOST_PLACES cells, which a depth beyond DEPTH may make
    """
    shown = arranged.shown
    session, number = category_codes(queries["session"]), whole(queries["query_number"]) - 1
    counts = np.bincount(session, minlength=len(sessions))
    width = int(min(depth, shown.rank.max(initial=1)))
    shape = (len(sessions), int(counts.max(initial=0)), width)
    _check_size(shape)
    place = session, number
    again = (shown.within < NEVER) & (shown.label < shown.unjudged)
    code = np.where(again, np.int8(code_of(AGAIN, shown.labels)), shown.label)
    near = np.flatnonzero(shown.rank <= width) if shown.rank.max(initial=1) > width else slice(None)
    cell = (shown.session[near], shown.number[near], shown.rank[near] - 1)
    things = given = None
    if arranged.graded is not None:
        placed = shown.session.astype(np.int64) * (int(shown.thing.max(initial=0)) + 1)
        thing = np.unique(placed + shown.thing, return_inverse=True)[1]
        things = _filled(shape, -1, cell, thing[near])
    asked, topics = np.unique(category_codes(queries["topic"]), return_inverse=True)
    pools = session if by_session else topics
    if arranged.graded is None:
        judged = _judged_counts_by_topic(asked, judgments, shown)
    else:
        judged, given = _given(pools, len(sessions) if by_session else asked.size, arranged.graded)
    known = np.ones(len(judged), dtype=bool) if by_session else judged.sum(axis=1) > 0
    laid_topics = _filled(shape[:2], -1, place, topics)
    names: list[str] = queries["topic"].cat.categories[asked].astype("str").tolist()
    systems, system_names = pd.factorize(sessions["system"], sort=True)
    searchers, searcher_names = pd.factorize(sessions["searcher"], sort=True)
    return Block(
        codes=_filled(shape, code_of(NO_RESULT, shown.labels), cell, code[near], np.int8),
        seen_at=_filled(shape, NEVER, cell, shown.before[near], np.int32),
        lengths=_filled(shape[:2], 0, place, arranged.lengths),
        observed=_filled(shape[:2], -1, place, arranged.observed),
        topics=laid_topics,
        pools=_filled(shape[:2], -1, place, pools) if by_session else laid_topics,
        queries=counts,
        systems=systems.astype(np.int64),
        searchers=searchers.astype(np.int64),
        by_name=np.argsort(np.argsort(sessions["session"].astype("str").to_numpy())),
        judged=judged,
        judged_pools=known,
        labels=shown.labels,
        system_names=tuple(str(name) for name in system_names),
        topic_names=tuple(names),
        searcher_names=tuple(str(name) for name in searcher_names),
        things=things,
        given=given,
    )


def _filled(
    shape: tuple[int, ...], nothing: int, cell: tuple[Ints, ...], values: Ints, kind: Any = np.int64
) -> NDArray[Any]:
    """An array of `nothing`, but for the values in their cells."""
    array = np.full(shape, nothing, dtype=kind)
    for part in slices(values.size):
        array[tuple(each[part] for each in cell)] = values[part]
    return array


def _judged_counts_by_topic(asked: Ints, judgments: pd.DataFrame, shown: Shown) -> Ints:
    """Judged documents of each topic that a query is on, by label, (T, L)."""
    topic, labels = category_codes(judgments["topic"]), len(shown.labels)
    place = np.searchsorted(asked, topic)
    known = np.append(asked, -1)[place] == topic
    cells = place[known] * labels + shown.judged[known]
    return np.bincount(cells, minlength=asked.size * labels).reshape(asked.size, labels)


def _given(pools: Ints, size: int, graded: Shown) -> tuple[Ints, Bools]:
    """Documents of each topic by the labels that any searcher gave them, (T, C), and these (C, L).

    `pools` is the code of each query's topic, or session, of which there are `size`.
    """
    rows = np.flatnonzero(graded.own < graded.unjudged)
    _, first, document = np.unique(graded.thing[rows], return_index=True, return_inverse=True)
    labels = np.zeros((first.size, len(graded.labels)), dtype=np.bool_)
    labels[document, graded.own[rows]] = True
    given, column = np.unique(labels, axis=0, return_inverse=True)
    cells = pools[graded.query[rows[first]]].astype(np.int64) * len(given) + column.ravel()
    judged = np.bincount(cells, minlength=size * len(given)).reshape(size, len(given))
    return judged, given


def _check_size(shape: tuple[int, int, int]) -> None:
    if np.prod(shape, dtype=float) > MOST_PLACES:
        nouns = zip(shape, ("session", "query", "rank"), strict=True)
        found = " × ".join(counted(*each) for each in nouns)
        rule, remedy = f"at most {MOST_PLACES:,} places fit", "Ask for a smaller depth."
        raise UnusableInputError([error("log", None, found, rule, remedy)])
