"""Every score by name: of each query, and of each session; in the order of their tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from sdcg_explorer.analysis.robustness.base_grid import QueriesOverBases
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.sessions.family import OF_SESSIONS
from sdcg_explorer.analysis.sessions.other_measures import (
    NOTHING,
    OTHER_MEASURES,
    Measured,
    measured,
)
from sdcg_explorer.metrics import SESSION_SCORES as OF_VECTORS
from sdcg_explorer.metrics import Score, normalised, session_score, union_ndcg, union_recall
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.metrics.worked import UNDEFINED


def require_score(name: str) -> None:
    """Refuse what is no score of sessions.

    Raises
    ------
    ValueError : it is none
    """
    if name not in ALL_SESSION_SCORES:
        raise ValueError(f"score {name!r}; known are {', '.join([*SCORES, *OF_SESSIONS])}.")


def _own(name: str, of: Measured) -> Floats:
    return of.chosen.query_scores[name]


def _ideal_sdcg(of: Measured) -> Floats:
    chosen, sample = of.chosen, of.chosen.sample
    running = np.cumsum(chosen.best_lists * chosen.discount(), axis=1)
    reached = np.pad(running, ((0, 0), (1, 0)))
    return reached[sample.topics, sample.cells] * chosen.factors


# measures of single queries that are choices of Reformulations, and as means of Compare systems
OF_SINGLE_QUERIES = {  # in words
    "ndcg": "nDCG",
    "ldcg": "length-adjusted DCG",
    "relative_recall": "relative recall",
    "recall_effort": "recall effort",
}
MEAN = "mean_"
NO_QUERY = "where that of every query is: "
GROWING = "relative_recall"  # what was found stays found
NOT_BEFORE = "where there is no query before, or it is not known"
QUERY_SCORES: dict[str, Score[Measured]] = {
    "dcg": Score(
        partial(_own, "dcg"),
        "worth of its list, not discounted by its place",
        "DCG",
        r"\sum_r g(q, r)\, d(r)",
        "S08, Appendix eq. 2",
        bases=("b",),
        worked=("3 + 1/2", "3 + 2/2", "0", "2"),
    ),
    "sdcg": Score(
        partial(_own, "sdcg"),
        "worth of its list in the session",
        "sDCG",
        r"D(q)\, dcg_q",
        "S08 eq. 1",
        over_bases=QueriesOverBases.sdcg,
        worked=("3 + 1/2", "(3 + 2/2)*D2", "0", "2*D4"),
    ),
    "ideal_sdcg": Score(
        _ideal_sdcg,
        "what its topic's best list would be worth there",
        "sDCG",
        r"D(q) \sum_r best_{t(q),r}\, d(r)",
        "S08 §3.3",
        over_bases=QueriesOverBases.ideal_sdcg,
        worked=("I1", "I1*D2", "I1*D3", "I1*D4"),
    ),
    "change": Score(
        partial(_own, "change"),
        "sdcg less that of the query before",
        "sDCG",
        r"sdcg_q - sdcg_{q-1}",
        "S08 eq. 1",
        undefined=NOT_BEFORE,
        over_bases=QueriesOverBases.change,
        worked=("–", "4*D2 - 3.5", "0 - 4*D2", "2*D4 - 0"),
    ),
    "change_dcg": Score(
        partial(_own, "change_dcg"),
        "dcg less that of the query before: 0 for the same list issued again",
        "DCG",
        r"dcg_q - dcg_{q-1}",
        "S08, Appendix eq. 2",
        undefined=NOT_BEFORE,
        bases=("b",),
        worked=("–", "4 - 3.5", "0 - 4", "2 - 0"),
    ),
    **OTHER_MEASURES,
}


def _of_worth(name: str, of: Measured) -> Floats:
    return session_score(name, of.chosen.worth)


def _mean_of_queries(name: str, of: Measured) -> Floats:
    """Mean of a query's score over the known queries at which it is defined, (S,)."""
    values = np.where(of.chosen.sample.judged_at, QUERY_SCORES[name].function(of), np.nan)
    return normalised(np.nansum(values, axis=1), (~np.isnan(values)).sum(axis=1).astype(float))


