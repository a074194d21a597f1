"""Where the axis of a figure ends: at the last query that enough sessions reach (decision 92)."""

from __future__ import annotations

from sdcg_explorer.analysis.arrays import Ints

THIN = 10  # sessions: below, a mean is of some, and its curve is thin


def axis_end(running: Ints) -> int:
    """How far at least ``THIN`` sessions run; to the end where there are fewer from the start.

    running (Q,) : sessions of all systems that have each query (or position), never rising

    >>> import numpy as np
    >>> axis_end(np.array([20, 12, 9, 1])), axis_end(np.array([3, 1]))
    (2, 2)
    """
    return int((running >= THIN).sum()) or running.size
