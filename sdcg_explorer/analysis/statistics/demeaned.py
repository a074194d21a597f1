"""Topics and searchers' means taken off values of sessions, and how far sessions follow them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints

FEWEST_ALIKE = 3  # units of the same systems, whose spread is counted apart
SINGULAR = 1e-9  # of a design's own numbers: below it lies rounding


@dataclass(frozen=True, eq=False)
class Sessions:
    """System, unit (searcher) and topic of each session (N,), as codes from 0."""

    system: Ints
    unit: Ints
    topic: Ints

    @cached_property
    def by_size(self) -> list[tuple[Ints, Ints]]:
        """Units (m,) with the same number of sessions, and their sessions (m, n)."""
        order, counts = np.argsort(self.unit, kind="stable"), np.bincount(self.unit)
        starts = np.cumsum(counts) - counts
        sizes = np.unique(counts[counts > 0]).tolist()
        alike = [np.flatnonzero(counts == n) for n in sizes]
        return [
            (units, order[starts[units][:, None] + np.arange(n)])
            for n, units in zip(sizes, alike, strict=True)
        ]

    @cached_property
    def used(self) -> Bools:
        """Which systems each unit used, (C, K)."""
        used = np.zeros((int(self.unit.max()) + 1, int(self.system.max()) + 1), dtype=bool)
        used[self.unit, self.system] = True
        return used

    @cached_property
    def met(self) -> Floats:
        """How many sessions each unit has on each topic, (C, T)."""
        met = np.zeros((int(self.unit.max()) + 1, int(self.topic.max()) + 1))
        np.add.at(met, (self.unit, self.topic), 1.0)
        return met

    @cached_property
    def alike_in_systems(self) -> Ints:
        """Code of each unit's systems, (C,); one for all whose systems too few units used."""
        _, group, sizes = np.unique(self.used, axis=0, return_inverse=True, return_counts=True)
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
            met = sessions.met
            products = np.diag(counts) - met.T @ (_lost(sessions, off)[:, None] * met)
            topics = inverse_of(products)
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
        return values - self.without_means(self._effects(values)[self.sessions.topic])

    def topic_effects(self, values: Floats) -> Floats:
        """What topics add to values (N, 1) whose units' means are taken off, (N,)."""
        return self._effects(values)[self.sessions.topic, 0]

    def _effects(self, values: Floats) -> Floats:
        sums = sums_by(self.without_means(values), self.sessions.topic, len(self.topics))
        return self.times_inverse(sums.T).T

    def effects_of_sums(self, by_topic: Floats, by_unit: Floats) -> Floats:
        """Topics' effects (T, k) on values whose sums (T, k) and (C, k) are these."""
        lost = _lost(self.sessions, self.off)[:, None] * by_unit
        return self.times_inverse((by_topic - self.sessions.met.T @ lost).T).T

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

    def factor(self, rows: Ints, share: float) -> Floats:
        """A matrix (n, k) whose products are the hat of one unit's sessions (n,)."""
        met, place = np.unique(self.sessions.topic[rows], return_inverse=True)
        own = self.topics[np.ix_(met, met)] if self.topics.ndim == 2 else np.diag(self.topics[met])
        factor = root_of(own)[place]
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
        met = self.sessions.met
        lost = (_lost(self.sessions, self.off) * scales)[:, None]
        topics = np.diag(scales @ met) - met.T @ (lost * met)
        across = sums_by(self.without_means(scaled), topic, size)
        return np.block([[topics, across], [across.T, systems.T @ scaled]])


def _lost(sessions: Sessions, off: Floats) -> Floats:
    """What taking shares of means off takes from a unit's products, (C,)."""
    return (2 * off - off**2) / np.maximum(np.bincount(sessions.unit, minlength=off.size), 1)


def sums_by(values: Floats, groups: Ints, size: int) -> Floats:
    """Sums (size, k) of the rows of values (N, k) by group."""
    sums = np.zeros((size, values.shape[1]))
    for i, column in enumerate(values.T):
        sums[:, i] = np.bincount(groups, weights=column, minlength=size)
    return sums


def inverse_of(products: Floats) -> Floats:
    """Inverse of products of dummies, of what of it is no rounding."""
    values, vectors = np.linalg.eigh(products)
    known = values > SINGULAR * max(1.0, float(values.max(initial=0.0)))
    return (vectors * np.where(known, 1 / np.where(known, values, 1.0), 0.0)) @ vectors.T


def root_of(products: Floats) -> Floats:
    """A matrix R with R R' the one given, which has no negative part but rounding."""
    values, vectors = np.linalg.eigh(products)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)), dtype=np.float64)
