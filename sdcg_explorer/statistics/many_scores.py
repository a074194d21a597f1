"""The difference of two systems on many scores of the same sessions at once, as on a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.questions.compare_systems.numbers import fitted
from sdcg_explorer.scoring.scored_sessions import scored_of
from sdcg_explorer.scoring.selection import Selection
from sdcg_explorer.statistics.effect_sizes import DIGITS
from sdcg_explorer.statistics.fit import Fit, Sessions, alike_of, reach_of, shares_off, sums_by

KEPT = 15  # digits to which interpolation finds what a fit of each score alone would (decision 99)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Differences of many scores, their errors and degrees of freedom, (P,) each; nan as in one."""

    value: Floats
    error: Floats
    df: Floats

    def interval(self) -> tuple[Floats, Floats]:
        """95 % by t, (P,) each."""
        reach = reach_of(self.df) * self.error
        return self.value - reach, self.value + reach

    @property
    def p(self) -> Floats:
        """By t, two-sided, (P,); nan without an error."""
        from scipy import stats

        nowhere = np.full_like(self.error, np.nan)
        size = np.divide(np.abs(self.value), self.error, out=nowhere, where=self.error > 0)
        return 2 * stats.t.sf(size, self.df)

    def rounded(self, level: Floats) -> Estimates:
        """The same without what is rounding alone: no error, or a difference of 0."""
        known = self.error > level
        error, df = (np.where(known, each, np.nan) for each in (self.error, self.df))
        return Estimates(np.where(np.abs(self.value) <= level, 0.0, self.value), error, df)


def differences(scores: Floats, sessions: Sessions, a: int, b: int) -> Estimates:
    r"""System b less system a on each of many scores, (N, P), as `TwoWay` has it of each alone.

    A fit depends on its score only by how much sessions of one searcher are alike, one number
    :math:`\alpha`, and smoothly. So it is made at a few :math:`\alpha`, and what it makes of all
    scores there is interpolated to each one's own, by Chebyshev's points on

    .. math:: u = \log(\alpha / (1 - \alpha) + 1 / n_{max})

    where nothing singular lies within :math:`\pi` of the real line: the error falls geometrically.

    Source: Trefethen, Approximation Theory and Approximation Practice (2013), theorem 8.2.

    >>> sessions = Sessions(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), np.zeros(4, int))
    >>> scores = np.array([[1.0, 1.0], [2.0, 3.0], [4.0, 4.0], [6.0, 5.0]])
    >>> differences(scores, sessions, 0, 1).value.round(6).tolist()
    [1.5, 1.5]
    """
    given = np.equal.outer(sessions.system, np.arange(sessions.used.shape[1])).astype(np.float64)
    contrast = np.zeros(given.shape[1])
    contrast[b], contrast[a] = 1.0, -1.0
    alike = alike_of(scores, given, sessions)
    shift = 1 / np.bincount(sessions.unit).max()
    place = np.log(alike / (1 - alike) + shift)
    nodes = _nodes(float(place.min()), float(place.max()))
    sums = _Sums(scores, sessions)
    for node, share in zip(nodes, _shares(nodes, place), strict=True):
        ratio = max(float(np.exp(node)) - shift, 0.0)
        off = shares_off(sessions, ratio / (1 + ratio))
        fit = Fit.to(np.zeros((len(scores), 0)), given, sessions, off)
        if not fit.can_tell(contrast):
            nowhere = np.full(scores.shape[1], np.nan)
            return Estimates(nowhere, nowhere, nowhere)
        sums.add(fit, contrast, share)
    return sums.estimates()


def compared(chosen: Selection, scores: Floats, systems: tuple[str, str]) -> Estimates:
    """Second system less first on each score (S, P).

    As Compare systems has it with topics fixed; sessions without one of the scores are left out.
    """
    known = np.asarray(np.isfinite(scores).all(axis=1), dtype=np.bool_)
    if not known.any():
        nowhere = np.full(scores.shape[1], np.nan)
        return Estimates(nowhere, nowhere, nowhere)
    names, own = chosen.sample.block.system_names, scores if known.all() else scores[known]
    a, b = (names.index(name) for name in systems)
    model = fitted(scored_of(chosen, scores[:, 0], known), a, b)
    found = differences(model.scores(own), model.sessions, a, b)
    largest = np.maximum(own.max(axis=0), -own.min(axis=0))
    return found.rounded(largest * 10.0**-DIGITS)


def differences_of_sums(sums: Floats, counts: Floats, a: int, b: int) -> Estimates:
    r"""Mean of system b less that of a, of sums and counts by cluster and system, (C, G, P).

    To first order a cluster moves the difference by its sum less its count times the mean, over
    the count of all, of either system; the error is of these moves, by t over the clusters of both.

    >>> sums = np.array([[[1.0], [2.0]], [[2.0], [4.0]], [[3.0], [9.0]]])
    >>> found = differences_of_sums(sums, np.ones((3, 2, 1)), 0, 1)
    >>> float(found.value[0]), round(float(found.error[0]), 3), int(found.df)
    (3.0, 1.528, 2)
    """
    number = counts.sum(axis=0)
    mean = np.divide(
        sums.sum(axis=0), number, where=number > 0, out=np.full(sums.shape[1:], np.nan)
    )
    moves = (sums - counts * mean) / np.where(number > 0, number, np.nan)
    clusters = int((counts[:, [a, b]] > 0).any(axis=(1, 2)).sum())
    spread = np.sqrt(((moves[:, b] - moves[:, a]) ** 2).sum(axis=0))
    error = spread * np.sqrt(clusters / max(1, clusters - 1))
    return Estimates(mean[b] - mean[a], error, np.array(clusters - 1))


