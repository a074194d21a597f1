"""Runs: the order of their scores against that of their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from study.arrays import Floats, Ints
from study.problems import error, note, warning
from study.reading.cells import NUMBER, Findings, coded, numbers
from study.reading.raw_table import in_order, texts_of
from study.reading.rules import Rules, by_rule
from study.reading.scored_tables import SCORE
from study.reading.table_kinds import Part

KEEP = "Keep it if the ranks are what was shown; else"
BY_SCORE = "ranks by score, then document name, both descending"


def ranks_by_score(query: NDArray[Any], doc: NDArray[Any], score: Floats) -> Ints:
    """Rank of each document in its query as trec_eval has it: by score, then name, descending.

    >>> ranks_by_score(np.array(["q"] * 3), np.array(["a", "b", "c"]), np.array([1, 1, 2])).tolist()
    [3, 2, 1]
    """
    queries, docs = (pd.factorize(texts, sort=True)[0] for texts in (query, doc))
    return _places(np.asarray(queries), np.lexsort((-docs, -score, queries)))


def _places(query: Ints, order: Ints) -> Ints:
    """Place from 1 of each row among those of its query, in an order that goes query by query."""
    grouped = query[order]
    starts = np.flatnonzero(np.diff(grouped, prepend=-1))
    sizes = np.diff(starts, append=grouped.size)
    places = np.empty(grouped.size, dtype=np.int64)
    places[order] = np.arange(grouped.size) - np.repeat(starts, sizes) + 1
    return places


def runs_in_order(logs: Sequence[Part], rules: Rules, found: Findings) -> list[Part]:
    """Logs of which runs are ranked as chosen, and no longer have a column for scores."""
    if rules.order == "score" and not any(part.raw.known.scored for part in logs):
        rule = "scores are read of TREC runs"
        remedy = by_rule("order", "score", "Leave out", "Choose otherwise")
        found.problems.append(error(logs[0].raw.file, None, "results by score", rule, remedy))
    return [_in_order(part, rules, found) if part.raw.known.scored else part for part in logs]


def _in_order(part: Part, rules: Rules, found: Findings) -> Part:
    columns, rows = part.columns, part.raw.rows
    if SCORE not in rows or SCORE in columns.values() or not {"rank", "doc"} <= {*columns}:
        return part
    kept = replace(part, raw=replace(part.raw, rows=rows.drop(columns=[SCORE])))
    scores = _scores(part, rules, found)
    query = rows[columns["query_number"]] if "query_number" in columns else None
    if scores is None or query is None:
        return kept
    docs = rows[columns["doc"]].astype("str").to_numpy(dtype=object)
    by_score = ranks_by_score(query.astype("str").to_numpy(dtype=object), docs, scores)
    ranks = rows[columns["rank"]].astype("str").str.strip()
    logged = pd.to_numeric(ranks, errors="coerce").to_numpy(dtype=float)
    asked = coded(query)
    by_rank = _places(asked, np.lexsort((logged, asked)))
    moved = np.flatnonzero(by_rank != by_score)
    if rules.order == "score":
        first = 0 if rules.rank_base == "0" else 1
        kept.raw.rows[columns["rank"]] = in_order([str(r) for r in by_score - 1 + first])
        found.repair(part.raw, BY_SCORE, moved)
    elif moved.size:
        found.problems.append(_against(part.raw.file, np.unique(asked[moved]).size, moved.size))
    return kept


def _against(file: str, queries: int, results: int) -> Any:
    """Warn of ranks that are not the order of the scores."""
    some = "1 query" if queries == 1 else f"{queries:,} queries"
    return warning(
        file,
        f"{some} with {results:,} results whose ranks are not the order of their scores",
        "the rank column counts, where trec_eval goes by score, then document name, descending",
        by_rule("order", "score", f"{KEEP} read with", f"{KEEP} choose by score"),
    )


def _scores(part: Part, rules: Rules, found: Findings) -> Floats | None:
    """Scores of a run; None where some are no numbers, which is an error if they are needed."""
    column = part.raw.rows[SCORE]
    texts = [text.strip() for text in texts_of(column)]
    good = all(NUMBER.fullmatch(text) and isfinite(float(text)) for text in texts)
    if not good and rules.order == "rank":
        rule, remedy = "the rank column counts", "Nothing to do, if it is what was shown."
        found.problems.append(note(part.raw.file, "scores that are no numbers", rule, remedy))
        return None
    rule, score = "scores are numbers", "Correct the score, or"
    remedy = by_rule("order", "rank", f"{score} read with", f"{score} choose by their ranks")
    return numbers(part.raw, column, found, pattern=NUMBER, what="score", rule=rule, remedy=remedy)
