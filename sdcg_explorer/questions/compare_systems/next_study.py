"""How many searchers does the next study need? Power by noncentral t from this study's units."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.metrics.interval import SEED
from sdcg_explorer.questions.compare_systems.numbers import (
    BETWEEN,
    BOTH,
    PAIRED,
    Comparison,
    Pair,
    fitted,
)
from sdcg_explorer.scoring.scored_sessions import Scored, group_means
from sdcg_explorer.statistics.effect_sizes import rounding
from sdcg_explorer.statistics.permutation import LEVEL
from sdcg_explorer.statistics.two_way import Sessions, TwoWay, t_quantile

MOST = 10_000  # units, beyond which none are counted
STUDIES = 2_000
MOST_DRAWN = 2_000_000  # units of all studies that are drawn from one
FARTHEST = 60.0  # standard errors from 0, from where on power is 1 for any df
NORMAL = 1e6  # df from which on t is the normal curve


def t_power(apart: npt.ArrayLike, df: npt.ArrayLike) -> Floats:
    r"""Chance of p ≤ .05 in a two-sided t test where the truth is so many standard errors off.

    .. math:: P(|T'_{df, \delta}| > t_{.975, df})

    Both tails count, so that it is .05 at 0. Source: Cohen (1988), ch. 2; Faul et al. (2007).

    >>> round(float(t_power(0.5 * (64 / 2) ** 0.5, 126)), 3)  # d = .5, 64 of either group
    0.801
    """
    from scipy.special import nctdtr, stdtrit

    df, apart = np.minimum(df, NORMAL), np.minimum(np.abs(apart), FARTHEST)
    far = stdtrit(df, 1 - LEVEL / 2)
    to_far, beneath = np.nan_to_num([nctdtr(df, apart, t) for t in (far, -far)])  # nan: all but 0
    return np.asarray(1 - to_far + beneath, dtype=np.float64)


def smallest_found(error: float, df: float, wanted: float) -> float:
    """The smallest difference that a test of this error and df finds with the power wanted."""
    from scipy import optimize

    if not (error > 0 and df >= 1):
        return float("nan")
    found = optimize.root_scalar(
        lambda apart: float(t_power(apart, df)) - wanted, bracket=(0.0, FARTHEST)
    )
    return float(found.root) * error


@dataclass(frozen=True, eq=False)
class Units:
    """How far units lie apart: paired differences (U,), or the units of either system.

    Numbers n are of each group; the groups of the next study are alike in size, and each keeps
    its spread, so that df are Welch's (2n − 2 where spreads are equal), or n − 1 of one group.
    """

    deviations: tuple[Floats, ...]

    @cached_property
    def variances(self) -> Floats:
        """Of each group, (G,)."""
        return np.array([each.var(ddof=1) for each in self.deviations])

    @property
    def group_count(self) -> int:
        """1 of paired differences, 2 of systems apart."""
        return len(self.deviations)

    @property
    def spread(self) -> float:
        """Standard deviation, that of both groups where there are two."""
        return float(np.sqrt(self.variances.mean()))

    @property
    def error(self) -> float:
        """Standard error of the difference, by as many units as there are."""
        sizes = np.array([each.size for each in self.deviations])
        return float(np.sqrt((self.variances / sizes).sum()))

    def standard_error_for(self, n: float) -> float:
        """Standard error of the difference by n units in each group."""
        return float(np.sqrt(self.variances.sum() / n))

    def welch_df(self, n: float) -> float:
        """Welch's df of n units in each group, n − 1 of one group."""
        return float((n - 1) / np.square(self.variances / self.variances.sum()).sum())

    def power(self, difference: float, n: npt.ArrayLike) -> Floats:
        """Power of a study of n units in each group."""
        n = np.asarray(n, dtype=np.float64)
        apart = abs(difference) / self.standard_error_for(1) * np.sqrt(n)
        return t_power(apart, (n - 1) * self.welch_df(2))

    def units_needed(self, difference: float, wanted: float) -> int:
        """Fewest units in all that give the power wanted; more than ``MOST`` where that is so."""
        sizes = range(2, MOST // self.group_count + 1)
        place = bisect_left(sizes, wanted, key=lambda n: float(self.power(difference, n)))
        return (2 + place) * self.group_count

    def resampled_power(self, difference: float, n: int, *, studies: int = STUDIES) -> float:
        """Share of studies, n units drawn anew for each group, whose t test has p ≤ .05.

        Deviations are drawn with replacement about the difference, and widened by √(U / (U − 1)),
        for what is drawn from varies less than what it was drawn from. nan above ``MOST_DRAWN``,
        or where more than ``MOST`` units are needed.
        """
        from scipy.special import stdtr

        if n * studies > MOST_DRAWN or n * self.group_count > MOST:
            return float("nan")
        rng = np.random.default_rng(SEED)
        drawn = [
            rng.choice(each * np.sqrt(each.size / (each.size - 1)), (studies, n))
            for each in self.deviations
        ]
        apart = difference + drawn[-1].mean(axis=1)
        apart -= drawn[0].mean(axis=1) if self.group_count > 1 else 0.0
        squares = np.array([each.var(axis=1, ddof=1) for each in drawn])
        total = squares.sum(axis=0)
        known = total > 0
        df = (n - 1) / np.square(squares[:, known] / total[known]).sum(axis=0)
        t = np.abs(apart[known]) / np.sqrt(total[known] / n)
        # without any spread nothing is tested
        return float((2 * stdtr(df, -t) <= LEVEL).sum() / studies)


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
    groups, error = _unit_differences_or_means(pair, scored)
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


def _unit_differences_or_means(pair: Pair, scored: Scored) -> tuple[list[Floats], float]:
    """Units' paired differences, or means of each system's, topics off; the model's error."""
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    model = fitted(scored, a, b)
    rows, sessions, score = model.rows, model.sessions, model.scores(scored.score[:, None])[:, 0]
    if pair.design == BOTH:
        of_a, of_b = (scored.unit[scored.system == code] for code in (a, b))
        rows = np.isin(scored.system, (a, b)) & np.isin(scored.unit, np.intersect1d(of_a, of_b))
        codes = np.unique(scored.unit[rows], return_inverse=True)[1]
        sessions = Sessions(scored.system[rows], codes, scored.topic[rows])
        score = scored.score[rows]
    place = scored.place[rows] if scored.place.size and pair.design != PAIRED else np.zeros(0)
    effects = TwoWay(score, sessions, place)
    error = effects.difference(a, b).error
    of_a, of_b = (
        group_means(effects.without_topics[own], sessions.unit[own], len(sessions.systems_used))
        for own in (sessions.system == a, sessions.system == b)
    )
    if pair.design == BETWEEN:
        return [of_a[~np.isnan(of_a)], of_b[~np.isnan(of_b)]], error
    apart = of_b - of_a
    return [apart[~np.isnan(apart)]], error


POWERS = (0.8, 0.9)
POINTS = 80  # of a power curve
ROOM = 1.15  # right of the last number that is needed
SEEN, HALF = "the difference seen", "half of it"
COLUMNS = (
    *("system_a", "system_b", "score", "design", "unit", "planned_for", "difference"),
    *("standardised", "units_80", "units_90", "resampled_80", "resampled_90"),
)
WIDE = ("system_a", "system_b", "score", "design")


@dataclass(frozen=True)
class Plan:
    """A difference to be found, and how many units in all give each of ``POWERS``."""

    words: str
    difference: float
    units: tuple[int, ...]


def number_of(units: int) -> str:
    """A number of units, as far as they are counted."""
    return f"{units:,}" if units <= MOST else f"more than {MOST:,}"


@dataclass(frozen=True, eq=False)
class NextStudy:
    """What a next study of two systems needs.

    pair : of those compared · units : of this study, None where they can't be planned by · reason :
    why nothing is planned, of those that questions/compare_systems/words.py says · smallest :
    difference that this study had 80% power for · plans : for the difference seen, half of it, one
    entered
    """

    compared: Comparison
    pair: Pair
    units: Units | None
    reason: str
    smallest: float
    plans: tuple[Plan, ...]

    @property
    def is_clear(self) -> bool:
        """Whether this study's difference is."""
        return self.compared.clear[self.compared.pairs.index(self.pair)]

    def table(self) -> pd.DataFrame:
        """A row for each difference."""
        pair, units = self.pair, self.units
        rows = [
            (
                *(pair.system_a, pair.system_b, self.compared.score, pair.design, pair.unit),
                *(plan.words, plan.difference, plan.difference / units.spread),
                *(number_of(n).replace(",", "") for n in plan.units),
                *(
                    units.resampled_power(plan.difference, n // units.group_count)
                    for n in plan.units
                ),
            )
            for plan in self.plans
            if units
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    @cached_property
    def curve_sizes(self) -> Floats:
        """Numbers of units, of all systems together, that curves are drawn at."""
        groups = self.units.group_count if self.units else 1
        counts = [n for plan in self.plans for n in plan.units if n <= MOST] or [MOST]
        end = min(MOST, max(ROOM * max(*counts, self.pair.units), 12))
        return np.unique(np.geomspace(2, end / groups, POINTS).round()) * groups

    def curve(self, plan: Plan) -> Floats:
        """Power at each of ``sizes``."""
        if self.units is None:
            return np.full(self.curve_sizes.size, np.nan)
        return self.units.power(plan.difference, self.curve_sizes / self.units.group_count)


def require_difference(entered: float | None) -> None:
    """Refuse a difference that no study can be planned for.

    Raises
    ------
    ValueError : it is not above 0
    """
    if entered is not None and not 0 < entered < math.inf:
        raise ValueError(f"a difference of {entered:g} to plan for; it has to be above 0.")


def plan_of(compared: Comparison, place: int, *, plan_for: float | None = None) -> NextStudy:
    """The next study of one of the pairs that are compared, also for a difference of `plan_for`.

    Raises
    ------
    ValueError : a difference to plan for that is not above 0
    """
    require_difference(plan_for)
    pair = compared.pairs[place]
    units, reason = units_of(pair, compared.scored)
    plans: list[Plan] = []
    if units:
        seen = abs(pair.difference)
        wanted = [(SEEN, seen), (HALF, seen / 2)] if seen else []
        wanted += [(f"{plan_for:g} {compared.unit}", plan_for)] if plan_for else []
        plans = [
            Plan(words, size, tuple(units.units_needed(size, power) for power in POWERS))
            for words, size in wanted
        ]
        reason = "" if seen else "equal"
    error = (pair.high - pair.low) / 2 / t_quantile(pair.df)  # which the interval is made of
    smallest = smallest_found(error, pair.df, POWERS[0])
    return NextStudy(compared, pair, units, reason, smallest, tuple(plans))
