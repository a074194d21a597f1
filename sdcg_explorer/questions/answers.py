"""Every page's answer to a study and view: its sentences, and what can be taken away of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.side_by_side import side_by_side
from sdcg_explorer.analysis.curves.stopping import stopping
from sdcg_explorer.analysis.definition.definition import PRESETS, Definition, Filters
from sdcg_explorer.analysis.inventory.design import design
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.analysis.inventory.tags import tagged
from sdcg_explorer.analysis.ratings.agreement import agreement, coefficients
from sdcg_explorer.analysis.ratings.agreement_map import agreement_map, present
from sdcg_explorer.analysis.ratings.ratings import NONE, Asked, ratings_of
from sdcg_explorer.analysis.robustness.all_definitions import (
    MOST_UNDER_ALL,
    all_definitions,
    is_quick,
)
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.analysis.robustness.specification import MOVED
from sdcg_explorer.analysis.sessions.individual_sessions import individual_sessions
from sdcg_explorer.analysis.sessions.reformulations import reformulations
from sdcg_explorer.analysis.sessions.session_heatmap import wall
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.analysis.systems.last_against_others import last_against_others
from sdcg_explorer.export.comparison import methods_of, plan_of
from sdcg_explorer.export.once import once
from sdcg_explorer.figures.individual_sessions import draw_individual_sessions
from sdcg_explorer.figures.query_order import draw_query_order
from sdcg_explorer.figures.session_curves import draw_session_curves
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.exhibits import (
    Exhibit,
    Exhibits,
    of_agreement,
    of_compare_systems,
    of_next_study,
    of_overview,
    of_reformulations,
    of_robustness,
    of_side_by_side,
    of_stopping,
    of_wall,
)
from sdcg_explorer.study.study import Study

DEPTH = 100
MOST_RATINGS = 6  # that are answered; the page has every one
LENGTH = 6  # queries on the axis of Figure 4
ASK_FOR_ALL = (
    f"All reasonable definitions take long with more than {MOST_UNDER_ALL:,} sessions: open them "
    "on the page, or give sdcg robustness --all-definitions."
)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a page says; exhibits by their files' names, further tables by caption.

    methods : paragraphs of a methods section
    """

    said: str
    exhibits: Exhibits = field(default_factory=dict[str, Exhibit])
    beneath: list[str] = field(default_factory=list[str])
    more: list[str] = field(default_factory=list[str])
    tables: dict[str, pd.DataFrame] = field(default_factory=dict[str, pd.DataFrame])
    methods: list[str] = field(default_factory=list[str])


def answer_overview(study: Study, definition: Definition, filters: Filters) -> Answer:
    """Counts, warnings, who searched with what, and the grades."""
    view, systems = (study, definition, filters), study.block().system_names
    seen, who = overview(*view), design(*view)
    return Answer(
        seen.answer(),
        of_overview(seen, systems),
        [
            seen.behind(),
            *advice(*view),
            *(
                problem.in_browser.sentence()
                for problem in study.problems
                if problem.severity == "warning"
            ),
        ],
        [*who.sentences(), seen.repeated()],
        {
            "Sessions of each system on each topic": who.crossed(),
            "Features of the searchers, mean and standard deviation": who.features,
            "Grades: judgments, and results shown by each system": seen.grades,
        },
    )


def answer_query_order(study: Study, definition: Definition, filters: Filters) -> Answer:
    """Figure 1, with intervals."""
    order = query_order(study, definition, filters, depth=DEPTH, bands=True)
    if not any(curve.queries for curve in order.curves):
        return Answer(order.answer())
    figure = draw_query_order(order, study.block().system_names)
    return Answer(
        order.answer(),
        {"query_order": Exhibit("Queries by rank", order.table(), figure)},
        [order.within(), f"{order.behind()} {order.levelling()}", *order.advice()],
        methods=[order.method()],
    )


def answer_session_curves(study: Study, definition: Definition, filters: Filters) -> Answer:
    """Figures 2 and 3, with intervals, and when searchers stop."""
    curves = once(session_curves, study, definition, filters, bands=True)
    stopped = stopping(study, definition, filters)
    systems = study.block().system_names
    if not curves.sessions:
        return Answer(curves.answer("normalised"))
    raw = draw_session_curves(curves, systems, measure="raw")
    gained = curves.answer("raw")
    return Answer(
        curves.answer("normalised"),
        {
            "session_curves": Exhibit(
                "Mean session curves, share of the ideal",
                curves.table(),
                draw_session_curves(curves, systems),
            ),
            "session_curves_raw": Exhibit("Mean session curves, gain", curves.table(), raw, gained),
            **of_stopping(stopped),
        },
        [curves.behind("normalised"), *curves.advice("normalised")],
        [gained, stopped.said()],
    )


