"""Differences of systems with searchers and topics taken off, for every design that people run."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.comparing.taken_off import SINGULAR, Sessions, TakenOff, inverse_of, root_of, sums_by

MOST_TOPICS = 2_000  # beside which searchers' own levels are taken off, too
MOST_UNITS = 1_500  # for which degrees of freedom are counted; beyond, the normal curve serves
MOST_SESSIONS = 400  # of a searcher, whose weights are found session by session
MOST_ALIKE = 0.999  # correlation of one searcher's sessions that weights allow for
FEWEST_ALIKE = 3  # searchers of the same systems, whose spread is counted apart
NONE = (float("nan"), float("nan"), float("nan"))
NEAR = 1e-6  # what rounding may leave of a difference that the data tell, or of a variance


@dataclass(frozen=True)
class Estimate:
    """A difference, its standard error and degrees of freedom; nan where there is none."""

    value: float
    error: float
    df: float

    def interval(self) -> tuple[float, float]:
        """95 % by t."""
        from scipy import stats

        reach = float(stats.t.ppf(0.975, self.df)) * self.error
        return self.value - reach, self.value + reach

    def rounded(self, level: float) -> Estimate:
        """The same without what is rounding alone: no error, or a difference of 0."""
        value = 0.0 if abs(self.value) <= level else self.value
        return Estimate(value, *((self.error, self.df) if self.error > level else NONE[1:]))

    @property
    def t(self) -> float:
        """The difference in standard errors."""
        return self.value / self.error if self.error > 0 else float("nan")

    @property
    def p(self) -> float:
        """Two-sided, by t."""
        from scipy import stats

        return float(2 * stats.t.sf(abs(self.t), self.df))


@dataclass(frozen=True, eq=False)
class TwoWay:
    r"""Sessions' scores as system + topic + searcher + rest, all fitted at once.

    .. math:: y_i = \beta_{s(i)} + \tau_{t(i)} + u_{c(i)} + e_i

    Topics are fixed. A searcher's mean is taken off as far as sessions of one searcher are alike:
    who used several systems is compared with themselves, and who used one still counts. Standard
    errors are by searcher, whatever their sessions have in common (CR2), with Satterthwaite's df,
    in which the spread of searchers of the same systems is counted apart, as Welch does.

    score (N,) of each session · place (N,) : among those of its searcher, whose effect (so much
    for each place more) is taken off, too; none where it is empty

    Source: Frisch & Waugh (1933) for taking off, Bell & McCaffrey (2002) and Pustejovsky & Tipton
    (2018) for CR2 and its df, Welch (1947) for spreads apart.

    >>> sessions = Sessions(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), np.zeros(4, int))
    >>> found = TwoWay(np.array([1.0, 2.0, 4.0, 6.0]), sessions).difference(0, 1)
    >>> round(found.value, 6), round(found.error, 6), round(found.df, 6)
    (1.5, 0.5, 1.0)
    """

    score: Floats
    sessions: Sessions
    place: Floats = field(default_factory=lambda: np.zeros(0))

    def difference(self, a: int, b: int) -> Estimate:
        """System b less system a; nan where the data can't tell."""
        contrast = np.zeros(self._fit.inverse.shape[0])
        contrast[b], contrast[a] = 1.0, -1.0
        return self._fit.estimate(contrast)

    @cached_property
    def without_topics(self) -> Floats:
        """Scores less what topics add to them, (N,)."""
        fit = self._fit
        left = self.score - self._given @ fit.effects
        return self.score - fit.taken.topic_effects(fit.taken.without_means(left[:, None]))

    @cached_property
    def _given(self) -> Floats:
        """A dummy of each system, and the place where it is taken off, (N, K)."""
        dummies = np.equal.outer(self.sessions.system, np.arange(self.sessions.used.shape[1]))
        own = self.place[:, None] if self.place.size else np.zeros((self.score.size, 0))
        return np.column_stack([dummies, own])

    @cached_property
    def alike(self) -> float:
        """Part of the variance that is searchers' own, once systems and topics are off, from 0."""
        searchers = int(self.sessions.unit.max()) + 1
        whole, within = (
            _Fit.to(self.score, self._given, self.sessions, np.full(searchers, share)).variance()
            for share in (0.0, 1.0)
        )
        return float(np.clip(1 - within / whole, 0.0, MOST_ALIKE)) if whole > within else 0.0

    @cached_property
    def _fit(self) -> _Fit:
        sizes, topics = np.bincount(self.sessions.unit), int(self.sessions.topic.max())
        alike = self.alike if topics < MOST_TOPICS else 0.0
        ratio = alike / (1 - alike)
        return _Fit.to(self.score, self._given, self.sessions, 1 - 1 / np.sqrt(1 + sizes * ratio))


