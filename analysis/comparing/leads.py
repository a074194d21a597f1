"""How far one system is ahead of another on sessions' shares of their ideals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis.arrays import Floats
from analysis.comparing.by_groups import differences_of_sums
from analysis.comparing.effect_sizes import rounding
from analysis.comparing.fit import Estimate
from analysis.comparing.means import scored_of
from analysis.comparing.two_systems import effects_of
from analysis.selection import Selection

Lead = Callable[[str, str], Estimate]


def lead_of(chosen: Selection, shares: Floats) -> Lead:
    """A second system less a first, by name, each searcher and topic compared with itself.

    Of counts, whose shares are added up by row, each topic alone, by groups of sessions.
    """
    if chosen.sample.is_counted:
        return _of_counts(chosen, shares)
    scored = scored_of(chosen, shares, ~np.isnan(shares))

    def lead(first: str, second: str) -> Estimate:
        found = effects_of(scored).difference(*map(scored.names.index, (first, second)))
        return found.rounded(rounding(scored.score))

    return lead


def _of_counts(chosen: Selection, shares: Floats) -> Lead:
    names = chosen.sample.block.system_names
    size = rounding(shares[~np.isnan(shares)] / chosen.sample.number[~np.isnan(shares)])

    def lead(first: str, second: str) -> Estimate:
        pair = names.index(first), names.index(second)
        found = differences_of_sums(shares[:, None], chosen.sample, *pair)
        value, error, df = (float(of[0]) for of in (found.value, found.error, found.df))
        return Estimate(value, error, df).rounded(size)

    return lead
