"""Arrays to numbers: the measures of interactive search sessions, in numpy alone.

Axes are named S (sessions), Q (queries of a session), R (ranks), T (topics), L (grade labels),
P (positions in a session). Shapes are written in that alphabet in every docstring.
"""

from .average import area, average_curves, group_sums, levels_off
from .discount import FORMS, query_discount, rank_discount
from .expected_session import esndcg
from .gain import WEIGHTINGS, best_gains, ideal_list, weighting
from .interval import bootstrap_interval, mean_interval
from .length import ideal_ldcg, ldcg, lndcg
from .query import cg, dcg, ndcg, sdcg
from .score import Score, query_scores
from .session import (
    concatenated,
    gain_per_cost,
    normalised,
    repeated_ideal,
    session_vector,
    spread_ideal,
    spread_ideal_ends,
    union_ndcg,
    union_recall,
)
from .user_models import err, inst, rbp, srbp, stops
from .user_oriented import coverage, novelty, recall_effort, relative_recall, user_oriented_scores
from .worth import SESSION_SCORES, Worth, session_score, session_scores

__all__ = [
    "FORMS",
    "SESSION_SCORES",
    "WEIGHTINGS",
    "Score",
    "Worth",
    "area",
    "average_curves",
    "best_gains",
    "bootstrap_interval",
    "cg",
    "concatenated",
    "coverage",
    "dcg",
    "err",
    "esndcg",
    "gain_per_cost",
    "group_sums",
    "ideal_ldcg",
    "ideal_list",
    "inst",
    "ldcg",
    "levels_off",
    "lndcg",
    "mean_interval",
    "ndcg",
    "normalised",
    "novelty",
    "query_discount",
    "query_scores",
    "rank_discount",
    "rbp",
    "recall_effort",
    "relative_recall",
    "repeated_ideal",
    "sdcg",
    "session_score",
    "session_scores",
    "session_vector",
    "spread_ideal",
    "spread_ideal_ends",
    "srbp",
    "stops",
    "union_ndcg",
    "union_recall",
    "user_oriented_scores",
    "weighting",
]
