"""Counts of a study: what `sdcg check` prints, and the warnings that follow from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from study.block import NEVER, earlier_ranks, lookup
from study.checks import Problem

FEW_SESSIONS = 10


def label(grade: float) -> str:
    """A grade as text: 2, −2, 0.5.

    >>> label(2.0), label(0.5)
    ('2', '0.5')
    """
    return f"{grade:.12g}"


def counts_of(
    sessions: pd.DataFrame,
    queries: pd.DataFrame,
    results: pd.DataFrame,
    judgments: pd.DataFrame,
    *,
    withheld: int = 0,
) -> dict[str, object]:
    """Plain numbers of the four tables, by the names of `check --json`."""
    query = queries["session"].cat.codes.to_numpy(np.int64), queries["query_number"].to_numpy()
    width = int(query[1].max(initial=0)) + 1
    docs = len(results["doc"].cat.categories) + 1
    topic = queries["topic"].cat.codes.to_numpy(np.int64)
    s, q = results["session"].cat.codes.to_numpy(np.int64), results["query_number"].to_numpy()
    at = lookup(query[0] * width + query[1], np.arange(len(queries)), s * width + q, missing=0)
    thing = topic[at] * docs + results["doc"].cat.codes.to_numpy(np.int64)
    rank = results["rank"].to_numpy()
    graded = judgments["topic"].cat.codes.to_numpy(np.int64) * docs
    graded += judgments["doc"].cat.codes.to_numpy(np.int64)
    is_judged = lookup(graded, np.ones(graded.size, dtype=np.int64), thing, missing=0)
    matched = int(np.isin(graded, thing).sum())
    deepest = np.zeros(len(queries), dtype=np.int64)
    np.maximum.at(deepest, at, rank)
    shown = np.bincount(at, minlength=len(queries))
    topics_judged = np.unique(judgments["topic"].cat.codes)
    judged_session = np.zeros(len(sessions), dtype=bool)
    judged_session[query[0][np.isin(topic, topics_judged)]] = True
    lengths = np.bincount(query[0], minlength=len(sessions))
    clicked = results["clicked"]
    searchers = sessions["searcher"].nunique()
    return {
        "sessions": len(sessions),
        "queries": len(queries),
        "results": len(results),
        "judgments": len(judgments),
        "topics": int(np.unique(topic).size),
        "topics_judged": int(topics_judged.size),
        "searchers": int(searchers) or None,
        "systems": int(sessions["system"].nunique()),
        "queries_without_results": int((shown == 0).sum()),
        "repeats": int((earlier_ranks(s, q, rank, thing)[0] < NEVER).sum()),
        "clicked": None if clicked.isna().all() else int(clicked.sum()),
        "query_lengths": _tally(lengths),
        "grades": {label(float(name)): n for name, n in _tally(judgments["grade"]).items()},
        "judgments_matched": matched,
        "judgments_never_shown": len(judgments) - matched,
        "sessions_without_judgments": int((~judged_session).sum()),
        "lists_with_rank_gaps": int((deepest > shown).sum()),
        "pages_folded": 0,
        "rank_clashes": 0,
        "withheld_queries": withheld,
        "judged_share": float(is_judged.mean()) if is_judged.size else None,
    }


def _tally(values: NDArray[Any] | pd.Series[float]) -> dict[str, int]:
    distinct, counts = np.unique(values, return_counts=True)
    return {str(value): int(count) for value, count in zip(distinct, counts, strict=True)}


def warnings_of(
    counts: dict[str, object], queries: pd.DataFrame, judgments: pd.DataFrame, file: str
) -> list[Problem]:
    """Warn of what can be read but could mislead."""
    warnings: list[Problem] = []

    def warn(found: str, rule: str, remedy: str) -> None:
        warnings.append(Problem("warning", file, None, found, rule, remedy))

    if withheld := counts["withheld_queries"]:
        warn(
            f"{withheld} queries whose results the log withholds",
            "they are no part of their sessions, so the last query here is not the searcher's last",
            "Read 'last' as the last query with results.",
        )
    unjudged = set(queries["topic"].unique()) - set(judgments["topic"].unique())
    if unjudged:
        some = ", ".join(sorted(str(topic) for topic in unjudged)[:3])
        warn(
            f"{len(unjudged)} topics without judgments ({some}{' …' * (len(unjudged) > 3)})",
            f"{counts['sessions_without_judgments']} sessions have no worth and are left out",
            "Add their judgments, or expect fewer sessions.",
        )
    share = counts["judged_share"]
    if isinstance(share, float) and share < 0.5:
        warn(
            f"{1 - share:.0%} of the results unjudged",
            "an unjudged result counts as gain 0",
            "Check that the judgments name topics and documents as the log does.",
        )
    return warnings
