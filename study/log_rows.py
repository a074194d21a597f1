"""A log, row by row: where each result stands, checked, and the tables that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from study.cells import (
    NUMBER,
    WHOLE,
    Findings,
    blank,
    check_constant,
    coded,
    first_of_each,
    flags,
    grades,
    numbers,
)
from study.checks import refuse
from study.raw import RawTable

Ints = NDArray[np.integer[Any]]
ONE_SYSTEM = "the system"  # of a log that names none
RULE = "{}s are whole numbers from 1"


@dataclass(frozen=True, eq=False)
class LogRows:
    """Rows of a log as numbers; rank 0 marks a query's row without a result.

    session, query_number, rank : (N,) of each row, sessions coded in order of appearance.
    first : row of each distinct (session, query, rank); place : (N,) index of each row in first.
    """

    raw: RawTable
    columns: pd.DataFrame
    session: Ints
    query_number: Ints
    rank: Ints
    first: Ints
    place: Ints


def read_log_rows(raw: RawTable, columns: pd.DataFrame, found: Findings) -> LogRows:
    """Rows of a log whose columns are named by role.

    Raises
    ------
    UnusableInputError : numbers that are none, since nothing else can be checked then
    """
    _check_filled(raw, columns, found)
    session = coded(columns["session"])
    number = _whole(raw, columns["query_number"], "query number", found)
    rank = _whole(raw, columns["rank"], "rank", found)
    refuse(found.errors)
    shown = ~np.isnan(rank)
    from_zero = bool((rank == 0).any())
    found.repair("ranks counted from 0 are counted from 1", shown.sum() if from_zero else 0)
    rank = np.where(shown, rank + from_zero, 0).astype(np.int64)
    number = _renumbered(session, number.astype(np.int64), found)
    _check_sessions(raw, columns, session, number, found)
    first, place = first_of_each(combined(combined(session, number), rank))
    found.repair("rows of one result merged", rank.size - first.size)
    rows = LogRows(raw, columns, session, number, rank, first, place)
    _check_one_document(rows, found)
    return rows


def combined(major: Ints, minor: Ints) -> Ints:
    """One number for each pair of numbers (minor ≥ 0)."""
    return major * (minor.max(initial=0) + 1) + minor


def text_of(columns: pd.DataFrame, role: str, otherwise: str = "") -> pd.Series[Any]:
    """Texts of a role, the same text throughout where no column plays it."""
    if role in columns:
        return columns[role]
    same: Any = pd.Categorical.from_codes(np.zeros(len(columns), np.int8), pd.Index([otherwise]))
    return pd.Series(same, index=columns.index)


def log_tables(
    rows: LogRows, topics: pd.Index, judged_docs: pd.Index, found: Findings
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Sessions, queries and results of a checked log.

    Parameters
    ----------
    topics : every topic of the study, the categories of queries.topic
    judged_docs : documents of the judgments, which join the categories of results.doc
    """
    columns = rows.columns
    first, session = first_of_each(rows.session)
    names = columns["session"].cat.categories
    ids = pd.Categorical.from_codes(session, names)
    asked, query = first_of_each(combined(rows.session, rows.query_number))
    results = rows.first[rows.rank[rows.first] > 0]
    docs = columns["doc"].cat.categories
    docs = docs.append(judged_docs.difference(docs))
    system = text_of(columns, "system", ONE_SYSTEM)
    searcher = text_of(columns, "searcher").iloc[first].astype("str")
    sessions = {
        "session": pd.Categorical.from_codes(np.arange(len(names)), names),
        "system": system.iloc[first].astype("str").to_numpy(),
        "searcher": searcher.where(searcher != "", None).to_numpy(),
    }
    queries = {
        "session": ids[asked],
        "query_number": rows.query_number[asked],
        "topic": text_of(columns, "topic").iloc[asked].cat.set_categories(topics).array,
        "text": _least(columns, "text", query, asked, found),
        "time": _least(columns, "time", query, asked, found),
    }
    shown_results = {
        "session": ids[results],
        "query_number": rows.query_number[results],
        "rank": rows.rank[results],
        "doc": pd.Categorical.from_codes(coded(columns["doc"])[results], docs),
        "clicked": _marks(rows, "clicked", found)[rows.place[results]],
        "examined": _marks(rows, "examined", found)[rows.place[results]],
        "grade": _own_grades(rows, found)[rows.place[results]],
    }
    return pd.DataFrame(sessions), pd.DataFrame(queries), pd.DataFrame(shown_results)


def _least(
    columns: pd.DataFrame, role: str, query: Ints, asked: Ints, found: Findings
) -> NDArray[Any]:
    """Text of each query: of several the least (as a number where all are), in any row order."""
    column = text_of(columns, role)
    texts = [str(text) for text in column.cat.categories]
    if len(texts) == 1:
        return np.full(asked.size, texts[0], dtype=object)
    if all(NUMBER.fullmatch(text.strip()) for text in texts if text):
        order = sorted(range(len(texts)), key=lambda i: (float(texts[i] or "inf"), texts[i]))
    else:
        order = sorted(range(len(texts)), key=lambda i: texts[i])
    place = np.empty(len(texts), dtype=np.int64)
    place[order] = np.arange(len(texts))
    least = np.full(asked.size, len(texts), dtype=np.int64)
    places = place[coded(column)]
    np.minimum.at(least, query, places)
    several = np.unique(query[places != least[query]]).size
    found.repair(f"queries whose rows differ in {role} keep the least", several)
    return np.array(texts, dtype=object)[np.array(order)[least]]