def query_score(name: str, chosen: Selection) -> Floats:
    """One of ``QUERY_SCORES`` of each query, (S, Q)."""
    return measured(chosen, {name: QUERY_SCORES[name]})[name]


def session_score_of(name: str, chosen: Selection) -> Floats:
    """One of ``ALL_SESSION_SCORES`` of each session, (S,)."""
    return measured(chosen, {name: ALL_SESSION_SCORES[name]})[name]


def queries_left_out(score: str, chosen: Selection) -> Ints:
    """Known queries of each session that a mean of queries leaves out as undefined, (S,)."""
    name = score.removeprefix(MEAN)
    if not score.startswith(MEAN) or name not in OF_SINGLE_QUERIES:
        return np.zeros(chosen.sample.sessions.size, dtype=np.int64)
    return (chosen.sample.judged_at & np.isnan(query_score(name, chosen))).sum(axis=1)


def _mean_score(name: str) -> Score[Measured]:
    score = QUERY_SCORES[name]
    known = [text for text in score.worked if text != UNDEFINED]
    return Score(
        partial(_mean_of_queries, name),
        f"mean {OF_SINGLE_QUERIES[name]} of the queries that have one",
        score.unit,
        rf"\overline{{{score.formula}}}",
        f"{score.source}, the mean ours",
        undefined=f"{NO_QUERY}{score.undefined}",
        grows=name == GROWING,
        bases=score.bases,
        by_gain=score.by_gain,
        worked=(f"({' + '.join(known)})/{len(known)}",),
    )


def _relevant_found(of: Measured) -> Floats:
    return np.where(of.chosen.sample.judged, of.brought.sum(axis=1), np.nan)


def _union_recall(of: Measured) -> Floats:
    to_find = np.append(of.relevant_judged, 0)[of.own_topics].sum(axis=1).astype(np.float64)
    return np.where(of.chosen.sample.judged, union_recall(of.new, to_find), np.nan)


def _union_ndcg(of: Measured) -> Floats:
    value = union_ndcg(*of.end_to_end, of.chosen.discount())
    return np.where(of.chosen.sample.judged, value, np.nan)


SESSION_SCORES: dict[str, Score[Measured]] = {
    **{
        name: Score(**{**vars(score), "function": partial(_of_worth, name)})
        for name, score in OF_VECTORS.items()
    },
    "relevant_found": Score(
        _relevant_found,
        "distinct relevant documents found",
        "documents",
        r"\lvert \bigcup_q R \cap A_q \rvert",
        "ours",
        grows=True,
        bases=(),
        worked=("3",),
    ),
    **{f"{MEAN}{name}": _mean_score(name) for name in OF_SINGLE_QUERIES},
    "union_recall": Score(
        _union_recall,
        "distinct relevant documents found, as a share of all on its topics",
        "share",
        r"\lvert \bigcup_q R \cap A_q \rvert / \lvert R \rvert",
        "C25",
        undefined=NOTHING,
        grows=True,
        bases=(),
        worked=("3/3",),
    ),
    "union_ndcg": Score(
        _union_ndcg,
        "nDCG of the first X results of its lists laid end to end",
        "nDCG",
        r"\sum_{k \le X} g_k\, d(k) / \sum_{k \le X} best_k\, d(k)",
        "JK02, of lists laid end to end ours",
        undefined=NOTHING,
        bases=("b",),
        worked=("(3 + 1/2 + 2/3)/I1",),
    ),
}
ALL_SESSION_SCORES = SESSION_SCORES | OF_SESSIONS  # those that are columns only where asked for
# to choose from, shares of the ideal first
USUAL = "final_normalised"  # the score of sessions that is looked at where none is asked for
SHARES = ("nsDCG", "nDCG", "share")  # units in which 1 is the most there is
SCORES = sorted(SESSION_SCORES, key=lambda name: SESSION_SCORES[name].unit != "nsDCG")
