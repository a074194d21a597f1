"""The tables of `sdcg score`, written into a folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.curves.query_curves import SPLITS
from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.file import to_toml
from sdcg_explorer.analysis.definition.methods import methods_text
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.analysis.selection.selection import Selection, select
from sdcg_explorer.analysis.sessions.scores import score_parts, sessions_table
from sdcg_explorer.export.once import once
from sdcg_explorer.export.tables import table_parts, write_table
from sdcg_explorer.study.study import Study


def write_scores(
    study: Study, definition: Definition, filters: Filters, *, depth: int, out: Path
) -> tuple[int, int]:
    """Write queries, sessions, query_order and session_curves, definition.toml and methods.txt.

    Returns
    -------
    the number of sessions and of queries that were scored

    Raises
    ------
    ValueError : the filters leave no session
    """
    view = study, definition, filters
    if study.is_counted:
        return _write_means(study, definition, filters, depth=depth, out=out)
    chosen = select(*view)
    if not chosen.sample.sessions.size:
        raise ValueError("the filters leave no session; widen them.")
    definition.gains(study.labels)  # every grade has a gain, or nothing is written
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=1) as aside:  # hashing and writing go on beside scoring
        written = [aside.submit(getattr, study, "digest")]
        queries, values = _write_queries(study, chosen, out / "queries.csv", aside)
        sessions = sessions_table(study, chosen, values)
        written.append(aside.submit(write_table, sessions, out / "sessions.csv"))
        order = query_order(*view, splits=tuple(SPLITS), depth=depth, bands=True)
        written.append(aside.submit(write_table, order.table(), out / "query_order.csv"))
        curves = once(session_curves, *view, bands=True)
        written.append(aside.submit(write_table, curves.table(), out / "session_curves.csv"))
    for each in written:
        each.result()
    _write_texts(study, definition, filters, out)
    return len(sessions), queries


def _write_queries(
    study: Study, chosen: Selection, path: Path, aside: ThreadPoolExecutor
) -> tuple[int, list[dict[str, Floats]]]:
    """Write a part of the queries while the next is scored; number of them, scores of sessions."""
    number, values = 0, list[dict[str, Floats]]()
    with path.open("wb") as file:
        written = aside.submit(file.flush)
        for queries, of_sessions in score_parts(study, chosen):
            written.result()
            parts = table_parts(queries)
            written = aside.submit(file.writelines, islice(parts, int(number > 0), None))
            number, values = number + len(queries), [*values, of_sessions]
        written.result()
    return number, values


def _write_means(
    study: Study, definition: Definition, filters: Filters, *, depth: int, out: Path
) -> tuple[int, int]:
    """The same of counts, which have means alone: neither queries nor sessions nor best queries."""
    view = study, definition, filters
    curves = session_curves(*view, bands=True)
    if not curves.curves:
        raise ValueError("the filters leave no session; widen them.")
    order = query_order(*view, depth=depth, bands=True)
    out.mkdir(parents=True, exist_ok=True)
    write_table(order.table(), out / "query_order.csv")
    write_table(curves.table(), out / "session_curves.csv")
    _write_texts(study, definition, filters, out)
    seen = overview(*view)
    return seen.sessions, seen.queries


def _write_texts(study: Study, definition: Definition, filters: Filters, out: Path) -> None:
    named = definition.named(study.labels)
    (out / "definition.toml").write_text(to_toml(named, filters), encoding="utf-8")
    (out / "methods.txt").write_text(methods_text(study, definition, filters), encoding="utf-8")
