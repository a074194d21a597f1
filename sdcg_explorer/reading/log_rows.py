"""A log, row by row: where each result stands, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import (
    WHOLE,
    Findings,
    blank,
    check_constant,
    coded,
    first_of_each,
    numbers,
)
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.rules import FOLD, ROW_RULES, USUAL, Rules, by_rule
from sdcg_explorer.study.arrays import Bools, Floats, Ints, are_distinct_within
from sdcg_explorer.study.bounds import MOST_QUERIES
from sdcg_explorer.study.problems import LONGEST, Problem, Remedy, cut, error, note, warning
from sdcg_explorer.study.report import SAME_RANK, TWICE
from sdcg_explorer.study.wording import counted

MOST_KEPT = 1_000_000
CLOSE_GAPS = by_rule("query_numbers", "renumber", "Read with", "Have them closed")


@dataclass(frozen=True, eq=False)
class LogRows:
    """Rows of a log as numbers; rank 0 marks a query's row without a result.

    Query number 0 marks the row of a session without queries.

    columns : (N) cells by role; extras : (N) those of the columns without a role.
    session, query_number, rank : (N,) of each row, sessions coded in order of appearance;
    own_number : the query's number as it stands in the log.
    first : row of each distinct (session, query, rank); place : (N,) index of each row in first.
    """

    raw: RawTable
    columns: pd.DataFrame
    extras: pd.DataFrame
    session: Ints
    query_number: Ints
    own_number: Ints
    rank: Ints
    first: Ints
    place: Ints


def read_log_rows(
    raw: RawTable, columns: pd.DataFrame, extras: pd.DataFrame, found: Findings, rules: Rules
) -> LogRows:
    """Rows of a log whose columns are named by role.

    Raises
    ------
    UnusableInputError : numbers that are none, since nothing else can be checked then
    """
    session = coded(columns["session"])
    silent = _without_queries(columns, session)
    _check_filled(raw, columns, silent, found)
    number = _whole(raw, columns["query_number"], "query number", found)
    rank = _whole(raw, columns["rank"], "rank", found)
    found.check()
    rank = _from_one(raw, rank, found, rules)
    own = np.where(silent, 1, number).astype(np.int32)
    number = np.where(silent, 0, _numbered(raw, session, own, found, rules))
    found.check()
    _check_sessions(raw, columns, session, number, found)
    rows = _distinct(LogRows(raw, columns, extras, session, number, own, rank, rank, rank))
    clashes = _clashes(rows)
    if clashes.size and rules.same_rank == "first":
        found.leave_out(raw, SAME_RANK, clashes)
        rows = _without(rows, clashes)
    else:
        _refuse_clashes(rows, clashes, found)
    again = np.ones(rows.rank.size, dtype=bool)
    again[rows.first] = False
    found.repair(rows.raw, "rows of one result merged", np.flatnonzero(again))
    if not (rows.rank > 0).any():
        found.problems.append(no_result(raw.file))
    _say_copies(rows, found)
    _say_shared(rows, found, rules)
    if silent.any():
        _say_silent(raw, columns["session"][silent], found)
    return rows


def _without_queries(columns: pd.DataFrame, session: Ints) -> Bools:
    """Which rows (N,) name a session, as its only row, and no query of it: it asked nothing."""
    alone = np.bincount(session)[session] == 1
    for role in ("query_number", "rank", "doc", "text", "time"):
        alone &= blank(text_of(columns, role))
    return alone


def _say_silent(raw: RawTable, names: pd.Series[Any], found: Findings) -> None:
    """Sessions without queries are counted by name, and in what is said of methods."""
    some = ", ".join(repr(str(name)) for name in names[:3])
    what = f"{counted(len(names), 'session')} without queries"
    rule = "whoever searched for nothing has no worth, and is left out of every mean"
    said = f"{what} ({some}{', …' * (len(names) > 3)})"
    found.problems.append(note(raw.file, said, rule, "Log its queries if there were any."))
    if not raw.exact:  # of a study of ours that is known
        found.methods.append(f"{cut(said, LONGEST)}: {rule}.")


def no_result(file: str) -> Problem:
    """Error for a log of queries alone."""
    rule, remedy = "a log has results", "Check the columns for rank and document."
    return error(file, 1, "no result", rule, remedy)


def _say_copies(rows: LogRows, found: Findings) -> None:
    """Note the results whose document stands at a better rank of the same list."""
    first = rows.first[rows.rank[rows.first] > 0]
    asked = combined(rows.session, rows.query_number)[first]
    docs = coded(rows.columns["doc"])[first]
    if are_distinct_within(asked, docs):  # as in most logs
        return
    pairs = combined(asked, docs)
    order = np.lexsort((rows.rank[first], pairs))
    copies = first[order[1:][np.diff(pairs[order]) == 0]]
    found.repair(rows.raw, TWICE, np.sort(copies))


def _say_shared(rows: LogRows, found: Findings, rules: Rules) -> None:
    """Put first what lies behind clashes where several files have sessions of one name."""
    files = rows.raw.each_file()
    clashes = any(not problem.fix for problem in found.errors)
    if not clashes or rules.system_by_file or len(files) < 2:
        return
    session = rows.session
    times = np.zeros(session.max(initial=0) + 1, dtype=np.int64)
    for _, part in files:
        times[np.unique(session[part])] += 1
    names = rows.columns["session"].cat.categories[times > 1]
    if len(names):
        some = ", ".join(repr(str(name)) for name in names[:3])
        found_names = f"{len(names):,} session names in several files ({some}"
        what = f"{found_names}{', …' * (len(names) > 3)})"
        rule = "sessions called alike are one session, and here their rows clash"
        own, rename = "Read each file as a system of its own", "or rename the sessions."
        remedy = Remedy(f"{own}, --system-by-file, {rename}", f"{own} (“{FOLD}”), {rename}")
        found.problems.insert(0, error(rows.raw.file, None, what, rule, remedy))


def _distinct(rows: LogRows) -> LogRows:
    """The same rows, with the first row of each result found."""
    asked = combined(rows.session, rows.query_number)
    first, place = first_of_each(combined(asked, rows.rank))
    return replace(rows, first=first, place=place)


def _without(rows: LogRows, left_out: Ints) -> LogRows:
    kept = np.setdiff1d(np.arange(rows.rank.size), left_out)
    columns, extras = (t.take(kept).reset_index(drop=True) for t in (rows.columns, rows.extras))
    session, number, own = (n[kept] for n in (rows.session, rows.query_number, rows.own_number))
    rank, raw = rows.rank[kept], rows.raw.take(kept)
    return _distinct(LogRows(raw, columns, extras, session, number, own, rank, rank, rank))


def _from_one(raw: RawTable, rank: Floats, found: Findings, rules: Rules) -> Ints:
    """Ranks counted from 1 in each file; 0 where a row has no result."""
    shown = ~np.isnan(rank)
    counted = np.where(shown, rank, 0).astype(np.int32)
    zero = shown & (counted == 0)
    if rules.rank_base == "1":
        said, cell, rows = USUAL["rank_base"], "Correct the cell, or", np.flatnonzero(zero)
        remedy = by_rule("rank_base", "0", f"{cell} read with", f"{cell} count from 0")
        found.refuse(raw, rows, lambda _: "rank '0'", rule=said, remedy=remedy)
        return counted
    for file, part in raw.each_file():
        if rules.rank_base == "0" or zero[part].any():
            counted[part] += shown[part]
            rows = np.flatnonzero(shown[part]) + part.start
            found.repair(raw, "ranks counted from 0 are counted from 1", rows)
            found.problems.append(from_zero(file, rows.size))
    return counted


def from_zero(file: str, results: int) -> Problem:
    """Warning of ranks that are taken to count from 0."""
    remedy = "Check that the first result of a list has rank 0 in the file."
    rule = "all ranks of the file are shifted by one"
    return warning(file, f"ranks from 0 ({counted(results, 'result')})", rule, remedy)


def combined(major: Ints, minor: Ints) -> Ints:
    """One number for each pair of numbers (minor ≥ 0)."""
    pairs = major.astype(np.int64)
    pairs *= int(minor.max(initial=0)) + 1
    pairs += minor
    return pairs


def text_of(columns: pd.DataFrame, role: str, otherwise: str = "") -> pd.Series[Any]:
    """Texts of a role, the same text throughout where no column plays it."""
    if role in columns:
        return columns[role]
    same: Any = pd.Categorical.from_codes(np.zeros(len(columns), np.int8), pd.Index([otherwise]))
    return pd.Series(same, index=columns.index)


def _whole(raw: RawTable, column: pd.Series, what: str, found: Findings) -> Floats:
    said = ROW_RULES[what.replace(" ", "_")]
    return numbers(raw, column, found, pattern=WHOLE, what=what, **said)


def _check_filled(raw: RawTable, columns: pd.DataFrame, silent: Bools, found: Findings) -> None:
    """Each row names its session and query, and has a rank and a document or neither."""
    session = np.flatnonzero(blank(columns["session"]))
    number = np.flatnonzero(blank(columns["query_number"]) & ~silent)
    found.refuse(raw, session, lambda _: "an empty session", **ROW_RULES["session"])
    found.refuse(raw, number, lambda _: "an empty query number", **ROW_RULES["no_query_number"])
    no_rank, no_doc = blank(columns["rank"]), blank(columns["doc"])
    found.refuse(
        raw,
        np.flatnonzero(no_rank & ~no_doc),
        lambda i: f"document {columns['doc'].iloc[i]!r} without a rank",
        **ROW_RULES["no_rank"],
    )
    found.refuse(
        raw,
        np.flatnonzero(no_doc & ~no_rank),
        lambda i: f"rank {columns['rank'].iloc[i]!r} without a document",
        **ROW_RULES["no_doc"],
    )


def _numbered(raw: RawTable, session: Ints, number: Ints, found: Findings, rules: Rules) -> Ints:
    """Query numbers of each session as 1, 2, … in the order they have; or kept, from 1."""
    first, place = first_of_each(combined(session, number))
    if rules.query_numbers == "keep":
        if number.max(initial=1) > MOST_QUERIES:
            far = np.flatnonzero(number > MOST_QUERIES)
            rule = f"query numbers that are kept are at most {MOST_QUERIES:,}"
            what, remedy = "query number", CLOSE_GAPS
            found.refuse(raw, far, lambda i: f"{what} {number[i]}", rule=rule, remedy=remedy)
        most = np.zeros(int(session.max(initial=0)) + 1, dtype=np.int64)
        np.maximum.at(most, session, number)
        if most.sum() > MOST_KEPT:
            rule = f"sessions have at most {MOST_KEPT:,} queries in all, kept gaps included"
            said = error(raw.file, None, f"{most.sum():,} queries", rule, CLOSE_GAPS)
            found.problems.append(said)
        if not (number == 0).any():
            return number
        found.repair(raw, "query numbers counted from 0 are counted from 1", first)
        return number + 1
    order = np.lexsort((number[first], session[first]))
    of_session = session[first][order]
    starts = np.flatnonzero(np.diff(of_session, prepend=-1))
    sizes = np.diff(starts, append=order.size)
    counted = np.empty(order.size, dtype=np.int32)
    counted[order] = np.arange(order.size) - np.repeat(starts, sizes) + 1
    changed = first[number[first] != counted]
    found.repair(raw, "query numbers closed to 1, 2, …", changed)
    if changed.size:
        found.problems.append(renumbered(raw.file, changed.size))
    return counted[place]


def renumbered(file: str, queries: int) -> Problem:
    """Note of queries that don't have the numbers of the log."""
    what = "1 query" if queries == 1 else f"{queries:,} queries"
    rule = "queries are numbered 1, 2, … within their session, and a gap counts as nothing asked"
    remedy = "If a query found nothing there, give it a row without rank and document."
    return note(file, f"{what} with other numbers than in the log", rule, remedy)


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
                **ROW_RULES[role],
            )
    if "topic" in columns:
        check_constant(
            raw,
            columns["topic"],
            combined(session, number),
            found,
            name=lambda i: f"query {number[i]} of session {names.iloc[i]!r} has a second topic",
            **ROW_RULES["topic"],
        )


def _clashes(rows: LogRows) -> Ints:
    """Rows with another document than the first row of their rank."""
    codes = coded(rows.columns["doc"])
    return np.flatnonzero(codes != codes[rows.first[rows.place]])


def _refuse_clashes(rows: LogRows, clashes: Ints, found: Findings) -> None:
    docs = rows.columns["doc"]
    first = rows.first[rows.place]

    def before(i: int) -> str:
        (file, line), (own, _) = rows.raw.place(first[i]), rows.raw.place(i)
        return f"line {line}" if file == own else f"{file}, line {line},"

    def clash(i: int) -> str:
        session = rows.columns["session"].iloc[i]
        return (
            f"document {docs.iloc[i]!r} at rank {rows.rank[i]} of query {rows.query_number[i]} of "
            f"session {session!r}, where {before(i)} has {docs.iloc[first[i]]!r}"
        )

    remedy = by_rule("same_rank", "first", "Correct the rank, remove the row, or keep the first:")
    found.refuse(rows.raw, clashes, clash, rule=USUAL["same_rank"], remedy=remedy)
