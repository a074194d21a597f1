"""The comparison of systems, as `sdcg compare` says and writes it."""

from __future__ import annotations

import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.systems.compare_systems import Comparison, compare_systems
from sdcg_explorer.analysis.systems.last_against_others import last_against_others
from sdcg_explorer.analysis.systems.next_study import COLUMNS, NextStudy, next_study
from sdcg_explorer.export.command_result import CommandResult, View
from sdcg_explorer.export.once import once
from sdcg_explorer.study.study import Study


def comparison_of(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = "final_normalised",
    topics_are: str = "fixed",
    with_order: bool = False,
    plan_for: float | None = None,
) -> CommandResult:
    """Every two systems on a score.

    `plan_for` is a difference that the next study is planned for, beside the one seen.

    Raises
    ------
    ValueError : no such score or choice of topics, a difference to plan for that is not above 0,
        or the filters leave no session
    """
    view = study, definition, filters
    compared = compare_systems(*view, score=score, topics_are=topics_are, with_order=with_order)
    if not compared.names:
        raise ValueError("the filters leave no session with this score; widen them.")
    return comparison_result(compared, view, plan_for=plan_for)


def comparison_result(
    compared: Comparison, view: View, *, plan_for: float | None = None
) -> CommandResult:
    """Tables of pairs, of last queries and of next studies, and sentences.

    Next studies of every pair are planned; in words that of the pair that differs most.
    """
    last = once(last_against_others, *view)
    places = range(len(compared.pairs))
    planned = [once(plan_of, compared, place, plan_for=plan_for) for place in places]
    next_one = planned[compared.most].sentences() if planned else []
    parts = ["\n".join(lines) for lines in (last.sentences(), next_one) if lines]
    tables = [plan.table() for plan in planned if plan.plans]
    found: dict[str, pd.DataFrame | str] = {
        "next_study.csv": pd.concat(tables) if tables else pd.DataFrame(columns=list(COLUMNS)),
        "last_against_others.csv": last.table(),
        "comparison.csv": compared.table(),
        "compare.txt": "\n".join([compared.sentences(), *[f"{part}\n" for part in parts]]),
    }
    methods = [*methods_of(compared, plan_for=plan_for), last.method()]
    return CommandResult(view, found, methods)


def methods_of(compared: Comparison, *, plan_for: float | None = None) -> list[str]:
    """Paragraphs of a methods section: how systems were compared, and the next study planned."""
    if not compared.pairs:
        return [compared.method()]
    return [compared.method(), once(plan_of, compared, compared.most, plan_for=plan_for).method()]


def plan_of(compared: Comparison, place: int, *, plan_for: float | None = None) -> NextStudy:
    """The next study of one of the pairs that are compared."""
    return next_study(
        compared.pairs[place],
        compared.scored,
        score=compared.score,
        measure=compared.unit,
        several=len(compared.pairs) > 1,
        entered=plan_for,
    )
