"""What a whole session found: the union of its lists, and its lists laid end to end."""

from __future__ import annotations

import numpy as np

from .arrays import Bools, Floats
from .session import normalised


def union_recall(new: Bools, relevant: Floats) -> Floats:
    r"""Distinct relevant documents that a session's lists show, as a share of all there are.

    .. math:: \lvert \bigcup_q R \cap A_q \rvert / \lvert R \rvert

    Parameters
    ----------
    new : (S, Q, R) whether a cell shows a relevant document that no cell before it showed
    relevant : (S,) relevant documents of the session's topics

    Returns
    -------
    (S,) in [0, 1]; nan where nothing is relevant

    Source: Chen et al. (BrowseComp-Plus, 2025), who take all documents that an agent's searches
    returned.

    >>> union_recall(np.array([[[True, False], [False, True]]]), np.array([4.0])).tolist()
    [0.5]
    """
    return normalised(new.sum(axis=(1, 2)).astype(np.float64), relevant)


def union_ndcg(gains: Floats, shown: Bools, best: Floats, discount: Floats) -> Floats:
    r"""The nDCG of a session's lists laid end to end, read to the depth of one list.

    .. math:: \sum_{k \le X} g_k \, d(k) / \sum_{k \le X} best_k \, d(k)

    with k the place of a result among all that the session shows, list after list. A document
    gains where it is shown first; a repeat holds its place and gains nothing.

    Parameters
    ----------
    gains : (S, Q, R) gain of each document in the cell that shows it first, else 0
    shown : (S, Q, R) whether a cell holds a result
    best : (S, R) gains of the best list on the session's topics
    discount : (R,) factor of each rank, from `rank_discount`

    Returns
    -------
    (S,) in [0, 1]; nan where nothing is relevant

    Source: Järvelin & Kekäläinen (2002) for nDCG; of lists laid end to end it is ours, after what
    builders of search agents print.

    >>> gains, one = np.array([[[0.0, 0.0], [3.0, 0.0]]]), np.ones(2)
    >>> shown, best = np.array([[[True, False], [True, True]]]), np.array([[3.0, 3.0]])
    >>> union_ndcg(gains, shown, best, one).tolist()
    [0.5]
    """
    flat = shown.reshape(len(shown), shown.shape[1] * shown.shape[2])
    place = np.cumsum(flat, axis=1) - 1
    factor = np.append(discount, 0.0)[np.minimum(place, discount.size)]
    worth = (gains.reshape(flat.shape) * factor).sum(axis=1)
    return normalised(worth, best @ discount)
