"""Variances of crossed parts by REML: which the design can tell, and where they are likeliest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.statistics.crossed_reml import PARTS, At, Sums, at

MOST = 1e6  # variance of a part at most, in those of the rest
STARTS = (1.0, 0.04)  # variances of all parts to start from, in those of the rest
STEPS, HALVINGS = 100, 30
LEVEL, STEEP = 1e-6, 1e-3  # slope of the deviance to stop at, and from which it has no minimum
ROUNDING = 1e-9  # by which one deviance may pass another
LITTLE = 1e-9  # variance of the rest, in that of the scores, which is rounding
APART = 1e-8  # least share of a part's shape that others lack, for it to be told from them


def told_apart(sums: Sums, order: Sequence[int]) -> list[int]:
    """Parts whose variance the design tells from the rest's and those before it, in this order.

    A part can't be told where P V P is a sum of the others': its row of the information is then a
    sum of theirs.
    """
    shape = at(sums, np.ones(PARTS)).information()
    told = [PARTS]
    for part in order:
        among = shape[np.ix_(told, told)]
        toward = shape[part, told]
        beyond = shape[part, part] - toward @ np.linalg.solve(among, toward)
        if beyond > APART * max(1.0, shape[part, part]):
            told.append(part)
    return sorted(told[1:])


def fitted(sums: Sums, parts: Sequence[int]) -> At | None:
    """The likelihood where it is highest over the variances of some parts, others being 0.

    Of standardised scores. None where no maximum is found from any start.
    """
    found = [_highest(sums, list(parts), start) for start in STARTS]
    lowest = min(found, key=lambda place: place.deviance)
    return lowest if is_rounding(lowest) or _slope(lowest, parts)[0] < STEEP else None


def is_rounding(place: At) -> bool:
    """Whether groups and coefficients leave nothing of standardised scores."""
    return not place.rest > LITTLE or bool((place.ratios >= MOST).any())


def _highest(sums: Sums, parts: list[int], start: float) -> At:
    """Where Fisher's scoring leads from equal ratios; those that would fall below 0 stay there."""
    begin = np.zeros(PARTS)
    begin[parts] = start
    place = at(sums, begin)
    for _ in range(STEPS):
        slope, free = _slope(place, parts)
        if slope < LEVEL or is_rounding(place):
            break
        step = np.zeros(PARTS)
        step[free] = -np.linalg.solve(_curvature(place)[np.ix_(free, free)], place.slopes()[free])
        lower = _lower(place, step)
        if lower is None:
            break
        place = lower
    return place


def _slope(place: At, parts: Sequence[int]) -> tuple[float, list[int]]:
    """Steepest slope of the deviance, and parts that have one to follow: not down from 0.

    By ratios below 1, by their logarithms above.
    """
    ratios, slopes = place.ratios, place.slopes()
    free = [part for part in parts if ratios[part] > 0 or slopes[part] < 0]
    return float((np.abs(slopes) * np.maximum(ratios, 1.0))[free].max(initial=0.0)), free


def _curvature(place: At) -> Floats:
    """Second derivatives of the deviance by ratios that are expected, (4, 4)."""
    traces = place.traces()
    return place.information()[:PARTS, :PARTS] - np.outer(traces, traces) / place.sums.free


def _lower(place: At, step: Floats) -> At | None:
    """Where a step, or half of it, half of that … leads to no higher deviance; None if nowhere."""
    for _ in range(HALVINGS):
        found = at(place.sums, np.clip(place.ratios + step, 0.0, MOST))
        if is_rounding(found) or found.deviance < place.deviance + ROUNDING:
            return found
        step = step / 2
    return None
