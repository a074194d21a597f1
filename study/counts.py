"""Counts of a study: what `sdcg check` prints, and the warnings that follow from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from study.checks import Problem
from study.report import Report
from study.shown import NEVER, Shown, codes

MOST_UNJUDGED = 0.5


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
    shown: Shown,
) -> dict[str, object]:
    """Plain numbers of the four tables, by the names of `check --json`."""
    session, topic = codes(queries["session"]), codes(queries["topic"])
    deepest = np.zeros(len(queries), dtype=np.int64)
    np.maximum.at(deepest, shown.query, shown.rank)
    size = np.bincount(shown.query, minlength=len(queries))
    topics_judged = np.unique(codes(judgments["topic"]))
    judged_session = np.zeros(len(sessions), dtype=bool)
    judged_session[session[np.isin(topic, topics_judged)]] = True
    clicked = results["clicked"]
    is_judged = shown.label < len(shown.labels)
    grades = np.bincount(shown.judged, minlength=len(shown.labels))
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
        "clicked": None if clicked.isna().all() else int(clicked.sum()),
        "query_lengths": _tally(np.bincount(session, minlength=len(sessions))),
        "grades": {label(g): int(n) for g, n in zip(shown.labels, grades, strict=True)},
        "judgments_matched": int(shown.matched.sum()),
        "judgments_never_shown": int((~shown.matched).sum()),
        "sessions_without_judgments": int((~judged_session).sum()),
        "lists_with_rank_gaps": int((deepest > size).sum()),
        "pages_folded": 0,
        "rank_clashes": 0,
        "judged_share": float(is_judged.mean()) if is_judged.size else None,
    }


def _tally(values: NDArray[Any]) -> dict[str, int]:
    distinct, counts = np.unique(values, return_counts=True)
    return {str(value): int(count) for value, count in zip(distinct, counts, strict=True)}


def warnings_of(
    queries: pd.DataFrame, judgments: pd.DataFrame, shown: Shown, report: Report
) -> list[Problem]:
    """Warn of what can be read but could mislead."""
    warnings: list[Problem] = []

    def warn(found: str, rule: str, remedy: str) -> None:
        warnings.append(Problem("warning", report.file, None, found, rule, remedy))

    if report.withheld:
        warn(
            f"{report.withheld} queries whose results the log withholds",
            "they are no part of their sessions, so the last query here is not the searcher's last",
            "Read 'last' as the last query with results.",
        )
    unjudged = set(queries["topic"].unique()) - set(judgments["topic"].unique())
    if unjudged:
        some = ", ".join(sorted(str(topic) for topic in unjudged)[:3])
        warn(
            f"{len(unjudged)} topics without judgments ({some}{' …' * (len(unjudged) > 3)})",
            "sessions on these topics alone have no worth and are left out of every mean",
            "Add their judgments, or expect fewer sessions.",
        )
    share = (shown.label == len(shown.labels)).mean() if shown.label.size else 0.0
    if share > MOST_UNJUDGED:
        warn(
            f"{share:.0%} of the results unjudged",
            "an unjudged result counts as gain 0",
            "Check that the judgments name topics and documents as the log does.",
        )
    return warnings
