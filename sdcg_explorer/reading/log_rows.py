"""A log, row by row: where each result stands, checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.reading import cells, raw_table
from sdcg_explorer.reading.cells import Findings, blank, coded, first_of_each, numbers, row_numbers
from sdcg_explorer.reading.raw_table import CLICK_TIME, SCORE, RawTable, category, texts_of
from sdcg_explorer.reading.recipe import FOLD, SEARCHERS, Recipe, by_rule
from sdcg_explorer.reading.shapes import CLICK_TIMES, is_listed
from sdcg_explorer.reading.table_kinds import Mapped, Part
from sdcg_explorer.study import bounds, problems, report
from sdcg_explorer.study.arrays import Bools, Floats, Ints, are_distinct
from sdcg_explorer.study.behaviour import DWELL, OPENED, SAVED
from sdcg_explorer.study.columns import is_dwell_time, is_in_ms, plain_name, seconds_of, text_order
from sdcg_explorer.study.study import OWN_OF_QUERIES, OWN_OF_SESSIONS
from sdcg_explorer.study.wording import counted, listed

MOST_KEPT = 1_000_000
KEEP_GAPS = by_rule("query_numbers", "keep", "If a query found nothing there, read with")
CLOSE_GAPS = by_rule("query_numbers", "renumber", "Read with", "Close the gaps")


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


def read_log_rows(log: Mapped, found: Findings, recipe: Recipe) -> LogRows:
    """Rows of a log whose columns are named by role.

    Raises
    ------
    UnusableInputError : numbers that are none, since nothing else can be checked then
    """
    raw, columns = log.raw, log.cells
    session = coded(columns["session"])
    silent = np.bincount(session)[session] == 1  # sessions named by one row, and no query
    for role in ("query_number", "rank", "doc", "text", "time"):
        silent &= blank(text_of(columns, role))
    _check_filled(raw, columns, silent, found)
    number, rank = (
        numbers(raw, columns[role], found, name, cells.ROW_RULES[role], cells.WHOLE)
        for role, name in (("query_number", "query number"), ("rank", "rank"))
    )
    found.check()
    own = np.where(silent, 1, number).astype(np.int32)
    rank = _ranks_from_one(raw, (session, own), rank, found, recipe)
    number = np.where(silent, 0, _renumber(raw, session, own, found, recipe))
    found.check()
    columns = _cells_filled_within_sessions(raw, columns, session, number, found)
    log, codes = replace(log, cells=columns), (session, number, own, rank)
    rows = _distinct(log, *codes)
    docs = coded(columns["doc"])
    clashes = np.flatnonzero(docs != docs[rows.first[rows.place]])  # with the first at a rank
    if clashes.size and recipe.same_rank == "first":
        found.leave_out(raw, report.SAME_RANK, clashes)
        kept = np.setdiff1d(np.arange(rank.size), clashes)
        rows = _distinct(log.take(kept), *(each[kept] for each in codes))
    else:
        _refuse_clashes(rows, clashes, found)
    again = np.delete(np.arange(rows.rank.size), rows.first)
    found.repair(rows.raw, "rows of one result merged", again)
    if not (rows.rank > 0).any():
        found.problems.append(no_result_error(raw.file))
    _note_repeated_documents(rows, found)
    _report_shared_session_names(rows, found, recipe)
    if silent.any():
        names = columns["session"][silent]
        said = f"{counted(len(names), 'session')} without queries ({_quoted(names)})"
        rule = "a session without queries has no score"
        found.note(raw.file, said, rule, "Log the queries if there were any.")
        if not raw.exact:  # of a study of ours that is known
            found.methods.append(f"{problems.cut(said, problems.LONGEST)}: {rule}.")
    return rows


def _quoted(names: Any) -> str:
    return listed([repr(str(name)) for name in names[:4]])


def no_result_error(file: str) -> problems.Problem:
    """Error for a log of queries alone."""
    remedy = "Check the columns for rank and document."
    return problems.error(file, 1, "no result", "a log has results", remedy)


def _note_repeated_documents(rows: LogRows, found: Findings) -> None:
    """Note the results whose document stands at a better rank of the same list."""
    first = rows.first[rows.rank[rows.first] > 0]
    asked = pair_code(rows.session, rows.query_number)[first]
    pairs = pair_code(asked, coded(rows.columns["doc"])[first])
    if are_distinct(pairs):  # as in most logs
        return
    order = np.argsort(rows.rank[first], kind="stable")
    twice = pd.Series(pairs[order]).duplicated().to_numpy()
    found.repair(rows.raw, report.TWICE, np.sort(first[order[twice]]))


def _report_shared_session_names(rows: LogRows, found: Findings, recipe: Recipe) -> None:
    """Note where several files have sessions of one name, or put it first, before their clashes."""
    files = rows.raw.each_file()
    clashes = any(not problems.is_offered(problem) for problem in found.errors)
    if rows.raw.exact or recipe.system_by_file or len(files) < 2:
        return
    names = rows.columns["session"].cat.categories[_files_with(rows.session, files) > 1]
    what = f"{counted(len(names), 'session name')} in several files ({_quoted(names)})"
    if len(names) and not clashes:
        found.note(rows.raw.file, what, "rows of one name are one session's")
    elif len(names):
        rule = "sessions of one name are one session, and here their rows clash"
        is_named, rename = "searcher" in rows.columns, "Rename the sessions"
        more = ("", "") if recipe.session_by or (is_named and not recipe.file_name) else SEARCHERS
        remedy = problems.Remedy(*(f"{rename}.{each}" for each in more))
        _, who = first_of_each(pair_code(rows.session, coded(text_of(rows.columns, "searcher"))))
        told = recipe.session_by or rows.raw.known.scored  # a run has no column for sessions
        if not told and _files_with(who, files).max() == 1:
            remedy = by_rule("session_by", "searcher,session", f"{rename}, or read with")
        elif "system" not in rows.columns:
            own = "Read each file as a system of its own"
            ways = f"{own}, --system-by-file", f"{own} (“{FOLD}”)"
            both = zip(ways, remedy, strict=True)
            remedy = problems.Remedy(*(f"{a}, or {b[0].lower()}{b[1:]}" for a, b in both))
        found.problems.insert(0, problems.error(rows.raw.file, None, what, rule, remedy))


def _files_with(code: Ints, files: Sequence[tuple[str, slice]]) -> Ints:
    """In how many files each code of rows stands."""
    every = np.arange(int(code.max(initial=0)) + 1)
    return np.sum([np.isin(every, code[part]) for _, part in files], axis=0)


def _distinct(log: Mapped, session: Ints, number: Ints, own: Ints, rank: Ints) -> LogRows:
    """Rows of a log, with the first row of each result found."""
    first, place = first_of_each(pair_code(pair_code(session, number), rank))
    return LogRows(log.raw, log.cells, log.extras, session, number, own, rank, first, place)


def _ranks_from_one(
    raw: RawTable, query: tuple[Ints, Ints], rank: Floats, found: Findings, recipe: Recipe
) -> Ints:
    """Ranks counted from 1 in each file; 0 where a row has no result.

    query : session and number of each row's query
    """
    shown = ~np.isnan(rank)
    counted = np.where(shown, rank, 0).astype(np.int32)
    zero = shown & (counted == 0)
    if recipe.rank_base == "1":
        said, cell, rows = cells.USUAL["rank_base"], "Correct the cell, or", np.flatnonzero(zero)
        remedy = by_rule("rank_base", "0", f"{cell} read with", f"{cell} count from 0")
        found.refuse(raw, rows, lambda _: "rank '0'", said, remedy)
        return counted
    for file, part in raw.each_file():
        if recipe.rank_base == "0" or zero[part].any():
            counted[part] += shown[part]
            rows = np.flatnonzero(shown[part]) + part.start
            found.repair(raw, "ranks from 0 are renumbered from 1", rows)
            lists, first = (pair_code(*query)[part][own[part]] for own in (shown, zero))
            some = first.size > 0 and not np.isin(lists, first).all()
            found.problems.append(zero_rank_warning(file, rows.size, some=some))
    return counted


FROM_0 = "query numbers from 0 are renumbered from 1"


def zero_rank_warning(file: str, results: int, *, some: bool = False) -> problems.Problem:
    """Warning of ranks that are taken to count from 0, or that `some` lists begin with."""
    remedy = "Check that the first result of a list has rank 0 in the file."
    rule = "all ranks of the file are shifted by one"
    if some:
        rule += ", though some lists have no rank 0"
        remedy = by_rule("leave_out", "rank=0", "If rank 0 marks an ad, or the like, leave it out:")
    return problems.warning(file, f"ranks from 0 ({counted(results, 'result')})", rule, remedy)


def pair_code(major: Ints, minor: Ints) -> Ints:
    """One number for each pair of numbers (minor ≥ 0)."""
    pairs = major.astype(np.int64)
    pairs *= int(minor.max(initial=0)) + 1
    pairs += minor
    return pairs


def grouped(*codes: Ints) -> Ints:
    """One number (N,) from 0 for each combination, in order of appearance."""
    table = pd.DataFrame(dict(enumerate(codes)), copy=False)
    return table.groupby([*table], sort=False).ngroup().to_numpy(np.int64)


def text_of(columns: pd.DataFrame, role: str, otherwise: str = "") -> pd.Series[Any]:
    """Texts of a role, the same text throughout where no column plays it."""
    if role in columns:
        return columns[role]
    same: Any = pd.Categorical.from_codes(np.zeros(len(columns), np.int8), pd.Index([otherwise]))
    return pd.Series(same, index=columns.index)


def _check_filled(raw: RawTable, columns: pd.DataFrame, silent: Bools, found: Findings) -> None:
    """Each row names its session and query, and has a rank and a document or neither."""
    doc, rank = columns["doc"], columns["rank"]
    no_rank, no_doc, no_number = blank(rank), blank(doc), blank(columns["query_number"])
    broken: dict[str, tuple[Bools, Callable[[int], str]]] = {
        "session": (blank(columns["session"]), lambda _: "an empty session"),
        "no_query_number": (no_number & ~silent, lambda _: "an empty query number"),
        "no_rank": (no_rank & ~no_doc, lambda i: f"document {doc.iloc[i]!r} without a rank"),
        "no_doc": (no_doc & ~no_rank, lambda i: f"rank {rank.iloc[i]!r} without a document"),
    }
    for rule, (rows, what) in broken.items():
        found.refuse(raw, np.flatnonzero(rows), what, *cells.ROW_RULES[rule])


def _renumber(raw: RawTable, session: Ints, number: Ints, found: Findings, recipe: Recipe) -> Ints:
    """Query numbers of each session as 1, 2, … in the order they have; or kept, from 1."""
    first, place = first_of_each(pair_code(session, number))
    if recipe.query_numbers == "keep":
        far = np.flatnonzero(number > bounds.MOST_QUERIES)
        rule = f"with gaps kept, query numbers go up to {bounds.MOST_QUERIES:,}"
        found.refuse(raw, far, lambda i: f"query number {number[i]}", rule, CLOSE_GAPS)
        most = int(pd.Series(number).groupby(session).max().sum())
        if most > MOST_KEPT:
            rule = f"sessions have at most {MOST_KEPT:,} queries in all, kept gaps included"
            found.error(raw.file, None, f"{most:,} queries", rule, CLOSE_GAPS)
        if not (number == 0).any():
            return number
        found.repair(raw, FROM_0, first)
        return number + 1
    closed = places(session[first], np.lexsort((number[first], session[first]))).astype(np.int32)
    changed = first[number[first] != closed]
    if changed.size:
        gaps = (closed - np.isin(session[first], session[number == 0]) != number[first]).any()
        found.repair(raw, "query numbers closed to 1, 2, …" if gaps else FROM_0, changed)
        rule, remedy = "queries are numbered 1, 2, … within a session", "Nothing to do."
        if gaps:
            rule, remedy = f"{rule}, and a gap is not counted as a query", KEEP_GAPS
        what = f"{counted(changed.size, 'query was', 'queries were')} renumbered"
        found.note(raw.file, what, rule, remedy)
    return closed[place]


def _cells_filled_within_sessions(
    raw: RawTable, columns: pd.DataFrame, session: Ints, number: Ints, found: Findings
) -> pd.DataFrame:
    """Cells by role, where a row that names none has its session's system and searcher.

    Likewise it has the topic of its query. A session has one of each, and a query one topic.
    """

    def second(role: str, i: int) -> str:
        of_query = f"query {number[i]} of " * (role == "topic")
        name = f"{of_query}session {columns['session'].iloc[i]!r}"
        return f"{name} has a second {role}, {columns[role].iloc[i]!r}"

    for role in (role for role in ("system", "searcher", "topic") if role in columns):
        of, column = "query" if role == "topic" else "session", columns[role]
        groups = pair_code(session, number) if of == "query" else session
        is_blank, codes = blank(column), coded(column)
        if is_blank.any():
            own = pd.Series(codes)
            named = own.mask(is_blank).groupby(groups).transform("first")
            codes = own.mask(is_blank, named).fillna(own).to_numpy(np.int32)
            texts: Any = pd.Categorical.from_codes(codes, column.cat.categories)
            columns = columns.assign(**{role: texts})
            rows = np.flatnonzero(is_blank & named.notna())
            found.repair(raw, f"rows without a {role} have that of their {of}", rows)
        first, place = first_of_each(groups)
        other = np.flatnonzero(codes != codes[first][place])  # of each group the first that differs
        other = other[np.unique(place[other], return_index=True)[1]]
        found.refuse(raw, other, partial(second, role), *cells.ROW_RULES[role])
    return columns


def _refuse_clashes(rows: LogRows, clashes: Ints, found: Findings) -> None:
    docs = rows.columns["doc"]
    first = rows.first[rows.place]

    def clash(i: int) -> str:
        (file, line), (own, _) = rows.raw.place(first[i]), rows.raw.place(i)
        before = f"line {line}" if file == own else f"{file}, line {line},"
        before = "another row" if line is None else before
        what = f"document {docs.iloc[i]!r} at rank {rows.rank[i]} of query {rows.query_number[i]}"
        session = rows.columns["session"].iloc[i]
        return f"{what} of session {session!r}, where {before} has {docs.iloc[first[i]]!r}"

    remedy = by_rule("same_rank", "first", "Correct the rank, remove the row, or keep the first:")
    found.refuse(rows.raw, clashes, clash, cells.USUAL["same_rank"], remedy)


ONE_SYSTEM = "the system"  # of a log that names none
NO_SYSTEM = "no system named"  # of a session in a log that names others'
NO_NAME = re.compile(r"column \d+")  # as readers call a column without a name
PLAIN = re.compile(  # 007 is a code, and so are twenty digits
    r"[+-]?(?=[.0-9])(0|[1-9][0-9]{0,14})?(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,3})?"
)
OWN = {*OWN_OF_SESSIONS, *OWN_OF_QUERIES, "rank", "doc", "clicked", "examined", "grade"}


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
    asked, query = first_of_each(pair_code(rows.session, rows.query_number))
    results = rows.first[rows.rank[rows.first] > 0]
    named = text_of(rows.columns, "system", ONE_SYSTEM).iloc[first].astype("str").to_numpy(object)
    nameless = named == ""  # is told from those that name one
    rule = f"sessions without a system are counted under {NO_SYSTEM!r}"
    found.repair(rows.raw, rule, np.sort(first[nameless]))
    searcher = text_of(columns, "searcher").iloc[first].astype("str")
    sessions = {
        "session": pd.Categorical.from_codes(np.arange(len(names)), names),
        "system": np.where(nameless, ONE_SYSTEM if nameless.all() else NO_SYSTEM, named),
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
        "query_number": _as_small_integers(rows.query_number[results]),
        "rank": _as_small_integers(rows.rank[results]),
        "doc": pd.Categorical.from_codes(coded(columns["doc"])[results], docs),
        "clicked": _result_marks(rows, "clicked", found)[rows.place[results]],
        "examined": _result_marks(rows, "examined", found)[rows.place[results]],
        "grade": _own_grades(rows, found)[rows.place[results]],
    }
    of_sessions, of_queries, dwell = extra_columns_by_level(rows, session, query, found)
    shown_results |= {name: values[rows.place[results]] for name, values in dwell.items()}
    if "saved" in columns and not blank(columns["saved"]).all():
        shown_results[SAVED] = _result_marks(rows, "saved", found)[rows.place[results]]
    if (opened := _opening_times_of_results(rows, query, found)) is not None:
        shown_results[OPENED] = opened[rows.place[results]]
    every = pd.DataFrame({**queries, **of_queries})
    every = _with_skipped_queries(every[every["query_number"] > 0].reset_index(drop=True))
    return pd.DataFrame({**sessions, **of_sessions}), every, pd.DataFrame(shown_results, copy=False)


def extra_columns_by_level(
    rows: LogRows, session: Ints, query: Ints, found: Findings
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Floats]]:
    """Columns without a role that say one thing of each session, or else of each query.

    What says more than one thing of a query, or nothing at all, is left out; but how long each
    result was looked at is added up, and goes with the distinct results, too: the third.
    """
    of_sessions: dict[str, Any] = {}
    of_queries: dict[str, Any] = {}
    of_results: dict[str, Floats] = {}
    for name in rows.extras.columns.difference([CLICK_TIME], sort=False):
        if NO_NAME.fullmatch(str(name)):
            found.leave_out_column(rows.raw, f"{name} has no name")
            continue
        column = rows.extras[name]
        codes = np.where(blank(column), -1, coded(column))
        texts = column.cat.categories.to_numpy(dtype=object)
        own = free_name(str(name), {*map(str, rows.extras.columns), *of_sessions, *of_queries})
        numbers = values_of(texts) if is_dwell_time(str(name)) else np.zeros(0, dtype=object)
        is_dwell = numbers.dtype.kind == "f" and bool((codes >= 0).any())
        if rows.raw.exact and name in (DWELL, OPENED):  # of ours: its queries have sums
            of_results[str(name)] = _largest_number_per_result(rows, values_of(texts), codes)
            continue
        for groups, kept in ((session, of_sessions), (query, of_queries)):
            one = _single_code_per_group(codes, groups)
            # of results, if other rows have none, or of queries, if sessions have one each
            alone = groups is not query and groups.max(initial=-1) == query.max(initial=-1)
            if one is not None and not (is_dwell and (alone or (codes != one[groups]).any())):
                kept[own] = values_of(np.append(texts, "")[one])
                break
        else:
            if is_dwell:
                seconds = numbers / 1000 if is_in_ms(str(name)) else numbers
                of_results.setdefault(DWELL, _largest_number_per_result(rows, seconds, codes))
                of_queries[own] = _sum_per_query(numbers, codes, rows.place, query)
                rule = f"{str(name)!r} is added up over the results of a query"
                found.repair(rows.raw, rule, np.flatnonzero(codes >= 0))
                continue
            if CLICK_TIME in rows.extras and plain_name(str(name)) in CLICK_TIMES:
                continue  # which is used by that name
            what = "has no role and differs within a query"
            if (codes < 0).all():
                what = "has no role and is empty"
            elif numbers.size:  # of a dwell time
                odd = next(text for text in texts if values_of(np.array([text])).dtype.kind != "f")
                what = f"has {problems.cut(repr(odd))}, which is no time in seconds or as 1:35"
            found.leave_out_column(rows.raw, f"column {str(name)!r} {what}")
    return of_sessions, of_queries, of_results


def _largest_number_per_result(rows: LogRows, numbers: NDArray[Any], codes: Ints) -> Floats:
    """The largest number of each distinct result; nan where its rows have none."""
    longest = np.full(rows.first.size, np.nan)
    np.fmax.at(longest, rows.place, np.append(numbers.astype(np.float64), np.nan)[codes])
    return longest


def _opening_times_of_results(rows: LogRows, query: Ints, found: Findings) -> Floats | None:
    """Seconds at which each distinct result was first clicked or saved, where queries have several.

    nan of others; None where times are those of queries.
    """
    columns = rows.columns
    marks = [columns[name] for name in ("clicked", SAVED) if name in columns]
    seconds = np.full(rows.first.size, np.nan)
    if CLICK_TIME in rows.extras:
        times = rows.extras[CLICK_TIME]
        np.fmin.at(seconds, rows.place, known := seconds_of(times))
        if odd := times[np.isnan(known) & ~blank(times)].to_list():
            what = f"{counted(len(odd), 'click time')} that can't be read"
            what += f" ({problems.cut(repr(odd[0]))})"
            rule = "its result counts as clicked, at an unknown time"
            found.note(rows.raw.file, what, rule, "Correct the cells.")
        return None if np.isnan(seconds).all() else seconds
    if "time" not in columns or all(blank(column).all() for column in marks):
        return None
    times = np.where(blank(columns["time"]), -1, coded(columns["time"]))
    if (times < 0).all() or _single_code_per_group(times, query) is not None:
        return None
    marked = [cells.flags(rows.raw, each, Findings(), str(each.name)) for each in marks]
    opened = np.any(marked, axis=0)
    np.fmin.at(seconds, rows.place[opened], seconds_of(columns["time"])[opened])
    return seconds


def _single_code_per_group(codes: Ints, groups: Ints) -> Ints | None:
    """The one code of each group, −1 where it has none; None where a group has two, or all none."""
    most = np.full(int(groups.max(initial=-1)) + 1, -1, dtype=np.int64)
    np.maximum.at(most, groups, codes)
    return None if (most < 0).all() or ((codes >= 0) & (codes != most[groups])).any() else most


def _sum_per_query(numbers: Floats, codes: Ints, result: Ints, query: Ints) -> Floats:
    """Sum of each query's numbers, nan where it has none; a result's that comes again is one."""
    known = np.flatnonzero(codes >= 0)
    known = known[np.unique(pair_code(result[known], codes[known]), return_index=True)[1]]
    size = int(query.max(initial=-1)) + 1
    added = np.bincount(query[known], numbers[codes[known]], size)
    return np.where(np.bincount(query[known], minlength=size) > 0, added, np.nan)


def free_name(name: str, taken: Collection[str] = ()) -> str:
    """Name of an extra column, apart from the names of the tables' own columns and those taken."""
    taken = {*OWN, *taken} if name in OWN else ()
    while name in taken:
        name += "_2"
    return name


