"""A score of every query over a plane of b and bq."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.robustness.base_grid import Plane
from sdcg_explorer.analysis.sessions.registry import query_score


def query_scores_over(plane: Plane, name: str, session: Ints, query: Ints) -> Floats:
    """One of ``QUERY_SCORES`` of some queries (M,) of judged topics at every point, (M, B, K)."""
    if name in DISCOUNTED:
        lists = _known(plane, DISCOUNTED[name](plane))
        values = _discounted(plane, lists, session, query)
        if name == "change":
            before = _discounted(plane, lists, session, np.maximum(query - 1, 0))
            values = np.where(query[:, None, None] > 0, values - before, np.nan)
    else:
        of = [plane.at(b, plane.bq[0]) for b in plane.b]
        each = [query_score(name, at)[session, query] for at in of]
        values = np.stack(each, axis=1)[:, :, None]
    return np.broadcast_to(values, (session.size, len(plane.b), len(plane.bq)))


def _known(plane: Plane, lists: Floats) -> Floats:
    return np.where(plane.chosen.sample.judged_at[:, :, None], lists, np.nan)


def _discounted(plane: Plane, lists: Floats, session: Ints, query: Ints) -> Floats:
    """Worth of queries' lists (S, Q, B) where they stand in their session, (M, B, K)."""
    return lists[session, query][:, :, None] * plane.queries.T[query][:, None, :]


def _dcg(plane: Plane) -> Floats:
    return plane.dcg


def _ideal(plane: Plane) -> Floats:
    """What the best list of each query's topic is worth within its cells, (S, Q, B)."""
    sample, best = plane.chosen.sample, plane.chosen.best_lists
    running = np.cumsum(best[:, None] * plane.ranks, axis=2)
    reached = np.pad(running, ((0, 0), (0, 0), (1, 0))).transpose(0, 2, 1)
    return reached[sample.topics, sample.cells]


# those that bq touches: what of each list is discounted by its place in the session
DISCOUNTED: dict[str, Callable[[Plane], Floats]] = {
    "sdcg": _dcg,
    "ideal_sdcg": _ideal,
    "change": _dcg,
}
