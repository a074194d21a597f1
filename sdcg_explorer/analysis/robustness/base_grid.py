"""A score of every session over a plane of b and bq, from one look at the sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.sessions.registry import session_score_of
from sdcg_explorer.counting.counted_study import NeedsSessionsError
from sdcg_explorer.metrics import (
    group_sums,
    normalised,
    query_discount,
    rank_discount,
    spread_ideal_ends,
)

LEAST, MOST, POINTS = 1.1, 900.0, 24
GRID: tuple[float, ...] = tuple(np.geomspace(LEAST, MOST, POINTS).tolist())
ROOM = 4_000_000  # numbers of one step


@dataclass(frozen=True, eq=False)
class Plane:
    """Sessions (S,) seen under every pair of some b (B,) and some bq (K,); else as chosen.

    Of counts, rows are groups of sessions, and scores are added up over each.

    Each score is (S, B, K), as `Selection` and its definition have it at each point.
    """

    chosen: Selection
    b: tuple[float, ...] = GRID
    bq: tuple[float, ...] = GRID

    def scores(self, name: str) -> Floats:
        """One of ``SESSION_SCORES`` at every point; nan for a session without a known query."""
        if self.chosen.sample.is_counted and name not in LINEAR:
            raise NeedsSessionsError(f"single sessions' {name}")
        values = np.broadcast_to(BY_NAME[name](self), self.shape)
        judged = self.chosen.sample.judged
        return values if judged.all() else np.where(judged[:, None, None], values, np.nan)

    def at(self, b: float, bq: float) -> Selection:
        """The selection at one point; gains and best lists, which no base touches, are kept."""
        return self.chosen.discounted_by(self.definition(b, bq))

    def definition(self, b: float, bq: float) -> Definition:
        """The definition at one point."""
        return replace(self.chosen.definition, b=b, bq=bq)

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """Of each score."""
        return self.chosen.sample.sessions.size, len(self.b), len(self.bq)

    @cached_property
    def ranks(self) -> Floats:
        """d(r) of each b, (B, R)."""
        of, numbers = self.chosen.definition, np.arange(1, self.chosen.definition.top + 1)
        return np.array([rank_discount(numbers, b, of.discount) for b in self.b])

    @cached_property
    def queries(self) -> Floats:
        """D(q) of each bq, (K, Q)."""
        form, numbers = self.chosen.definition.discount, np.arange(1, self._most + 1)
        return np.array([query_discount(numbers, bq, form) for bq in self.bq])

    @property
    def _most(self) -> int:
        return self.chosen.sample.most_queries

    @cached_property
    def dcg(self) -> Floats:
        """Worth of each query's list, (S, Q, B); 0 where it is not known."""
        known = self.chosen.sample.judged_at[:, :, None]
        worth = np.concatenate([part.sums @ self.ranks.T for part in self.chosen.parts()])
        return np.where(known, worth, 0.0)

    @cached_property
    def final(self) -> Floats:
        """Worth at the end of each session."""
        return _over_queries(self.dcg, self.queries)

    @cached_property
    def ideal_ends(self) -> Floats:
        """I at the end of each layout, (Y, B, K)."""
        sample, of = self.chosen.sample, self.chosen
        first, _ = sample.layouts
        if of.definition.ideal == "spread":
            shown = sample.topics[first], sample.cells[first]
            return spread_ideal_ends(of.best, *shown, self.ranks, self.queries)
        lists = np.cumsum(of.best_lists[:, None] * self.ranks, axis=2)
        reached = np.pad(lists, ((0, 0), (0, 0), (1, 0))).transpose(0, 2, 1)
        return _over_queries(reached[sample.topics[first], sample.cells[first]], self.queries)

    def linear(self, weights: Callable[[Selection], Floats]) -> Floats:
        """A score that is linear in gains, whose weights of each layout's cells are (Y, Q, R)."""
        whose, gains = self.chosen.sample.layouts[1], self.chosen.sums
        order = np.argsort(whose, kind="stable")
        bounds = np.searchsorted(whose[order], np.arange(whose.max(initial=-1) + 2))
        flat, found = gains.reshape(len(gains), -1), np.empty(self.shape)
        points = [(i, k) for i in range(len(self.b)) for k in range(len(self.bq))]
        step = max(1, ROOM // max(1, (bounds.size - 1) * flat.shape[1]))
        for some in (points[i : i + step] for i in range(0, len(points), step)):
            own = np.stack([weights(self.at(self.b[i], self.bq[k])) for i, k in some], axis=-1)
            own = own.reshape(len(own), -1, len(some))
            rows, columns = np.transpose(some)
            for layout, (start, end) in enumerate(pairwise(bounds)):
                of = order[start:end]
                found[of[:, None], rows, columns] = flat[of] @ own[layout]
        return found


def _over_queries(worth: Floats, factors: Floats) -> Floats:
    """Worth of each query (N, Q, B), times D(q) of each bq (K, Q), added up, (N, B, K)."""
    return worth.transpose(0, 2, 1) @ factors.T


def _number(plane: Plane) -> Floats:
    """Known queries of each session, (S, 1, 1)."""
    return plane.chosen.sample.judged_at.sum(axis=1).astype(float)[:, None, None]


def _last(plane: Plane) -> Floats:
    sample = plane.chosen.sample
    end = sample.queries - 1
    dcg = np.take_along_axis(plane.dcg, end[:, None, None], axis=1)[:, 0]
    values = dcg[:, :, None] * plane.queries.T[end][:, None, :]
    return np.where(sample.has_last[:, None, None], values, np.nan)


def _best(plane: Plane) -> Floats:
    best, known = np.full(plane.shape, -np.inf), plane.chosen.sample.judged_at
    for q, factors in enumerate(plane.queries.T):
        own = known[:, q]
        best[own] = np.maximum(best[own], plane.dcg[own, q, :, None] * factors)
    return best


def _weighted_mean(plane: Plane) -> Floats:
    weights = plane.chosen.sample.judged_at @ plane.queries.T
    return normalised(plane.final, weights[:, None, :])


def _mean_dcg(plane: Plane) -> Floats:
    return normalised(plane.dcg.sum(axis=1)[:, :, None], _number(plane))


def _final_normalised(plane: Plane) -> Floats:
    return normalised(plane.final, plane.ideal_ends[plane.chosen.sample.layouts[1]])


def _mean_weights(over: Callable[[Selection], Floats], of: Selection) -> Floats:
    """Weights whose products with gains are the mean of V times `over` (Y, Q, R) over own cells."""
    own = over(of)
    flat = own.reshape(len(own), -1)
    number = (flat > 0).sum(axis=1, keepdims=True).astype(np.float64)
    later = normalised(np.cumsum(flat[:, ::-1], axis=1)[:, ::-1], number)
    return later.reshape(own.shape) * of.factors[:, None] * of.discount()


def _of_position(of: Selection) -> Floats:
    return of.sample.inside[of.sample.layouts[0]].astype(np.float64)


def _of_ideal(of: Selection) -> Floats:
    inside = of.sample.inside[of.sample.layouts[0]]
    some = inside & (of.ideals > 0)
    return np.divide(1.0, of.ideals, out=np.zeros_like(of.ideals), where=some)


def _of_lists(name: str, plane: Plane) -> Floats:
    """A score that no bq touches."""
    each = [session_score_of(name, plane.at(b, plane.bq[0])) for b in plane.b]
    return np.stack(each, axis=1)[:, :, None]


def _as_chosen(name: str, plane: Plane) -> Floats:
    """A score that neither base touches."""
    return session_score_of(name, plane.chosen)[:, None, None]


LINEAR = (  # in gains, so that it adds up over sessions alike
    *("final", "average", "last", "per_query", "weighted_mean", "mean_dcg"),
    *("final_normalised", "average_normalised"),
)
BY_NAME: dict[str, Callable[[Plane], Floats]] = {
    "final": lambda plane: plane.final,
    "average": lambda plane: plane.linear(partial(_mean_weights, _of_position)),
    "last": _last,
    "best": _best,
    "per_query": lambda plane: normalised(plane.final, _number(plane)),
    "weighted_mean": _weighted_mean,
    "mean_dcg": _mean_dcg,
    "final_normalised": _final_normalised,
    "average_normalised": lambda plane: plane.linear(partial(_mean_weights, _of_ideal)),
    "mean_ndcg": partial(_of_lists, "mean_ndcg"),
    **{
        name: partial(_as_chosen, name)
        for name in ("relevant_found", "mean_ldcg", "mean_relative_recall", "mean_recall_effort")
    },
}


def linearised(plane: Plane) -> Floats:
    r"""Scores whose mean over a system is its ratio of means, with the same variance, (S, B, K).

    .. math:: z_i = R + (V_i - R I_i) / \bar I, \quad R = \bar V / \bar I

    Source: linearisation of a ratio (Cochran, Sampling Techniques, 1977, §6.3).
    """
    sample = plane.chosen.sample
    final, ideal = plane.final, plane.ideal_ends[sample.layouts[1]]
    known = (sample.judged & (ideal > 0).all(axis=(1, 2)))[:, None, None]
    number = int(sample.systems.max(initial=0)) + 1
    whole, best = (
        group_sums(np.where(known, each, 0.0), sample.systems, number)[sample.systems]
        for each in (final, ideal)
    )
    ratio, share = normalised(whole, best), group_sums(known * 1.0, sample.systems, number)
    return ratio + normalised(final - ratio * ideal, best) * share[sample.systems]
