"""Averages over sessions, and where a curve has levelled off."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Ints
from .query import cg, dcg
from .session import normalised


def group_sums(values: NDArray[Any], groups: Ints, size: int) -> NDArray[Any]:
    """Sums of the rows of each group.

    Parameters
    ----------
    values : (N, …)
    groups : (N,) group of each row, in 0 … size − 1
    size : number of groups

    Returns
    -------
    (size, …); 0 for a group without rows

    >>> group_sums(np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), 3).tolist()
    [2.0, 5.0, 0.0]
    """
    sums = np.zeros((size, *values.shape[1:]), dtype=values.dtype)
    if groups.size:
        if np.any(groups[1:] < groups[:-1]):
            order = np.argsort(groups, kind="stable")
            values, groups = values[order], groups[order]
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        sums[groups[starts]] = np.add.reduceat(values, starts, axis=0)
    return sums


def average_curves(gains: Floats, ideal: Floats, discount: Floats) -> dict[str, Floats]:
    r"""Curves of several queries averaged rank by rank, and their ratios of means.

    .. math:: \overline{CG}[i] = \frac{1}{N} \sum_q CG_q[i] \quad
              NCG[i] = \overline{CG}[i] / \overline{ICG}[i] \quad
              NDCG[i] = \overline{DCG}[i] / \overline{IDCG}[i]

    Parameters
    ----------
    gains, ideal : (N, R) gain at each rank of each query's list, and of its ideal list
    discount : (R,) factor of each rank

    Returns
    -------
    cg, dcg, ideal_cg, ideal_dcg, in the unit of the gains, and ncg, ndcg, each (R,); the ratios nan
    where the ideal has gained nothing

    Source: Yukawa, lecture 5 (2023); Järvelin et al. (ECIR 2008), Appendix eq. 5.

    >>> curves = average_curves(np.array([[1.0, 0]]), np.array([[2.0, 2]]), np.array([1, 0.5]))
    >>> curves["ncg"].tolist(), curves["ndcg"].tolist()
    ([0.5, 0.25], [0.5, 0.3333333333333333])
    """
    kinds = {"cg": cg(gains), "dcg": dcg(gains, discount)}
    kinds |= {"ideal_cg": cg(ideal), "ideal_dcg": dcg(ideal, discount)}
    means = {name: curve.mean(axis=0) for name, curve in kinds.items()}
    means["ncg"] = normalised(means["cg"], means["ideal_cg"])
    means["ndcg"] = normalised(means["dcg"], means["ideal_dcg"])
    return means


def area(curves: Floats) -> Floats:
    r"""Area under a normalised curve: its mean over ranks 1 to k.

    .. math:: \frac{1}{k} \sum_{i \le k} nDCG[i]

    Parameters
    ----------
    curves : (…, k) a share of the ideal at each rank

    Returns
    -------
    (…), the mean of what is defined; nan where nothing is

    Source: Yukawa, lecture 5 (2023).

    >>> float(area(np.array([1.0, 0.5])))
    0.75
    """
    known = ~np.isnan(curves)
    total = np.where(known, curves, 0.0).sum(axis=-1)
    return normalised(total, known.sum(axis=-1).astype(float))


def levels_off(curves: Floats, share: float = 0.99) -> Floats:
    r"""First rank at which a curve has reached a share of its end.

    .. math:: \min \{ i : c[i] \ge share \cdot c[end] \}

    Parameters
    ----------
    curves : (…, R) never falling
    share : of the end value

    Returns
    -------
    (…) rank from 1; nan where the curve ends at 0 or is undefined

    Source: the reading of Figure 1 in Järvelin et al. (ECIR 2008) §3.2.

    >>> float(levels_off(np.array([1.0, 3.0, 3.0])))
    2.0
    """
    end = curves[..., -1:]
    first = np.argmax(curves >= share * end, axis=-1) + 1
    return np.asarray(np.where(end[..., 0] > 0, first, np.nan), dtype=np.float64)
