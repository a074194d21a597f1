"""A study as arrays: its results row by row, and the block [session, query, rank] made of them.

Every metric is arithmetic on the block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.study.arrays import Bools, Floats, Ints, Tables, category_codes, whole
from sdcg_explorer.study.bounds import MOST_PLACES, MOST_RANKS
from sdcg_explorer.study.grades import AGAIN, NO_RESULT, UNJUDGED, code_of, labels_of
from sdcg_explorer.study.problems import Remedy, refusal
from sdcg_explorer.study.wording import counted

NEVER = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Shown:
    """Results as numbers, in the order of their table; N of them.

    row (N,): its row in the table. query (N,): row of its query; session, number (N,): codes from
    0; rank (N,): from 1. thing
    (N,): code of its (topic, doc). label, own (N,): place of the judges' and of the searcher's
    grade in `labels`, `unjudged` where there is none. noticed (N,): clicked or examined. before
    (N,): best rank of the same thing in earlier queries of its session, unless it is a copy; within
    (N,): its better rank in the same list, which makes it a copy; NEVER where there is none. judged
    (J,): place of each judgment's grade in `labels`; matched (J,): whether its document was shown.
    lengths (queries,): deepest rank of each list, noticed or not; observed (queries,): deepest rank
    noticed, −1 if none. graded: where grades are the searcher's, all results that were shown: they
    are what is judged then.
    """

    row: Ints
    query: Ints
    session: Ints
    number: Ints
    rank: Ints
    thing: Ints
    label: Ints
    own: Ints
    noticed: Bools
    before: Ints
    within: Ints
    judged: Ints
    matched: Bools
    labels: tuple[float, ...]
    lengths: Ints
    observed: Ints
    graded: Shown | None = None

    @property
    def unjudged(self) -> int:
        """Code of a result without a grade."""
        return code_of(UNJUDGED, self.labels)


def shown_of(tables: Tables, also: tuple[float, ...], *, by_session: bool) -> Shown:
    """Results of a study, with their grades and earlier appearances; `also` are known grades.

    by_session : whether a document is the same within its session, whatever the topic
    """
    queries, results, judgments = (tables[of] for of in ("queries", "results", "judgments"))
    session, number = category_codes(results["session"]), whole(results["query_number"]) - 1
    asked, width = whole(queries["query_number"]) - 1, int(queries["query_number"].max())
    row = np.zeros((len(queries["session"].cat.categories), width), dtype=np.int32)
    row[category_codes(queries["session"]), asked] = np.arange(len(queries))
    rank, query = whole(results["rank"]), row[session, number]
    docs = len(results["doc"].cat.categories) + 1
    topic = category_codes(queries["session" if by_session else "topic"]).astype(np.int64)
    thing = (topic * docs)[query] + category_codes(results["doc"])
    graded = category_codes(judgments["topic"]).astype(np.int64) * docs
    graded += category_codes(judgments["doc"])
    given = judgments["grade"].to_numpy(dtype=float)
    said = results["grade"].to_numpy(dtype=float, na_value=np.nan)
    labels = labels_of(given, said, np.array(also))
    unjudged = np.int8(code_of(UNJUDGED, labels))
    judged, places = (np.asarray(np.searchsorted(labels, each), np.int8) for each in (given, said))
    found, matched = pd.Index(graded).get_indexer(pd.Index(thing)), np.zeros(graded.size, bool)
    matched[found[found >= 0]] = True
    before, within = earlier_ranks(session, number, rank, thing)
    marks = results[["clicked", "examined"]].to_numpy(dtype=float, na_value=0.0)
    noticed = marks.max(axis=1, initial=0.0) > 0
    deepest = _last_rank_per_query(query[noticed], rank[noticed], len(queries))
    return Shown(
        row=np.arange(len(results), dtype=np.int32),
        query=query,
        session=session,
        number=number,
        rank=rank,
        thing=thing,
        label=np.append(judged, unjudged)[found],
        own=np.where(np.isnan(said), unjudged, places),
        noticed=noticed,
        before=before,
        within=within,
        judged=judged,
        matched=matched,
        labels=tuple(labels.tolist()),
        lengths=_last_rank_per_query(query, rank, len(queries)),
        observed=np.where(deepest > 0, deepest, -1),
    )


def _last_rank_per_query(query: Ints, rank: Ints, queries: int) -> Ints:
    """The last rank of each query's results, 0 where it has none."""
    deepest = np.zeros(queries, dtype=np.int64)
    np.maximum.at(deepest, query, rank)
    return deepest


