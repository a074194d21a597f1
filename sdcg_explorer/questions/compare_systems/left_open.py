"""What unjudged documents leave open of a difference: from where to where it could go, by which."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.compare_systems.numbers import Comparison, Pair, session_weights
from sdcg_explorer.scoring.residuals import Residuals
from sdcg_explorer.statistics.effect_sizes import rounding

SAMPLED, UNTOLD = ("sample", "untold")
RANGE = ("difference_lowest", "difference_highest")
COLUMNS = ("topic", "doc", "grade", "moves", "sessions_a", "sessions_b")


@dataclass(frozen=True, eq=False)
class LeftOpen:
    """What the unjudged documents of a pair of systems could do to its difference.

    why : why nothing can be given, a key of words; "" where something is · results, without :
    results of both systems in cells that count, and unjudged ones · moves (T,) : by how much each
    document moves the difference, were it worth the highest gain · documents : its topic and name,
    and how many sessions of either system show it · unit : in which differences are counted
    """

    pair: Pair
    why: str
    results: int
    without: int
    moves: Floats = field(default_factory=lambda: np.zeros(0))
    documents: pd.DataFrame = field(default_factory=pd.DataFrame)
    unit: str = ""

    @property
    def lowest_difference(self) -> float:
        """The difference were all documents worth the most that speak against the second system."""
        return self._shifted_difference(np.minimum(self.moves, 0.0))

    @property
    def highest(self) -> float:
        """The difference were all documents worth the most that speak for it."""
        return self._shifted_difference(np.maximum(self.moves, 0.0))

    def _shifted_difference(self, moves: Floats) -> float:
        """The difference with these moves; 0 where rounding alone is left of both."""
        end = self.pair.difference + float(moves.sum())
        return 0.0 if abs(end) <= rounding(np.array([self.pair.difference])) else end

    @property
    def is_leader_certain(self) -> bool:
        """Whether the same system is ahead whatever the unjudged documents are worth."""
        return self.lowest_difference > 0 or self.highest < 0

    @cached_property
    def table(self) -> pd.DataFrame:
        """Documents that move the difference, those first that do so most, without their grades.

        Each makes a part of the range, so that who judges from the top narrows it fastest.
        """
        table = self.documents.assign(grade="", moves=self.moves)[list(COLUMNS)]
        order = np.lexsort((table["doc"], table["topic"], -np.abs(self.moves)))
        return table.iloc[order[self.moves[order] != 0]].reset_index(drop=True)


def left_open(compared: Comparison, residuals: Residuals, place: int) -> LeftOpen:
    """What could become of the difference of a pair of those compared, by its place."""
    pair, of = compared.pairs[place], residuals.unjudged
    system = np.full(residuals.results.size, -1)
    system[compared.rows] = compared.scored.system
    both = [compared.scored.names.index(name) for name in (pair.system_a, pair.system_b)]
    own = np.isin(system, both)
    results, without = int(residuals.results[own].sum()), int(residuals.without[own].sum())
    if why := residuals.why or (SAMPLED if pair.crossed else ""):
        return LeftOpen(pair, why, results, without)
    if np.isnan(pair.difference):
        return LeftOpen(pair, UNTOLD, results, without)
    shown = [of.thing[system[of.session] == code] for code in both]
    counts = [np.bincount(things, minlength=len(of.names)) for things in shown]
    documents = of.names.assign(**dict(zip(COLUMNS[-2:], counts, strict=True)))
    moves = _moves(compared, residuals, pair)
    return LeftOpen(pair, "", results, without, moves, documents, compared.unit)


def _moves(compared: Comparison, residuals: Residuals, pair: Pair) -> Floats:
    """By how much each document moves the difference of a pair, (T,)."""
    of, weights = residuals.unjudged, np.zeros(residuals.results.size)
    weights[compared.rows] = session_weights(compared.scored, pair, compared.baseline)
    counts = weights[of.session] != 0  # others may have no score at all
    moved = (weights[of.session] * residuals.added)[counts]
    return np.bincount(of.thing[counts], moved, len(of.names)).astype(np.float64)


def with_ranges(table: pd.DataFrame, compared: Comparison, residuals: Residuals) -> pd.DataFrame:
    """A table of pairs with the range of each difference beside it; nan where there is none."""
    each = [left_open(compared, residuals, place) for place in range(len(table))]
    ends = [(np.nan, np.nan) if one.why else (one.lowest_difference, one.highest) for one in each]
    names = [*table.columns]
    behind = names.index("difference") + 1
    wider = table.copy()
    wider[list(RANGE)] = np.array(ends).reshape(-1, 2)
    return wider[[*names[:behind], *RANGE, *names[behind:]]]
