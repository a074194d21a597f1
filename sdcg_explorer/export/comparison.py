"""The comparison of systems, as `sdcg compare` writes it into a folder."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.file import to_toml
from sdcg_explorer.analysis.definition.methods import methods_text
from sdcg_explorer.analysis.systems.compare_systems import Comparison, compare_systems
from sdcg_explorer.analysis.systems.last_against_others import last_against_others
from sdcg_explorer.analysis.systems.next_study import COLUMNS, NextStudy, next_study
from sdcg_explorer.export.once import once
from sdcg_explorer.export.tables import table_bytes, write_files
from sdcg_explorer.study.study import Study


def write_comparison(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str,
    topics_are: str = "fixed",
    with_order: bool = False,
    plan_for: float | None = None,
    out: Path,
) -> str:
    """Write the files of `comparison_files`, definition.toml and methods.txt.

    `plan_for` is a difference that the next study is planned for, beside the one seen.

    Returns
    -------
    the sentences

    Raises
    ------
    ValueError : no such score or choice of topics, a difference to plan for that is not above 0,
        or the filters leave no session
    """
    view = study, definition, filters
    compared = compare_systems(*view, score=score, topics_are=topics_are, with_order=with_order)
    if not compared.names:
        raise ValueError("the filters leave no session with this score; widen them.")
    files = comparison_files(compared, *view, plan_for=plan_for)
    named = definition.named(study.labels)
    files["definition.toml"] = to_toml(named, filters).encode()
    last = once(last_against_others, *view).method()
    methods = methods_text(*view, *methods_of(compared, plan_for=plan_for), last)
    files["methods.txt"] = methods.encode()
    write_files(out, files)
    return files["compare.txt"].decode()


def comparison_files(
    compared: Comparison,
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    plan_for: float | None = None,
) -> dict[str, bytes]:
    """The tables of pairs, of last queries and of next studies, and compare.txt.

    Next studies of every pair are planned; in words that of the pair that differs most.
    """
    last = once(last_against_others, study, definition, filters)
    places = range(len(compared.pairs))
    planned = [once(plan_of, compared, place, plan_for=plan_for) for place in places]
    next_one = planned[compared.most].sentences() if planned else []
    parts = ["\n".join(lines) for lines in (last.sentences(), next_one) if lines]
    text = "\n".join([compared.sentences(), *[f"{part}\n" for part in parts]])
    tables = [plan.table() for plan in planned if plan.plans]
    plans = pd.concat(tables) if tables else pd.DataFrame(columns=list(COLUMNS))
    return {
        "next_study.csv": table_bytes(plans),
        "last_against_others.csv": table_bytes(last.table()),
        "comparison.csv": table_bytes(compared.table()),
        "compare.txt": text.encode(),
    }


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
