"""The tables of `sdcg score`: each as it is asked for, or all written into a folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import pandas as pd

from sdcg_explorer.export.tables import view_files, write_files, write_table
from sdcg_explorer.questions.methods import in_force
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import once
from sdcg_explorer.scoring.definition import DEEPEST, Definition, Filters
from sdcg_explorer.scoring.residuals import highest_scores, with_highest
from sdcg_explorer.scoring.scores import Scores, scores
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import as_html

TABLES = ("queries", "sessions", "query_order", "session_curves")


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
        study = definition.graded(study)
        self.view, self.depth = (study, definition, filters), depth
        definition.gains(study.labels)
        chosen = select(*self.view)
        if not chosen.sample.sessions.size:
            raise ValueError("the filters leave no session; widen them.")
        self.highest = highest_scores(study, chosen) if residuals else {}

    @cached_property
    def _scores(self) -> Scores:
        return scores(*self.view)

    @property
    def queries(self) -> pd.DataFrame:
        """A row for each query, with every score of queries."""
        return self._scores.queries

    @property
    def sessions(self) -> pd.DataFrame:
        """A row for each session, with every score of sessions."""
        return with_highest(self._scores.sessions, self.highest)

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

    def write(self, out: Path) -> None:
        """Write the tables, definition.toml and methods.txt into a folder."""
        with ThreadPoolExecutor(max_workers=1) as aside:  # digests take as long as curves
            files = aside.submit(view_files, *self.view)
            tables = {name: getattr(self, name) for name in TABLES}
        write_files(out, files.result())
        for name, table in tables.items():
            write_table(table, out / f"{name}.csv")

    def _repr_html_(self) -> str:
        study, definition, _ = self.view
        said = in_force(definition.named(study.labels), study)
        return as_html(study.name, [said], {name: getattr(self, name) for name in TABLES})
