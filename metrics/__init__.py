"""Arrays to numbers: the measures of interactive search sessions, in numpy alone.

Axes are named S (sessions), Q (queries of a session), R (ranks), T (topics), L (grade labels),
P (positions in a session). Shapes are written in that alphabet in every docstring.
"""

from metrics.average import bootstrap_interval, group_sums, levels_off
from metrics.discount import FORMS, query_discount, rank_discount
from metrics.gain import WEIGHTINGS, best_gains, ideal_list, weighting
from metrics.query import cg, dcg, ndcg, sdcg
from metrics.score import query_scores, session_scores
from metrics.session import concatenated, normalised, repeated_ideal, session_vector, spread_ideal

__all__ = [
    "FORMS",
    "WEIGHTINGS",
    "best_gains",
    "bootstrap_interval",
    "cg",
    "concatenated",
    "dcg",
    "group_sums",
    "ideal_list",
    "levels_off",
    "ndcg",
    "normalised",
    "query_discount",
    "query_scores",
    "rank_discount",
    "repeated_ideal",
    "sdcg",
    "session_scores",
    "session_vector",
    "spread_ideal",
    "weighting",
]
