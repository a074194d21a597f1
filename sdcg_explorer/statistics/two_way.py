"""Least squares of one or many scores on system, topic and searcher; errors by searcher (CR2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from sdcg_explorer.metrics import normalised
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints

FEWEST_ALIKE = 3  # units of the same systems, whose spread is counted apart
SINGULAR = 1e-9  # of a design's own numbers: below it lies rounding


@dataclass(frozen=True, eq=False)
class Sessions:
    """System, unit (searcher) and topic of each session (N,), as codes from 0."""

    system: Ints
    unit: Ints
    topic: Ints

    @cached_property
    def units_by_size(self) -> list[tuple[Ints, Ints]]:
        """Units (m,) with the same number of sessions, and their sessions (m, n)."""
        order, counts = np.argsort(self.unit, kind="stable"), np.bincount(self.unit)
        starts, alike = np.cumsum(counts) - counts, list[tuple[Ints, Ints]]()
        for n in np.unique(counts[counts > 0]).tolist():
            units = np.flatnonzero(counts == n)
            alike.append((units, order[starts[units][:, None] + np.arange(n)]))
        return alike

    @cached_property
    def systems_used(self) -> Bools:
        """Which systems each unit used, (C, K)."""
        used = np.zeros((int(self.unit.max()) + 1, int(self.system.max()) + 1), dtype=bool)
        used[self.unit, self.system] = True
        return used

    @cached_property
    def system_dummies(self) -> Floats:
        """1 where a session is of a system, else 0, (N, K)."""
        return np.equal.outer(self.system, np.arange(int(self.system.max()) + 1)).astype(np.float64)

    @cached_property
    def topic_counts(self) -> Floats:
        """How many sessions each unit has on each topic, (C, T)."""
        met = np.zeros((int(self.unit.max()) + 1, int(self.topic.max()) + 1))
        np.add.at(met, (self.unit, self.topic), 1.0)
        return met

    @cached_property
    def system_set_codes(self) -> Ints:
        """Code of each unit's systems, (C,); one for all whose systems too few units used."""
        used = self.systems_used
        _, group, sizes = np.unique(used, axis=0, return_inverse=True, return_counts=True)
        few = sizes[group] < FEWEST_ALIKE
        return np.unique(np.where(few, sizes.size, group.ravel()), return_inverse=True)[1]


