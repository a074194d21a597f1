"""Data in words: what was read, what is known of its first session, and every count."""

from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.questions.data.numbers import first_session_facts, first_session_queries
from sdcg_explorer.questions.overview.numbers import UNKNOWN, crossing, design, is_whole, positions
from sdcg_explorer.questions.overview.words import began_each, met_often, of_sessions, who_met_what
from sdcg_explorer.questions.wording import all_of, capital, counted, first_fit, percent, signed
from sdcg_explorer.reading.ratings import NO_MATCH, unmatched_ratings
from sdcg_explorer.scoring.definition import Filters, usual_definition
from sdcg_explorer.scoring.ratings import study_ratings
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.study.columns import PLACES
from sdcg_explorer.study.grades import alpha_of_all, grades_by_assessor, label, weighted_kappa
from sdcg_explorer.study.study import REPEATS_BY_DOCUMENT, Study, extra_columns

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
    """What is known of the first session, its first and last query, and what came with a query.

    As "Session s1 (system A, searcher p1): 3 queries on topic 7, first “tea”, last “green tea”."
    """
    known, extras = (
        ", ".join(f"{name} {label(v) if isinstance(v, float) else v}" for name, v in each.items())
        for each in first_session_facts(study)
    )
    own = first_session_queries(study)
    texts = [text for text in own["text"].dropna().astype("str") if text]
    ends = f", first “{texts[0]}”, last “{texts[-1]}”" if len(texts) > 1 else ""
    topics = [name for name in own["topic"].astype("str").unique() if name]
    on = f" on topic {topics[0]}" if len(topics) == 1 else ""
    more = f"; its first query: {extras}" if extras else ""
    return f"{capital(known)}: {counted(len(own), 'query')}{on}{ends}{more}."


def figure_notes(unjudged: pd.DataFrame) -> str:
    """What stands behind the unjudged shares by rank."""
    last = int(unjudged["rank"].max()) if len(unjudged) else 1
    at = f"ranks 1 to {last}" if last > 1 else "rank 1"
    ranks = f"{counted(int(unjudged['results'].sum()), 'result')} at {at}"
    return f"{ranks}." if unjudged["unjudged"].any() else f"All {ranks} are judged."


RATED = ("session", "query")


def headline(study: Study) -> str:
    """The design and the size of a study in a sentence that two lines hold.

    As "18 searchers × 3 topics with 3 systems, within searchers, each topic and system once (Latin
    square); 54 sessions, 173 queries, 12 of them without results."
    """
    found, checked = crossing(study, usual_definition(study), Filters()), study.checked()
    empty = int(str(checked["queries_without_results"]))
    without = f", {empty:,} of them without results" if empty else ""
    queries = f"{counted(len(study.queries), 'query')}{without}"
    if found.seen.kind == UNKNOWN:
        return f"{of_sessions(found)}; {queries}."
    who, size = who_met_what(found), f"{counted(found.sessions, 'session')}, {queries}"
    return first_fit(f"{who}{met_often(found)}; {size}.", f"{who}; {size}.")


def design_sentences(study: Study) -> list[str]:
    """The headline, and what else is to be known of a study before it is believed."""
    return [headline(study), *details(study)]


def details(study: Study) -> list[str]:
    """Order of sessions, judgments and best grade, ratings that were joined, and assessors."""
    sample = select(study, usual_definition(study), Filters()).sample
    said = [_session_order_sentence(study, sample), _results_sentence(study)]
    if study.labels and (alone := int(str(study.checked()["sessions_without_judgments"]))):
        said.append(f"{counted(alone, 'session has', 'sessions have')} no judged topic.")
    return [*filter(None, said), *_ratings_sentences(study), *_assessor_agreement_sentences(study)]


def _session_order_sentence(study: Study, sample: Sample) -> str:
    """Whether it is known in which order searchers had their sessions."""
    searchers = sample.block.searchers[sample.sessions]
    if np.bincount(searchers[searchers >= 0], minlength=1).max() < 2:
        return ""
    places = positions(study, sample)
    if not is_whole(places, sample.clusters):
        in_part = "The order of searchers' sessions is known only in part."
        unknown = "The order of each searcher's sessions is unknown."
        return in_part if np.isfinite(places).any() else unknown
    named = [name for name in PLACES if name in study.sessions.columns]
    source = named[0] if named else "their times"
    who = design(study, usual_definition(study), Filters())
    first = f"; of searchers who used several systems, {began_each(who)}" if who.began else ""
    return f"The order of sessions is known from {source}{first}."


def _results_sentence(study: Study) -> str:
    """How many results there are, the share that is judged, and which grade is best."""
    results = counted(len(study.results), "result")
    share = study.checked()["judged_share"]
    if not isinstance(share, float) or not share:
        return f"{results}, none of them judged."
    judged = "all" if share == 1 else f"{percent(share, 1)} of them"
    judged_as = [g for g, n in zip(study.labels, study.grade_counts, strict=True) if n]
    worst, best = (label((judged_as or study.labels)[i]) for i in (0, -1))
    grades = (
        f"grade {best} only" if worst == best else f"grades {worst} to {best}, best grade: {best}"
    )
    return f"{results}, {judged} judged; {grades}."


def _ratings_sentences(study: Study) -> list[str]:
    """How many sessions, or else queries, tables of ratings were joined for, and what was left."""
    files = {file.file for file in study.report.files if file.role == "ratings"}
    if not files:
        return []
    missing = unmatched_ratings(study.report.methods)
    rest = f"; not found in the log: {'; '.join(missing)}" if missing else ""
    if files <= {problem.file for problem in study.report.problems if problem.found == NO_MATCH}:
        return [f"No rating matches the log{rest}."]
    rated = {of: [r.column for r in study_ratings(study).values() if r.of == of] for of in RATED}
    columns = rated["session"] or extra_columns(study.sessions)
    of, table = ("session", study.sessions) if columns else ("query", study.queries)
    columns = columns or rated["query"] or extra_columns(study.queries)
    if not columns:  # they told of the sessions what the log didn't
        return []
    number = int(table[columns].notna().any(axis=1).sum())
    what = "Ratings" if rated[of] else "Background columns"
    some = f"{number:,} of {counted(len(table), of)}"
    if number == len(table) > 1:
        some = f"{all_of(number)} {counted(number, of).partition(' ')[2]}"
    return [f"{what} joined for {some}{rest}."]


def _assessor_agreement_sentences(study: Study) -> list[str]:
    """How many assessors there are, and how far two of them, or all, agree."""
    given = grades_by_assessor(study.judgments)
    if (number := given.shape[1]) < 2:
        return []
    shared = (~np.isnan(given)).sum(axis=1) > 1
    said = capital(f"{number} assessors") if number > 2 else "Two assessors"
    if not shared.any():
        return [f"{said}, who judged no document in common."]
    both = counted(int(shared.sum()), "document")
    if number == 2:
        value, sign = weighted_kappa(*given[shared].T), "weighted κ"
    else:
        value, sign = alpha_of_all(given), "Krippendorff's α"
    by = "both" if number == 2 else "several"
    return [f"{said}, {sign} = {signed(value)} ({both} judged by {by})."]
