"""sDCG as a measure of ir_measures, for calc_aggregate and PyTerrier's Experiment."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from importlib import import_module
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sdcg_explorer.export.tables import ScoreTables
from sdcg_explorer.notebook.opening import read
from sdcg_explorer.reading.recipe import QUERY_ID
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.measures import require_score

if TYPE_CHECKING:
    import pandas as pd

NAMES = {"final": "sDCG", "final_normalised": "nsDCG"}


def ir_measure(
    definition: Definition = DEFAULT,
    score: str = "final",
    *,
    query_id: str = QUERY_ID,
    name: str = "",
) -> Any:
    """A score of sessions as a measure of ir_measures, whose aggregate is the mean per session.

    The run and the qrels are read as `sdcg score` reads them; qrels go by query or by session. A
    score stands at the session, if qrels name it, or else at its last query, whose session's other
    queries are nan; the aggregate leaves out what is nan.

    Parameters
    ----------
    score : a column of `sessions` of `score`: final (sDCG), final_normalised (nsDCG) or another
    query_id : how ids of queries split into session and query, as of `--query-id`
    name : of the measure, by which ir_measures tells several apart; sDCG or nsDCG unless given

    Raises
    ------
    ModuleNotFoundError : ir_measures is not installed
    ValueError : a score that is not known
    UnusableInputError : when it is computed, ids that don't split, or whatever else can't be read

    Source: ECIR 2008; ir-measur.es.
    """
    require_score(score)
    try:
        tool: Any = import_module("ir_measures")
    except ModuleNotFoundError:
        do = "pip install ir-measures"
        raise ModuleNotFoundError(f"sx.ir_measure needs ir_measures. Install it: {do}.") from None

    def scored(qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[tuple[str, float]]:
        ranked = run.assign(rank=run.groupby("query_id").cumcount() + 1)
        log = ranked[["query_id", "doc_id", "rank"]].set_axis(["query_id", "doc", "rank"], axis=1)
        judged = qrels[["query_id", "doc_id", "relevance"]].set_axis(
            ["topic", "doc", "grade"], axis=1
        )
        study = read(log, judgments=judged, query_id=query_id)
        sessions = ScoreTables(study, definition, Filters(), depth=1).sessions
        score_of = dict(zip(sessions["session"].astype("str"), sessions[score], strict=True))
        at = {session: (0.0, session) for session in score_of}
        for query in {*run["query_id"], *qrels["query_id"]}:
            fit = re.fullmatch(query_id, query)
            if query in at:
                at[query] = (math.inf, query)
            elif fit is not None and fit["session"] in at:
                at[fit["session"]] = max(at[fit["session"]], (float(fit["query"]), query))
        yield from ((query, score_of[session]) for session, (_, query) in at.items())

    base = type(tool.define(scored, name or NAMES.get(score, score), support_cutoff=False))

    class SessionMeasure(base):
        """A measure whose aggregate is over sessions; queries that end none have no value."""

        DEFAULT = math.nan

        def aggregator(self) -> Any:
            """The mean of what is defined."""
            return _Mean()

    return SessionMeasure()


class _Mean:
    """Mean of the values that are defined, nan where none is."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def add(self, value: float) -> None:
        """Take a value."""
        self.values.append(value)

    def result(self) -> float:
        """The mean, of every session that has a score."""
        known = [value for value in self.values if not math.isnan(value)]
        return fmean(known) if known else math.nan
