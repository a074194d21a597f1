"""Gain per cost: what a session gained per unit of what it took."""

from __future__ import annotations

import numpy as np

from .arrays import Floats
from .session import normalised


def gain_per_cost(gain: Floats, cost: Floats, unit: float = 1.0) -> Floats:
    r"""Gain per unit of cost.

    .. math:: gain \cdot unit / cost

    Parameters
    ----------
    gain : (…) worth, at least 0
    cost : (…) what it took, at least 0; nan where unknown
    unit : how many units of the cost count as one: 60 of seconds, for a gain per minute

    Returns
    -------
    (…), in gain per unit; nan where the cost is 0 or not known, or the gain is undefined

    Source: ours; a rate of gain after Pirolli & Card (Psychological Review 1999), eq. 1.

    >>> gain_per_cost(np.array([3.0, 3.0, 3.0]), np.array([90.0, 0.0, np.nan]), 60.0).tolist()
    [2.0, nan, nan]
    """
    return normalised(np.multiply(gain, unit), cost)
