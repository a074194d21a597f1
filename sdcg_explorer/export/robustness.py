"""Whether an answer holds, as `sdcg robustness` says and writes it."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.robustness.all_definitions import all_definitions
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.export.command_result import CommandResult
from sdcg_explorer.study.study import Study


def robustness_of(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = "final_normalised",
    pair: tuple[str, str] | None = None,
    with_all: bool = False,
) -> CommandResult:
    """The difference over b and bq; under all reasonable definitions, too, if asked for.

    Raises
    ------
    ValueError : no such score or pair, or the filters leave no session
    """
    view = study, definition, filters
    seen = robustness(*view, score=score, pair=pair)
    if not any(seen.sessions):
        raise ValueError("the filters leave no session with this score; widen them.")
    every = all_definitions(*view, score=score, pair=pair) if with_all else None
    text, methods = seen.sentences(every and every.lead), [seen.method()]
    found: dict[str, Any] = {"robustness.csv": seen.table()}
    if every:
        found["all_definitions.csv"] = every.table()
        methods.append(every.method())
    if with_all:
        lines = [every.answer(), *every.said()] if every else ["No two systems can be compared."]
        text += "\n".join(["", "All reasonable definitions", *lines]) + "\n"
    return CommandResult(view, found | {"robustness.txt": text}, methods)
