"""Columns of our tables in words that a reader knows; a CSV has them by their names."""

from typing import Any

from sdcg_explorer.scoring import definition, measures

_FITTED = {
    "b": "b",
    "bq": "bq",
    "b_of_srbp": "b of sRBP",
    "p_of_rbp": "p of (s)RBP",
    "t_of_inst": "T of INST",
}
_AS_NAMED = (  # with blanks
    *("coverage", "novelty", "relative_recall", "recall_effort", "mean_relative_recall"),
    *("mean_recall_effort", "parts_found", "rows_used", "judged_share", "unit", "units"),
)
WORDS = {name: name.replace("_", " ") for name in _AS_NAMED} | {
    # scores
    **{name: measures.QUERY_SCORES[name].unit for name in ("dcg", "sdcg", "ndcg", "ldcg", "lndcg")},
    "cg": "CG",
    **{f"ideal_{unit.lower()}": f"ideal {unit}" for unit in ("sDCG", "CG", "DCG")},
    "change": "change of sDCG",
    "change_dcg": "change of DCG",
    "ndcg_area": "area under nDCG",
    "final": "sDCG at the end",
    "average": "average sDCG",
    "last": "last query",
    "best": "best query",
    "per_query": "sDCG per query",
    "weighted_mean": "weighted mean of queries",
    "mean_dcg": "mean DCG",
    "final_normalised": "nsDCG at the end",
    "average_normalised": "average nsDCG",
    "relevant_found": "relevant documents found",
    "mean_ndcg": "mean nDCG",
    "mean_ldcg": "mean LDCG",
    "union_recall": "recall of the union",
    "union_ndcg": "nDCG of all lists joined",
    # where a row is
    "query_number": "query",
    "doc": "document",
    "text": "query text",
    "step": "from query to query",
    "group": "last, best or other",
    "position": "position in the session",
    "at_least": "sessions of at least so many queries",
    "missing": "still missing",
    "behind": "lost against the ideal",
    "worst": "worst query",
    "rows_in": "rows in it",
    # counts
    "judged": "judged results",
    "unjudged": "unjudged share",
    "clicked": "clicks",
    "opened": "documents opened",
    "running": "sessions that got so far",
    "still_searching": "sessions still searching",
    "sessions_normalised": "sessions with an ideal",
    **{f"{of}_sessions": f"sessions behind {of}" for of in ("found", "novelty", "coverage")},
    "number": "how many",
    "unnamed": "without a named searcher",
    "n_a": "sessions (A)",
    "n_b": "sessions (B)",
    # measures beside each other
    "tau": "τ-b of sessions with the first",
    "swapped": "share of pairs of systems whose means are the other way round",
    # costs
    "spent": "cost",
    "rank_correlation": "Spearman's ρ",
    # fits
    **{name: words for name, words in _FITTED.items() if name != words},
    **{f"sdcg_{form}": f"weight by sDCG {form}" for form in definition.CHOICES["discount"]},
    "tse": "total squared error",
    "tae": "total absolute error",
    "kl": "KL divergence in bits",
    "in_force": "current weight",
    "held_out": "held-out error",
    "not_identified": "not identifiable",
    "looked_at": "sessions that examined it",
    # means and intervals
    "low": "95% from",
    "high": "95% to",
    "sd": "standard deviation",
    "error": "standard error",
    "normalised": "mean share of the ideal",
    "mean_a": "mean (A)",
    "mean_b": "mean (B)",
    **{f"p{percent}": f"{percent}% are below" for percent in (5, 25, 75, 95)},
    "p50": "median",
    # systems compared
    "system_a": "system A",
    "system_b": "system B",
    "difference": "difference (B − A)",
    "p_t": "p by t",
    "p_permutation": "p by permutation",
    "p_holm": "p after Holm",
    "grades": "grades of",
    "alike": "same grade",
    "kappa": "κ (not weighted)",
    "weighted_kappa": "κ (quadratic weights)",
    "hedges_g": "Hedges' g",
    "superiority": "B beats A (share of pairs, ties half)",
    "same": "same system preferred",
    "other": "other system preferred",
    "ties": "equal with both",
    "ahead": "lead of the highest",
    "several": "sessions of several queries",
    "last_best": "the last was the best",
    "first_with_queries": "rank correlation, first query and length",
    "others": "other queries",
    # what unjudged results leave open
    "moves": "could move the difference by",
    "sessions_a": "sessions (A) that show it",
    "sessions_b": "sessions (B) that show it",
    "difference_lowest": "lowest difference (unjudged results)",
    "difference_highest": "highest difference (unjudged results)",
    # the next study
    "standardised": "difference in standard deviations",
    **{f"units_{power}": f"units for {power}% power" for power in (80, 90)},
    **{f"resampled_{n}": f"simulated power (planned: {n}%)" for n in (80, 90)},
    # by topic, and outcomes
    "session_a": "session (A)",
    "session_b": "session (B)",
    "unknown": "sessions without an outcome",
    "found_right": "found and right",
    "found_wrong": "found and wrong",
    "not_found_right": "not found and right",
    "not_found_wrong": "not found and wrong",
    "unjudged_sessions": "without a judged topic",
    "only_a": "A only",
    "only_b": "B only",
    "p": "p by McNemar",
}
_SUMMED = ("final_normalised", "final", "mean_ndcg", "opened", "seconds")
_WITH_ENDS = {name: WORDS.get(name, name) for name in _SUMMED} | _FITTED
_WITH_ENDS |= {"tau": "τ-b", "normalised": "share", "superiority": "B beats A", "ahead": "lead"}
WORDS |= {f"{name}_mean": f"{_WITH_ENDS[name]}, mean" for name in _SUMMED}  # by system
WORDS |= {
    f"{name}_{end}": f"{words}, {WORDS[end]}"
    for name, words in _WITH_ENDS.items()
    for end in ("low", "high")
}


def column_words(name: str) -> dict[str, Any]:
    """A column of ours on screen: its words, and what a CSV calls it, with a score's meaning.

    Nothing where its name is a word already, or not ours.

    >>> column_words("final_normalised")["label"], column_words("session")
    ('nsDCG at the end', {})
    """
    if name not in WORDS:
        return {}
    score = measures.SESSION_SCORES.get(name) or measures.QUERY_SCORES.get(name)
    meaning = f", {score.words}; unit: {score.unit}" if score else ""
    return {"label": WORDS[name], "help": f"In the CSV: `{name}`{meaning}."}
