"""Measures whose weights say how far a searcher reads: RBP, sRBP, INST and ERR."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats

LEAST_WANTED = 0.5  # documents: with less, INST's r + T + T_r − 1 can be negative
PLACES = 1_000  # over which INST's weights add up to 1, as its authors' program has them
RULES: dict[str, Callable[[Floats, float], Floats]] = {
    "gdeval": lambda grades, _: (2.0**grades - 1) / 2**4,
    "rmax": lambda grades, highest: (2.0**grades - 1) / 2**highest,
    "ntcir": lambda grades, highest: grades / (highest + 1),
}


def rbp(gains: ArrayLike, p: float) -> Floats:
    r"""Rank-biased precision: gain per result of a searcher who goes on with probability p.

    .. math:: RBP = (1 - p) \sum_r p^{r - 1} g_r

    Parameters
    ----------
    gains : (…, R) gain at each rank, in [0, 1]
    p : probability of going on, in [0, 1)

    Returns
    -------
    (…), in [0, 1]

    Source: Moffat & Zobel (TOIS 2008).

    >>> float(rbp([1, 0, 1], 0.5))
    0.625
    """
    gained: Floats = np.asarray(gains, dtype=float)
    return np.sum(gained * rbp_weights(int(gained.shape[-1]), _chance(p)), axis=-1)


def srbp(gains: ArrayLike, b: float, p: float) -> Floats:
    r"""Rank-biased precision of sessions: who stops reading a list may ask the next query.

    .. math:: sRBP = (1 - p) \sum_q \left(\frac{p - b p}{1 - b p}\right)^{q - 1}
              \sum_r (b p)^{r - 1} g(q, r)

    Parameters
    ----------
    gains : (…, Q, R) gain at each rank of each query, in [0, 1]; 0 where there is none
    b : share of those who go on that reads on, in [0, 1]; at 1 only the first list is read
    p : probability of going on, in [0, 1)

    Returns
    -------
    (…), in [0, 1]

    Source: Lipani, Carterette & Yilmaz (ICTIR 2019).

    >>> float(srbp([[1, 0], [1, 0]], 0.5, 0.5))  # 1/2 · (1 + 1/3)
    0.6666666666666666
    """
    gained: Floats = np.asarray(gains, dtype=float)
    if not 0 <= b <= 1:
        raise ValueError(f"b is {b}; the share that reads on is in [0, 1]")
    queries, ranks = map(int, gained.shape[-2:])
    return np.sum(gained * srbp_weights(queries, ranks, b, _chance(p)), axis=(-2, -1))


def inst(gains: ArrayLike, wanted: float) -> Floats:
    r"""INST: gain per result of a searcher who wants T documents, and goes on accordingly.

    .. math:: INST = \sum_r W(r) \, g_r \quad W(r + 1) = W(r) \, C(r) \quad
              C(r) = \left(\frac{r + T + T_r - 1}{r + T + T_r}\right)^2 \quad
              T_r = T - \sum_{i \le r} g_i

    The weights of 1,000 places add up to 1; beyond the list nothing is gained.

    Parameters
    ----------
    gains : (…, R) gain at each rank, in [0, 1]
    wanted : T, documents wanted, at least ½

    Returns
    -------
    (…), in [0, 1]

    Raises
    ------
    ValueError : less is wanted: r + T + T_r − 1 would fall below 0 where each place gains 1

    Source: Moffat, Bailey, Scholer & Thomas (TOIS 2017).

    >>> f"{inst([1, 0, 0.2, 0.6, 0, 0, 0.2, 0, 1, 0], 2):.6f}"
    '0.401302'
    """
    if not wanted >= LEAST_WANTED:
        rule = f"below {LEAST_WANTED:g}, r + T + T_r − 1 is negative in lists full of gain"
        raise ValueError(f"{wanted:g} documents wanted; {rule}")
    gained: Floats = np.asarray(gains, dtype=float)[..., :PLACES]
    return np.sum(inst_weights(gained, wanted) * gained, axis=-1)


def rbp_weights(ranks: int, p: ArrayLike) -> Floats:
    """Weight of each rank of a list under RBP, (…, R), for p of any shape (…)."""
    chance: Floats = np.asarray(p, dtype=float)[..., None]
    return (1 - chance) * chance ** np.arange(ranks, dtype=float)


def srbp_weights(queries: int, ranks: int, b: ArrayLike, p: ArrayLike) -> Floats:
    """Weight of each rank of each query under sRBP, (…, Q, R), for b and p of any shape (…)."""
    chance: Floats = np.asarray(p, dtype=float)[..., None, None]
    down: Floats = np.asarray(b, dtype=float)[..., None, None] * chance
    on: Floats = ((chance - down) / (1 - down)) ** np.arange(queries, dtype=float)[:, None]
    return (1 - chance) * on * down ** np.arange(ranks, dtype=float)


def inst_weights(gains: ArrayLike, wanted: float) -> Floats:
    """Weight of each rank under INST where lists have these gains, (…, R); R is 1,000 at most."""
    gained: Floats = np.asarray(gains, dtype=float)
    ranks = int(gained.shape[-1])
    places = np.arange(1, ranks + 1) + 2 * wanted - np.cumsum(gained, axis=-1)
    reached = np.cumprod(((places - 1) / places) ** 2, axis=-1)
    reached = np.concatenate([np.ones((*gained.shape[:-1], 1)), reached], axis=-1)
    weights = reached[..., :ranks]
    # nothing is gained beyond the list: chances to go on from place to place cancel out there, and
    # lists of one gain in all share what is left
    ends, own = np.unique(ranks + 2 * wanted - gained.sum(axis=-1), return_inverse=True)
    beyond = np.sum((ends[:, None] / (ends[:, None] + np.arange(PLACES - ranks))) ** 2, axis=-1)
    whole = weights.sum(axis=-1) + reached[..., ranks] * beyond[own].reshape(gained.shape[:-1])
    return weights / whole[..., None]


def stops(grades: ArrayLike, rule: str, highest: float) -> Floats:
    r"""Chance that a result satisfies, so that the searcher stops there, by one of three rules.

    .. math:: R = \frac{2^g - 1}{2^4} \text{ (gdeval)} \quad
              \frac{2^g - 1}{2^{g_{max}}} \text{ (rmax)} \quad
              \frac{g}{g_{max} + 1} \text{ (ntcir)}

    Parameters
    ----------
    grades : (…) grade of each result, 0 or more
    rule : gdeval, rmax or ntcir; three programs, three numbers
    highest : the highest grade of the judgments; gdeval takes 4 whatever it is

    Returns
    -------
    (…), in [0, 1)

    Raises
    ------
    KeyError : no such rule
    ValueError : a chance outside of [0, 1], as of a grade above 4 by gdeval

    Source: Chapelle, Metzler, Zhang & Grinspan (CIKM 2009); gdeval.pl; pyNTCIREVAL.

    >>> stops([0, 1, 3], "ntcir", 3).tolist()
    [0.0, 0.25, 0.75]
    """
    chances = RULES[rule](np.asarray(grades, dtype=float), highest)
    if ((chances < 0) | (chances > 1)).any():
        raise ValueError(f"grades by which the chance to stop is outside of 0 to 1 under {rule}")
    return chances


def err(chances: ArrayLike) -> Floats:
    r"""Expected reciprocal rank: 1/r where the searcher stops.

    .. math:: ERR = \sum_r \frac{R_r}{r} \prod_{i < r} (1 - R_i)

    Parameters
    ----------
    chances : (…, R) to stop at each rank, from `stops`

    Returns
    -------
    (…), in [0, 1]

    Source: Chapelle, Metzler, Zhang & Grinspan (CIKM 2009).

    >>> float(err(stops([0, 3, 0, 2], "ntcir", 3)))
    0.40625
    """
    own: Floats = np.asarray(chances, dtype=float)
    reached: Floats = np.ones_like(own)
    reached[..., 1:] = np.cumprod(1 - own[..., :-1], axis=-1)
    return np.sum(own * reached / np.arange(1, int(own.shape[-1]) + 1), axis=-1)


def _chance(p: float) -> float:
    """A chance to go on, which is below 1, for else nobody would ever end.

    Raises
    ------
    ValueError : it is none
    """
    if not 0 <= p < 1:
        raise ValueError(f"p is {p}; the chance to go on is in [0, 1)")
    return p
