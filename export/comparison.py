"""The comparison of systems, as `sdcg compare` writes it into a folder."""

from __future__ import annotations

from pathlib import Path

from analysis.compare_systems import Comparison, compare_systems
from analysis.comparing.last_against_others import last_against_others
from analysis.definition.definition import Definition, Filters, to_toml
from analysis.definition.methods import methods_text
from export.tables import table_bytes
from study.study import Study


def write_comparison(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str,
    topics_are: str = "fixed",
    with_order: bool = False,
    out: Path,
) -> str:
    """Write the files of `comparison_files`, definition.toml and methods.txt.

    Returns
    -------
    the sentences

    Raises
    ------
    ValueError : no such score or choice of topics, or the filters leave no session
    """
    view = study, definition, filters
    compared = compare_systems(*view, score=score, topics_are=topics_are, with_order=with_order)
    if not compared.names:
        raise ValueError("the filters leave no session with this score; widen them.")
    files = comparison_files(compared, *view)
    named = definition.named(study.labels)
    files["definition.toml"] = to_toml(named, filters).encode()
    files["methods.txt"] = methods_text(*view, compared.method()).encode()
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
    return files["compare.txt"].decode()


def comparison_files(
    compared: Comparison, study: Study, definition: Definition, filters: Filters
) -> dict[str, bytes]:
    """The tables of pairs and of last queries, and compare.txt."""
    last = last_against_others(study, definition, filters)
    more = "\n".join(last.sentences())
    text = f"{compared.sentences()}\n{more}\n" if more else compared.sentences()
    return {
        "last_against_others.csv": table_bytes(last.table()),
        "comparison.csv": table_bytes(compared.table()),
        "compare.txt": text.encode(),
    }