def values_of(texts: NDArray[Any]) -> NDArray[Any]:
    """Numbers where all texts are numbers or empty, else texts, missing where empty."""
    code, distinct = pd.factorize(texts, use_na_sentinel=False)
    plain = [str(text).strip() for text in distinct]
    if all(PLAIN.fullmatch(text) and isfinite(float(text)) for text in plain if text):
        return np.array([float(text) if text else np.nan for text in plain], dtype=float)[code]
    pairs = zip(distinct, plain, strict=True)
    return np.array([str(t) if p else None for t, p in pairs], object)[code]


def _with_skipped_queries(queries: pd.DataFrame) -> pd.DataFrame:
    """Queries with those that a session skips, on the topic of the query that follows."""
    last = queries.groupby("session", observed=True)["query_number"].max()
    if int(last.sum()) == len(queries):
        return queries
    every = last.index.repeat(last).to_frame(index=False)
    every["query_number"] = every.groupby("session", observed=True).cumcount() + 1
    full = every.merge(queries, how="left", on=["session", "query_number"])
    full["topic"] = full["topic"].bfill()
    full[["text", "time"]] = full[["text", "time"]].fillna("")
    return full


def _least(rows: LogRows, role: str, query: Ints, asked: Ints, found: Findings) -> NDArray[Any]:
    """Text of each query: of several the least (as a number where all are), in any row order."""
    column = text_of(rows.columns, role)
    texts = texts_of(column)
    are_numbers = all(cells.NUMBER.fullmatch(text.strip()) for text in texts if text)
    texts.sort(key=lambda text: (float(text or "inf") if are_numbers else 0.0, text))
    places = coded(column.cat.set_categories(texts))
    least = pd.Series(places).groupby(query).min().to_numpy()
    other = np.flatnonzero(places != least[query])
    rule = f"queries whose rows differ in {role} keep the first by alphabet"
    found.repair(rows.raw, rule, other[first_of_each(query[other])[0]])
    return np.array(texts, dtype=object)[least]


