"""Length-adjusted DCG: what a list is worth where showing fewer results is a choice (L14)."""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .discount import rank_discount
from .session import normalised


def _discount_sums_and_expectation(lengths: ArrayLike, most: int) -> tuple[Floats, Floats, Floats]:
    """Delta of each rank, its sum over each list, and E of each list; 0 for an empty one."""
    delta = rank_discount(np.arange(1, most + 1), 2, "kanoulas2011")
    reach = np.minimum(np.asarray(lengths, dtype=np.int64), most)
    plain, squared = (np.append(0.0, np.cumsum(d))[reach] for d in (delta, delta**2))
    return delta, plain, squared / delta.sum()


def ldcg(gains: ArrayLike, lengths: ArrayLike) -> Floats:
    r"""Length-adjusted discounted cumulated gain of a list, cut at M.

    .. math:: LDCG = \frac{\sum_{r \le N} g_r \, \delta(r)}{E} \quad
              E = \frac{\sum_{r \le N} \delta(r)^2}{\sum_{r \le M} \delta(r)} \quad
              \delta(r) = \frac{1}{\log_2(r + 1)}

    Parameters
    ----------
    gains : (…, M) gain at each rank, 2^g − 1; 0 where there is none
    lengths : (…) N, the list's length; beyond M it counts as M

    Returns
    -------
    (…), in the unit of the gains; nan for an empty list

    Source: Lv, Fuxman & Chandra (ECIR 2014).

    >>> round(float(ldcg([3, 0, 0], 1)), 3), round(float(ldcg([3, 0, 0], 2)), 3)
    (6.393, 4.573)
    """
    values = np.asarray(gains, dtype=float)
    most = int(values.shape[-1])
    delta, _, expected = _discount_sums_and_expectation(lengths, most)
    within = np.less(np.arange(most), np.asarray(lengths)[..., None])
    return normalised((values * within) @ delta, expected)


def ideal_ldcg(highest: ArrayLike, number: ArrayLike, most: int) -> Floats:
    r"""LDCG of the list of all documents with the highest grade, at most M of them.

    .. math:: ILDCG = (2^m - 1) \frac{\sum_{r \le R} \delta(r) \sum_{r \le M} \delta(r)}
              {\sum_{r \le R} \delta(r)^2} \quad R = \min(M, number)

    Parameters
    ----------
    highest : (…) gain of the topic's highest judged grade m, 2^m − 1; 0 where nothing is relevant
    number : (…) judged documents of that grade
    most : M

    Returns
    -------
    (…), in the unit of the gains; nan where nothing is relevant

    Source: Lv, Fuxman & Chandra (ECIR 2014), eq. 8, which prints 2^(m − 1) for 2^m − 1.

    >>> round(float(ideal_ldcg(3, 1, 3)), 3)
    6.393
    """
    _, plain, expected = _discount_sums_and_expectation(number, most)
    gained = np.asarray(highest, dtype=float)
    return normalised(np.where(gained > 0, gained, np.nan) * plain, expected)


def lndcg(gains: ArrayLike, lengths: ArrayLike, highest: ArrayLike, number: ArrayLike) -> Floats:
    r"""LDCG as a share of that of the ideal list.

    .. math:: LNDCG = LDCG / ILDCG

    Parameters
    ----------
    gains, lengths : as in `ldcg`
    highest, number : as in `ideal_ldcg`

    Returns
    -------
    (…); nan for an empty list and where nothing is relevant; above 1 where a long list is nearly
    as good as a short perfect one (at grade 3 from 10 results on)

    Source: Lv, Fuxman & Chandra (ECIR 2014).

    >>> round(float(lndcg([1, 0, 0], 1, 3, 1)), 3)
    0.333
    """
    return ldcg(gains, lengths) / ideal_ldcg(highest, number, int(np.shape(gains)[-1]))