class _Sums:
    """What fits make of many scores, each weighed by its share of a score's own, added up.

    value (P,) · parts (C, P) : residuals of each searcher, adjusted and added · expected (G, P) :
    of their squares by systems used · traces (G, P), products (G, G, P) : what df are made of
    """

    def __init__(self, scores: Floats, sessions: Sessions) -> None:
        self.scores, self.sessions = scores, sessions
        self.group = sessions.alike_in_systems
        units, groups, size = self.group.size, int(self.group.max()) + 1, scores.shape[1]
        self.by_unit = _sums(sessions.unit, units) @ scores
        self.by_topic = _sums(sessions.topic, int(sessions.topic.max()) + 1) @ scores
        self.value, self.parts = np.zeros(size), np.zeros((units, size))
        self.expected, self.traces = np.zeros((groups, size)), np.zeros((groups, size))
        self.products = np.zeros((groups, groups, size))
        self.counts_df, self.has_errors = True, True

    def add(self, fit: Fit, contrast: Floats, share: Floats) -> None:
        """Add a fit's, times a share of each score (P,)."""
        part = fit.systems @ (fit.inverse @ contrast)
        adjusted, expected = fit.adjusted(part)
        self.has_errors &= fit.has_error(part, expected)
        effects, residuals = self._residuals(fit, adjusted)
        self.value += share * (contrast @ effects)
        self.parts += share * residuals
        self.expected += share * np.bincount(self.group, weights=expected)[:, None]
        self.counts_df = fit.counts_df
        if self.counts_df:
            self._add_spread(fit, adjusted, share)

    def _residuals(self, fit: Fit, adjusted: Floats) -> tuple[Floats, Floats]:
        """Effects (K, P), and each searcher's residuals, adjusted and added, (C, P)."""
        taken, unit, size = fit.taken, self.sessions.unit, self.group.size
        effects = fit.inverse @ (taken.without_means(fit.systems).T @ self.scores)
        topics = taken.effects_of_sums(self.by_topic, self.by_unit)
        left = _sums(unit, size, adjusted) @ self.scores
        left -= (np.bincount(unit, weights=adjusted) * taken.share)[:, None] * self.by_unit
        left -= taken.by_topic(adjusted) @ topics
        return effects, left - sums_by(fit.systems * adjusted[:, None], unit, size) @ effects

    def _add_spread(self, fit: Fit, adjusted: Floats, share: Floats) -> None:
        groups = np.arange(len(self.traces))
        each = [fit.covariances(adjusted, (self.group == g).astype(np.float64)) for g in groups]
        self.traces += share * np.array([[np.trace(own)] for own in each])
        flat = np.array([own.ravel() for own in each])
        self.products += share * (flat @ flat.T)[:, :, None]

    def estimates(self) -> Estimates:
        """Of all scores."""
        squares = self.parts**2
        if not self.has_errors:
            nowhere = np.full_like(self.value, np.nan)
            return Estimates(self.value, nowhere, nowhere)
        of = sums_by(squares, self.group, len(self.traces))
        scales = np.divide(of, self.expected, out=np.zeros_like(of), where=self.expected > 0)
        df = np.full_like(self.value, np.inf)
        if self.counts_df:
            most = scales.max(axis=0, initial=0.0)
            scales = np.divide(scales, most, out=np.zeros_like(scales), where=most > 0)
            over = np.einsum("gp,hp,ghp->p", scales, scales, self.products)
            trace = (scales * self.traces).sum(axis=0)
            df = np.divide(trace**2, over, out=np.full_like(over, np.nan), where=over > 0)
        return Estimates(self.value, np.sqrt(squares.sum(axis=0)), df)


def _sums(groups: Ints, size: int, weights: Floats | None = None) -> Any:
    """A matrix (size, N) that adds rows by group, each times its weight."""
    from scipy import sparse

    values = np.ones(groups.size) if weights is None else weights
    return sparse.csr_array((values, (groups, np.arange(groups.size))), (size, groups.size))


def _nodes(least: float, most: float) -> Floats:
    """Chebyshev's points from least to most, as many as keep all digits."""
    half = (most - least) / 2
    if half < 10.0**-KEPT:
        return np.array([least])
    wide = np.pi / half
    number = int(np.ceil(KEPT * np.log(10) / np.log(wide + np.sqrt(1 + wide**2)))) + 2
    return least + half * (1 + np.cos(np.pi * np.arange(number) / (number - 1)))


def _shares(nodes: Floats, places: Floats) -> Floats:
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