def _as_small_integers(numbers: Ints) -> Ints:
    """Whole numbers in two bytes each, where they fit."""
    return numbers.astype(np.int16) if numbers.max(initial=0) < np.iinfo(np.int16).max else numbers


def _own_grades(rows: LogRows, found: Findings) -> NDArray[Any]:
    """The searcher's own grade of each distinct result; nan where there is none."""
    if "grade" not in rows.columns:
        return np.full(rows.first.size, np.nan, dtype=np.float32)  # nothing, in half the memory
    own = np.full(rows.first.size, np.nan)
    given = cells.grades(rows.raw, rows.columns["grade"], found)
    np.fmax.at(own, rows.place, given)
    best, rule = own[rows.place], cells.ROW_RULES["own_conflicts"]

    def clash(i: int) -> str:
        return f"grade {given[i]:g}, but {best[i]:g} in another row"

    found.refuse(rows.raw, np.flatnonzero(given < best), clash, *rule)
    return own


def _result_marks(rows: LogRows, role: str, found: Findings) -> pd.api.extensions.ExtensionArray:
    """Whether any row of each distinct result is marked; unknown where no column says so."""
    marked = np.zeros(rows.first.size, dtype=bool)
    if role not in rows.columns or blank(rows.columns[role]).all():
        return pd.arrays.BooleanArray(marked, ~marked)
    marked[rows.place[cells.flags(rows.raw, rows.columns[role], found, role)]] = True
    return pd.array(marked, dtype="boolean")