@dataclass(frozen=True, eq=False)
class TakenOff:
    """Each unit's mean taken off in part, then topics.

    off (C,) : share of the mean · rank : of what is left of topics' dummies · topics (T, T) :
    inverse of its products; (T,) its diagonal, where nothing of a mean is taken off
    """

    sessions: Sessions
    off: Floats
    rank: float
    topics: Floats

    @classmethod
    def by(cls, sessions: Sessions, off: Floats) -> TakenOff:
        """Shares of the units' means to take off, (C,)."""
        counts = np.bincount(sessions.topic).astype(float)
        rank = float((counts > 0).sum())
        topics: Floats = np.divide(1.0, counts, out=np.zeros_like(counts), where=counts > 0)
        if off.any():
            met = sessions.topic_counts
            products = np.diag(counts) - met.T @ (_products_lost(sessions, off)[:, None] * met)
            topics = pseudo_inverse(products)
            rank = float((products * topics).sum())
        return cls(sessions, off, rank, topics)

    def without_means(self, values: Floats) -> Floats:
        """Values (N, …) less a share of their unit's mean."""
        unit = self.sessions.unit
        flat = values.reshape(unit.size, -1)
        means = sums_by(flat, unit, self.off.size) * self.share[:, None]
        return (flat - means[unit]).reshape(values.shape)

    @cached_property
    def share(self) -> Floats:
        """What is taken off for each unit of its sum, (C,)."""
        return self.off / np.maximum(np.bincount(self.sessions.unit, minlength=self.off.size), 1)

    def without_topics(self, values: Floats) -> Floats:
        """Values (N, k) whose units' means are taken off, less what topics explain of them."""
        return values - self.without_means(self.effects(values)[self.sessions.topic])

    def effects(self, values: Floats) -> Floats:
        """Topics' effects (T, k) on values (N, k) whose units' means are taken off."""
        by_topic = sums_by(self.without_means(values), self.sessions.topic, len(self.topics))
        return self.times_inverse(by_topic.T).T

    def topic_effects_of_sums(self, by_topic: Floats, by_unit: Floats) -> Floats:
        """Topics' effects (T, k) on values whose sums (T, k) and (C, k) are these."""
        lost = _products_lost(self.sessions, self.off)[:, None] * by_unit
        return self.times_inverse((by_topic - self.sessions.topic_counts.T @ lost).T).T

    def times_inverse(self, values: Floats) -> Floats:
        """Rows (…, T) times the inverse of topics' products."""
        return values @ self.topics if self.topics.ndim == 2 else values * self.topics

    def hat(self, units: Ints, rows: Ints) -> Floats:
        """How much topics' effects follow the sessions of units with n each, (m, n, n)."""
        topic = self.sessions.topic[rows]
        one, two = topic[:, :, None], topic[:, None, :]
        hat = self.topics[one, two] if self.topics.ndim == 2 else (one == two) * self.topics[one]
        share = self.off[units][:, None, None]
        hat = hat - share * hat.mean(axis=1, keepdims=True)
        return hat - share * hat.mean(axis=2, keepdims=True)

    def hat_factor(self, rows: Ints, share: float) -> Floats:
        """A matrix (n, k) whose products are the hat of one unit's sessions (n,)."""
        met, place = np.unique(self.sessions.topic[rows], return_inverse=True)
        core = self.topics[np.ix_(met, met)] if self.topics.ndim == 2 else np.diag(self.topics[met])
        factor = matrix_square_root(core)[place]
        return factor - share * factor.mean(axis=0)

    def by_topic(self, values: Floats) -> Floats:
        """Values (N,) of each unit, added by topic, (C, T)."""
        sums = np.zeros((self.off.size, len(self.topics)))
        np.add.at(sums, (self.sessions.unit, self.sessions.topic), self.without_means(values))
        return sums

    def products(self, systems: Floats, scales: Floats) -> Floats:
        """Products of topics and systems (N, K), each unit times its scale, (T + K, T + K)."""
        unit, topic = self.sessions.unit, self.sessions.topic
        size, scaled = len(self.topics), systems * scales[unit][:, None]
        met = self.sessions.topic_counts
        lost = (_products_lost(self.sessions, self.off) * scales)[:, None]
        topics = np.diag(scales @ met) - met.T @ (lost * met)
        across = sums_by(self.without_means(scaled), topic, size)
        return np.block([[topics, across], [across.T, systems.T @ scaled]])


def _products_lost(sessions: Sessions, off: Floats) -> Floats:
    """What taking shares of means off takes from a unit's products, (C,)."""
    return (2 * off - off**2) / np.maximum(np.bincount(sessions.unit, minlength=off.size), 1)


def sums_by(values: Floats, groups: Ints, size: int, weights: Floats | None = None) -> Floats:
    """Sums (size, k) of the rows of values (N, k) by group, each times its weight (N,)."""
    from scipy.sparse import csc_array

    weights = np.ones(groups.size) if weights is None else weights
    by_row = weights, groups, np.arange(groups.size + 1)  # a column for each row of values
    return csc_array(by_row, (size, groups.size)) @ values


def pseudo_inverse(products: Floats) -> Floats:
    """Inverse (K, K) of products of dummies, of what of it is no rounding."""
    values, vectors = np.linalg.eigh(products)
    known = values > SINGULAR * max(1.0, float(values.max(initial=0.0)))
    return (vectors * np.where(known, 1 / np.where(known, values, 1.0), 0.0)) @ vectors.T


def matrix_square_root(products: Floats) -> Floats:
    """A matrix R with R R' the one given, which has no negative part but rounding."""
    values, vectors = np.linalg.eigh(products)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)), dtype=np.float64)


