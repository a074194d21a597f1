"""Scores of sessions at every b and bq at once, (S, B, K): those of `Worth` at each point."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .arrays import Bools, Floats, Ints
from .session import normalised


class WorthOverBases(Protocol):
    """Sessions (S,) under every pair of some b (B,) and some bq (K,); parts named as in `Worth`."""

    @property
    def dcg(self) -> Floats:
        """Worth of each query's list, (S, Q, B); 0 where it is not known."""
        ...

    @property
    def query_factors(self) -> Floats:
        """D(q) of each bq, (K, Q)."""
        ...

    @property
    def queries(self) -> Ints:
        """n: the number of queries of each session, (S,)."""
        ...

    @property
    def known(self) -> Bools:
        """Whether a session has its q-th query, on a topic that somebody judged, (S, Q)."""
        ...

    @property
    def final(self) -> Floats:
        """V[end], (S, B, K)."""
        ...

    @property
    def ideal_final(self) -> Floats:
        """I[end], (S, B, K)."""
        ...

    @property
    def average(self) -> Floats:
        """Mean of V over each session's own positions, (S, B, K)."""
        ...

    @property
    def average_normalised(self) -> Floats:
        """Mean of V / I over those at which the ideal gains, (S, B, K)."""
        ...


def _number(worth: WorthOverBases) -> Floats:
    """|K|: known queries of each session, (S, 1, 1)."""
    return worth.known.sum(axis=1).astype(float)[:, None, None]


def final(worth: WorthOverBases) -> Floats:
    """V[end]."""
    return worth.final


def average(worth: WorthOverBases) -> Floats:
    """Mean of V over the session's positions."""
    return worth.average


def last(worth: WorthOverBases) -> Floats:
    """Of the last query; nan where it is not known."""
    end = worth.queries - 1
    lists = np.take_along_axis(worth.dcg, end[:, None, None], axis=1)[:, 0]
    values = lists[:, :, None] * worth.query_factors.T[end][:, None, :]
    known = np.take_along_axis(worth.known, end[:, None], axis=1)
    return np.where(known[:, :, None], values, np.nan)


def best(worth: WorthOverBases) -> Floats:
    """Of the best query; -inf where none is known."""
    highest = np.full(worth.final.shape, -np.inf)
    for q, factors in enumerate(worth.query_factors.T):
        own = worth.known[:, q]
        highest[own] = np.maximum(highest[own], worth.dcg[own, q, :, None] * factors)
    return highest


def per_query(worth: WorthOverBases) -> Floats:
    """V[end] / |K|."""
    return normalised(worth.final, _number(worth))


def weighted_mean(worth: WorthOverBases) -> Floats:
    """V[end] over the sum of D(q)."""
    weights = worth.known @ worth.query_factors.T
    return normalised(worth.final, weights[:, None, :])


def mean_dcg(worth: WorthOverBases) -> Floats:
    """Mean of the queries, not discounted by their place."""
    return normalised(worth.dcg.sum(axis=1)[:, :, None], _number(worth))


def final_normalised(worth: WorthOverBases) -> Floats:
    """V[end] / I[end]."""
    return normalised(worth.final, worth.ideal_final)


def average_normalised(worth: WorthOverBases) -> Floats:
    """Mean of V / I over the session's positions."""
    return worth.average_normalised
