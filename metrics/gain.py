"""Gain: what a grade is worth, and the best list a topic's judgments allow."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats, Ints

WEIGHTINGS: dict[str, Callable[[Floats], Floats]] = {
    "paper": lambda g: np.where(g <= 0, 0.0, np.float_power(10.0, np.maximum(g, 0) - 1)),
    "linear": lambda g: np.maximum(g, 0.0),
    "exponential": lambda g: np.where(g > 0, np.exp2(np.maximum(g, 0)) - 1, 0.0),
    "binary": lambda g: np.where(g >= 1, 1.0, 0.0),
    "strict": lambda g: np.where((g > 0) & (g == g.max(initial=-np.inf)), 1.0, 0.0),
}


def weighting(name: str, grades: ArrayLike) -> Floats:
    r"""Gains of the grades under a named weighting.

    .. math:: paper: 10^{g-1} \quad linear: g \quad exponential: 2^g - 1
              \quad binary: [g \ge 1] \quad strict: [g = \max g]

    each 0 where :math:`g \le 0`.

    Parameters
    ----------
    name : a key of ``WEIGHTINGS``
    grades : (L,) every grade present in the judgments (strict looks at the highest)

    Returns
    -------
    (L,) gains, each ≥ 0

    Raises
    ------
    ValueError : a name that is not in ``WEIGHTINGS``

    Source: Järvelin et al. (ECIR 2008) §3.1 for paper; Burges et al. (2005) for exponential;
    Järvelin & Kekäläinen (2002) for the rest.

    >>> weighting("paper", [0, 1, 2, 3]).tolist()
    [0.0, 1.0, 10.0, 100.0]
    """
    if name not in WEIGHTINGS:
        raise ValueError(f"weighting {name!r}; choose one of {', '.join(WEIGHTINGS)}")
    return WEIGHTINGS[name](np.asarray(grades, dtype=float))


def ideal_list(gains: ArrayLike, depth: int) -> Floats:
    """Best arrangement of known gains: largest first, filled with 0 to `depth`.

    >>> ideal_list([1, 3, 0, 2], 5).tolist()
    [3.0, 2.0, 1.0, 0.0, 0.0]
    """
    best = np.sort(np.asarray(gains, dtype=float))[::-1][:depth]
    return np.pad(best, (0, depth - best.size))


def best_gains(judged: Ints, weights: Floats, depth: int) -> Floats:
    r"""Ideal list of every topic: all its judged gains, best first, to `depth`.

    .. math:: best_{t,1} \ge best_{t,2} \ge \dots

    Lists sort by gain, never by label (TREC 2012's labels run 0 < 1 < 4 < 2 < 3 in worth).

    Parameters
    ----------
    judged : (T, L) judged documents of each topic with each label
    weights : (L,) gain of each label
    depth : length of the lists; shorter ones are filled with 0

    Returns
    -------
    (T, depth)

    Source: Järvelin et al. (ECIR 2008) §3.3.

    >>> best_gains(np.array([[2, 1, 1]]), np.array([0.0, 1.0, 10.0]), 4).tolist()
    [[10.0, 1.0, 0.0, 0.0]]
    """
    order = np.argsort(-weights, kind="stable")
    filled = np.cumsum(judged[:, order], axis=1)
    label = np.zeros((len(judged), depth), dtype=np.int16)
    for ends in filled.T:  # a step per label, as all at once are depth times as much memory
        label += np.arange(depth) >= ends[:, None]
    return np.append(weights[order], 0.0)[label]
