"""What was shown: each result's topic, grade and earlier appearances, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import Bools, Floats, Ints
from study.grades import UNJUDGED, code_of, labels_of

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


def shown_of(queries: pd.DataFrame, results: pd.DataFrame, judgments: pd.DataFrame) -> Shown:
    """Results of a study, with their grades and earlier appearances."""
    session, number = codes(results["session"]), whole(results["query_number"]) - 1
    rank = whole(results["rank"])
    asked, width = whole(queries["query_number"]) - 1, int(queries["query_number"].max())
    row = np.zeros((len(queries["session"].cat.categories), width), dtype=np.int64)
    row[codes(queries["session"]), asked] = np.arange(len(queries))
    query = row[session, number]
    docs = len(results["doc"].cat.categories) + 1
    thing = codes(queries["topic"])[query] * docs + codes(results["doc"])
    graded = codes(judgments["topic"]) * docs + codes(judgments["doc"])
    given = judgments["grade"].to_numpy(dtype=float)
    said = _column(results, "grade", np.nan)
    labels = labels_of(given, said)
    unjudged = code_of(UNJUDGED, labels)
    judged = np.asarray(np.searchsorted(labels, given), dtype=np.int64)
    found = pd.Index(graded).get_indexer(pd.Index(thing))
    matched = np.zeros(graded.size, dtype=bool)
    matched[found[found >= 0]] = True
    before, within = earlier_ranks(session, number, rank, thing)
    return Shown(
        row=np.arange(len(results), dtype=np.int64),
        query=query,
        session=session,
        number=number,
        rank=rank,
        thing=thing,
        label=np.append(judged, unjudged)[found],
        own=np.where(np.isnan(said), unjudged, np.searchsorted(labels, said)),
        noticed=_column(results, "clicked", 0.0) + _column(results, "examined", 0.0) > 0,
        before=before,
        within=within,
        judged=judged,
        matched=matched,
        labels=tuple(labels.tolist()),
    )


def _column(results: pd.DataFrame, name: str, missing: float) -> Floats:
    """A column of numbers or marks that may be missing."""
    if name not in results:
        return np.full(len(results), missing)
    return results[name].to_numpy(dtype=float, na_value=missing)


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
    before = np.full(rank.size, NEVER, dtype=np.int64)
    within = before.copy()
    placed = pd.Series(session * (thing.max(initial=0) + 1) + thing)
    group = np.asarray(placed.factorize()[0], dtype=np.int64)
    rows = np.flatnonzero(np.bincount(group)[group] > 1)  # most documents are shown once
    if not rows.size:
        return before, within
    rows = rows[np.lexsort((rank[rows], query[rows], group[rows]))]
    g, q, r = group[rows], query[rows], rank[rows]
    same_group = np.append(False, g[1:] == g[:-1])
    same_list = same_group & np.append(False, q[1:] == q[:-1])
    lead = np.maximum.accumulate(np.where(same_list, 0, np.arange(rows.size)))
    within[rows] = np.where(same_list, r[lead], NEVER)
    # a running minimum that starts anew in each group: later groups lie lower by a step
    step = rank.max(initial=0) + 1
    offset = np.cumsum(~same_group) * step
    best = np.minimum.accumulate(r - offset) + offset
    repeat = same_group & ~same_list
    before[rows] = np.where(repeat, best[np.maximum(np.arange(rows.size), 1) - 1], NEVER)
    return before, within


def codes(column: pd.Series[Any]) -> Ints:
    """Codes of a column of categories."""
    return column.cat.codes.to_numpy(dtype=np.int64)


def whole(column: pd.Series[Any]) -> Ints:
    """A column of whole numbers."""
    return column.to_numpy(dtype=np.int64)