def answer_individual_sessions(study: Study, definition: Definition, filters: Filters) -> Answer:
    """Figure 4, what each query brought, the list of sessions, and the tags of their queries."""
    view = study, definition, filters
    each, seen = individual_sessions(*view), wall(*view)
    if not each.names:
        return Answer(each.answer())
    figure = draw_individual_sessions(each, study.block().system_names, length=LENGTH)
    tags = tagged(*view, tags=study.tags)
    return Answer(
        each.answer(),
        {
            "individual_sessions": Exhibit("Curve of each session", each.values, figure),
            **of_wall(seen),
        },
        [each.behind(), *([each.goes_on(LENGTH)] if each.goes_on(LENGTH) else [])],
        [seen.answer(), *([f"Why did queries fail? {tags.sentence()}"] if study.tags else [])],
        {"Tags by system": tags.table, "Sessions": each.listed(with_curves=False)},
    )


def answer_reformulations(study: Study, definition: Definition, filters: Filters) -> Answer:
    """Changes by step, by query number, and best queries by system."""
    steps = reformulations(study, definition, filters)
    if not len(steps.changes):
        return Answer(steps.answer())
    return Answer(
        steps.answer(),
        of_reformulations(steps, study.block().system_names),
        [steps.behind(), *steps.advice()],
        tables={"Reformulations and best queries by system": steps.table()},
    )


def answer_compare_systems(study: Study, definition: Definition, filters: Filters) -> Answer:
    """The default score: means, every pair, and last queries against others."""
    view = study, definition, filters
    compared, last = once(compare_systems, *view), once(last_against_others, *view)
    if not compared.names:
        return Answer(compared.answer())
    planned = once(plan_of, compared, compared.most, plan_for=None) if compared.pairs else None
    exhibits = of_compare_systems(compared, last, study.block().system_names)
    return Answer(
        compared.answer(),
        exhibits | of_next_study(planned),
        [
            f"{compared.words.capitalize()}, in {compared.unit}. {compared.behind()}",
            *compared.advice(),
        ],
        [
            *compared.said(),
            *([f"Marks: {compared.of_means()}"] if compared.pairs else []),
            *last.sentences(),
            *(planned.sentences() if planned else []),
        ],
        methods=methods_of(compared),
    )


def answer_agreement(study: Study, definition: Definition, filters: Filters) -> Answer:
    """The first rating beside every score, and the answers about the others."""
    view, known = (study, definition, filters), list(ratings_of(study))
    if not known:
        return Answer(NONE)
    asked = Asked(known[0])
    shown = agreement(*view, asked=asked)
    if not shown.number:
        return Answer(shown.answer())
    grid = agreement_map(*view, asked=asked)
    more = [agreement(*view, asked=Asked(name)) for name in known[1:MOST_RATINGS]]
    return Answer(
        shown.answer(),
        of_agreement(shown, coefficients(*view, asked=asked), grid, (definition.b, definition.bq)),
        [shown.behind(), *shown.advice()],
        [
            grid.said(present(*view, asked=asked)),
            *(pair.said(shown.score) for pair in shown.systems),
            *(each.answer() for each in more),
        ],
        methods=[shown.method()],
    )


def answer_robustness(study: Study, definition: Definition, filters: Filters) -> Answer:
    """The default score over b and bq, and of two systems under all reasonable definitions."""
    view = study, definition, filters
    seen = robustness(*view)
    if not seen.is_known:
        return Answer(seen.answer(), beneath=list(seen.few))
    is_asked = seen.pair is not None and is_quick(*view)
    every = all_definitions(*view, score=seen.score, pair=seen.pair) if is_asked else None
    return Answer(
        seen.answer(every and every.lead),
        of_robustness(seen, (definition.b, definition.bq), every),
        [f"{seen.words.capitalize()}, in {seen.unit}. {seen.behind()}", *seen.advice()],
        [*(every.said() if every else []), *([ASK_FOR_ALL] if seen.pair and not is_asked else [])],
        {MOVED: every.moved_table()} if every else {},
        [seen.method(), every.method() if every else ""],
    )


def answer_side_by_side(study: Study, definition: Definition, filters: Filters) -> Answer:
    """The means and curves under every preset."""
    shown = side_by_side(study, definition, filters, presets=tuple(PRESETS))
    if not any(under.ranked for under in shown.each):
        return Answer(shown.answer())
    return Answer(
        shown.answer(),
        of_side_by_side(shown, study.block().system_names),
        [shown.behind(), *shown.advice()],
        [f"{under.name}: {under.differs()}." for under in shown.each],
        {
            "Mean share of the ideal at the end of the session": shown.table(),
            "Rank correlation of the sessions between definitions": shown.correlations(),
        },
    )