@dataclass(frozen=True, eq=False)
class _Fit:
    """Least squares on what is left of systems' dummies (and places), (N, K), and of scores.

    inverse (K, K) : of the products of systems · effects (K,) · residual (N,)
    """

    taken: TakenOff
    systems: Floats
    inverse: Floats
    effects: Floats
    residual: Floats

    @classmethod
    def to(cls, score: Floats, given: Floats, sessions: Sessions, off: Floats) -> _Fit:
        """The fit with a share (C,) of each searcher's mean taken off."""
        taken = TakenOff.by(sessions, off)
        left = taken.without_topics(taken.without_means(np.column_stack([given, score])))
        systems, score = left[:, :-1], left[:, -1]
        inverse = inverse_of(systems.T @ systems)
        effects = inverse @ (systems.T @ score)
        return cls(taken, systems, inverse, effects, score - systems @ effects)

    def variance(self) -> float:
        """Of the rest, by its free sessions; without bounds where there are none."""
        taken, unit = self.taken, self.taken.sessions.unit
        searchers = np.unique(unit).size if taken.off.all() else 0
        used = searchers + taken.rank + float((self.systems.T @ self.systems * self.inverse).sum())
        free = self.residual.size - round(used)
        return float(self.residual @ self.residual) / free if free > 0 else float("inf")

    def estimate(self, contrast: Floats) -> Estimate:
        """A difference of effects; without an error where no residuals show it."""
        told = self.inverse @ (self.systems.T @ (self.systems @ contrast))
        if np.abs(told - contrast).max() > NEAR:
            return Estimate(*NONE)
        value, part = float(contrast @ self.effects), self.systems @ (self.inverse @ contrast)
        adjusted, expected = self._adjusted(part)
        if expected.sum() < (1 - NEAR) * float(part @ part):
            return Estimate(value, *NONE[1:])
        unit = self.taken.sessions.unit
        squares = np.bincount(unit, weights=adjusted * self.residual).astype(np.float64) ** 2
        df = self._df(adjusted, self._scales(squares, expected))
        return Estimate(value, float(np.sqrt(squares.sum())), df)

    def _adjusted(self, part: Floats) -> tuple[Floats, Floats]:
        """Each session's part (N,) times (I − H)^-½ of its searcher; expected squares (C,).

        These are what a searcher's residuals, so weighted and added, square to on average where
        sessions are independent and alike.
        """
        found, expected = np.zeros_like(part), np.zeros(self.taken.off.size)
        for units, rows in self.taken.sessions.by_size:
            step = max(1, MOST_SESSIONS**2 * 10 // rows.shape[1] ** 2)
            for first in range(0, units.size, step):
                some, own = units[first : first + step], rows[first : first + step]
                turned = self._turned if rows.shape[1] <= MOST_SESSIONS else self._turned_alone
                found[own], expected[some] = turned(some, own, part[own])
        return found, expected

    def _turned(self, units: Ints, rows: Ints, part: Floats) -> tuple[Floats, Floats]:
        """Adjusted parts (m, n) of units with n sessions each, and their expected squares (m,)."""
        systems = self.systems[rows]
        hat = self.taken.hat(units, rows)
        hat = hat + systems @ self.inverse @ systems.transpose(0, 2, 1)
        values, vectors = np.linalg.eigh(np.eye(rows.shape[1]) - hat)
        known = values > NEAR
        turned = (part[:, None, :] @ vectors)[:, 0] * known
        roots = turned / np.sqrt(np.where(known, values, 1.0))
        return (vectors @ roots[..., None])[..., 0], (turned**2).sum(axis=1)

    def _turned_alone(self, units: Ints, rows: Ints, part: Floats) -> tuple[Floats, Floats]:
        """The same of searchers of many sessions, one by one, by what H is made of."""
        found, expected = np.zeros_like(part), np.zeros(units.size)
        root = root_of(self.inverse)
        for i, own in enumerate(rows):
            topics = self.taken.factor(own, float(self.taken.off[units[i]]))
            wide = np.column_stack([topics, self.systems[own] @ root])
            values, vectors = np.linalg.eigh(wide.T @ wide)
            some = values > SINGULAR
            along = wide @ (vectors[:, some] / np.sqrt(values[some]))
            rest, of = 1 - values[some], along.T @ part[i]
            known = rest > NEAR
            factors = np.where(known, 1 / np.sqrt(np.where(known, rest, 1.0)), 0.0) - 1
            found[i] = part[i] + along @ (factors * of)
            expected[i] = part[i] @ part[i] - (of[~known] ** 2).sum()
        return found, expected

    def _scales(self, squares: Floats, expected: Floats) -> Floats:
        """Variance of each searcher's rest (C,), one for all who used the same systems."""
        used = self.taken.sessions.used
        _, group, sizes = np.unique(used, axis=0, return_inverse=True, return_counts=True)
        group = np.where(sizes[group] < FEWEST_ALIKE, sizes.size, group.ravel())
        of, over = (np.bincount(group, weights=each) for each in (squares, expected))
        return np.divide(of, over, out=np.zeros_like(of), where=over > 0)[group]

    def _df(self, adjusted: Floats, scales: Floats) -> float:
        """Satterthwaite's df of the squared error, a sum of squares over searchers.

        Two searchers' residuals, weighted and added, have the covariance g'Ωh, where
        g = (I − H) times the one's adjusted parts, and Ω holds the searchers' scales.
        """
        unit, taken = self.taken.sessions.unit, self.taken
        if scales.size > MOST_UNITS or len(taken.topics) > MOST_TOPICS:
            return float("inf")
        own = sums_by(self.systems * adjusted[:, None], unit, scales.size)
        wide = np.column_stack([taken.by_topic(adjusted), own])
        solved = np.column_stack(
            [taken.times_inverse(wide[:, : -own.shape[1]]), own @ self.inverse]
        )
        shared = (solved @ wide.T) * scales
        both = np.diag(np.bincount(unit, weights=adjusted**2) * scales) - shared - shared.T
        both += solved @ taken.products(self.systems, scales) @ solved.T
        squares = float((both**2).sum())
        return float(np.trace(both)) ** 2 / squares if squares else float("nan")
