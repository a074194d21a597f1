"""Whether an answer holds, as `sdcg robustness` writes it into a folder."""

from __future__ import annotations

from pathlib import Path

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.file import to_toml
from sdcg_explorer.analysis.definition.methods import methods_text
from sdcg_explorer.analysis.robustness.all_definitions import all_definitions
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.export.tables import table_bytes, write_files
from sdcg_explorer.study.study import Study


def write_robustness(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str,
    pair: tuple[str, str] | None = None,
    with_all: bool = False,
    out: Path,
) -> str:
    """Write robustness.csv, its words, a definition and methods; all_definitions.csv if asked for.

    Returns
    -------
    the sentences

    Raises
    ------
    ValueError : no such score or pair, or the filters leave no session
    """
    view = study, definition, filters
    seen = robustness(*view, score=score, pair=pair)
    if not any(seen.sessions):
        raise ValueError("the filters leave no session with this score; widen them.")
    every = all_definitions(*view, score=score, pair=pair) if with_all else None
    text, named = seen.sentences(every and every.lead), definition.named(study.labels)
    methods = [seen.method()]
    files = {
        "robustness.csv": table_bytes(seen.table()),
        "definition.toml": to_toml(named, filters).encode(),
    }
    if with_all:
        if every:
            files["all_definitions.csv"] = table_bytes(every.table())
            methods.append(every.method())
        lines = [every.answer(), *every.said()] if every else ["No two systems can be compared."]
        text += "\n".join(["", "All reasonable definitions", *lines]) + "\n"
    files["robustness.txt"] = text.encode()
    files["methods.txt"] = methods_text(*view, *methods).encode()
    write_files(out, files)
    return text
