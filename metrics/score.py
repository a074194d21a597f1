"""Scores: one number per query and per session, from gains, ideals and discounts."""

from __future__ import annotations

import numpy as np

from .arrays import Bools, Floats, Ints
from .session import concatenated, normalised, session_vector


def query_scores(
    gains: Floats, discount: Floats, query_factor: Floats, known: Bools
) -> dict[str, Floats]:
    r"""Worth of each query at the end of its own cells, and its change from the query before.

    .. math:: dcg_q = \sum_r g(q, r) d(r) \quad sdcg_q = D(q) \, dcg_q
              \quad change_q = sdcg_q - sdcg_{q-1} \quad change\_dcg_q = dcg_q - dcg_{q-1}

    so that the sdcg of a session's known queries add up to its final value.

    Parameters
    ----------
    gains : (S, Q, R) gain in each cell
    discount, query_factor : (R,), (Q,)
    known : (S, Q) whether the session has a q-th query, on a topic that somebody judged

    Returns
    -------
    dcg, sdcg, change, change_dcg, each (S, Q); nan where the query is not known, the changes also
    where the query before is not, or where there is none

    Source: Järvelin et al. (ECIR 2008) eq. 2.

    >>> one = np.ones(1)
    >>> known = np.array([[True, True]])
    >>> query_scores(np.array([[[1.0], [3.0]]]), one, np.ones(2), known)["change"].tolist()
    [[nan, 2.0]]
    """
    worth = np.where(known, gains @ discount, np.nan)
    discounted = worth * query_factor
    return {
        "dcg": worth,
        "sdcg": discounted,
        "change": np.diff(discounted, axis=1, prepend=np.nan),
        "change_dcg": np.diff(worth, axis=1, prepend=np.nan),
    }


def session_scores(
    gains: Floats,
    ideal: Floats,
    discount: Floats,
    query_factor: Floats,
    cells: Ints,
    queries: Ints,
    known: Bools,
) -> dict[str, Floats]:
    r"""Scores of each session at the end of its own cells.

    .. math:: final = V[end] \quad average = \overline{V[p]} \quad last = sdcg_n
              \quad best = \max_{q \in K} sdcg_q \quad per\_query = final / |K| \quad
              weighted\_mean = \frac{final}{\sum_{q \in K} D(q)} \quad
              mean\_dcg = \frac{1}{|K|} \sum_{q \in K} dcg_q \quad
              final\_normalised = \frac{V[end]}{I[end]} \quad
              average\_normalised = \overline{V[p] / I[p]}

    K being the known queries, the session's n-th its last, and means over p running over its own
    cells (those where the ratio is defined). A query that is not known holds its cells and D(q).

    Parameters
    ----------
    gains, ideal : (S, Q, R) gain in each cell, and the ideal's running value I there
    discount, query_factor : (R,), (Q,)
    cells, queries : (S, Q), (S,)
    known : (S, Q) as in `query_scores`

    Returns
    -------
    each (S,); all nan for a session without a known query, last also where the last one is not
    known, the normalised ones also where the ideal gains nothing

    Source: Järvelin et al. (ECIR 2008) §2.2, §3; the means that do not grow with n are ours.

    >>> one, two = np.ones(1), np.ones(2)
    >>> gains, ideal = np.array([[[1.0], [3.0]]]), np.array([[[3.0], [6.0]]])
    >>> scores = session_scores(
    ...     gains, ideal, one, two, np.array([[1, 1]]), np.array([2]), np.array([[True, True]]))
    >>> scores["final"].tolist(), scores["average"].tolist()
    ([4.0], [2.5])
    """
    vector = concatenated(session_vector(gains, discount, query_factor), cells)
    share = normalised(vector, concatenated(ideal, cells))
    each = query_scores(gains, discount, query_factor, known)
    own = np.less(np.arange(int(vector.shape[1])), cells.sum(axis=1)[:, None])
    final, number = np.nansum(each["sdcg"], axis=1), known.sum(axis=1).astype(float)
    scores = {
        "final": final,
        "average": _mean(vector, own),
        "last": np.take_along_axis(each["sdcg"], queries[:, None] - 1, axis=1)[:, 0],
        "best": np.max(each["sdcg"], axis=1, where=known, initial=-np.inf),
        "per_query": normalised(final, number),
        "weighted_mean": normalised(final, known @ query_factor),
        "mean_dcg": normalised(np.nansum(each["dcg"], axis=1), number),
        "final_normalised": share[:, -1],
        "average_normalised": _mean(share, own),
    }
    return {name: np.where(number > 0, values, np.nan) for name, values in scores.items()}


def _mean(values: Floats, over: Bools) -> Floats:
    """Row means of the defined values where `over` holds; nan where there are none."""
    counted = over & ~np.isnan(values)
    total = np.where(counted, values, 0.0).sum(axis=1)
    return normalised(total, counted.sum(axis=1).astype(float))
