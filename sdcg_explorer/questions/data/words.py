"""Data in words: what was read, what is known of its first session, and every count."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sdcg_explorer.questions.data.numbers import first_known, queries_of_first
from sdcg_explorer.questions.wording import capital, counted
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import REPEATS_BY_DOCUMENT, Study

COUNTS = {  # as they are called, where they have another name in JSON
    "topics judged": "judged topics",
    "sessions without judgments": "sessions without a judged topic",
    "documents twice in a list": "documents listed twice",
    "grades matched": "grades of matched judgments",
    "judgments matched": "judgments of shown documents",
    "judgments never shown": "judgments of documents never shown",
    "lists with rank gaps": "lists with gaps in ranks",
    "rank clashes": "conflicting ranks",
    "pages folded": "result pages merged",
    "query lengths": "sessions by number of queries",
    "withheld queries": "queries with withheld results",
    "extras": "further columns",
}


def report_words(checked: dict[str, Any]) -> list[tuple[str, str]]:
    """Every count of an import report: its name and its value in words."""
    words: list[tuple[str, str]] = []
    for name, value in checked.items():
        plain = name.replace("_", " ")
        if name in ("left_out", "repaired"):
            words += [(plain, f"{rule}: {count:,}") for rule, count in value.items()]
        elif name == REPEATS_BY_DOCUMENT and value == checked["repeats"]:
            continue
        elif name not in ("problems", "files", "design"):
            words.append((COUNTS.get(plain, plain), _value_in_words(value)))
    return words


def _value_in_words(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {count:,}" for key, count in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(f"{share:.3f}" for share in value)
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"


def counts_table(study: Study) -> pd.DataFrame:
    """The import report's counts as a table."""
    return pd.DataFrame(report_words(study.checked()), columns=["what", "count"])


def about_first(study: Study) -> str:
    """What is known of the first session, its first and last query, and what came with a query.

    As "Session s1 (system A, searcher p1): 3 queries on topic 7, first “tea”, last “green tea”."
    """
    known, extras = (
        ", ".join(f"{name} {label(v) if isinstance(v, float) else v}" for name, v in each.items())
        for each in first_known(study)
    )
    own = queries_of_first(study)
    texts = [text for text in own["text"].dropna().astype("str") if text]
    ends = f", first “{texts[0]}”, last “{texts[-1]}”" if len(texts) > 1 else ""
    topics = [name for name in own["topic"].astype("str").unique() if name]
    on = f" on topic {topics[0]}" if len(topics) == 1 else ""
    more = f"; its first query has {extras}" if extras else ""
    return f"{capital(known)}: {counted(len(own), 'query')}{on}{ends}{more}."


def behind(unjudged: pd.DataFrame) -> str:
    """What stands behind the unjudged shares by rank."""
    last = int(unjudged["rank"].max()) if len(unjudged) else 1
    at = f"ranks 1 to {last}" if last > 1 else "rank 1"
    ranks = f"{counted(int(unjudged['results'].sum()), 'result')} at {at}"
    return f"{ranks}." if unjudged["unjudged"].any() else f"All {ranks} are judged."
