"""Who is ahead at many points, or under many definitions, in a sentence."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.wording import enumerated


def who_is_ahead(
    systems: tuple[str, str], estimates: tuple[Floats, Floats, Floats], at: str, places: str
) -> str:
    """Where each of two systems is ahead, where they are equal, where the interval excludes 0.

    estimates : second less first, and both ends of its interval, nan where there is none

    >>> value = np.array([0.2, 0.1, 0.3, 0.0])
    >>> who_is_ahead(("A", "B"), (value, value - 0.1, value + 0.1), "at", "points")
    'B is ahead at 3 of 4 points and they are equal at 1; the interval excludes 0 at 2'
    """
    value, low, high = estimates
    first, second = systems
    if np.isnan(value).all():
        return f"{first} and {second} can't be told from their topics: no difference can be given"
    wins = sorted(((second, value > 0), (first, value < 0)), key=lambda own: -own[1].sum())
    (ahead, most), behind = wins
    if not most.any():
        return f"{first} and {second} are equal {at} {_of(value == 0, places)}"
    parts = [f"{ahead} is ahead {at} {_of(most, places)}"]
    others = behind, ("they are equal", value == 0), ("no difference is known", np.isnan(value))
    parts += [f"{words} {at} {where.sum():,}" for words, where in others if where.any()]
    if np.isnan(low).all():
        return f"{enumerated(parts)}; there is no interval"
    return f"{enumerated(parts)}; {_where_clear(wins, (low > 0) | (high < 0), at)}"


def _of(where: Bools, places: str) -> str:
    number, every = int(where.sum()), where.size
    return f"all {every:,} {places}" if number == every else f"{number:,} of {every:,} {places}"


def _where_clear(wins: list[tuple[str, Bools]], clear: Bools, at: str) -> str:
    """Where the interval excludes 0, and in whose favour if both systems are ahead somewhere."""
    if not clear.any():
        return f"the interval excludes 0 {at} none of them"
    if not wins[1][1].any():
        return f"the interval excludes 0 {at} {clear.sum():,}"
    own = [(name, int((clear & where).sum())) for name, where in wins]
    counts = [f"{at} {number:,} in favour of {name}" for name, number in own if number]
    return f"the interval excludes 0 {enumerated(counts)}"