Number = TypeVar("Number", float, Floats)  # of one score, or of many


def _as_float(values: Any) -> Any:
    """A float where values are a single one."""
    return values if np.ndim(values) else float(values)


def t_quantile(df: Number) -> Number:
    """97.5% point of t, for degrees of freedom of any shape: the margin of 95% in errors.

    >>> round(t_quantile(10.0), 3)
    2.228
    """
    from scipy.special import stdtrit

    return _as_float(stdtrit(df, 0.975))


MOST_TOPICS = 2_000  # beside which searchers' own levels are taken off, too
MOST_UNITS = 1_500  # for which degrees of freedom are counted; beyond, the normal curve serves
MOST_SESSIONS = 400  # of a searcher, whose weights are found session by session
NONE = (float("nan"), float("nan"), float("nan"))
NEAR = 1e-6  # what rounding may leave of a difference that the data tell, or of a variance


@dataclass(frozen=True)
class Estimate(Generic[Number]):
    """A difference, its standard error and degrees of freedom; nan where there is none.

    Of one score, or (P,) each of many.
    """

    value: Number
    error: Number
    df: Number

    def interval(self) -> tuple[Number, Number]:
        """95% by t."""
        margin = t_quantile(self.df) * self.error
        return self.value - margin, self.value + margin

    def without_rounding(self, level: Number) -> Estimate[Number]:
        """The same without what is rounding alone: no error, or a difference of 0."""
        known = np.greater(self.error, level)
        error, df = (_as_float(np.where(known, of, np.nan)) for of in (self.error, self.df))
        value = np.where(np.abs(self.value) <= level, 0.0, self.value)
        return Estimate(_as_float(value), error, df)

    @property
    def t(self) -> Number:
        """The difference in standard errors; nan without one."""
        return _as_float(self.value / np.where(np.greater(self.error, 0), self.error, np.nan))

    @property
    def p(self) -> Number:
        """Two-sided, by t."""
        from scipy.special import stdtr

        return _as_float(2 * stdtr(self.df, -np.abs(self.t)))


