"""Data in words: what was read, what is known of its first session, and every count."""

from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.questions.data.numbers import first_session_facts, first_session_queries
from sdcg_explorer.questions.overview.numbers import design, is_whole, positions
from sdcg_explorer.questions.overview.words import design_text, size_text
from sdcg_explorer.questions.wording import capital, counted, percent
from sdcg_explorer.scoring.definition import Filters, usual_definition
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.study.columns import PLACES
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


def first_session_text(study: Study) -> str:
    """What is known of the first session, and what came with its first query."""
    known, extras = (
        ", ".join(f"{name} {label(v) if isinstance(v, float) else v}" for name, v in each.items())
        for each in first_session_facts(study)
    )
    own = first_session_queries(study)
    topics = [name for name in own["topic"].astype("str").unique() if name]
    on = f" on topic {topics[0]}" if len(topics) == 1 else ""
    more = f"; its first query: {extras}" if extras else ""
    return f"{capital(known)}: {counted(len(own), 'query')}{on}{more}."


def figure_notes(unjudged: pd.DataFrame) -> str:
    """What stands behind the unjudged shares by rank."""
    results = unjudged["results"]
    number = round(float((unjudged["unjudged"] * results).sum()))
    ranks = f"ranks 1 to {len(unjudged)}" if len(unjudged) > 1 else "rank 1"
    return f"Unjudged: {number:,} of {counted(int(results.sum()), 'result')} at {ranks}."


def headline(study: Study) -> str:
    """The size and the design of a study in a sentence.

    As "54 sessions by 18 searchers on 3 topics with 3 systems, within searchers, 1 session per
    searcher and topic, 6 sessions per topic and system (Latin square); 173 queries, 12 of them
    without results."
    """
    found = design(study, usual_definition(study), Filters())
    empty = int(str(study.checked()["queries_without_results"]))
    without = f", {empty:,} of them without results" * bool(empty)
    queries = counted(len(study.queries), "query")
    some = "With queries: " * (found.sessions < len(study.sessions))
    return f"{some}{size_text(found, found.systems)}, {design_text(found)}; {queries}{without}."


def design_sentences(study: Study) -> list[str]:
    """The headline, and what else is to be known of a study before it is believed."""
    return [headline(study), *details(study)]


def details(study: Study) -> list[str]:
    """Order of sessions, judgments and grades."""
    sample = select(study, usual_definition(study), Filters()).sample
    return [*filter(None, [_session_order_sentence(study, sample), _results_sentence(study)])]


def _session_order_sentence(study: Study, sample: Sample) -> str:
    """Whether it is known in which order searchers had their sessions."""
    searchers = sample.block.searchers[sample.sessions]
    if np.bincount(searchers[searchers >= 0], minlength=1).max() < 2:
        return ""
    if not is_whole(positions(study, sample), sample.clusters):
        return "The order of searchers' sessions is unknown, or known only for some."
    named = [name for name in PLACES if name in study.sessions.columns]
    return f"The order of sessions is known from {named[0] if named else 'their times'}."


def _results_sentence(study: Study) -> str:
    """How many results there are, the share that is judged, and the grades from worst to best."""
    results = counted(len(study.results), "result")
    share = study.checked()["judged_share"]
    if not isinstance(share, float) or not share:
        return f"{results}, none of them judged."
    given = [g for g, n in zip(study.labels, study.grade_counts, strict=True) if n]
    worst, best = (label((given or study.labels)[i]) for i in (0, -1))
    grades = f"grades from {worst} (worst) to {best} (best)" if worst != best else f"grade {best}"
    return f"{results}, {percent(share, 1)} of them judged; {grades}."
