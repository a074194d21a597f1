"""The tables of `sdcg score`, written into a folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from analysis.definition.definition import Definition, Filters
from analysis.definition.file import to_toml
from analysis.definition.methods import methods_text
from analysis.overview import overview
from analysis.query_curves import SPLITS
from analysis.query_order import query_order
from analysis.scores import scores
from analysis.session_curves import session_curves
from export.once import once
from export.tables import write_table
from study.study import Study


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
    with ThreadPoolExecutor(max_workers=1) as aside:  # hashing and writing go on beside scoring
        digest = aside.submit(getattr, study, "digest")
        scored = scores(*view)
        if not len(scored.sessions):
            raise ValueError("the filters leave no session; widen them.")
        out.mkdir(parents=True, exist_ok=True)
        written = [aside.submit(write_table, scored.queries, out / "queries.csv")]
        written.append(aside.submit(write_table, scored.sessions, out / "sessions.csv"))
        order = query_order(*view, splits=tuple(SPLITS), depth=depth, bands=True)
        written.append(aside.submit(write_table, order.table(), out / "query_order.csv"))
        curves = once(session_curves, *view, bands=True)
        written.append(aside.submit(write_table, curves.table(), out / "session_curves.csv"))
    for each in (digest, *written):
        each.result()
    _write_texts(study, definition, filters, out)
    return len(scored.sessions), len(scored.queries)


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
