"""How far one system is ahead of another on sessions' shares of their ideals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class _OfSessions:
    """Of sessions; an object, so that a process beside the server can send it back."""

    scored: Scored

    def __call__(self, first: str, second: str) -> Estimate:
        pair = map(self.scored.names.index, (first, second))
        return effects_of(self.scored).difference(*pair).rounded(rounding(self.scored.score))


@dataclass(frozen=True, eq=False)
class _OfGroups:
    """Of groups of sessions, (S,)."""

    sample: Sample
    shares: Floats

    def __call__(self, first: str, second: str) -> Estimate:
        known = ~np.isnan(self.shares)
        pair = map(self.sample.block.system_names.index, (first, second))
        found = differences_of_sums(self.shares[:, None], self.sample, *pair)
        value, error, df = (float(of[0]) for of in (found.value, found.error, found.df))
        size = rounding(self.shares[known] / self.sample.number[known])
        return Estimate(value, error, df).rounded(size)


LEADS: dict[Rows, Callable[[Selection, Floats], Lead]] = {
    OF_SESSIONS: lambda chosen, shares: _OfSessions(scored_of(chosen, shares, ~np.isnan(shares))),
    OF_GROUPS: lambda chosen, shares: _OfGroups(chosen.sample, shares),
}
