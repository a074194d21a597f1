"""Arrays to numbers: the measures of interactive search sessions, in numpy alone.

Axes are named S (sessions), Q (queries of a session), R (ranks), T (topics), L (grade labels),
P (positions in a session).
"""

# pyright: reportUnusedImport=false
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
