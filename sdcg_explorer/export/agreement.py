"""How far scores agree with a rating, as `sdcg agreement` says and writes it."""

from __future__ import annotations

import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.ratings.agreement import Agreement, agreement, coefficients
from sdcg_explorer.analysis.ratings.agreement_map import agreement_map, present
from sdcg_explorer.analysis.ratings.ratings import Asked
from sdcg_explorer.export.command_result import CommandResult, View
from sdcg_explorer.study.study import Study


def agreement_of(
    study: Study, definition: Definition, filters: Filters, *, asked: Asked
) -> CommandResult:
    """Scores beside a rating.

    Raises
    ------
    ValueError : no such rating or score, or the filters leave nothing rated
    """
    view = study, definition, filters
    shown = agreement(*view, asked=asked)
    if not shown.number:
        raise ValueError(f"the filters leave no {shown.of} with {asked.rating}; widen them.")
    return agreement_result(shown, view)


def agreement_result(shown: Agreement, view: View) -> CommandResult:
    """Tables of coefficients, of the map, of what disagrees and of systems, and sentences."""
    asked = shown.asked
    grid = agreement_map(*view, asked=asked)
    said = [
        shown.answer(),
        grid.said(present(*view, asked=asked)),
        *(pair.said(shown.score) for pair in shown.systems),
        shown.behind(),
        *shown.advice(),
    ]
    found: dict[str, pd.DataFrame | str] = {
        "agreement.csv": coefficients(*view, asked=asked),
        "agreement_map.csv": grid.table(),
        "agreement_apart.csv": shown.disagreeing(),
        "agreement.txt": "".join(f"{line}\n" for line in said),
    }
    if shown.systems:
        found["agreement_systems.csv"] = pd.DataFrame(shown.systems)
    return CommandResult(view, found, [shown.method()])
