"""One query: cumulated gain along its result list, discounted by rank, query and ideal."""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .session import normalised


def cg(gains: ArrayLike) -> Floats:
    r"""Cumulated gain.

    .. math:: CG[i] = \sum_{r \le i} g_r

    Parameters
    ----------
    gains : (…, R) gain at each rank

    Returns
    -------
    (…, R), in the unit of the gains

    Source: Järvelin & Kekäläinen (2002).

    >>> cg([3, 2, 3, 0]).tolist()
    [3.0, 5.0, 8.0, 8.0]
    """
    return np.cumsum(np.asarray(gains, dtype=float), axis=-1)


def dcg(gains: ArrayLike, discount: Floats) -> Floats:
    r"""Discounted cumulated gain.

    .. math:: DCG[i] = \sum_{r \le i} g_r \, d(r)

    Parameters
    ----------
    gains : (…, R) gain at each rank
    discount : (R,) factor of each rank, from `rank_discount`

    Returns
    -------
    (…, R), in the unit of the gains

    Source: Järvelin et al. (ECIR 2008), Appendix eq. 2, whose example slips at ranks 2 and 8.

    >>> dcg([3, 2], np.array([1, 0.5])).tolist()
    [3.0, 4.0]
    """
    return np.cumsum(np.asarray(gains, dtype=float) * discount, axis=-1)


def sdcg(gains: ArrayLike, discount: Floats, query_factor: ArrayLike) -> Floats:
    r"""Session-discounted cumulated gain of the q-th query.

    .. math:: sDCG(q)[i] = D(q) \sum_{r \le i} g_r \, d(r)

    Parameters
    ----------
    gains : (…, R) gain at each rank
    discount : (R,) factor of each rank
    query_factor : (…) factor of the query, from `query_discount`

    Returns
    -------
    (…, R), in the unit of the gains

    Source: Järvelin et al. (ECIR 2008) eq. 1.

    >>> sdcg([3, 2], np.array([1, 0.5]), 0.5).tolist()
    [1.5, 2.0]
    """
    return np.asarray(query_factor, dtype=float)[..., None] * dcg(gains, discount)


def ndcg(gains: ArrayLike, ideal: ArrayLike, discount: Floats) -> Floats:
    r"""Discounted cumulated gain as a share of the ideal list's.

    .. math:: nDCG[i] = DCG[i] / DCG_{ideal}[i]

    Parameters
    ----------
    gains : (…, R) gain at each rank
    ideal : (…, R) gain at each rank of the ideal list
    discount : (R,) factor of each rank

    Returns
    -------
    (…, R); nan where the ideal has gained nothing yet

    Source: Järvelin & Kekäläinen (2002); Järvelin et al. (ECIR 2008) §2.2.

    >>> ndcg([0, 2], [2, 0], np.array([1, 0.5])).tolist()
    [0.0, 0.5]
    """
    return normalised(dcg(gains, discount), dcg(ideal, discount))