LONG = 5  # results of a list, whose numbers from 1 on are no grades in whatever order
KEEP = "Keep it if the ranks are what was shown; else"
BY_SCORES = by_rule("order", "score", f"{KEEP} read with", f"{KEEP} order results by score")
NOT_BY_SCORE = "the rank column counts; trec_eval orders by score, then document name, descending"
BY_SCORE = "ranks by score, then document name, both descending"
NO_RANK = "results without a rank"


def ranks_by_score(query: NDArray[Any], doc: NDArray[Any], score: Floats) -> Ints:
    """Rank of each document in its query as trec_eval has it: by score, then name, descending.

    >>> ranks_by_score(np.array(["q"] * 3), np.array(["a", "b", "c"]), np.array([1, 1, 2])).tolist()
    [3, 2, 1]
    """
    queries, docs = pd.factorize(query)[0], pd.factorize(doc, sort=True)[0]
    return places(np.asarray(queries), np.lexsort((-docs, -score, queries)))


def places(query: Ints, order: Ints) -> Ints:
    """Place from 1 of each row among those of its query, in an order that goes query by query."""
    in_order = query[order]
    places = np.empty(query.size, dtype=np.int64)
    places[order] = np.arange(1, query.size + 1) - np.searchsorted(in_order, in_order)
    return places