def earlier_ranks(session: Ints, query: Ints, rank: Ints, thing: Ints) -> tuple[Ints, Ints]:
    """Best rank of the same thing in earlier queries of the session, and in the same list.

    Parameters
    ----------
    session, query, rank : (N,) place of each result
    thing : (N,) code of its (topic, doc)

    Returns
    -------
    (N,) best rank in earlier queries; (N,) best better rank in the same list; NEVER where none.
    What stands at a better rank of its own list is a copy, and no repeat of an earlier query.
    """
    before = np.full(rank.size, NEVER, dtype=np.int32)
    within = before.copy()
    placed = session.astype(np.int64) * (int(thing.max(initial=0)) + 1) + thing
    rows = np.flatnonzero(pd.Series(placed).duplicated(keep=False))  # most are shown once
    rows = rows[np.lexsort((rank[rows], query[rows], placed[rows]))]
    group, q, r = placed[rows], query[rows], rank[rows].astype(np.int64)
    same_group = np.append(False, group[1:] == group[:-1])[: rows.size]
    same_list = same_group & np.append(False, q[1:] == q[:-1])[: rows.size]
    lead = np.maximum.accumulate(np.where(same_list, 0, np.arange(rows.size)))
    within[rows] = np.where(same_list, r[lead], NEVER)
    # a running minimum that starts anew in each group: later groups lie lower by a step
    offset = np.cumsum(~same_group) * (r.max(initial=0) + 1)
    best = np.minimum.accumulate(r - offset) + offset
    repeat = same_group & ~same_list
    before[rows] = np.where(repeat, best[np.maximum(np.arange(rows.size), 1) - 1], NEVER)
    return before, within


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
    "Add a column grade to the log, or choose judgments under Grades.",
)
AS_SHOWN = Arrangement()


def arranged(shown: Shown, how: Arrangement) -> Shown:
    """Results as an arrangement leaves them, with their ranks and earlier appearances anew.

    Raises
    ------
    UnusableInputError : grades are the searcher's, and none is known
    """
    if how == AS_SHOWN:
        return shown
    if how.own and not (shown.own < shown.unjudged).any():
        raise refusal("log", None, NO_GRADE, OWN_GRADES, JUDGED)
    label, rank = shown.own if how.own else shown.label, shown.rank
    lengths, observed = shown.lengths, shown.observed
    near = (rank <= observed[shown.query]) | (observed[shown.query] < 0)
    keep = near if how.observed else np.ones_like(near)
    if how.condense:
        keep = keep & (label < shown.unjudged)
        lengths = np.bincount(shown.query[label < shown.unjudged], minlength=lengths.size)
        rank = rank.copy()
        rank[keep] = pd.Series(rank[keep]).groupby(shown.query[keep]).rank()
        left = np.bincount(shown.query[keep & near], minlength=lengths.size)
        observed = np.where(observed > 0, left, -1)
    own = ("row", "query", "session", "number", "thing", "own", "noticed")
    some: dict[str, Any] = {name: getattr(shown, name)[keep] for name in own}
    some |= {"rank": rank[keep], "label": label[keep], "lengths": lengths, "observed": observed}
    place = (some[name] for name in ("session", "number", "rank", "thing"))
    some["before"], some["within"] = earlier_ranks(*place)
    return replace(shown, **some, graded=shown if how.own else None)


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


