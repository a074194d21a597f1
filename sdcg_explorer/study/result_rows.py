"""What was shown: each result's topic, grade and earlier appearances, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.study.arrays import Bools, Ints, are_distinct_within, whole_groups
from sdcg_explorer.study.grades import UNJUDGED, code_of, labels_of

NEVER = np.iinfo(np.int32).max
PART = 500_000  # results that are worked on at once


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

    @property
    def unjudged(self) -> int:
        """Code of a result without a grade."""
        return code_of(UNJUDGED, self.labels)


def shown_of(
    queries: pd.DataFrame,
    results: pd.DataFrame,
    judgments: pd.DataFrame,
    also: tuple[float, ...],
    *,
    by_session: bool,
) -> Shown:
    """Results of a study, with their grades and earlier appearances; `also` are known grades.

    by_session : whether a document is the same within its session, whatever the topic
    """
    session, number = category_codes(results["session"]), whole(results["query_number"]) - 1
    rank, query = whole(results["rank"]), _row_of_query(queries, session, number)
    docs = len(results["doc"].cat.categories) + 1
    topic = category_codes(queries["session" if by_session else "topic"]).astype(np.int64)
    thing = narrow(topic * docs)[query] + category_codes(results["doc"])
    graded = category_codes(judgments["topic"]).astype(np.int64) * docs + category_codes(
        judgments["doc"]
    )
    given = judgments["grade"].to_numpy(dtype=float)
    said = results["grade"].to_numpy(dtype=float, na_value=np.nan)
    labels = labels_of(given, said, np.array(also))
    unjudged = code_of(UNJUDGED, labels)
    judged, places = (
        np.asarray(np.searchsorted(labels, each), dtype=np.int8) for each in (given, said)
    )
    with ThreadPoolExecutor(max_workers=1) as aside:
        earlier = aside.submit(earlier_ranks, session, number, rank, thing)
        label, matched = _labels_of_results(thing, graded, np.append(judged, np.int8(unjudged)))
    before, within = earlier.result()
    return Shown(
        row=np.arange(len(results), dtype=np.int32),
        query=query,
        session=session,
        number=number,
        rank=rank,
        thing=thing,
        label=label,
        own=np.where(np.isnan(said), np.int8(unjudged), places),
        noticed=_is_marked(results["clicked"]) | _is_marked(results["examined"]),
        before=before,
        within=within,
        judged=judged,
        matched=matched,
        labels=tuple(labels.tolist()),
    )


def _row_of_query(queries: pd.DataFrame, session: Ints, number: Ints) -> Ints:
    """Row of each result's query."""
    asked, width = whole(queries["query_number"]) - 1, int(queries["query_number"].max())
    row = np.zeros((len(queries["session"].cat.categories), width), dtype=np.int32)
    row[category_codes(queries["session"]), asked] = np.arange(len(queries))
    query = np.empty(session.size, dtype=np.int32)
    for part in slices(session.size):
        query[part] = row[session[part], number[part]]
    return query


def _labels_of_results(thing: Ints, graded: Ints, label: Ints) -> tuple[Ints, Bools]:
    """Label of each result, `label` having that of each judgment and of none; what was shown."""
    known, matched = pd.Index(graded), np.zeros(graded.size, dtype=bool)
    labels = np.empty(thing.size, dtype=label.dtype)

    def look_up(part: slice) -> None:
        found = known.get_indexer(pd.Index(thing[part].astype(np.int64)))
        matched[found[found >= 0]] = True
        labels[part] = label[found]

    look_up(slice(0, 0))  # which sets up what all threads look into
    with ThreadPoolExecutor(max_workers=2) as at_once:
        list(at_once.map(look_up, slices(thing.size)))
    return labels, matched


def _is_marked(marks: pd.Series[Any]) -> Bools:
    """Where a column of marks says yes."""
    return marks.to_numpy(dtype=float, na_value=0.0) > 0


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
    within: Ints = np.broadcast_to(np.int32(NEVER), rank.size)  # in the memory of one
    for rows in _session_chunks(session):
        place = session[rows], query[rows], rank[rows], thing[rows]
        before[rows], copies = _earlier(*(each.astype(np.int64) for each in place))
        if (copies < NEVER).any():  # as in few logs
            within = within if within.flags.writeable else within.copy()
            within[rows] = copies
    return before, within


def _session_chunks(session: Ints) -> Iterator[Ints | slice]:
    """Rows of results, some sessions at a time."""
    is_sorted = bool((session[1:] >= session[:-1]).all())
    order = None if is_sorted else np.argsort(session, kind="stable")
    for first, end in whole_groups(np.cumsum(np.bincount(session)), PART):
        yield slice(first, end) if order is None else order[first:end]


def _earlier(session: Ints, query: Ints, rank: Ints, thing: Ints) -> tuple[Ints, Ints]:
    """`earlier_ranks` of some sessions."""
    before = np.full(rank.size, NEVER, dtype=np.int64)
    within = before.copy()
    if are_distinct_within(session, thing):
        return before, within
    placed = session * (thing.max(initial=0) + 1) + thing
    group = np.asarray(pd.factorize(placed)[0], dtype=np.int64)
    rows = np.flatnonzero(np.bincount(group)[group] > 1)  # most documents are shown once
    rows = rows[np.lexsort((rank[rows], query[rows], group[rows]))]
    g, q, r = group[rows], query[rows], rank[rows]
    same_group = np.append(False, g[1:] == g[:-1])
    same_list = same_group & np.append(False, q[1:] == q[:-1])
    lead = np.maximum.accumulate(np.where(same_list, 0, np.arange(rows.size)))
    within[rows] = np.where(same_list, r[lead], NEVER)
    # a running minimum that starts anew in each group: later groups lie lower by a step
    offset = np.cumsum(~same_group) * (rank.max(initial=0) + 1)
    best = np.minimum.accumulate(r - offset) + offset
    repeat = same_group & ~same_list
    before[rows] = np.where(repeat, best[np.maximum(np.arange(rows.size), 1) - 1], NEVER)
    return before, within


def slices(size: int) -> Iterator[slice]:
    """Rows, some at a time."""
    return (slice(first, first + PART) for first in range(0, size, PART))


def narrow(numbers: Ints) -> Ints:
    """The same whole numbers in half the memory, where they fit."""
    return numbers.astype(np.int32) if numbers.max(initial=0) < NEVER // 2 else numbers


def category_codes(column: pd.Series[Any]) -> Ints:
    """Codes of a column of categories."""
    return column.cat.codes.to_numpy(dtype=np.int32)


def whole(column: pd.Series[Any]) -> Ints:
    """A column of whole numbers, in two bytes each if it has them so.

    >>> whole(pd.Series([40_000])), whole(pd.Series([7], dtype="int16"))
    (array([40000], dtype=int32), array([7], dtype=int16))
    """
    return column.to_numpy(dtype=np.int16 if column.dtype == np.int16 else np.int32)
