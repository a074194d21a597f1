"""The block: a study as arrays [session, query, rank], on which every metric is arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from study.checks import UnusableInputError, error

DEPTH = 100
MOST_CELLS = 200_000_000
MOST_LABELS = 120
NEVER = np.iinfo(np.int32).max

Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Block:
    """Arrays of one study, sessions in the order of its table.

    codes (S, Q, R) int8: place of the grade in `labels`; then L = unjudged, L + 1 = no result,
    L + 2 = a judged document again in the same list (it counts once, at its better rank).
    seen_at (S, Q, R) int32: best rank at which an earlier query of the session showed the same
    (topic, doc), NEVER where none did. lengths (S, Q): deepest logged rank of each list.
    topics (S, Q): code of each query's topic, −1 beyond the session. queries (S,). systems (S,)
    and searchers (S,): codes, searcher −1 where unknown. judged (T, L): judged documents of each
    topic by label. results_by_rank is read off the codes.
    """

    codes: NDArray[np.int8]
    seen_at: NDArray[np.int32]
    lengths: Ints
    topics: Ints
    queries: Ints
    systems: Ints
    searchers: Ints
    judged: Ints
    labels: tuple[float, ...]
    system_names: tuple[str, ...]
    topic_names: tuple[str, ...]
    searcher_names: tuple[str, ...]

    @property
    def unjudged(self) -> int:
        """Code of a result without a grade."""
        return len(self.labels)

    @property
    def empty(self) -> int:
        """Code of a cell without a result."""
        return len(self.labels) + 1

    @property
    def judged_topics(self) -> NDArray[np.bool_]:
        """Whether each topic has judgments."""
        return self.judged.sum(axis=1) > 0


def earlier_ranks(session: Ints, query: Ints, rank: Ints, thing: Ints) -> tuple[Ints, Ints]:
    """Best rank of the same thing in earlier queries of the session, and in the same list.

    Parameters
    ----------
    session, query, rank : (N,) place of each result
    thing : (N,) code of its (topic, doc)

    Returns
    -------
    (N,) best rank in earlier queries; (N,) best better rank in the same list; NEVER where none
    """
    before = np.full(rank.size, NEVER, dtype=np.int64)
    within = before.copy()
    group = session * (thing.max(initial=0) + 1) + thing
    _, first, size = np.unique(group, return_inverse=True, return_counts=True)
    rows = np.flatnonzero(size[first] > 1)  # most documents are shown once
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
    before[rows] = np.where(same_group[lead], best[np.maximum(lead, 1) - 1], NEVER)
    return before, within


def block_of(
    sessions: pd.DataFrame,
    queries: pd.DataFrame,
    results: pd.DataFrame,
    judgments: pd.DataFrame,
    depth: int,
) -> Block:
    """Build the block of a study's tables, ranks beyond `depth` left aside.

    Raises
    ------
    UnusableInputError : more than MOST_CELLS cells, or more than MOST_LABELS grades
    """
    session, number = _codes(queries["session"]), _whole(queries["query_number"]) - 1
    counts = np.bincount(session, minlength=len(sessions))
    rank = _whole(results["rank"]) - 1
    width = int(min(depth, rank.max(initial=0) + 1))
    shape = (len(sessions), int(counts.max(initial=0)), width)
    labels = sorted(judgments["grade"].unique())
    _check_size(shape, len(labels), sessions, counts)
    topics = np.full(shape[:2], -1, dtype=np.int64)
    topics[session, number] = _codes(queries["topic"])
    s, q = _codes(results["session"]), _whole(results["query_number"]) - 1
    lengths = np.zeros(shape[:2], dtype=np.int64)
    np.maximum.at(lengths, (s, q), rank + 1)
    docs = len(results["doc"].cat.categories) + 1
    thing = topics[s, q] * docs + _codes(results["doc"])
    before, within = earlier_ranks(s, q, rank + 1, thing)
    graded = _codes(judgments["topic"]) * docs + _codes(judgments["doc"])
    label = np.asarray(np.searchsorted(labels, judgments["grade"]), dtype=np.int64)
    code = lookup(graded, label, thing, missing=len(labels))
    code[(within < NEVER) & (code < len(labels))] = len(labels) + 2
    codes = np.full(shape, len(labels) + 1, dtype=np.int8)
    seen_at = np.full(shape, NEVER, dtype=np.int32)
    near = rank < width
    cell = (s[near], q[near], rank[near])
    codes[cell], seen_at[cell] = code[near], before[near]
    names = tuple(str(name) for name in queries["topic"].cat.categories)
    judged = np.zeros((len(names), len(labels)), dtype=np.int64)
    np.add.at(judged, (_codes(judgments["topic"]), label), 1)
    systems, system_names = pd.factorize(sessions["system"], sort=True)
    searchers, searcher_names = pd.factorize(sessions["searcher"], sort=True)
    return Block(
        codes=codes,
        seen_at=seen_at,
        lengths=lengths,
        topics=topics,
        queries=counts,
        systems=systems.astype(np.int64),
        searchers=searchers.astype(np.int64),
        judged=judged,
        labels=tuple(float(grade) for grade in labels),
        system_names=tuple(str(name) for name in system_names),
        topic_names=names,
        searcher_names=tuple(str(name) for name in searcher_names),
    )


def lookup(keys: Ints, values: Ints, wanted: Ints, missing: int) -> Ints:
    """Value of each wanted key, `missing` where the key is unknown."""
    if not keys.size:
        return np.full(wanted.shape, missing, dtype=np.int64)
    order = np.argsort(keys)
    place = np.minimum(np.searchsorted(keys, wanted, sorter=order), keys.size - 1)
    found = order[place]
    return np.where(keys[found] == wanted, values[found], missing)


def _codes(column: pd.Series) -> Ints:
    return column.cat.codes.to_numpy(dtype=np.int64)


def _whole(column: pd.Series) -> Ints:
    return column.to_numpy(dtype=np.int64)


def _check_size(
    shape: tuple[int, int, int], labels: int, sessions: pd.DataFrame, counts: Ints
) -> None:
    if labels > MOST_LABELS:
        rule, remedy = f"at most {MOST_LABELS} grades are told apart", "Round the grades."
        raise UnusableInputError([error("judgments", None, f"{labels} grades", rule, remedy)])
    if np.prod(shape, dtype=float) > MOST_CELLS:
        longest = sessions["session"].iloc[int(np.argmax(counts))]
        found = f"{shape[0]:,} sessions × {shape[1]:,} queries × {shape[2]:,} ranks"
        rule = f"at most {MOST_CELLS:,} cells fit; session {longest!s} is the longest"
        remedy = "Leave that session out, or ask for a smaller depth."
        raise UnusableInputError([error("log", None, found, rule, remedy)])
