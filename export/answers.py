"""Every page's answer to a study and view: its sentences, and what can be taken away of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from analysis.advice import advice
from analysis.compare_systems import compare_systems
from analysis.comparing.last_against_others import last_against_others
from analysis.definition.definition import PRESETS, Definition, Filters
from analysis.design import design
from analysis.individual_sessions import individual_sessions
from analysis.overview import overview
from analysis.query_order import query_order
from analysis.reformulations import reformulations
from analysis.session_curves import session_curves
from analysis.side_by_side import side_by_side
from analysis.tags import tagged
from export.exhibits import (
    Exhibit,
    Exhibits,
    of_compare_systems,
    of_overview,
    of_reformulations,
    of_side_by_side,
)
from figures.individual_sessions import draw_individual_sessions
from figures.query_order import draw_query_order
from figures.session_curves import draw_session_curves
from study.study import Study

DEPTH = 100
LENGTH = 6  # queries on the axis of Figure 4
LAST = "How much better is the last query than the others?"
GROWS = "How does gain grow over a session, and in which system faster?"
AGAIN = "What does asking again bring?"
BETTER = "Which system is better?"
OTHERWISE = "Would another definition say otherwise?"
WHICH = "Which sessions succeeded, and at which query?"


@dataclass(frozen=True, eq=False)
class Answer:
    """A page's question and answer; exhibits by their files' names, further tables by caption."""

    name: str
    question: str
    said: str
    exhibits: Exhibits = field(default_factory=dict[str, Exhibit])
    beneath: list[str] = field(default_factory=list[str])
    more: list[str] = field(default_factory=list[str])
    tables: dict[str, pd.DataFrame] = field(default_factory=dict[str, pd.DataFrame])


def answers(study: Study, definition: Definition, filters: Filters) -> list[Answer]:
    """The answers of the pages that are about the study, on all that the filters leave."""
    return [answer(study, definition, filters) for answer in ANSWERS]


def _overview(study: Study, definition: Definition, filters: Filters) -> Answer:
    asked, systems = (study, definition, filters), study.block().system_names
    seen, who = overview(*asked), design(*asked)
    return Answer(
        "overview",
        "What is in this study?",
        seen.answer(),
        of_overview(seen, systems),
        [
            seen.behind(),
            *advice(*asked),
            *(problem.sentence() for problem in study.problems if problem.severity == "warning"),
        ],
        [*who.sentences(), seen.repeated()],
        {
            "Sessions of each system on each topic": who.crossed(),
            "Features of the searchers, mean and standard deviation": who.features,
            "Grades: judgments, and results shown by each system": seen.grades,
        },
    )


def _query_order(study: Study, definition: Definition, filters: Filters) -> Answer:
    order = query_order(study, definition, filters, depth=DEPTH, bands=True)
    if not any(curve.queries for curve in order.curves):
        return Answer("query_order", LAST, order.answer())
    figure = draw_query_order(order, study.block().system_names)
    return Answer(
        "query_order",
        LAST,
        order.answer(),
        {"query_order": Exhibit("Queries by rank", order.table(), figure)},
        [f"{order.behind()} {order.levelling()}", *order.advice()],
    )


def _session_curves(study: Study, definition: Definition, filters: Filters) -> Answer:
    curves = session_curves(study, definition, filters, bands=True)
    systems = study.block().system_names
    if not curves.sessions:
        return Answer("session_curves", GROWS, curves.answer("normalised"))
    raw = draw_session_curves(curves, systems, measure="raw")
    gained = curves.answer("raw")
    return Answer(
        "session_curves",
        GROWS,
        curves.answer("normalised"),
        {
            "session_curves": Exhibit(
                "Mean session curves, share of the ideal",
                curves.table(),
                draw_session_curves(curves, systems),
            ),
            "session_curves_raw": Exhibit("Mean session curves, gain", curves.table(), raw, gained),
        },
        [curves.behind("normalised"), *curves.advice("normalised")],
        [gained],
    )


def _individual_sessions(study: Study, definition: Definition, filters: Filters) -> Answer:
    asked = study, definition, filters
    each = individual_sessions(*asked)
    if not each.names:
        return Answer("individual_sessions", WHICH, each.answer())
    figure = draw_individual_sessions(each, study.block().system_names, length=LENGTH)
    tags = tagged(*asked, tags=study.tags)
    return Answer(
        "individual_sessions",
        WHICH,
        each.answer(),
        {"individual_sessions": Exhibit("Curve of each session", each.values(), figure)},
        [each.behind()],
        [f"Why did queries fail? {tags.sentence()}"] if study.tags else [],
        {"Tags by system": tags.table, "Sessions": each.listed().drop(columns="curve")},
    )


def _reformulations(study: Study, definition: Definition, filters: Filters) -> Answer:
    steps = reformulations(study, definition, filters)
    if not len(steps.changes):
        return Answer("reformulations", AGAIN, steps.answer())
    return Answer(
        "reformulations",
        AGAIN,
        steps.answer(),
        of_reformulations(steps, study.block().system_names),
        [steps.behind(), *steps.advice()],
        tables={"Reformulations and best queries by system": steps.table()},
    )


def _compare_systems(study: Study, definition: Definition, filters: Filters) -> Answer:
    asked = study, definition, filters
    compared, last = compare_systems(*asked), last_against_others(*asked)
    if not compared.names:
        return Answer("compare_systems", BETTER, compared.answer())
    return Answer(
        "compare_systems",
        BETTER,
        compared.answer(),
        of_compare_systems(compared, last, study.block().system_names),
        [
            f"{compared.words.capitalize()}, in {compared.unit}. {compared.behind()}",
            *compared.advice(),
        ],
        [
            *compared.said(),
            *([f"Marks: {compared.of_means()}"] if compared.pairs else []),
            *last.sentences(),
        ],
    )


def _side_by_side(study: Study, definition: Definition, filters: Filters) -> Answer:
    shown = side_by_side(study, definition, filters, presets=tuple(PRESETS))
    if not any(under.ranked for under in shown.each):
        return Answer("side_by_side", OTHERWISE, shown.answer())
    return Answer(
        "side_by_side",
        OTHERWISE,
        shown.answer(),
        of_side_by_side(shown, study.block().system_names),
        [shown.behind(), *shown.advice()],
        [f"{under.name}: {under.differs()}." for under in shown.each],
        {
            "Mean share of the ideal at the end of the session": shown.table(),
            "Rank correlation of the sessions between definitions": shown.correlations(),
        },
    )


ANSWERS: tuple[Callable[[Study, Definition, Filters], Answer], ...] = (
    _overview,
    _query_order,
    _session_curves,
    _individual_sessions,
    _reformulations,
    _compare_systems,
    _side_by_side,
)
