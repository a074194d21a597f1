"""When a difference is called clear: one rule for all that is compared (decision 49)."""

from __future__ import annotations

import math
from collections.abc import Callable

from sdcg_explorer.analysis.statistics.permutation import LEVEL


def is_clear(low: float, high: float, p: Callable[[], float]) -> bool:
    """Whether a difference's interval excludes 0 and its p is at most ``LEVEL``.

    `p` is the one that counts: corrected, where there are several pairs. It is asked for only
    where the interval does not settle it. What is undefined does not stand against a difference,
    but one of the two must be there.

    >>> is_clear(1.0, 2.0, lambda: 0.01), is_clear(-1.0, 2.0, lambda: 0.01)
    (True, False)
    >>> is_clear(math.nan, math.nan, lambda: 0.01), is_clear(math.nan, math.nan, lambda: math.nan)
    (True, False)
    """
    if low <= 0 <= high:
        return False
    value = p()
    return not (math.isnan(low) and math.isnan(value)) and not value > LEVEL
