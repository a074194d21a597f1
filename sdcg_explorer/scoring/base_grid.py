"""A score of every session over a plane of b and bq, from one look at the sessions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from sdcg_explorer import metrics
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.scoring.selection import Selection

LEAST, MOST, POINTS = 1.1, 900.0, 24
GRID: tuple[float, ...] = tuple(np.geomspace(LEAST, MOST, POINTS).tolist())
ROOM = 4_000_000  # numbers of one step
AT_ONCE = ("final", "final_normalised", "average", "average_normalised")  # properties of a grid


@dataclass(frozen=True, eq=False)
class BaseGrid:
    """Sessions (S,) seen under every pair of some b (B,) and some bq (K,); else as chosen.

    If made of counts, rows are groups of sessions, and scores are sums over each.

    Each score is (S, B, K), as `Selection` and its definition have it at each point.
    """

    chosen: Selection
    b: tuple[float, ...] = GRID
    bq: tuple[float, ...] = GRID

    def at(self, b: float, bq: float) -> Selection:
        """The selection at one point; gains and best lists, which no base touches, are kept."""
        return self.chosen.with_discounts(replace(self.chosen.definition, b=b, bq=bq))

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """Of each score."""
        return self.chosen.sample.sessions.size, len(self.b), len(self.bq)

    @cached_property
    def ranks(self) -> Floats:
        """d(r) of each b, (B, R)."""
        of, numbers = self.chosen.definition, np.arange(1, self.chosen.definition.top + 1)
        return np.array([metrics.rank_discount(numbers, b, of.discount) for b in self.b])

    @cached_property
    def query_factors(self) -> Floats:
        """D(q) of each bq, (K, Q)."""
        numbers = np.arange(1, self.chosen.sample.most_queries + 1)
        of = self.chosen.definition.discount
        return np.array([metrics.query_discount(numbers, bq, of) for bq in self.bq])

    @cached_property
    def dcg(self) -> Floats:
        """Worth of each query's list, (S, Q, B); 0 where it is not known."""
        worth = np.concatenate([part.gains @ self.ranks.T for part in self.chosen.parts()])
        return np.where(self.chosen.sample.is_judged_query[:, :, None], worth, 0.0)

    @cached_property
    def final(self) -> Floats:
        """Worth at the end of each session."""
        return _sum_over_queries(self.dcg, self.query_factors)

    @cached_property
    def layout_final_ideals(self) -> Floats:
        """I at the end of each layout, (Y, B, K)."""
        sample, of = self.chosen.sample, self.chosen
        first, _ = sample.ideal_layouts
        if of.definition.ideal == "spread":
            shown = sample.pools[first], sample.cells[first]
            return metrics.spread_ideal_ends(of.best, *shown, self.ranks, self.query_factors)
        lists = np.cumsum(of.ideal_lists[:, None] * self.ranks, axis=2)
        reached = np.pad(lists, ((0, 0), (0, 0), (1, 0))).transpose(0, 2, 1)
        worth = reached[sample.pools[first], sample.cells[first]]
        return _sum_over_queries(worth, self.query_factors)

    @property
    def ideal_final(self) -> Floats:
        """I at the end of each session."""
        return self.layout_final_ideals[self.chosen.sample.ideal_layouts[1]]

    @property
    def final_normalised(self) -> Floats:
        """V / I at the end of each session."""
        return metrics.normalised(self.final, self.ideal_final)

    @property
    def average(self) -> Floats:
        """Mean of V over each session's positions."""
        return self._linear_score(partial(_weights_for_mean, is_of_ideal=False))

    @property
    def average_normalised(self) -> Floats:
        """Mean of V / I over each session's positions."""
        return self._linear_score(partial(_weights_for_mean, is_of_ideal=True))

    def _linear_score(self, weights: Callable[[Selection], Floats]) -> Floats:
        """A score that is linear in gains, whose weights of each layout's cells are (Y, Q, R)."""
        whose, gains = self.chosen.sample.ideal_layouts[1], self.chosen.gains
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


def _sum_over_queries(worth: Floats, factors: Floats) -> Floats:
    """Worth of each query (N, Q, B), times D(q) of each bq (K, Q), added up, (N, B, K)."""
    return worth.transpose(0, 2, 1) @ factors.T


def _weights_for_mean(of: Selection, *, is_of_ideal: bool) -> Floats:
    """Weights whose products with gains are the mean of V, or V / I, over own cells, (Y, Q, R)."""
    inside = of.sample.has_cell[of.sample.ideal_layouts[0]]
    own = inside.astype(np.float64)
    if is_of_ideal:
        own = np.nan_to_num(metrics.normalised(own, of.layout_ideals))
    flat = own.reshape(len(own), -1)
    number = (flat > 0).sum(axis=1, keepdims=True).astype(np.float64)
    later = metrics.normalised(np.cumsum(flat[:, ::-1], axis=1)[:, ::-1], number)
    return later.reshape(own.shape) * of.factors[:, None] * of.discount()


def linearised(plane: BaseGrid) -> Floats:
    r"""Scores whose mean over a system is its ratio of means, with the same variance, (S, B, K).

    .. math:: z_i = R + (V_i - R I_i) / \bar I, \quad R = \bar V / \bar I

    Source: linearisation of a ratio (Cochran, Sampling Techniques, 1977, §6.3).
    """
    sample = plane.chosen.sample
    final, ideal = plane.final, plane.ideal_final
    known = (sample.judged & (ideal > 0).all(axis=(1, 2)))[:, None, None]
    systems, number = sample.systems, len(sample.block.system_names)

    def total(each: Floats | float) -> Floats:
        """What sessions of each one's system come to."""
        return metrics.group_sums(np.where(known, each, 0.0), systems, number)[systems]

    best = total(ideal)
    ratio = metrics.normalised(total(final), best)
    return ratio + metrics.normalised(final - ratio * ideal, best) * total(1.0)
