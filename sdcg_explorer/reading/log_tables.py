"""Tables of a checked log: sessions, queries and results, with what else the log knows of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.reading.cells import NUMBER, Findings, blank, coded, first_of_each, flags, grades
from sdcg_explorer.reading.log_rows import LogRows, combined, text_of
from sdcg_explorer.reading.mapping import is_dwell_time
from sdcg_explorer.reading.raw_table import texts_of
from sdcg_explorer.reading.rules import ROW_RULES
from sdcg_explorer.study.arrays import Floats, Ints

ONE_SYSTEM = "the system"  # of a log that names none
NO_SYSTEM = "no system named"  # of a session in a log that names others'
NO_NAME = re.compile(r"column \d+")  # as readers call a column without a name
PLAIN = re.compile(  # 007 is a code, and so are twenty digits
    r"[+-]?(?=[.0-9])(0|[1-9][0-9]{0,14})?(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,3})?"
)
SHORTEST = np.iinfo(np.int16).max
OWN = {
    *("session", "system", "searcher", "query_number", "topic", "text", "time"),
    *("rank", "doc", "clicked", "examined", "grade"),
}


def log_tables(
    rows: LogRows, topics: pd.Index, docs: pd.Index, found: Findings
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Sessions, queries and results of a checked log.

    Parameters
    ----------
    topics : every topic of the study, the categories of queries.topic
    docs : every document, those of the log first: the categories of results.doc
    """
    columns = rows.columns
    first, session = first_of_each(rows.session)
    names = columns["session"].cat.categories
    ids = pd.Categorical.from_codes(session, names)
    asked, query = first_of_each(combined(rows.session, rows.query_number))
    results = rows.first[rows.rank[rows.first] > 0]
    system = _systems(rows, first, found)
    searcher = text_of(columns, "searcher").iloc[first].astype("str")
    sessions = {
        "session": pd.Categorical.from_codes(np.arange(len(names)), names),
        "system": system,
        "searcher": searcher.where(searcher != "", None).to_numpy(),
    }
    queries = {
        "session": ids[asked],
        "query_number": rows.query_number[asked],
        "topic": text_of(columns, "topic").iloc[asked].cat.set_categories(topics).array,
        "text": _least(rows, "text", query, asked, found),
        "time": _least(rows, "time", query, asked, found),
    }
    shown_results = {
        "session": ids[results],
        "query_number": _short(rows.query_number[results]),
        "rank": _short(rows.rank[results]),
        "doc": pd.Categorical.from_codes(coded(columns["doc"])[results], docs),
        "clicked": _marks(rows, "clicked", found)[rows.place[results]],
        "examined": _marks(rows, "examined", found)[rows.place[results]],
        "grade": _own_grades(rows, found)[rows.place[results]],
    }
    of_sessions, of_queries = extras_of(rows, session, query, found)
    every = pd.DataFrame({**queries, **of_queries})
    return (
        pd.DataFrame({**sessions, **of_sessions}),
        _filled(every[every["query_number"] > 0].reset_index(drop=True)),
        pd.DataFrame(shown_results, copy=False),
    )


def _systems(rows: LogRows, first: Ints, found: Findings) -> NDArray[Any]:
    """System of each session; one that names none is told from those that do."""
    named = text_of(rows.columns, "system", ONE_SYSTEM).iloc[first].astype("str").to_numpy(object)
    nameless = named == ""
    rule = f"sessions without a system are those of {NO_SYSTEM!r}"
    found.repair(rows.raw, rule, np.sort(first[nameless]))
    return np.where(nameless, ONE_SYSTEM if nameless.all() else NO_SYSTEM, named)


