"""How far one system is ahead of another on sessions' shares of their ideals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.selection.rows import OF_GROUPS, OF_SESSIONS, Rows
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.statistics.by_groups import differences_of_sums
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.statistics.fit import Estimate
from sdcg_explorer.analysis.systems.means import scored_of
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.two_systems import effects_of

Lead = Callable[[str, str], Estimate]


def lead_of(chosen: Selection, shares: Floats) -> Lead:
    """A second system less a first, by name, each searcher and topic compared with itself.

    Of counts, whose shares are added up by row, each topic alone, by groups of sessions.
    """
    return LEADS[chosen.sample.rows](chosen, shares)


def _of_sessions(scored: Scored, first: str, second: str) -> Estimate:
    """Of sessions."""
    pair = map(scored.names.index, (first, second))
    return effects_of(scored).difference(*pair).rounded(rounding(scored.score))


def _of_groups(sample: Sample, shares: Floats, first: str, second: str) -> Estimate:
    """Of groups of sessions; shares (S,)."""
    known = ~np.isnan(shares)
    pair = map(sample.block.system_names.index, (first, second))
    found = differences_of_sums(shares[:, None], sample, *pair)
    value, error, df = (float(of[0]) for of in (found.value, found.error, found.df))
    size = rounding(shares[known] / sample.number[known])
    return Estimate(value, error, df).rounded(size)


# partial functions, so that a process beside the server can send them back
LEADS: dict[Rows, Callable[[Selection, Floats], Lead]] = {
    OF_SESSIONS: lambda chosen, shares: partial(
        _of_sessions, scored_of(chosen, shares, ~np.isnan(shares))
    ),
    OF_GROUPS: lambda chosen, shares: partial(_of_groups, chosen.sample, shares),
}
