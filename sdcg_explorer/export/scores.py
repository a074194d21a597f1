"""The tables of `sdcg score`: each as it is asked for, or written into a folder part by part."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from pathlib import Path

import pandas as pd

from sdcg_explorer.export.tables import table_parts, view_files, write_files, write_table
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.methods import in_force
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import once
from sdcg_explorer.scoring.definition import DEEPEST, Definition, Filters
from sdcg_explorer.scoring.residuals import highest_scores, with_highest
from sdcg_explorer.scoring.scores import Scores, score_parts, scores, sessions_table
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import as_html

MEANS = ("query_order", "session_curves")


class ScoreTables:
    """Scores and mean curves of a study, each table made when it is asked for.

    Undefined is nan (docs/metrics.md has every score's formula, unit and source). With `residuals`
    sessions have their scores were unjudged results worth the highest gain, too.

    Raises
    ------
    ValueError : the filters leave no session, a grade without a gain, no such depth, or residuals
        under a definition that has none
    """

    def __init__(
        self,
        study: Study,
        definition: Definition,
        filters: Filters,
        *,
        depth: int,
        residuals: bool = False,
    ) -> None:
        if not 1 <= depth <= DEEPEST:
            raise ValueError(f"depth {depth}; Figure 1 has from 1 to {DEEPEST} ranks.")
        self.view, self.depth = (study, definition, filters), depth
        definition.gains(study.labels)
        self.chosen: Selection = select(*self.view)
        if not self.chosen.sample.sessions.size:
            raise ValueError("the filters leave no session; widen them.")
        self.highest = highest_scores(study, self.chosen) if residuals else {}

    @cached_property
    def _single(self) -> Scores:
        return scores(*self.view)

    @property
    def queries(self) -> pd.DataFrame:
        """A row for each query, with every score of queries."""
        return self._single.queries

    @property
    def sessions(self) -> pd.DataFrame:
        """A row for each session, with every score of sessions."""
        return with_highest(self._single.sessions, self.highest)

    @cached_property
    def query_order(self) -> pd.DataFrame:
        """Mean sDCG(q) by system, group of queries and rank, with intervals, to `depth`."""
        return query_order(
            *self.view, splits=("last", "best"), depth=self.depth, bands=True
        ).table()

    @cached_property
    def session_curves(self) -> pd.DataFrame:
        """Mean gain and share of the ideal by system and position, with intervals."""
        return once(session_curves, *self.view, bands=True).table()

    def _repr_html_(self) -> str:
        study, definition, _ = self.view
        names = ("queries", "sessions", *MEANS)
        said = in_force(definition.named(study.labels), study)
        return as_html(study.name, [said], {name: getattr(self, name) for name in names})


def write_scores(tables: ScoreTables, out: Path) -> tuple[int, int]:
    """Write queries, sessions, query_order and session_curves, definition.toml and methods.txt.

    Returns
    -------
    the number of sessions and of queries that were scored
    """
    study = tables.view[0]
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=1) as aside:  # writing and hashing go on beside scoring
        written = list[Future[object]]()
        values = _write_queries(study, tables.chosen, out / "queries.csv", aside)
        sessions = sessions_table(study, tables.chosen, values)
        sessions = with_highest(sessions, tables.highest)
        written.append(aside.submit(write_table, sessions, out / "sessions.csv"))
        written.append(aside.submit(getattr, study, "digest"))
        for name in MEANS:
            written.append(aside.submit(write_table, getattr(tables, name), out / f"{name}.csv"))
    for each in written:
        each.result()
    write_files(out, view_files(*tables.view))
    sample = tables.chosen.sample
    return sample.sessions.size, int(sample.queries.sum())


def _write_queries(
    study: Study, chosen: Selection, path: Path, aside: ThreadPoolExecutor
) -> list[dict[str, Floats]]:
    """Write a part of the queries while the next is scored; scores of the sessions, by part."""
    values = list[dict[str, Floats]]()
    with path.open("wb") as file:
        written = aside.submit(file.flush)
        for queries, of_sessions in score_parts(study, chosen):
            written.result()
            parts = table_parts(queries)
            written = aside.submit(file.writelines, islice(parts, int(bool(values)), None))
            values.append(of_sessions)
        written.result()
    return values