def extras_of(
    rows: LogRows, session: Ints, query: Ints, found: Findings
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns without a role that say one thing of each session, or else of each query.

    What says more than one thing of a query, or nothing at all, is left out; but how long each
    result was looked at is added up.
    """
    of_sessions: dict[str, Any] = {}
    of_queries: dict[str, Any] = {}
    for name in rows.extras.columns:
        if NO_NAME.fullmatch(str(name)):
            found.leave_out_column(rows.raw, f"{name} has no name")
            continue
        column = rows.extras[name]
        codes = np.where(blank(column), -1, coded(column))
        texts = column.cat.categories.to_numpy(dtype=object)
        own = free_name(str(name), {*map(str, rows.extras.columns), *of_sessions, *of_queries})
        numbers = values_of(texts) if is_dwell_time(str(name)) else np.zeros(0, dtype=object)
        is_dwell = numbers.dtype.kind == "f" and bool((codes >= 0).any())
        for groups, kept in ((session, of_sessions), (query, of_queries)):
            one = _one_each(codes, groups)
            if one is not None and not (is_dwell and _is_of_results(codes, groups, query)):
                kept[own] = values_of(np.append(texts, "")[one])
                break
        else:
            if is_dwell:
                of_queries[own] = _added(numbers, codes, rows.place, query)
                rule = f"what {str(name)!r} says of results is added up by query"
                found.repair(rows.raw, rule, np.flatnonzero(codes >= 0))
                continue
            what = "is empty" if (codes < 0).all() else "differs within a query"
            found.leave_out_column(rows.raw, f"column {str(name)!r} has no role and {what}")
    return of_sessions, of_queries


def _one_each(codes: Ints, groups: Ints) -> Ints | None:
    """The one code of each group, −1 where it has none; None where a group has two, or all none."""
    size = int(groups.max(initial=-1)) + 1
    most = np.full(size, -1, dtype=np.int64)
    np.maximum.at(most, groups, codes)
    if (most < 0).all() or ((codes >= 0) & (codes != most[groups])).any():
        return None
    return most


def _is_of_results(codes: Ints, groups: Ints, query: Ints) -> bool:
    """Whether a column with one number for each group is of its results: other rows have none.

    Or whether groups are sessions of one query each, of which it is then.
    """
    most = np.full(int(groups.max(initial=-1)) + 1, -1, dtype=np.int64)
    np.maximum.at(most, groups, codes)
    of_one_query = groups is not query and groups.max(initial=-1) == query.max(initial=-1)
    return bool((codes != most[groups]).any() or of_one_query)


def _added(numbers: Floats, codes: Ints, result: Ints, query: Ints) -> Floats:
    """Sum of each query's numbers, nan where it has none; a result's that comes again is one."""
    known = np.flatnonzero(codes >= 0)
    known = known[np.unique(combined(result[known], codes[known]), return_index=True)[1]]
    size = int(query.max(initial=-1)) + 1
    added = np.bincount(query[known], numbers[codes[known]], size)
    return np.where(np.bincount(query[known], minlength=size) > 0, added, np.nan)


def free_name(name: str, taken: Collection[str] = ()) -> str:
    """Name of an extra column, apart from the names of the tables' own columns and those taken."""
    if name not in OWN:
        return name
    name += "_2"
    while name in taken:
        name += "_2"
    return name


def values_of(texts: NDArray[Any]) -> NDArray[Any]:
    """Numbers where all texts are numbers or empty, else texts, missing where empty."""
    plain = [str(text).strip() for text in texts]
    if all(PLAIN.fullmatch(text) and isfinite(float(text)) for text in plain if text):
        return np.array([float(text) if text else np.nan for text in plain])
    return np.array([str(t) if p else None for t, p in zip(texts, plain, strict=True)], object)


def _filled(queries: pd.DataFrame) -> pd.DataFrame:
    """Queries with those that a session skips, on the topic of the query that follows."""
    session = queries["session"].cat.codes.to_numpy(dtype=np.int64)
    number = queries["query_number"].to_numpy(dtype=np.int64)
    last = np.zeros(len(queries["session"].cat.categories), dtype=np.int64)
    np.maximum.at(last, session, number)
    if int(last.sum()) == len(queries):
        return queries
    sessions = np.repeat(np.arange(last.size), last)
    numbers = np.arange(sessions.size) - np.repeat(np.cumsum(last) - last, last) + 1
    names = queries["session"].cat.categories
    every = pd.DataFrame(
        {"session": pd.Categorical.from_codes(sessions, names), "query_number": numbers}
    )
    full = every.merge(queries, on=["session", "query_number"], how="left")
    full["session"] = full["session"].astype(queries["session"].dtype)
    full["topic"] = full["topic"].bfill()
    full[["text", "time"]] = full[["text", "time"]].fillna("")
    return full


def _least(rows: LogRows, role: str, query: Ints, asked: Ints, found: Findings) -> NDArray[Any]:
    """Text of each query: of several the least (as a number where all are), in any row order."""
    column = text_of(rows.columns, role)
    texts = texts_of(column)
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
    other = np.flatnonzero(places != least[query])
    other = other[np.unique(query[other], return_index=True)[1]]
    found.repair(rows.raw, f"queries whose rows differ in {role} keep the least", np.sort(other))
    return np.array(texts, dtype=object)[np.array(order)[least]]


def _short(numbers: Ints) -> Ints:
    """Whole numbers in two bytes each, where they fit."""
    return numbers.astype(np.int16) if numbers.max(initial=0) < SHORTEST else numbers


def _own_grades(rows: LogRows, found: Findings) -> NDArray[Any]:
    """The searcher's own grade of each distinct result; nan where there is none."""
    if "grade" not in rows.columns:
        return np.full(rows.first.size, np.nan, dtype=np.float32)  # nothing, in half the memory
    own = np.full(rows.first.size, np.nan)
    given = grades(rows.raw, rows.columns["grade"], found)
    np.fmax.at(own, rows.place, given)
    found.refuse(
        rows.raw,
        np.flatnonzero(given < own[rows.place]),
        lambda i: f"own grade {given[i]:g}, and {own[rows.place[i]]:g} in another row",
        **ROW_RULES["own_conflicts"],
    )
    return own


def _marks(rows: LogRows, role: str, found: Findings) -> pd.api.extensions.ExtensionArray:
    """Whether any row of each distinct result is marked; unknown where no column says so."""
    if role not in rows.columns or blank(rows.columns[role]).all():
        nothing = np.zeros(rows.first.size, dtype=bool)
        return pd.arrays.BooleanArray(nothing, ~nothing)
    marked = np.zeros(rows.first.size, dtype=bool)
    marked[rows.place[flags(rows.raw, rows.columns[role], found, role)]] = True
    return pd.array(marked, dtype="boolean")
