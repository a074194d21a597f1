"""Scores: one number per query and per session, from gains, ideals and discounts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.session import concatenated, normalised, session_vector

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]


def query_scores(
    gains: Floats, discount: Floats, query_factor: Floats, queries: Ints
) -> dict[str, Floats]:
    r"""Worth of each query at the end of its own cells, and its change from the query before.

    .. math:: dcg_q = \sum_r g(q, r) d(r) \quad sdcg_q = D(q) \, dcg_q
              \quad change_q = sdcg_q - sdcg_{q-1} \quad change\_dcg_q = dcg_q - dcg_{q-1}

    so that the sdcg of a session's queries add up to its final value.

    Parameters
    ----------
    gains : (S, Q, R) gain in each cell
    discount, query_factor : (R,), (Q,)
    queries : (S,) queries of each session

    Returns
    -------
    dcg, sdcg, change, change_dcg, each (S, Q); nan beyond a session's queries, and for the
    changes at its first query

    Source: Järvelin et al. (ECIR 2008) eq. 2.

    >>> one = np.ones(1)
    >>> query_scores(np.array([[[1.0], [3.0]]]), one, np.ones(2), np.array([2]))["change"].tolist()
    [[nan, 2.0]]
    """
    asked = np.less(np.arange(int(gains.shape[1])), queries[:, None])
    worth = np.where(asked, gains @ discount, np.nan)
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
    judged: Bools,
) -> dict[str, Floats]:
    r"""Scores of each session at the end of its own cells.

    .. math:: final = V[end] \quad average = \overline{V[p]} \quad last = sdcg_n
              \quad best = \max_q sdcg_q \quad per\_query = final / n \quad
              weighted\_mean = \frac{final}{\sum_q D(q)} \quad mean\_dcg = \overline{dcg_q} \quad
              final\_normalised = \frac{V[end]}{I[end]} \quad
              average\_normalised = \overline{V[p] / I[p]}

    means running over the session's own cells (those where the ratio is defined).

    Parameters
    ----------
    gains, ideal : (S, Q, R) gain in each cell, and the ideal's running value I there
    discount, query_factor : (R,), (Q,)
    cells, queries : (S, Q), (S,)
    judged : (S,) whether any topic of the session has judgments

    Returns
    -------
    each (S,); all nan for a session without judgments, the normalised ones also where the
    ideal gains nothing

    Source: Järvelin et al. (ECIR 2008) §2.2, §3; the means that do not grow with n are ours.

    >>> one, two = np.ones(1), np.ones(2)
    >>> gains, ideal = np.array([[[1.0], [3.0]]]), np.array([[[3.0], [6.0]]])
    >>> scores = session_scores(
    ...     gains, ideal, one, two, np.array([[1, 1]]), np.array([2]), np.array([True]))
    >>> scores["final"].tolist(), scores["average"].tolist()
    ([4.0], [2.5])
    """
    vector = concatenated(session_vector(gains, discount, query_factor), cells)
    share = normalised(vector, concatenated(ideal, cells))
    each = query_scores(gains, discount, query_factor, queries)
    own = np.less(np.arange(int(vector.shape[1])), cells.sum(axis=1)[:, None])
    final = np.nansum(each["sdcg"], axis=1)
    factors = np.cumsum(query_factor)[queries - 1]
    scores = {
        "final": final,
        "average": _mean(vector, own),
        "last": np.take_along_axis(each["sdcg"], queries[:, None] - 1, axis=1)[:, 0],
        "best": np.nanmax(each["sdcg"], axis=1),
        "per_query": final / queries,
        "weighted_mean": final / factors,
        "mean_dcg": np.nansum(each["dcg"], axis=1) / queries,
        "final_normalised": share[:, -1],
        "average_normalised": _mean(share, own),
    }
    return {name: np.where(judged, values, np.nan) for name, values in scores.items()}


def _mean(values: Floats, over: Bools) -> Floats:
    """Row means of the defined values where `over` holds; nan where there are none."""
    counted = over & ~np.isnan(values)
    total = np.where(counted, values, 0.0).sum(axis=1)
    return normalised(total, counted.sum(axis=1).astype(float))