def _own_grades(rows: LogRows, found: Findings) -> NDArray[np.float64]:
    """The searcher's own grade of each distinct result; nan where there is none."""
    own = np.full(rows.first.size, np.nan)
    if "grade" not in rows.columns:
        return own
    given = grades(rows.raw, rows.columns["grade"], found)
    np.fmax.at(own, rows.place, given)
    found.refuse(
        rows.raw,
        np.flatnonzero(given < own[rows.place]),
        lambda i: f"own grade {given[i]:g}, and {own[rows.place[i]]:g} in another row",
        rule="the rows of one result agree on its grade",
        remedy="Keep one of the two.",
    )
    return own


def _marks(rows: LogRows, role: str, found: Findings) -> pd.api.extensions.ExtensionArray:
    """Whether any row of each distinct result is marked; unknown where no column says so."""
    if role not in rows.columns:
        return pd.array(np.full(rows.first.size, None), dtype="boolean")
    marked = np.zeros(rows.first.size, dtype=bool)
    marked[rows.place[flags(rows.raw, rows.columns[role], found, role)]] = True
    return pd.array(marked, dtype="boolean")


def _whole(raw: RawTable, column: pd.Series, what: str, found: Findings) -> NDArray[np.float64]:
    remedy = "Correct the cell."
    return numbers(
        raw, column, found, pattern=WHOLE, what=what, rule=RULE.format(what), remedy=remedy
    )


def _check_filled(raw: RawTable, columns: pd.DataFrame, found: Findings) -> None:
    """Each row names its session and query, and has a rank and a document or neither."""
    for role, what in (("session", "session"), ("query_number", "query number")):
        rows = np.flatnonzero(blank(columns[role]))
        rule, remedy = f"each row has its {what}", "Fill the cell, or remove the row."
        found.refuse(raw, rows, lambda _, what=what: f"an empty {what}", rule=rule, remedy=remedy)
    no_rank, no_doc = blank(columns["rank"]), blank(columns["doc"])
    rule = "a result has a rank and a document, a query without results has neither"
    found.refuse(
        raw,
        np.flatnonzero(no_rank & ~no_doc),
        lambda i: f"document {columns['doc'].iloc[i]!r} without a rank",
        rule=rule,
        remedy="Fill in the rank.",
    )
    found.refuse(
        raw,
        np.flatnonzero(no_doc & ~no_rank),
        lambda i: f"rank {columns['rank'].iloc[i]!r} without a document",
        rule=rule,
        remedy="Fill in the document, or empty the rank too.",
    )


def _renumbered(session: Ints, number: Ints, found: Findings) -> Ints:
    """Query numbers of each session as 1, 2, … in the order they have."""
    first, place = first_of_each(combined(session, number))
    order = np.lexsort((number[first], session[first]))
    of_session = session[first][order]
    starts = np.flatnonzero(np.diff(of_session, prepend=-1))
    sizes = np.diff(starts, append=order.size)
    counted = np.empty(order.size, dtype=np.int64)
    counted[order] = np.arange(order.size) - np.repeat(starts, sizes) + 1
    found.repair("query numbers closed to 1, 2, …", int((number[first] != counted).sum()))
    return counted[place]


def _check_sessions(
    raw: RawTable, columns: pd.DataFrame, session: Ints, number: Ints, found: Findings
) -> None:
    """A session has one system and one searcher, a query one topic."""
    names = columns["session"]
    for role in ("system", "searcher"):
        if role in columns:
            check_constant(
                raw,
                columns[role],
                session,
                found,
                name=lambda i, role=role: (
                    f"session {names.iloc[i]!r} has a second {role}, {columns[role].iloc[i]!r}"
                ),
                rule=f"a session is one searcher's work with one system, so it has one {role}",
                remedy="Give the parts different session ids, or correct the cell.",
            )
    if "topic" in columns:
        check_constant(
            raw,
            columns["topic"],
            combined(session, number),
            found,
            name=lambda i: f"query {number[i]} of session {names.iloc[i]!r} has a second topic",
            rule="a query is judged against one topic",
            remedy="Correct the cell.",
        )


def _check_one_document(rows: LogRows, found: Findings) -> None:
    docs = rows.columns["doc"]
    codes = coded(docs)
    first = rows.first[rows.place]

    def clash(i: int) -> str:
        session = rows.columns["session"].iloc[i]
        return (
            f"document {docs.iloc[i]!r} at rank {rows.rank[i]} of query {rows.query_number[i]} of "
            f"session {session!r}, where line {rows.raw.line(first[i])} has {docs.iloc[first[i]]!r}"
        )

    found.refuse(
        rows.raw,
        np.flatnonzero(codes != codes[first]),
        clash,
        rule="a rank of one result list holds one document",
        remedy="Correct the rank, or remove the row.",
    )
