"""Differences of systems with searchers and topics taken off, for every design that people run."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.statistics.demeaned import Sessions
from sdcg_explorer.analysis.statistics.fit import MOST_TOPICS, Estimate, Fit

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
        return self._fit.estimate(self._contrast(a, b))

    def weights(self, a: int, b: int) -> Floats:
        """Of each session's score in that difference, (N,), searchers being as much alike."""
        return self._fit.weights(self._contrast(a, b))

    def _contrast(self, a: int, b: int) -> Floats:
        contrast = np.zeros(self._fit.inverse.shape[0])
        contrast[b], contrast[a] = 1.0, -1.0
        return contrast

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
        return float(alike_of(self.score[:, None], self._given, self.sessions)[0])

    @cached_property
    def _fit(self) -> Fit:
        off = shares_off(self.sessions, self.alike)
        return Fit.to(self.score, self._given, self.sessions, off)


def alike_of(scores: Floats, given: Floats, sessions: Sessions) -> Floats:
    """Part of the variance of each score that is searchers' own, from 0: of (N, P), (P,)."""
    if int(sessions.topic.max()) >= MOST_TOPICS:
        return np.zeros(scores.shape[1])
    searchers = int(sessions.unit.max()) + 1
    whole, within = (
        Fit.to(scores, given, sessions, np.full(searchers, share)).variance()
        for share in (0.0, 1.0)
    )
    more = (whole > within) & np.isfinite(whole)
    inside = np.divide(within, whole, out=np.ones_like(whole), where=more)
    return np.minimum(1 - inside, MOST_ALIKE)


def shares_off(sessions: Sessions, alike: float) -> Floats:
    """Share of each searcher's mean to take off where sessions of one are so much alike, (C,)."""
    return 1 - 1 / np.sqrt(1 + np.bincount(sessions.unit) * alike / (1 - alike))
