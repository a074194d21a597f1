"""A score of every session or query over a plane of b and bq, as its record has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.robustness.base_grid import Plane, QueriesOverBases
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.sessions.registry import (
    ALL_SESSION_SCORES,
    QUERY_SCORES,
    query_score,
    session_score_of,
)
from sdcg_explorer.metrics import Score


def session_scores_over(plane: Plane, name: str) -> Floats:
    """One of ``ALL_SESSION_SCORES`` at every point, (S, B, K); nan without a known query."""
    score, judged = ALL_SESSION_SCORES[name], plane.chosen.sample.judged
    found = _over(plane, plane, score, lambda chosen: session_score_of(name, chosen))
    values = np.broadcast_to(found, plane.shape)
    return values if judged.all() else np.where(judged[:, None, None], values, np.nan)


def query_scores_over(plane: Plane, name: str, session: Ints, query: Ints) -> Floats:
    """One of ``QUERY_SCORES`` of some queries (M,) of judged topics at every point, (M, B, K)."""
    of, score = QueriesOverBases(plane, session, query), QUERY_SCORES[name]
    values = _over(plane, of, score, lambda chosen: query_score(name, chosen)[session, query])
    return np.broadcast_to(values, (session.size, *plane.shape[1:]))


def _over(
    plane: Plane, of: object, score: Score[Any], at_point: Callable[[Selection], Floats]
) -> Floats:
    """A score over the plane at once, or at each point that its bases tell apart."""
    if score.over_bases:
        return score.over_bases(of)
    some_b, some_bq = (
        bases if name in score.bases else bases[:1]
        for name, bases in (("b", plane.b), ("bq", plane.bq))
    )
    each = [[at_point(plane.at(b, bq)) for bq in some_bq] for b in some_b]
    return np.stack([np.stack(row, axis=-1) for row in each], axis=-2)