@dataclass(frozen=True, eq=False)
class Fit:
    """Least squares on what is left of systems' dummies (and places), (N, K), and of scores.

    inverse (K, K) : of the products of systems · effects (K,) · residual (N,); of several scores
    (N, P) at once (K, P) and (N, P)
    """

    taken: TakenOff
    systems: Floats
    inverse: Floats
    effects: Floats
    residual: Floats

    @classmethod
    def to(cls, score: Floats, given: Floats, sessions: Sessions, off: Floats) -> Fit:
        """The fit with a share (C,) of each searcher's mean taken off."""
        taken = TakenOff.by(sessions, off)
        both = np.column_stack([given, score])
        left, size = taken.without_topics(taken.without_means(both)), given.shape[1]
        systems, score = left[:, :size], left[:, size:].reshape(score.shape)
        inverse = pseudo_inverse(systems.T @ systems)
        effects = inverse @ (systems.T @ score)
        return cls(taken, systems, inverse, effects, score - systems @ effects)

    def variance(self) -> Floats:
        """Of the rest, by its free sessions; without bounds where there are none."""
        taken, unit = self.taken, self.taken.sessions.unit
        searchers = np.unique(unit).size if taken.off.all() else 0
        used = searchers + taken.rank + float((self.systems.T @ self.systems * self.inverse).sum())
        free = len(self.residual) - round(used)
        squares = np.square(self.residual).sum(axis=0)
        return squares / free if free > 0 else np.full_like(squares, np.inf)

    def estimate(self, contrast: Floats) -> Estimate[float]:
        """A difference of effects; without an error where no residuals show it."""
        if not self.can_estimate(contrast):
            return Estimate(*NONE)
        value, part = float(contrast @ self.effects), self.systems @ (self.inverse @ contrast)
        adjusted, expected = self.adjusted(part)
        if not self.has_error(part, expected):
            return Estimate(value, *NONE[1:])
        unit = self.taken.sessions.unit
        squares = np.bincount(unit, weights=adjusted * self.residual).astype(np.float64) ** 2
        df = self._satterthwaite_df(adjusted, self._searcher_variances(squares, expected))
        return Estimate(value, float(np.sqrt(squares.sum())), df)

    def can_estimate(self, contrast: Floats) -> bool:
        """Whether the sessions have anything to say of a difference of effects (K,)."""
        seen = self.inverse @ (self.systems.T @ (self.systems @ contrast))
        return bool(np.abs(seen - contrast).max() <= NEAR)

    @staticmethod
    def has_error(part: Floats, expected: Floats) -> bool:
        """Whether the residuals of every searcher show how far a difference may be off."""
        return bool(expected.sum() >= (1 - NEAR) * float(part @ part))

    def adjusted(self, part: Floats) -> tuple[Floats, Floats]:
        """Each session's part (N,) times (I − H)^-½ of its searcher; expected squares (C,).

        These are what a searcher's residuals, so weighted and added, square to on average where
        sessions are independent and alike.
        """
        found, expected = np.zeros_like(part), np.zeros(self.taken.off.size)
        for units, rows in self.taken.sessions.units_by_size:
            step = max(1, MOST_SESSIONS**2 * 10 // rows.shape[1] ** 2)
            is_large = rows.shape[1] > MOST_SESSIONS
            adjust = self._adjust_large_units if is_large else self._adjust_units
            for first in range(0, units.size, step):
                some, theirs = units[first : first + step], rows[first : first + step]
                found[theirs], expected[some] = adjust(some, theirs, part[theirs])
        return found, expected

    def _adjust_units(self, units: Ints, rows: Ints, part: Floats) -> tuple[Floats, Floats]:
        """Adjusted parts (m, n) of units with n sessions each, and their expected squares (m,)."""
        systems = self.systems[rows]
        hat = self.taken.hat(units, rows)
        hat = hat + systems @ self.inverse @ systems.transpose(0, 2, 1)
        values, vectors = np.linalg.eigh(np.eye(rows.shape[1]) - hat)
        known = values > NEAR
        turned = (part[:, None, :] @ vectors)[:, 0] * known
        roots = turned / np.sqrt(np.where(known, values, 1.0))
        return (vectors @ roots[..., None])[..., 0], (turned**2).sum(axis=1)

    def _adjust_large_units(self, units: Ints, rows: Ints, part: Floats) -> tuple[Floats, Floats]:
        """The same of searchers of many sessions, one by one, by what H is made of."""
        found, expected = np.zeros_like(part), np.zeros(units.size)
        root = matrix_square_root(self.inverse)
        for i, theirs in enumerate(rows):
            topics = self.taken.hat_factor(theirs, float(self.taken.off[units[i]]))
            wide = np.column_stack([topics, self.systems[theirs] @ root])
            values, vectors = np.linalg.eigh(wide.T @ wide)
            some = values > SINGULAR
            along = wide @ (vectors[:, some] / np.sqrt(values[some]))
            rest, of = 1 - values[some], along.T @ part[i]
            known = rest > NEAR
            factors = np.where(known, 1 / np.sqrt(np.where(known, rest, 1.0)), 0.0) - 1
            found[i] = part[i] + along @ (factors * of)
            expected[i] = part[i] @ part[i] - (of[~known] ** 2).sum()
        return found, expected

    def _searcher_variances(self, squares: Floats, expected: Floats) -> Floats:
        """Variance of each searcher's rest (C,), one for all who used the same systems."""
        group = self.taken.sessions.system_set_codes
        of, over = (np.bincount(group, weights=values) for values in (squares, expected))
        return np.divide(of, over, out=np.zeros_like(of), where=over > 0)[group]

    def _satterthwaite_df(self, adjusted: Floats, scales: Floats) -> float:
        """Satterthwaite's df of the squared error, a sum of squares over searchers."""
        if not self.counts_df:
            return float("inf")
        both = self.covariances(adjusted, scales / (float(scales.max(initial=0.0)) or 1.0))
        squares = float((both**2).sum())
        return float(np.trace(both)) ** 2 / squares if squares else float("nan")

    @property
    def counts_df(self) -> bool:
        """Whether searchers and topics are few enough for it."""
        return self.taken.off.size <= MOST_UNITS and len(self.taken.topics) <= MOST_TOPICS

    def covariances(self, adjusted: Floats, scales: Floats) -> Floats:
        """Of what searchers' residuals, weighted and added, come to, (C, C); linear in scales (C,).

        Of two searchers it is g'Ωh, where g = (I − H) times the one's adjusted parts, and Ω holds
        the searchers' scales.
        """
        unit, taken = self.taken.sessions.unit, self.taken
        by_unit = sums_by(self.systems * adjusted[:, None], unit, scales.size)
        wide = np.column_stack([taken.by_topic(adjusted), by_unit])
        topics = taken.times_inverse(wide[:, : -by_unit.shape[1]])
        solved = np.column_stack([topics, by_unit @ self.inverse])
        shared = (solved @ wide.T) * scales
        both = np.diag(np.bincount(unit, weights=adjusted**2) * scales) - shared - shared.T
        return both + solved @ taken.products(self.systems, scales) @ solved.T


MOST_ALIKE = 0.999  # correlation of one searcher's sessions that weights allow for


@dataclass(frozen=True, eq=False)
class TwoWay:
    r"""Sessions' scores as system + topic + searcher + rest, all fitted at once.

    .. math:: y_i = \beta_{s(i)} + \tau_{t(i)} + u_{c(i)} + e_i

    Topics are fixed. A searcher's mean is taken off as far as sessions of one searcher are alike:
    who used several systems is compared with themselves, and who used one still counts. Standard
    errors are by searcher, whatever their sessions have in common (CR2), with Satterthwaite's df,
    in which the spread of searchers of the same systems is counted apart, as Welch does.

    score (N,) of each session · place (N,) : among those of its searcher, whose effect (so much
    for each place more) is taken off, too; none where it is empty, (N, k) of several such effects

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

    def difference(self, a: int, b: int) -> Estimate[float]:
        """System b less system a; nan where the data can't tell."""
        return self._fit.estimate(self._system_contrast(a, b))

    def weights(self, a: int, b: int) -> Floats:
        """Of each session's score in that difference, (N,), searchers being as much alike."""
        fit = self._fit
        return fit.taken.without_means(fit.systems @ (fit.inverse @ self._system_contrast(a, b)))

    def change_per_place(self, weights: Floats) -> Estimate[float]:
        """What each place more adds, by the weights (k,) of the columns of places."""
        contrast = np.zeros(self._fit.inverse.shape[0])
        contrast[-weights.size :] = weights
        return self._fit.estimate(contrast)

    def _system_contrast(self, a: int, b: int) -> Floats:
        contrast = np.zeros(self._fit.inverse.shape[0])
        contrast[b], contrast[a] = 1.0, -1.0
        return contrast

    @cached_property
    def without_topics(self) -> Floats:
        """Scores less what topics add to them, (N,)."""
        fit = self._fit
        left = self.score - self._design_matrix @ fit.effects
        effects = fit.taken.effects(fit.taken.without_means(left[:, None]))
        return self.score - effects[self.sessions.topic, 0]

    @cached_property
    def _design_matrix(self) -> Floats:
        """A dummy of each system, and the place where it is taken off, (N, K)."""
        places = self.place.reshape(self.score.size, -1)
        return np.column_stack([self.sessions.system_dummies, places])

    @cached_property
    def alike(self) -> float:
        """Part of the variance that is searchers' own, once systems and topics are off, from 0."""
        return float(alike_of(self.score[:, None], self._design_matrix, self.sessions)[0])

    @cached_property
    def _fit(self) -> Fit:
        off = mean_shares_to_remove(self.sessions, self.alike)
        return Fit.to(self.score, self._design_matrix, self.sessions, off)


def alike_of(scores: Floats, given: Floats, sessions: Sessions) -> Floats:
    """Part of the variance of each score that is searchers' own, from 0: of (N, P), (P,)."""
    if int(sessions.topic.max()) >= MOST_TOPICS:
        return np.zeros(scores.shape[1])
    searchers = int(sessions.unit.max()) + 1
    shares = (np.full(searchers, share) for share in (0.0, 1.0))
    whole, within = (Fit.to(scores, given, sessions, off).variance() for off in shares)
    more = (whole > within) & np.isfinite(whole)
    inside = np.divide(within, whole, out=np.ones_like(whole), where=more)
    return np.minimum(1 - inside, MOST_ALIKE)


def mean_shares_to_remove(sessions: Sessions, alike: float) -> Floats:
    """Share of each searcher's mean to take off where sessions of one are so much alike, (C,)."""
    return 1 - 1 / np.sqrt(1 + np.bincount(sessions.unit) * alike / (1 - alike))


DIGITS_FOUND = 15  # to which interpolation finds what a fit of each score alone would


def differences(scores: Floats, sessions: Sessions, a: int, b: int) -> Estimate[Floats]:
    r"""System b less system a on each of many scores, (N, P), as `TwoWay` has it of each alone.

    A fit depends on its score only by how much sessions of one searcher are alike, one number
    :math:`\alpha`, and smoothly. So it is made at a few :math:`\alpha`, and what it makes of all
    scores there is interpolated to each one's own, by Chebyshev's points on

    .. math:: u = \log(\alpha / (1 - \alpha) + 1 / n_{max})

    where nothing singular lies within :math:`\pi` of the real line: the error falls geometrically.

    Parameters
    ----------
    scores : (N, P), all defined · sessions : of the N · a, b : codes of systems

    Returns
    -------
    Estimate, (P,) each, in the units of the scores; nan where the data can't tell

    Source: Trefethen, Approximation Theory and Approximation Practice (2013), theorem 8.2.

    >>> sessions = Sessions(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), np.zeros(4, int))
    >>> scores = np.array([[1.0, 1.0], [2.0, 3.0], [4.0, 4.0], [6.0, 5.0]])
    >>> differences(scores, sessions, 0, 1).value.round(6).tolist()
    [1.5, 1.5]
    """
    given = sessions.system_dummies
    contrast = np.zeros(given.shape[1])
    contrast[b], contrast[a] = 1.0, -1.0
    alike, nowhere = alike_of(scores, given, sessions), np.full(scores.shape[1], np.nan)
    shift = 1 / np.bincount(sessions.unit).max()
    place = np.log(alike / (1 - alike) + shift)
    nodes = _chebyshev_nodes(float(place.min()), float(place.max()))

    unit, group = sessions.unit, sessions.system_set_codes
    units, groups, size = group.size, int(group.max()) + 1, scores.shape[1]
    by_unit = sums_by(scores, unit, units)
    by_topic = sums_by(scores, sessions.topic, int(sessions.topic.max()) + 1)
    # of each score, added up over nodes: the difference, adjusted residuals of each searcher, and
    # by systems used what their squares are on average, and what df are made of
    value, residuals = np.zeros(size), np.zeros((units, size))
    expected, traces = np.zeros((groups, size)), np.zeros((groups, size))
    products, has_errors, counts_df = np.zeros((groups, groups, size)), True, True
    for node, share in zip(nodes, _interpolation_weights(nodes, place), strict=True):
        ratio = max(float(np.exp(node)) - shift, 0.0)
        off = mean_shares_to_remove(sessions, ratio / (1 + ratio))
        fit = Fit.to(np.zeros((len(scores), 0)), given, sessions, off)
        if not fit.can_estimate(contrast):
            return Estimate(nowhere, nowhere, nowhere)
        taken, part = fit.taken, fit.systems @ (fit.inverse @ contrast)
        adjusted, squares = fit.adjusted(part)
        has_errors &= fit.has_error(part, squares)
        effects = fit.inverse @ (taken.without_means(fit.systems).T @ scores)
        left = sums_by(scores, unit, units, adjusted)
        left -= (np.bincount(unit, weights=adjusted) * taken.share)[:, None] * by_unit
        left -= taken.by_topic(adjusted) @ taken.topic_effects_of_sums(by_topic, by_unit)
        left -= sums_by(fit.systems * adjusted[:, None], unit, units) @ effects
        value += share * (contrast @ effects)
        residuals += share * left
        expected += share * np.bincount(group, weights=squares)[:, None]
        if counts_df := fit.counts_df:
            spreads = [fit.covariances(adjusted, (group == g) * 1.0) for g in range(groups)]
            traces += share * np.array([[np.trace(of)] for of in spreads])
            flat = np.array([of.ravel() for of in spreads])
            products += share * (flat @ flat.T)[:, :, None]
    if not has_errors:
        return Estimate(value, nowhere, nowhere)

    squares, df = residuals**2, np.full_like(value, np.inf)
    scales = sums_by(squares, group, groups)
    scales = np.divide(scales, expected, out=np.zeros_like(scales), where=expected > 0)
    if counts_df:
        most = scales.max(axis=0, initial=0.0)
        scales = np.divide(scales, most, out=np.zeros_like(scales), where=most > 0)
        over = np.einsum("gp,hp,ghp->p", scales, scales, products)
        trace = (scales * traces).sum(axis=0)
        df = np.divide(trace**2, over, out=np.full_like(over, np.nan), where=over > 0)
    return Estimate(value, np.sqrt(squares.sum(axis=0)), df)


def differences_from_sums(sums: Floats, counts: Floats, a: int, b: int) -> Estimate[Floats]:
    r"""Mean of system b less that of a, (P,), of sums and counts by cluster and system, (C, G, P).

    To first order a cluster moves the difference by its sum less its count times the mean, over
    the count of all, of either system; the error is of these moves, by t over the clusters of both.

    >>> sums = np.array([[[1.0], [2.0]], [[2.0], [4.0]], [[3.0], [9.0]]])
    >>> found = differences_from_sums(sums, np.ones((3, 2, 1)), 0, 1)
    >>> float(found.value[0]), round(float(found.error[0]), 3), int(found.df)
    (3.0, 1.528, 2)
    """
    number = counts.sum(axis=0)
    mean = normalised(sums.sum(axis=0), number)
    moves = normalised(sums - counts * mean, number)
    clusters = int((counts[:, [a, b]] > 0).any(axis=(1, 2)).sum())
    spread = np.sqrt(((moves[:, b] - moves[:, a]) ** 2).sum(axis=0))
    error = spread * np.sqrt(clusters / max(1, clusters - 1))
    return Estimate(mean[b] - mean[a], error, np.array(clusters - 1))


def _chebyshev_nodes(low: float, high: float) -> Floats:
    """Chebyshev's points from low to high, as many as keep all digits."""
    half = (high - low) / 2
    if half < 10.0**-DIGITS_FOUND:
        return np.array([low])
    wide = np.pi / half
    number = int(np.ceil(DIGITS_FOUND * np.log(10) / np.log(wide + np.sqrt(1 + wide**2)))) + 2
    return low + half * (1 + np.cos(np.pi * np.arange(number) / (number - 1)))


def _interpolation_weights(nodes: Floats, places: Floats) -> Floats:
    """Weight of each node in what is interpolated to each place, (K, P).

    Source: Berrut & Trefethen (2004), the second barycentric formula.
    """
    signs = (-1.0) ** np.arange(nodes.size)
    signs[[0, -1]] /= 2
    apart = places - nodes[:, None]
    there = apart == 0
    weights = signs[:, None] / np.where(there, 1.0, apart)
    weights = np.where(there.any(axis=0), there, weights)
    return weights / weights.sum(axis=0)
