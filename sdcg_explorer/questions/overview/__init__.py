"""What is in this study?"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.overview import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Exhibit, View
from sdcg_explorer.questions.wording import capital
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import session_score_of
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.report import ALONE, OF_EVERY_VIEW
from sdcg_explorer.study.study import Study


@dataclass(frozen=True)
class Lead:
    """A view that is a good start: what it shows, its page, definition, and choices of the page."""

    words: str
    page: str
    definition: Definition
    choices: dict[str, str]


FEATURES = "Searchers (mean, standard deviation)"
CROSSED = "Sessions of each system on each topic"


def answer(view: View) -> Answer:
    """Counts, warnings, who searched with what, and the grades."""
    shown, seen, who = counts_answer(view), view.ask(numbers.overview), view.ask(numbers.design)
    tables = {CROSSED: who.crossed(), FEATURES: who.features, grades_caption(seen): seen.grades}
    runs = words.spread_text(view.ask(numbers.repeat_spread))
    said = [words.design_sentence(who), words.began_first(who), *runs, words.repeats_sentence(seen)]
    more = [*filter(None, said)] if seen.sessions else []
    return replace(shown, advice=[*view.ask(advice), *shown.advice], more=more, tables=tables)


def grades_caption(seen: numbers.Overview) -> str:
    """What the table of grades counts."""
    judged = "judgments and of " * ("judgments" in seen.grades)
    return f"Grades of {judged}results in the top {seen.top} (each document once per list)"


def counts_answer(view: View) -> Answer:
    """Counts, Table 2, how much of what was shown is judged, and warnings of the import."""
    seen: numbers.Overview = view.ask(numbers.overview)
    elsewhere = (*OF_EVERY_VIEW, *[ALONE] * bool(view.definition.behaviour))  # clicks score these
    told = [p for p in view.study.problems if p.severity == "warning" and p.rule not in elsewhere]
    whole = "" if view.filters == Filters() else "in the whole study: "  # as it was imported
    bars = partial(figure.draw_queries_by_system, seen, view.systems)
    curves = partial(figure.draw_judged_share, seen, view.systems)
    lengths, share = "Sessions by their number of queries", f"{capital(seen.graded)} share"
    by_rank, alt = f"{share} of the results by rank", f"{share} by rank"
    exhibits = {
        "sessions_by_length": Exhibit(lengths, seen.table, bars, alt=f"Table 2. {lengths}"),
        "judged_share": Exhibit(by_rank, seen.judged_share_table, curves, alt=alt),
    }
    shown, behind = exhibits if seen.sessions else {}, words.counting_notes(seen)
    advice = [capital(f"{whole}{problem.in_browser.sentence()}") for problem in told]
    return Answer(words.headline(seen), shown, behind=behind, advice=advice)


def lowest_session(study: Study, definition: Definition, filters: Filters) -> tuple[str, bool]:
    """The session that gained least ("": none is judged), and whether any has several queries."""
    chosen = select(study, definition, filters)
    rows = np.flatnonzero(chosen.sample.judged)
    if not rows.size:
        return "", False
    least = chosen.sample.sessions[rows[np.argmin(session_score_of("final", chosen)[rows])]]
    return str(study.sessions["session"].iloc[least]), chosen.sample.most_queries > 1


def suggested_views(view: View) -> list[Lead]:
    """Views that are a good start, under the filters in force; none that needs what is not there.

    Where b or bq is turned, the words say to what.
    """
    force = view.definition
    session, several = view.ask(lowest_session)
    if not session:
        return []
    b, bq = (10.0 if force.b != 10 else 2.0), (100.0 if force.bq != 100 else 2.0)
    curves, share = "session_curves", {"measure": "normalised"}
    ahead = "See which system reaches a higher share of the ideal"
    if force.behaviour:
        share, ahead = {"measure": "raw"}, "See which system scores higher"
    least, own = "individual_sessions", {"session": session}
    every = [
        Lead("See whether the last query gains more", "query_order", force, {"split": "last"}),
        Lead(ahead, curves, force, share),
        Lead(f"See what b does: try b = {b:g}", curves, replace(force, b=b), share),
        Lead(f"See what bq does: try bq = {bq:g}", curves, replace(force, bq=bq), share),
        Lead("See the session that gained least", least, force, own),
        Lead("See how a session's number is made", "by_hand", force, {"example": "T-1"}),
    ]
    if len(view.ask(numbers.overview).systems) < 2:
        del every[1]
    if several:
        return every
    return [lead for lead in every if lead.page != "query_order" and "bq" not in lead.words]