def build_block(tables: Tables, shown: Shown, depth: int, *, by_session: bool) -> Block:
    """Build the block of a study's tables, ranks beyond `depth` left aside.

    by_session : whether a session's ideal is made of what it showed, whatever the topic

    Raises
    ------
    UnusableInputError : more than MOST_PLACES cells, which a depth beyond DEPTH may make
    """
    sessions, queries = tables["sessions"], tables["queries"]
    session, number = category_codes(queries["session"]), whole(queries["query_number"]) - 1
    counts = np.bincount(session, minlength=len(sessions))
    width = int(min(depth, shown.rank.max(initial=1)))
    shape = (len(sessions), int(counts.max(initial=0)), width)
    if np.prod(shape, dtype=float) > MOST_PLACES:
        found = " × ".join(map(counted, shape, ("session", "query", "rank")))
        rule, remedy = f"at most {MOST_PLACES:,} places fit", "Ask for a smaller depth."
        raise refusal("log", None, found, rule, remedy)
    place = session, number
    again = (shown.within < NEVER) & (shown.label < shown.unjudged)
    code = np.where(again, np.int8(code_of(AGAIN, shown.labels)), shown.label)
    near = shown.rank <= width
    cell = (shown.session[near], shown.number[near], shown.rank[near] - 1)
    asked, topics = np.unique(category_codes(queries["topic"]), return_inverse=True)
    pools = session if by_session else topics
    things = given = None
    if shown.graded is None:
        judged = _judged_counts_by_topic(asked, tables["judgments"], shown)
    else:
        placed = shown.session.astype(np.int64) * (int(shown.thing.max(initial=0)) + 1)
        thing = np.unique(placed + shown.thing, return_inverse=True)[1]
        things = _fill_cells(shape, -1, cell, thing[near])
        size = len(sessions) if by_session else asked.size
        judged, given = _labels_by_searchers(pools, size, shown.graded)
    laid_topics = _fill_cells(shape[:2], -1, place, topics)
    systems, system_names = pd.factorize(sessions["system"], sort=True)
    searchers, searcher_names = pd.factorize(sessions["searcher"], sort=True)
    return Block(
        codes=_fill_cells(shape, code_of(NO_RESULT, shown.labels), cell, code[near], np.int8),
        seen_at=_fill_cells(shape, NEVER, cell, shown.before[near], np.int32),
        lengths=_fill_cells(shape[:2], 0, place, shown.lengths),
        observed=_fill_cells(shape[:2], -1, place, shown.observed),
        topics=laid_topics,
        pools=_fill_cells(shape[:2], -1, place, pools) if by_session else laid_topics,
        queries=counts,
        systems=systems.astype(np.int64),
        searchers=searchers.astype(np.int64),
        by_name=np.argsort(np.argsort(sessions["session"].astype("str").to_numpy())),
        judged=judged,
        judged_pools=np.ones(len(judged), dtype=bool) if by_session else judged.sum(axis=1) > 0,
        labels=shown.labels,
        system_names=tuple(str(name) for name in system_names),
        topic_names=tuple(map(str, queries["topic"].cat.categories[asked])),
        searcher_names=tuple(str(name) for name in searcher_names),
        things=things,
        given=given,
    )


def _fill_cells(
    shape: tuple[int, ...], nothing: int, cell: tuple[Ints, ...], values: Ints, kind: Any = np.int64
) -> NDArray[Any]:
    """An array of `nothing`, but for the values in their cells."""
    array = np.full(shape, nothing, dtype=kind)
    array[cell] = values
    return array


def _judged_counts_by_topic(asked: Ints, judgments: pd.DataFrame, shown: Shown) -> Ints:
    """Judged documents of each topic that a query is on, by label, (T, L)."""
    topic, labels = category_codes(judgments["topic"]), len(shown.labels)
    place = np.searchsorted(asked, topic)
    known = np.append(asked, -1)[place] == topic
    cells = place[known] * labels + shown.judged[known]
    return np.bincount(cells, minlength=asked.size * labels).reshape(asked.size, labels)


def _labels_by_searchers(pools: Ints, size: int, graded: Shown) -> tuple[Ints, Bools]:
    """Documents of each topic by the labels that any searcher gave them, (T, C), and these (C, L).

    `pools` is the code of each query's topic, or session, of which there are `size`.
    """
    rows = np.flatnonzero(graded.own < graded.unjudged)
    _, first, document = np.unique(graded.thing[rows], return_index=True, return_inverse=True)
    labels = np.zeros((first.size, len(graded.labels)), dtype=np.bool_)
    labels[document, graded.own[rows]] = True
    given, column = np.unique(labels, axis=0, return_inverse=True)
    cells = pools[graded.query[rows[first]]].astype(np.int64) * len(given) + column.ravel()
    return np.bincount(cells, minlength=size * len(given)).reshape(size, len(given)), given
