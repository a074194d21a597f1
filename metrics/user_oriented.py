"""User-oriented measures: what a query brings beside what its session has shown before (Y)."""

from collections.abc import Set
from typing import Any

import numpy as np

from .arrays import Bools, Floats, Ints
from .session import normalised


def _ratio_or_nan(part: int, whole: float) -> float:
    return part / whole if whole else float("nan")


def coverage(known: Set[Any], relevant: Set[Any], shown: Set[Any]) -> float:
    r"""Share of the relevant documents known before that a query shows again.

    .. math:: coverage = \frac{|K \cap R \cap A|}{|K \cap R|}

    Parameters
    ----------
    known, relevant, shown : sets of documents, K, R and A

    Returns
    -------
    in [0, 1]; nan where no relevant document was known

    Source: Yukawa, lecture 5 (2023).

    >>> coverage({1, 2}, {1, 2, 3}, {2, 3, 9})
    0.5
    """
    return _ratio_or_nan(len(known & relevant & shown), len(known & relevant))


def novelty(known: Set[Any], relevant: Set[Any], shown: Set[Any]) -> float:
    r"""Share of the relevant documents a query shows that were not known before.

    .. math:: novelty = \frac{|(R \cap A) \setminus K|}{|R \cap A|}

    Parameters
    ----------
    known, relevant, shown : sets of documents, K, R and A

    Returns
    -------
    in [0, 1]; nan where the query shows no relevant document

    Source: Yukawa, lecture 5 (2023).

    >>> novelty({1, 2}, {1, 2, 3}, {2, 3, 9})
    0.5
    """
    return _ratio_or_nan(len((relevant & shown) - known), len(relevant & shown))


def relative_recall(found: Set[Any], expected: float) -> float:
    r"""Relevant documents found, as a share of those the searcher expected.

    .. math:: relative\ recall = \frac{|found|}{expected}

    Parameters
    ----------
    found : set of distinct relevant documents found so far
    expected : number of relevant documents expected

    Returns
    -------
    0 or more, above 1 where more was found than expected; nan where nothing was expected

    Source: Yukawa, lecture 5 (2023).

    >>> relative_recall({1, 2}, 4)
    0.5
    """
    return _ratio_or_nan(len(found), expected)


def recall_effort(expected: float, examined: int) -> float:
    r"""Expected relevant documents per result examined until they were found.

    .. math:: recall\ effort = \frac{expected}{examined}

    Parameters
    ----------
    expected : number of relevant documents expected
    examined : results examined until so many were found, or all of them

    Returns
    -------
    more than 0; nan where nothing was expected or examined

    Source: Yukawa, lecture 5 (2023).

    >>> recall_effort(2, 8)
    0.25
    """
    return expected / examined if expected and examined else float("nan")


def user_oriented_scores(
    relevant: Bools, again: Bools, topics: Ints, cells: Ints, expected: Floats
) -> dict[str, Floats]:
    r"""Coverage, novelty, relative recall and recall effort of each query of each session.

    .. math:: coverage = \frac{|K \cap R \cap A|}{|K \cap R|} \quad
              novelty = \frac{|(R \cap A) \setminus K|}{|R \cap A|} \quad
              relative\ recall = \frac{found}{expected} \quad
              recall\ effort = \frac{expected}{examined}

    K being what earlier queries on the same topic have shown, found the distinct relevant
    documents so far, examined the topic's cells until found reaches expected, or else all so far.

    Parameters
    ----------
    relevant : (S, Q, R) whether the document in a cell has gain; a document once in a list
    again : (S, Q, R) whether an earlier query of the session has shown it
    topics, cells : (S, Q); topic −1 where there is no query
    expected : (T,) relevant documents expected of each topic

    Returns
    -------
    coverage, novelty, relative_recall, recall_effort, each (S, Q); nan where undefined

    Source: Yukawa, lecture 5 (2023).

    >>> relevant = np.array([[[True, True], [True, True]]])
    >>> again = np.array([[[False, False], [True, False]]])
    >>> topics, cells = np.array([[0, 0]]), np.array([[2, 2]])
    >>> scores = user_oriented_scores(relevant, again, topics, cells, np.array([3.0]))
    >>> scores["coverage"].tolist(), scores["recall_effort"].tolist()
    ([[nan, 0.5]], [[1.5, 0.75]])
    """
    session, query = np.nonzero(topics >= 0)
    strand = session * expected.size + topics[session, query]
    order = np.argsort(strand, kind="stable")
    session, query, strand = session[order], query[order], strand[order]
    wanted = expected[topics[session, query]]
    new = (relevant & ~again)[session, query]
    repeated = (relevant & again)[session, query].sum(axis=1)
    brought = new.sum(axis=1)
    found = _running_totals_by_strand(brought, strand)
    known = found - brought
    before = known[:, None] + np.cumsum(new, axis=1) - new
    inside = np.less(np.arange(int(new.shape[1])), cells[session, query][:, None])
    examined = _running_totals_by_strand((inside & (before < wanted[:, None])).sum(axis=1), strand)
    parts = {
        "coverage": (repeated, known),
        "novelty": (brought, brought + repeated),
        "relative_recall": (found, wanted),
        "recall_effort": (wanted, examined),
    }
    scores = {name: np.full(topics.shape, np.nan) for name in parts}
    for name, (part, whole) in parts.items():
        scores[name][session, query] = normalised(part.astype(float), whole.astype(float))
    return scores


def _running_totals_by_strand(values: Ints, strand: Ints) -> Ints:
    """Values added up from the first row of each strand on; rows of a strand stand together."""
    total = np.cumsum(values)
    first = np.diff(strand, prepend=-1) > 0
    start = np.maximum.accumulate(np.where(first, np.arange(values.size), 0))
    return total - (total - values)[start] if values.size else total
