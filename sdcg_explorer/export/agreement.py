"""How far scores agree with a rating, as `sdcg agreement` writes it into a folder."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.file import to_toml
from sdcg_explorer.analysis.definition.methods import methods_text
from sdcg_explorer.analysis.ratings.agreement import Agreement, agreement, coefficients
from sdcg_explorer.analysis.ratings.agreement_map import agreement_map, present
from sdcg_explorer.analysis.ratings.ratings import Asked
from sdcg_explorer.export.tables import table_bytes, write_files
from sdcg_explorer.study.study import Study

View = tuple[Study, Definition, Filters]


def agreement_files(shown: Agreement, view: View) -> dict[str, bytes]:
    """Tables of coefficients, of the map, of what disagrees and of systems, and agreement.txt."""
    asked = shown.asked
    grid = agreement_map(*view, asked=asked)
    said = [
        shown.answer(),
        grid.said(present(*view, asked=asked)),
        *(pair.said(shown.score) for pair in shown.systems),
        shown.behind(),
        *shown.advice(),
    ]
    files = {
        "agreement.csv": table_bytes(coefficients(*view, asked=asked)),
        "agreement_map.csv": table_bytes(grid.table()),
        "agreement_apart.csv": table_bytes(shown.disagreeing()),
        "agreement.txt": "".join(f"{line}\n" for line in said).encode(),
    }
    if shown.systems:
        files["agreement_systems.csv"] = table_bytes(pd.DataFrame(shown.systems))
    return files


def write_agreement(
    study: Study, definition: Definition, filters: Filters, *, asked: Asked, out: Path | None
) -> str:
    """Write the files of `agreement_files`, definition.toml and methods.txt, if asked to.

    Returns
    -------
    the sentences

    Raises
    ------
    ValueError : no such rating or score, or the filters leave nothing rated
    """
    view = study, definition, filters
    shown = agreement(*view, asked=asked)
    if not shown.number:
        raise ValueError(f"the filters leave no {shown.of} with {asked.rating}; widen them.")
    files = agreement_files(shown, view)
    files["definition.toml"] = to_toml(definition.named(study.labels), filters).encode()
    files["methods.txt"] = methods_text(*view, shown.method()).encode()
    if out is not None:
        write_files(out, files)
    return files["agreement.txt"].decode()
