"""Runs: the order of their scores against that of their ranks (decision 64)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.reading.cells import NUMBER, Findings, coded, numbers
from sdcg_explorer.reading.log_rows import combined
from sdcg_explorer.reading.log_tables import free_name
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.rules import Rules, by_rule
from sdcg_explorer.reading.scored_tables import SCORE, SCORED
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.arrays import Floats, Ints
from sdcg_explorer.study.distinct_texts import as_numbers, in_text_order
from sdcg_explorer.study.problems import Problem, error, note, warning
from sdcg_explorer.study.wording import counted

PLACE = "place in its list"
KEEP = "Keep it if the ranks are what was shown; else"
BY_SCORE = "ranks by score, then document name, both descending"


def ranks_by_score(query: NDArray[Any], doc: NDArray[Any], score: Floats) -> Ints:
    """Rank of each document in its query as trec_eval has it: by score, then name, descending.

    >>> ranks_by_score(np.array(["q"] * 3), np.array(["a", "b", "c"]), np.array([1, 1, 2])).tolist()
    [3, 2, 1]
    """
    queries, docs = pd.factorize(query)[0], pd.factorize(doc, sort=True)[0]
    return _places(np.asarray(queries), np.lexsort((-docs, -score, queries)))


def _places(query: Ints, order: Ints) -> Ints:
    """Place from 1 of each row among those of its query, in an order that goes query by query."""
    grouped = query[order]
    starts = np.flatnonzero(np.diff(grouped, prepend=-1))
    sizes = np.diff(starts, append=grouped.size)
    places = np.empty(grouped.size, dtype=np.int64)
    places[order] = np.arange(grouped.size) - np.repeat(starts, sizes) + 1
    return places


def has_scores(part: Part) -> bool:
    """Whether scores stand beside the results of a log: of a run, or of objects in a list."""
    raw, columns = part.raw, part.columns
    if SCORE not in raw.header or SCORE in columns.values():
        return False
    listed = raw.nested is not None and raw.nested.ranks(columns) is not None
    return raw.known.scored or (listed and _are_numbers(part))


def runs_in_order(logs: Sequence[Part], rules: Rules, found: Findings) -> list[Part]:
    """Logs of which runs are ranked as chosen, and no longer have a column for scores."""
    scored = [has_scores(part) for part in logs]
    if rules.order == "score" and not any(scored):
        found.problems.append(no_scores(logs[0].raw.file))
    placed = [_by_place(part, found) for part in logs]
    pairs = zip(placed, scored, strict=True)
    return [_in_order(part, rules, found) if has else part for part, has in pairs]


def _by_place(part: Part, found: Findings) -> Part:
    """A log whose results are objects in a list without ranks: they stand in their order."""
    raw, columns = part.raw, part.columns
    places = raw.nested.ranks(columns) if raw.nested and "rank" not in columns else None
    if places is None:
        return part
    rule = "they stand in the order of their list"
    found.problems.append(note(raw.file, "results without a rank", rule, "Nothing to do, if so."))
    name = free_name(PLACE, raw.header)
    ranks = in_order([str(place) if place else "" for place in places.tolist()])
    given = {**part.given, "rank": name}
    return replace(part, raw=replace(raw, rows=raw.rows.assign(**{name: ranks})), given=given)


def no_scores(file: str) -> Problem:
    """Error where results are to stand by scores that no log has."""
    remedy = by_rule("order", "score", "Leave out", "Choose otherwise")
    return error(file, None, "results by score", "scores are read of TREC runs", remedy)


def _in_order(part: Part, rules: Rules, found: Findings) -> Part:
    columns, rows = part.columns, part.raw.rows
    if not {"rank", "doc"} <= {*columns}:
        return part
    kept = replace(part, raw=replace(part.raw, rows=rows.drop(columns=[SCORE])))
    scores = _scores(part, rules, found)
    query = rows[columns["query_number"]] if "query_number" in columns else None
    if scores is None or query is None:
        return kept
    asked, is_json = coded(query), part.raw.known == SCORED
    if "system" in columns and rows[columns["system"]].nunique() > 1:  # a run of several tags
        asked = np.asarray(pd.factorize(combined(asked, coded(rows[columns["system"]])))[0])
    logged = pd.to_numeric(pd.Series(texts_of(rows[columns["rank"]])), errors="coerce")
    logged = logged.to_numpy(dtype=float)[coded(rows[columns["rank"]])]
    if rules.order == "rank" and _fall(asked, logged, scores):
        return kept
    docs, _ = in_text_order(texts_of(rows[columns["doc"]]))
    docs = docs[coded(rows[columns["doc"]])]
    by_score = ranks_by_score(asked, docs, scores)
    by_rank, by_both = _by_rank(part, asked, logged, scores)
    if rules.order == "score":
        first = 0 if rules.rank_base == "0" else 1
        kept.raw.rows[columns["rank"]] = in_order([str(r) for r in by_score - 1 + first])
        found.repair(part.raw, BY_SCORE, np.flatnonzero(by_rank != by_score))
    elif not is_json:
        _say(_against, part, asked[by_rank != by_both], found)
    if is_json or rules.order == "rank":
        _say(_tied, part, asked[by_both != by_score], found)
    return kept


def _fall(query: Ints, rank: Floats, scores: Floats) -> bool:
    """Whether each query's rows stand by rank and their scores fall, so that all orders are one."""
    new = query[1:] != query[:-1]
    one = (rank[1:] > rank[:-1]) & (scores[1:] < scores[:-1])
    return bool((query[1:] >= query[:-1]).all() and (new | one).all())