def has_scores(part: Part) -> bool:
    """Whether scores stand beside the results of a log: of a run, or of objects in a list."""
    raw, columns = part.raw, part.columns
    if SCORE not in raw.header or SCORE in columns.values():
        return False
    listed = raw.nested is not None and raw.nested.ranks(columns) is not None
    alone = listed or "rank" not in columns
    return raw.known.scored or (alone and not np.isnan(row_numbers(raw.rows[SCORE])).any())


def runs_in_order(logs: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """Logs whose results have ranks; those of runs are as chosen, and scores no longer a column."""
    if recipe.order == "score" and not any(map(has_scores, logs)):
        remedy = by_rule("order", "score", "Leave out", "Choose otherwise")
        found.error(logs[0].raw.file, None, "results by score", "no log has scores", remedy)
    placed = (_log_with_ranks(part, recipe, found) for part in logs)
    return [_run_in_order(part, recipe, found) if has_scores(part) else part for part in placed]


def _log_with_ranks(part: Part, recipe: Recipe, found: Findings) -> Part:
    """A log whose results have a rank each, also where no column names it.

    Objects in a list stand in its order; rows by a column that counts those of each query, or else
    by their scores, or as they stand. Rows of a query that differ in time are no list.
    """
    raw, columns = part.raw, part.columns
    keys = [columns[role] for role in ("session", "query_number", "system") if role in columns]
    if ("rank" in columns and recipe.order != "rows") or "doc" not in columns or not keys:
        return part
    filled, rows = ~blank(raw.rows[columns["doc"]]), raw.rows
    ranks = raw.nested.ranks(columns) if raw.nested else None
    rule = "they are ranked as in their list"
    remedy: problems.Way = problems.FINE
    if ranks is None:
        if "query_number" not in columns or is_listed(raw, columns):
            return part
        asked = rows.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
        first, place = first_of_each(asked)
        times = coded(rows[columns["time"]]) if "time" in columns else place
        if (times != times[first][place]).any():
            return part
        free = [name for name in raw.header if name not in columns.values()]
        scores = [name for name in free if plain_name(name) in raw_table.SCORE_NAMES]
        of_lists = [n for n in free if are_row_counts(rows[n][filled], asked[filled], sure=False)]
        counting = [name for name in of_lists if name not in scores]
        if recipe.order != "rows" and counting:
            one = rows[counting].astype("str").nunique(axis=1).max() == 1
            if not (one and are_row_counts(rows[counting[0]][filled], asked[filled])):
                return part
            rule = f"they are ranked by the column {counting[0]!r}"
            found.note(raw.file, NO_RANK, rule)
            return part.with_rows(rows, {"rank": counting[0]})
        ranks = places(asked, np.lexsort((~filled, asked)))
        rule = "they are ranked in the order of their rows"
        value = row_numbers(rows[scores[0]]) if scores else np.array([np.nan])
        if recipe.order != "rows" and scores and not np.isnan(value[filled]).any():
            rule = "they are ranked by score, equal ones by document name, descending"
            remedy = by_rule("order", "rows", "If the file's order is what was shown, read with")
            ranks = ranks_by_score(asked, text_order(rows[columns["doc"]]), value)
            rows = rows.drop(columns=scores)
    what = "results whose ranks aren't used" if "rank" in columns else NO_RANK
    found.note(raw.file, what, rule, remedy)
    name = free_name("place in its list", raw.header)
    ranks = np.where(filled & (ranks > 0), (ranks - (recipe.rank_base == "0")).astype(str), "")
    return part.with_rows(rows.assign(**{name: category(ranks)}), {"rank": name})


def are_row_counts(column: pd.Series[Any], lists: Ints, *, sure: bool = True) -> bool:
    """Whether whole numbers count the rows of each list, from 0 or 1, and some list has several.

    Short lists are `sure` to be counted in their order alone: few rows may have such numbers.
    """
    numbers = row_numbers(column, cells.WHOLE)
    if not numbers.size or np.isnan(numbers).any():
        return False
    of = pd.Series(numbers).groupby(lists).agg(["min", "max", "count", "nunique"])
    full = (of["nunique"] == of["count"]) & (of["max"] - of["min"] + 1 == of["count"])
    rises = pd.Series(numbers).groupby(lists).diff().dropna() > 0
    in_order = not sure or rises.all() or of["count"].max() >= LONG
    return bool(full.all() and of["min"].max() <= 1 and of["count"].max() > 1 and in_order)


def _run_in_order(part: Part, recipe: Recipe, found: Findings) -> Part:
    columns, rows = part.columns, part.raw.rows
    if not {"rank", "doc"} <= {*columns}:
        return part
    kept = part.with_rows(rows.drop(columns=[SCORE]))
    scores = _run_scores(part, recipe, found)
    if scores is None or "query_number" not in columns or recipe.order == "rows":
        return kept
    keys = (columns.get(role, "") for role in ("query_number", "system"))  # a run may have tags
    asked = pair_code(*(coded(text_of(rows, column)) for column in keys))
    logged = row_numbers(rows[columns["rank"]])
    if recipe.order != "score" and _are_in_order(asked, logged, -scores, 0 * asked):
        return kept  # without ties, names of documents decide nothing
    docs = text_order(rows[columns["doc"]])
    if recipe.order != "score" and _are_in_order(asked, logged, -scores, -docs):
        return kept
    by_score = ranks_by_score(asked, docs, scores)
    by_rank = places(asked, np.lexsort((logged, asked)))
    if recipe.order == "score":
        ranks = by_score - (recipe.rank_base == "0")
        kept.raw.rows[columns["rank"]] = category(ranks.astype(str))
        found.repair(part.raw, BY_SCORE, np.flatnonzero(by_rank != by_score))
    elif (moved := asked[by_rank != by_score]).size:
        are_ties = (by_rank == places(asked, np.lexsort((logged, -scores, asked)))).all()
        asked = counted(np.unique(moved).size, "query")
        what = f"{asked} with {counted(moved.size, 'result')} whose ranks and scores disagree"
        say = found.note if are_ties else found.warn
        say(part.raw.file, what, NOT_BY_SCORE, BY_SCORES)
    return kept


def _are_in_order(query: Ints, rank: Floats, score: Floats, doc: Ints) -> bool:
    """Whether rows (N,) stand query by query, and rise within each by rank, and score, then doc."""
    same = query[1:] == query[:-1]
    rises = (score[1:] > score[:-1]) | ((score[1:] == score[:-1]) & (doc[1:] > doc[:-1]))
    rises &= rank[1:] > rank[:-1]
    return bool((rises | ~same).all()) and are_distinct(query[np.append(True, ~same)])


def _run_scores(part: Part, recipe: Recipe, found: Findings) -> Floats | None:
    """Scores of a run; None where some are no numbers, which is an error if they are needed."""
    column = part.raw.rows[SCORE]
    if recipe.order != "score" and np.isnan(row_numbers(column)).any():
        rule, remedy = "the rank column counts", "Nothing to do if it is what was shown."
        found.note(part.raw.file, "scores that are not numbers", rule, remedy)
        return None
    rule, score = "scores are numbers", "Correct the score, or"
    remedy = by_rule("order", "rank", f"{score} read with", f"{score} order results by rank")
    return numbers(part.raw, column, found, "score", cells.RowRule(rule, remedy))
