"""Variances of crossed parts by REML: which the design can tell, and where they are likeliest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.arrays import Floats
from analysis.comparing.crossed_reml import PARTS, At, Sums, at

MOST = 1e6  # variance of a part at most, in those of the rest
STARTS = (1.0, 0.2)  # standard deviations of all parts to start from, in those of the rest
SMALL = 0.05  # variance, in those of the rest, that the last steps are measured in at least
STEEP = 1e-3  # slope of the deviance taken for 0
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
    reached = [place for place in found if _is_highest(place, list(parts))]
    return min(reached, key=lambda place: place.deviance, default=None)


def _highest(sums: Sums, parts: list[int], start: float) -> At:
    """Where it leads to start from equal standard deviations.

    These first, for their even scale; then variances, as from a standard deviation of 0 no slope
    leads away.
    """
    ratios = _led(sums, parts, np.full(len(parts), start), np.ones(len(parts)), power=2)
    scale = np.maximum(ratios, SMALL)
    return at(sums, _placed(parts, _led(sums, parts, ratios / scale, scale, power=1)))


def _led(sums: Sums, parts: list[int], begin: Floats, scale: Floats, *, power: int) -> Floats:
    """Ratios of the parts, scale × value to a power, where the deviance led from `begin`."""
    from scipy.optimize import minimize

    def deviance(values: Floats) -> tuple[float, Floats]:
        place = at(sums, _placed(parts, scale * values**power))
        by_value = power * scale * values ** (power - 1)
        return place.deviance, by_value * place.slopes()[parts]

    if not parts:
        return begin
    bounds = [(0.0, (MOST / each) ** (1 / power)) for each in scale]
    how = {"ftol": 1e-13, "gtol": 1e-8, "maxiter": 500}
    found = minimize(deviance, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=how)
    return scale * found.x**power


def _placed(parts: list[int], ratios: Floats) -> Floats:
    """Ratios (4,) of which those of other parts are 0."""
    found = np.zeros(PARTS)
    found[parts] = ratios
    return found


def _is_highest(place: At, parts: list[int]) -> bool:
    """Whether the deviance is level, by logarithms of ratios, and rises from ratios of 0."""
    ratios, slopes = place.ratios[parts], place.slopes()[parts]
    level = np.abs(ratios * slopes)[ratios < MOST] < STEEP
    return bool(level.all() and (slopes[ratios == 0] > -STEEP).all())
