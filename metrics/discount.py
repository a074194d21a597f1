"""Discounts: factors in (0, 1], multiplied onto a gain, for its rank and for its query."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def _one_plus_log(x: Floats, base: float) -> Floats:
    return 1.0 / (1.0 + np.log(x) / np.log(base))


def _log_from_base_on(x: Floats, base: float) -> Floats:
    return 1.0 / np.where(x < base, 1.0, np.log(np.maximum(x, base)) / np.log(base))


def _shifted_log(x: Floats, base: float) -> Floats:
    return np.log(base) / np.log(x + base - 1.0)


FORMS: dict[str, tuple[Callable[[Floats, float], Floats], Callable[[Floats, float], Floats]]] = {
    "ecir2008": (_one_plus_log, _one_plus_log),
    "jk2002": (_log_from_base_on, _one_plus_log),
    "kanoulas2011": (_shifted_log, _shifted_log),
}


def _discount(values: ArrayLike, base: float, form: str, axis: int) -> Floats:
    if form not in FORMS:
        raise ValueError(f"discount form {form!r}; known are {', '.join(FORMS)}")
    if not base > 1:
        raise ValueError(f"logarithm base {base}; a base is greater than 1, or inf")
    x = np.asarray(values, dtype=float)
    return np.ones_like(x) if np.isinf(base) else FORMS[form][axis](x, base)


def rank_discount(ranks: ArrayLike, b: float, form: str = "ecir2008") -> Floats:
    r"""Factor on the gain found at a rank.

    .. math:: ecir2008: d(r) = \frac{1}{1 + \log_b r} \quad
              jk2002: d(r) = \frac{1}{\max(1, \log_b r)} \quad
              kanoulas2011: d(r) = \frac{1}{\log_b(r + b - 1)}

    Parameters
    ----------
    ranks : any shape, from 1
    b : 1 < b, the patience with rank (1.5 impatient … 10 patient); inf means no discount
    form : a key of ``FORMS``

    Returns
    -------
    the shape of `ranks`, in (0, 1]

    Raises
    ------
    ValueError : b ≤ 1, or a form that is not in ``FORMS``

    Source: Järvelin et al. (ECIR 2008) eq. 1; Järvelin & Kekäläinen (2002); Kanoulas et al. (2011).

    >>> rank_discount([1, 2, 4, 16], b=4).tolist()
    [1.0, 0.6666666666666666, 0.5, 0.3333333333333333]
    """
    return _discount(ranks, b, form, 0)


def query_discount(query_numbers: ArrayLike, bq: float, form: str = "ecir2008") -> Floats:
    r"""Factor on all gains of the q-th query of a session.

    .. math:: ecir2008, jk2002: D(q) = \frac{1}{1 + \log_{bq} q} \quad
              kanoulas2011: D(q) = \frac{1}{\log_{bq}(q + bq - 1)}

    Parameters
    ----------
    query_numbers : any shape, from 1
    bq : 1 < bq, the patience with reformulation; inf means no discount
    form : a key of ``FORMS``

    Returns
    -------
    the shape of `query_numbers`, in (0, 1]

    Raises
    ------
    ValueError : bq ≤ 1, or a form that is not in ``FORMS``

    Source: Järvelin et al. (ECIR 2008), Appendix eq. 2 (which prints log_b i where log_b j is
    meant); Kanoulas et al. (2011).

    >>> query_discount([1, 4, 16], bq=4).tolist()
    [1.0, 0.5, 0.3333333333333333]
    """
    return _discount(query_numbers, bq, form, 1)
