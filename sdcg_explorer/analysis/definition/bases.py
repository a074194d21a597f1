"""The numbers that a slider of b or bq passes: evenly in their logarithm, no discount last."""

from __future__ import annotations

import math

ENDS = LEAST, MOST = 1.001, 999.999  # of what an exact entry takes
PLACES = 50  # of a slider for each tenfold: one for some two of its pixels (decision 126)
_TENFOLD = (1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.3, 8.0, 10.0)  # R10 of ISO 3, rounded
PREFERRED = (
    *(1.05, 1.1),
    *(ten * number for ten in (1, 10, 100) for number in _TENFOLD if ten * number < MOST),
    *(999.0, math.inf),
)


def place_of(base: float) -> int:
    """Place of a finite base on the scale, from 0.

    >>> place_of(1.001), place_of(10), place_of(999)
    (0, 50, 150)
    """
    return round(PLACES * math.log10(base))


def _roundest(place: int) -> float:
    """The number of fewest digits that has this place."""
    near = (float(f"{10 ** (place / PLACES):.{digits}g}") for digits in (1, 2, 3))
    return next(number for number in near if place_of(number) == place)


def _scale() -> tuple[float, ...]:
    numbers = {place: _roundest(place) for place in range(place_of(MOST) + 1)}
    numbers |= {place_of(number): number for number in (LEAST, *PREFERRED[:-1])}
    return (*numbers.values(), PREFERRED[-1])


SCALE = _scale()


def with_own(scale: tuple[float, ...], own: float) -> tuple[float, ...]:
    """A scale with a number that came from elsewhere where it belongs.

    >>> with_own((1, 2, 4), 3), with_own((1, 2, 4), 4)
    ((1, 2, 3, 4), (1, 2, 4))
    """
    return tuple(sorted({*scale, own}))


def in_full(number: float) -> str:
    """A slider's number in full.

    >>> in_full(2.0), in_full(2.125), in_full(math.inf)
    ('2', '2.125', '∞')
    """
    return "∞" if math.isinf(number) else str(float(number)).removesuffix(".0")
