"""The comparison of systems, as `sdcg compare` writes it into a folder."""

from __future__ import annotations

from pathlib import Path

from analysis.compare_systems import compare_systems
from analysis.definition import Definition, Filters, to_toml
from analysis.last_against_others import last_against_others
from analysis.methods import methods_text
from export.tables import write_table
from study.study import Study


def write_comparison(
    study: Study, definition: Definition, filters: Filters, *, score: str, out: Path
) -> str:
    """Write comparison.csv, compare.txt (the sentences), definition.toml and methods.txt.

    Returns
    -------
    the sentences

    Raises
    ------
    ValueError : no such score, or the filters leave no session
    """
    asked = study, definition, filters
    compared = compare_systems(*asked, score=score)
    if not compared.names:
        raise ValueError("the filters leave no session with this score; widen them.")
    last = "\n".join(last_against_others(*asked).sentences())
    said = f"{compared.sentences()}\n{last}\n" if last else compared.sentences()
    out.mkdir(parents=True, exist_ok=True)
    write_table(compared.table(models=True), out / "comparison.csv")
    (out / "compare.txt").write_text(said, encoding="utf-8")
    named = definition.named(study.labels)
    (out / "definition.toml").write_text(to_toml(named, filters), encoding="utf-8")
    (out / "methods.txt").write_text(methods_text(*asked), encoding="utf-8")
    return said