def _by_rank(part: Part, query: Ints, logged: Floats, scores: Floats) -> tuple[Ints, Ints]:
    """Place of each row among those of its query: by its rank; and by score, then as it stood.

    It stood by its rank; numbers by query and document have none, and stood as they stand.
    """
    stood = np.arange(query.size) if part.raw.known == SCORED else logged
    by_both = _places(query, np.lexsort((stood, -scores, query)))
    return _places(query, np.lexsort((logged, query))), by_both


def _say(what: Callable[[Part, str], Problem], part: Part, queries: Ints, found: Findings) -> None:
    """Say something of results, if it is so of any; `queries` are theirs."""
    if queries.size:
        asked = counted(np.unique(queries).size, "query")
        found.problems.append(what(part, f"{asked} with {counted(queries.size, 'result')}"))


def _against(part: Part, some: str) -> Problem:
    """Warn of ranks that are not the order of the scores."""
    return warning(
        part.raw.file,
        f"{some} whose ranks are not the order of their scores",
        "the rank column counts, where trec_eval goes by score, then document name, descending",
        by_rule("order", "score", f"{KEEP} read with", f"{KEEP} choose by score"),
    )


def _tied(part: Part, some: str) -> Problem:
    """Note which order was taken of results with one score."""
    found = f"{some} of equal scores, not by document name in the file"
    if part.raw.known == SCORED:
        rule = "they are taken by document name, descending, as trec_eval takes them"
        remedy = "Write a run with ranks if the file's order is what was shown."
        return note(part.raw.file, found, rule, remedy)
    rule = "they are taken in the order of their ranks, where trec_eval goes by name, descending"
    remedy = by_rule("order", "score", f"{KEEP} read with", f"{KEEP} choose by score")
    return note(part.raw.file, found, rule, remedy)


def _are_numbers(part: Part) -> bool:
    return not np.isnan(as_numbers(part.raw.rows[SCORE], NUMBER)).any()


def _scores(part: Part, rules: Rules, found: Findings) -> Floats | None:
    """Scores of a run; None where some are no numbers, which is an error if they are needed."""
    column = part.raw.rows[SCORE]
    if rules.order == "rank" and not _are_numbers(part):
        rule, remedy = "the rank column counts", "Nothing to do, if it is what was shown."
        found.problems.append(note(part.raw.file, "scores that are no numbers", rule, remedy))
        return None
    rule, score = "scores are numbers", "Correct the score, or"
    remedy = by_rule("order", "rank", f"{score} read with", f"{score} choose by their ranks")
    return numbers(part.raw, column, found, pattern=NUMBER, what="score", rule=rule, remedy=remedy)
