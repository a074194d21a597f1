"""How a study was designed, as its sessions tell: who met what, how often, and in which order."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.questions.overview.design import crossing, how_often, of_sessions, who_met_what
from sdcg_explorer.questions.overview.numbers import UNKNOWN, design, is_whole, positions
from sdcg_explorer.questions.wording import capital, counted, enumerated, fitting, signed
from sdcg_explorer.reading.ratings import NO_MATCH, not_found
from sdcg_explorer.scoring.definition import Filters, usual_definition
from sdcg_explorer.scoring.ratings import study_ratings
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.study.columns import PLACES
from sdcg_explorer.study.grades import alpha_of_all, grades_by_assessor, label, weighted_kappa
from sdcg_explorer.study.study import Study, extra_columns

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
    return fitting(f"{who}{how_often(found)}; {size}.", f"{who}; {size}.")


def design_sentences(study: Study) -> list[str]:
    """The headline, and what else is to be known of a study before it is believed."""
    return [headline(study), *more(study)]


def more(study: Study) -> list[str]:
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
    began = design(study, usual_definition(study), Filters()).began
    first = [f"{n:,} with {system}" for system, n in began.items()]
    systems = f"; of searchers who used several systems, {enumerated(first)}" if first else ""
    began_with = systems.replace(" with", " began with", 1)
    return f"The order of sessions is known from {source}{began_with}."


def _results_sentence(study: Study) -> str:
    """How many results there are, the share that is judged, and which grade is best."""
    results = counted(len(study.results), "result")
    share = study.checked()["judged_share"]
    if not isinstance(share, float) or not share:
        return f"{results}, none of them judged."
    judged = "all" if share == 1 else f"{share:.1%} of them"
    worst, best = (label(study.labels[i]) for i in (0, -1))
    grades = (
        f"grade {best} only" if worst == best else f"grades {worst} to {best}, best grade: {best}"
    )
    return f"{results}, {judged} judged; {grades}."


def _ratings_sentences(study: Study) -> list[str]:
    """How many sessions, or else queries, tables of ratings were joined for, and what was left."""
    files = {file.file for file in study.report.files if file.role == "ratings"}
    if not files:
        return []
    missing = not_found(study.report.methods)
    rest = f"; not found in the log: {'; '.join(missing)}" if missing else ""
    if files <= {problem.file for problem in study.report.problems if problem.found == NO_MATCH}:
        return [f"No rating matches the log{rest}."]
    rated = {of: [r.column for r in study_ratings(study).values() if r.of == of] for of in RATED}
    columns = rated["session"] or extra_columns(study.sessions)
    of, table = ("session", study.sessions) if columns else ("query", study.queries)
    columns = columns or rated["query"] or extra_columns(study.queries)
    number = int(table[columns].notna().any(axis=1).sum())
    what = "Ratings" if rated[of] else "Background columns"
    some = "all" if number == len(table) > 1 else f"{number:,} of"
    return [f"{what} joined for {some} {counted(len(table), of)}{rest}."]


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
