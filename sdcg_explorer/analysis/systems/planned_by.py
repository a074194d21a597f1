"""Units of a study by whose spread another is planned: paired differences, or means of systems."""

from __future__ import annotations

import math

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats
from sdcg_explorer.analysis.statistics.demeaned import Sessions
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.statistics.power import Units
from sdcg_explorer.analysis.statistics.two_way import TwoWay
from sdcg_explorer.analysis.systems.scored_sessions import Scored, group_means
from sdcg_explorer.analysis.systems.two_systems import BETWEEN, BOTH, PAIRED, Pair, fitted

FEWEST = 5  # units (of either system) by whose spread others are planned


def units_of(pair: Pair, scored: Scored) -> tuple[Units | None, str]:
    """Units of this study by which the next is planned; None for a reason, by its name.

    Their spread is that of their means with topics taken off, times the model's error over what
    that spread would make of it: fitting topics takes some of the spread along.
    """
    if pair.crossed:
        return None, "topics"
    if math.isnan(pair.difference):
        return None, "difference"
    groups, error = _groups(pair, scored)
    if min(each.size for each in groups) < FEWEST:
        return None, "few"
    found = Units(tuple(each - each.mean() for each in groups))
    if math.isnan(error):
        return None, "untold"
    level = rounding(scored.score)
    if not (error > level and found.error > level):
        return None, "alike"
    wider = error / found.error
    return Units(tuple(each * wider for each in found.deviations)), ""


def _groups(pair: Pair, scored: Scored) -> tuple[list[Floats], float]:
    """Units' paired differences, or means of each system's, topics off; the model's error."""
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    model = fitted(scored, a, b)
    rows, sessions, score = model.rows, model.sessions, model.scores(scored.score[:, None])[:, 0]
    if pair.design == BOTH:
        rows = _of_both(scored, a, b)
        codes = np.unique(scored.unit[rows], return_inverse=True)[1]
        sessions = Sessions(scored.system[rows], codes, scored.topic[rows])
        score = scored.score[rows]
    with_order = scored.place.size and pair.design != PAIRED
    place = scored.place[rows] if with_order else np.zeros(0)
    effects = TwoWay(score, sessions, place)
    error = effects.difference(a, b).error
    of_a, of_b = (
        group_means(effects.without_topics[own], sessions.unit[own], len(sessions.used))
        for own in (sessions.system == a, sessions.system == b)
    )
    if pair.design == BETWEEN:
        return [of_a[~np.isnan(of_a)], of_b[~np.isnan(of_b)]], error
    apart = of_b - of_a
    return [apart[~np.isnan(apart)]], error


def _of_both(scored: Scored, a: int, b: int) -> Bools:
    """Sessions with either system of those who used both, (N,)."""
    both = np.isin(scored.unit, scored.unit[scored.system == a])
    both &= np.isin(scored.unit, scored.unit[scored.system == b])
    return both & np.isin(scored.system, (a, b))
