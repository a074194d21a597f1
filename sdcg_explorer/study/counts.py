"""Counts of a study: what `sdcg check` prints, and the warnings that follow from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.study.grades import label
from sdcg_explorer.study.result_rows import NEVER, Shown, codes, earlier_ranks
from sdcg_explorer.study.warnings import TOP_OF_WARNINGS

REPEATS_BY_DOCUMENT = "repeats_by_document"  # whatever the topic
OWN_OF_SESSIONS = ("session", "system", "searcher")
OWN_OF_QUERIES = ("session", "query_number", "topic", "text", "time")


def came_along(table: pd.DataFrame) -> list[str]:
    """Columns of a study's sessions or queries that are not its own, whatever they hold."""
    own = {*OWN_OF_SESSIONS, *OWN_OF_QUERIES}
    return [str(name) for name in table.columns if name not in own]


def numbers_observed(
    sessions: pd.DataFrame,
    queries: pd.DataFrame,
    results: pd.DataFrame,
    judgments: pd.DataFrame,
    shown: Shown,
) -> dict[str, object]:
    """Plain numbers of the four tables, by the names of `check --json`."""
    session, topic = codes(queries["session"]), codes(queries["topic"])
    deepest = np.zeros(len(queries), dtype=np.int64)
    np.maximum.at(deepest, shown.query, shown.rank)
    size = np.bincount(shown.query, minlength=len(queries))
    topics_judged = np.intersect1d(codes(judgments["topic"]), topic)
    lengths = np.bincount(session, minlength=len(sessions))
    of_judged = np.bincount(session[np.isin(topic, topics_judged)], minlength=len(sessions))
    clicked = results["clicked"]
    is_judged = shown.label < shown.unjudged
    given, matched = (
        np.bincount(each, minlength=len(shown.labels)).tolist()
        for each in (shown.judged, shown.judged[shown.matched])
    )
    named = [*zip(map(label, shown.labels), given, matched, strict=True)]
    return {
        "sessions": len(sessions),
        "queries": len(queries),
        "results": len(results),
        "judgments": len(judgments),
        "topics": int(np.unique(topic).size),
        "topics_judged": int(topics_judged.size),
        "searchers": int(sessions["searcher"].nunique()) or None,
        "systems": int(sessions["system"].nunique()),
        "queries_without_results": int((size == 0).sum()),
        "repeats": int((shown.before < NEVER).sum()),
        REPEATS_BY_DOCUMENT: _repeats_by_document(queries, results, shown),
        "documents_twice_in_a_list": int((shown.within < NEVER).sum()),
        "clicked": None if clicked.isna().all() else int(clicked.sum()),
        "query_lengths": _tally(lengths),
        "grades": {grade: n for grade, n, _ in named if n},
        "grades_matched": {grade: met for grade, n, met in named if n},
        "judgments_matched": int(shown.matched.sum()),
        "judgments_never_shown": int((~shown.matched).sum()),
        "sessions_without_judgments": int(((lengths > 0) & (of_judged == 0)).sum()),
        "lists_with_rank_gaps": int((deepest > size).sum()),
        "judged_share": float(is_judged.mean()) if is_judged.size else None,
        "judged_by_rank": [
            float(is_judged[shown.rank == rank].mean())
            for rank in range(1, min(TOP_OF_WARNINGS, int(shown.rank.max(initial=0))) + 1)
            if (shown.rank == rank).any()
        ],
        "extras": {
            name: int(table[name].notna().sum())
            for table, own in ((sessions, OWN_OF_SESSIONS), (queries, OWN_OF_QUERIES))
            for name in map(str, table.columns)
            if name not in own
        },
    }


def _repeats_by_document(queries: pd.DataFrame, results: pd.DataFrame, shown: Shown) -> int:
    """Results whose document an earlier query of the session showed, whatever their topics."""
    before = shown.before
    if len(queries[["session", "topic"]].drop_duplicates()) > queries["session"].nunique():
        placed = shown.session, shown.number, shown.rank
        before, _ = earlier_ranks(*placed, codes(results["doc"]))
    return int((before < NEVER).sum())


def _tally(values: NDArray[Any]) -> dict[str, int]:
    distinct, counts = np.unique(values, return_counts=True)
    return {str(value): int(count) for value, count in zip(distinct, counts, strict=True)}
