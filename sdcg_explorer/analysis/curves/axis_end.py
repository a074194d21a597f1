"""Where the axis of a figure ends: at the last query that enough sessions reach (decision 92)."""

from __future__ import annotations

from sdcg_explorer.analysis.arrays import Ints
from sdcg_explorer.questions.words.wording import counted

THIN = 10  # sessions: below, a mean is of some, and its curve is thin


def axis_end(running: Ints) -> int:
    """How far at least ``THIN`` sessions run; to the end where there are fewer from the start.

    running (Q,) : sessions of all systems that have each query (or position), never rising

    >>> import numpy as np
    >>> axis_end(np.array([20, 12, 9, 1])), axis_end(np.array([3, 1]))
    (2, 2)
    """
    return int((running >= THIN).sum()) or running.size


def ends_where(running: Ints, end: int, place: str = "query") -> str:
    """What is said of an axis that ends before the last session does, else nothing.

    >>> import numpy as np
    >>> ends_where(np.array([20, 12, 9, 1]), 2)
    'The axis ends at query 2 of 4, the last that 10 sessions reach; 9 sessions go on.'
    >>> ends_where(np.array([20, 12, 9, 1]), 4)
    ''
    """
    if not 0 < end < running.size:
        return ""
    reach = f", the last that {THIN} sessions reach" if end == axis_end(running) else ""
    number = int(running[end])
    on = f"{counted(number, 'session')} {'goes' if number == 1 else 'go'} on"
    return f"The axis ends at {place} {end:,} of {running.size:,}{reach}; {on}."
