"""What is in this study?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sdcg_explorer.analysis.inventory.overview import Overview, design, overview, several_runs
from sdcg_explorer.figures.overview import draw_judged_share, draw_overview
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.answer import Answer, Exhibit
from sdcg_explorer.questions.view import View
from sdcg_explorer.questions.words import overview as words

FEATURES = "Features of the searchers, mean and standard deviation"
CROSSED = "Sessions of each system on each topic"
GRADES = "Grades: judgments, and results shown by each system"


def answer(view: View) -> Answer:
    """Counts, warnings, who searched with what, and the grades."""
    shown, seen, who = counted(view), view.ask(overview), view.ask(design)
    tables = {CROSSED: who.crossed(), FEATURES: who.features, GRADES: seen.grades}
    runs = words.spread(view.ask(several_runs))
    more = [*words.designed(who), *runs, words.repeated(seen)]
    return replace(shown, advice=[*view.ask(advice), *shown.advice], more=more, tables=tables)


def counted(view: View) -> Answer:
    """Counts, Table 2, how much of what was shown is judged, and warnings of the import."""
    seen: Overview = view.ask(overview)
    problems = view.study.problems
    exhibits = {
        "sessions_by_length": Exhibit(
            "Sessions by their number of queries",
            seen.table,
            partial(draw_overview, seen, view.systems),
            alt=f"Table 2. {words.answer(seen)}",
        ),
        "judged_share": Exhibit(
            "Judged share of the results by rank",
            seen.judged_table,
            partial(draw_judged_share, seen, view.systems),
            alt="Judged share by rank",
        ),
    }
    return Answer(
        words.answer(seen),
        exhibits if seen.sessions else {},
        behind=words.behind(seen),
        advice=[each.in_browser.sentence() for each in problems if each.severity == "warning"],
    )
