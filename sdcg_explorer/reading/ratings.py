"""Ratings: tables keyed by session, by session and query, or by searcher, joined to a study."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, WHOLE, Findings
from sdcg_explorer.reading.log_rows import NO_NAME, free_name, values_of
from sdcg_explorer.reading.raw_table import RawTable, in_order
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.problems import Problem, cut, error, note, warning

KEYS = (
    ("session", "query_number"),
    ("session", "text"),
    ("session",),
    ("searcher", "topic", "query_number"),
    ("searcher", "topic"),
    ("searcher",),
)
MOST_NAMED = 20  # of the ratings that the log does not have
OF_SESSIONS = ("system", "searcher", "topic")  # what a table of sessions can tell the log


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables that ratings join, and numbers and topics of queries as the log had them, if known."""

    sessions: pd.DataFrame
    queries: pd.DataFrame
    own_numbers: Ints | None = None
    own_topics: pd.Series[Any] | None = None


@dataclass(frozen=True, eq=False)
class _Met:
    """Rows of ratings and rows of the study's table that they are about, pair by pair."""

    raw: RawTable
    row: Ints
    at: Ints
    size: int

    @property
    def joined(self) -> int:
        """How many rows of the study's table there are ratings of."""
        return np.unique(self.at).size


def told_by_ratings(cells: pd.DataFrame, parts: Sequence[Part], found: Findings) -> pd.DataFrame:
    """The log's cells with the system, searcher or topic that a table of sessions tells of them."""
    for part in parts:
        columns = part.columns
        lacking = [role for role in OF_SESSIONS if role in columns and role not in cells]
        if "session" not in columns or "session" not in cells or "query_number" in columns:
            continue
        for role in lacking:
            rows = part.raw.rows
            names = rows[columns["session"]].astype("str").str.strip()
            told = dict(zip(names, rows[columns[role]].astype("str"), strict=True))
            sessions = cells["session"].astype("str").str.strip()
            cells = cells.assign(**{role: in_order([told.get(name, "") for name in sessions])})
            rule = f"the log names no {role}, so each session has the one that the table gives it"
            remedy = "Nothing to do, if the table is right."
            found.problems.append(note(part.raw.file, f"a column for {role}", rule, remedy))
    return cells


def join_ratings(part: Part, tables: Tables, found: Findings) -> Tables:
    """Sessions and queries with the columns of one ratings table.

    A table goes by the first of these that it has: session and query number (or text), session,
    searcher and topic (and query number), searcher. What else it says of searcher, topic and
    system must be what the log says.
    """
    raw, columns = part.raw, part.columns
    known = _known(tables, exact=raw.exact)
    key = next((key for key in KEYS if all(role in columns for role in key)), ())
    if not key or any(known[role].eq("").all() for role in key):
        rule = "ratings go by session, session and query number, searcher, or searcher and topic"
        remedy = "Name the columns so, or leave the table out."
        found.problems.append(error(raw.file, 1, "no key that the log has too", rule, remedy))
        return tables
    per_query = "query_number" in key or "text" in key
    table = tables.queries if per_query else tables.sessions
    known["at"] = known["query" if per_query else "row"]
    cells = pd.DataFrame({role: raw.rows[columns[role]] for role in key}, copy=False)
    rated = pd.DataFrame({role: plain(cells[role].astype("str"), raw.exact) for role in key})
    met = _matched(raw, rated, known, key, found)
    met = replace(met, size=len(table))
    found.problems += _joined(met, rated, key, "queries" if per_query else "sessions")
    _check_same(met, columns, key, known, found)
    more = _values(met, columns, table, "queries" if per_query else "sessions", found)
    joined = table.assign(**more)
    return replace(tables, queries=joined) if per_query else replace(tables, sessions=joined)


def _joined(met: _Met, rated: pd.DataFrame, key: tuple[str, ...], what: str) -> list[Problem]:
    """The note of ratings that are there for some alone, or about what is not in the log."""
    keys: list[list[str]] = rated.to_numpy(dtype=object).tolist()
    there = {*met.row.tolist()}
    missing = [each for row, each in enumerate(keys) if row not in there and all(each)]
    if not met.joined or (met.joined == met.size and not missing):
        return []  # that none fits is said by itself
    by = " and ".join(role.replace("_", " ") for role in key)
    found = f"ratings joined for {met.joined:,} of {met.size:,} {what}"
    between = " of " if key == ("searcher", "topic") else ", "
    names = ", ".join(cut(between.join(each)) for each in missing[:MOST_NAMED])
    more = ", …" * (len(missing) > MOST_NAMED)
    lacking = f"; not found in the log: {names}{more}" if names else ""
    remedy = "Correct what is written otherwise there." if names else "Nothing to do, if so."
    return [note(met.raw.file, found, f"they go by {by}{lacking}", remedy)]


def _values(
    met: _Met, columns: dict[str, str], table: pd.DataFrame, what: str, found: Findings
) -> dict[str, Any]:
    """Columns of ratings that play no role, row by row of the study's table."""
    raw, more = met.raw, dict[str, Any]()
    for name in raw.header:
        if name in columns.values():
            continue
        if NO_NAME.fullmatch(name):
            found.leave_out_column(raw, f"{name} has no name")
            continue
        texts = raw.rows[name].astype("str").to_numpy(dtype=object)
        taken = _agreeing(met, texts, name, found)
        filled = np.where(taken >= 0, np.append(texts, "")[taken], "")
        rated = sum(bool(str(text).strip()) for text in filled)
        if rated:
            more[_new_name(name, table, more)] = values_of(filled)
        else:
            found.leave_out_column(raw, f"column {name!r} has no value for the log's sessions")
        if 0 < rated < met.joined:
            rule, remedy = f"{rated:,} of {met.size:,} {what} have a value", "Nothing to do, if so."
            found.problems.append(note(raw.file, f"{name} joined", rule, remedy))
    return more


def plain(column: pd.Series, as_is: bool = False) -> pd.Series:
    """Texts to compare: in NFC, without blanks around unless they are ours."""
    texts = [unicodedata.normalize("NFC", str(text)) for text in column]
    return pd.Series(texts if as_is else [text.strip() for text in texts])


def _known(tables: Tables, *, exact: bool) -> pd.DataFrame:
    """What ratings can go by, as text, a row per query; query and row are places in the tables."""
    names = ["session", "query_number", "topic", "text"]
    texts = tables.queries[names].astype("str").assign(query=np.arange(len(tables.queries)))
    if tables.own_topics is not None:
        texts["topic"] = tables.own_topics.astype("str").to_numpy()
    who = tables.sessions[["session", "searcher", "system"]].astype({"session": "str"})
    who = who.assign(row=np.arange(len(who)))
    own = tables.own_numbers
    texts["own_number"] = texts["query_number"] if own is None else own.astype(str)
    known = texts.merge(who, on="session", how="left", sort=False)
    silent = who[~who["session"].isin(texts["session"])]  # without queries
    known = pd.concat([known, silent]) if len(silent) else known
    known = known.fillna(dict.fromkeys([*names, "own_number", "searcher"], ""))
    for name in (*names, "searcher", "system"):
        known[name] = plain(known[name], exact)
    return known


def _matched(
    raw: RawTable, rated: pd.DataFrame, known: pd.DataFrame, key: tuple[str, ...], found: Findings
) -> _Met:
    """Pairs of a row of ratings and a row of the study's table that it is about."""
    empty = (rated == "").any(axis=1).to_numpy()
    found.leave_out(raw, "ratings with an empty key", np.flatnonzero(empty))
    rated = rated.assign(row=np.arange(len(rated)))[~empty]
    if "query_number" in key:
        rated, known = _numbered(raw, rated, known, list(key), found)
    target = known[[*key, "at"]].drop_duplicates()
    met = rated.merge(target, on=list(key), how="left", sort=False)
    nobody = met["at"].isna()
    if nobody.any():
        rows = np.sort(met["row"][nobody].to_numpy(dtype=np.int64))
        some = " and ".join(role.replace("_", " ") for role in key)
        found.leave_out(raw, f"ratings of a {some} that the log does not have", rows)
        missing = met[nobody].sort_values("row")
        names = missing[list(key)].agg(", ".join, axis=1).tolist()
        found.methods.append(_not_found(raw.file, key, names))
        if nobody.all():
            rule = f"ratings go by {some}, and none of theirs is in the log"
            remedy = "Check that both files write it alike."
            found.problems.append(warning(raw.file, "no rating fits", rule, remedy))
    if key[0] == "searcher" and len(key) > 1:
        _check_one_session(raw, met[~nobody], found)
    row, at = (met[~nobody][name].to_numpy(dtype=np.int64) for name in ("row", "at"))
    return _Met(raw, row, at, 0)


def _not_found(file: str, key: tuple[str, ...], names: list[str]) -> str:
    """Which ratings found nothing in the log, in a sentence.

    >>> _not_found("r.csv", ("searcher", "topic"), ["p7, t2"])
    '1 rating in r.csv found no session (by searcher and topic) and was left out: p7, t2.'
    """
    number = len(names)
    about = "query" if {"query_number", "text"} & {*key} else "session"
    by = " and ".join(role.replace("_", " ") for role in key)
    said = "1 rating" if number == 1 else f"{number:,} ratings"
    shown = "; ".join(cut(" ".join(name.split())) for name in names[:MOST_NAMED])
    more = f"; and {number - MOST_NAMED:,} more" if number > MOST_NAMED else ""
    return (
        f"{said} in {file} found no {about} (by {by}) and {'was' if number == 1 else 'were'} left "
        f"out: {shown}{more}."
    )


def not_found(methods: Iterable[str]) -> list[str]:
    """Ratings that found nothing in the log, as sentences on how files were read name them.

    >>> not_found([_not_found("r.csv", ("searcher", "topic"), ["p7, t2", "p8, t1"])])
    ['p7, t2', 'p8, t1']
    """
    named = (re.search(r" left out: (.+)\.$", said) for said in methods if " found no " in said)
    return [name for found in named if found for name in found[1].split("; ")]


def _numbered(
    raw: RawTable, rated: pd.DataFrame, known: pd.DataFrame, key: list[str], found: Findings
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both with query numbers to compare: the log's own, or counted from 1, whichever fit more."""
    column = rated["query_number"]
    good = column.str.fullmatch(WHOLE.pattern)
    rows = rated["row"].to_numpy()[~good.to_numpy()]
    rule, remedy = "query numbers are whole numbers", "Correct the cell."
    cells = dict(zip(rated["row"], column, strict=True))
    found.refuse(raw, rows, lambda i: f"query number {cells[i]!r}", rule=rule, remedy=remedy)
    numbers = pd.to_numeric(column.where(good, "1")).astype("int64")
    from_zero = bool((numbers == 0).any())
    plainly = rated.assign(query_number=numbers.astype(str))
    counted = rated.assign(query_number=(numbers + from_zero).astype(str))
    as_logged = known.assign(query_number=known["own_number"])
    fits = [len(a.merge(b[key], on=key)) for a, b in ((plainly, as_logged), (counted, known))]
    if fits[0] >= fits[1]:
        return plainly, as_logged
    if from_zero:
        rule = "query numbers of ratings counted from 0 are counted from 1"
        found.repair(raw, rule, rated["row"].to_numpy(dtype=np.int64))
    return counted, known


def _check_one_session(raw: RawTable, met: pd.DataFrame, found: Findings) -> None:
    """Ratings by searcher and topic are about one session (or query) each."""
    several = met[met.duplicated("row", keep=False)]
    names = dict(zip(several["row"], several["searcher"], strict=True))
    rows = np.unique(several["row"].to_numpy(dtype=np.int64))
    found.refuse(
        raw,
        rows,
        lambda i: f"searcher {names[i]!r} has several sessions on the topic",
        rule="a rating by searcher and topic is about one session",
        remedy="Name the session in the ratings.",
    )


def _check_same(
    met: _Met, columns: dict[str, str], key: tuple[str, ...], known: pd.DataFrame, found: Findings
) -> None:
    """What ratings say of system, searcher or topic beside their key is what the log says."""
    for role in OF_SESSIONS:
        if role in key or role not in columns or known[role].eq("").all():
            continue
        column = met.raw.rows[columns[role]]
        said = plain(column.astype("str")).to_numpy()[met.row]
        logged = {*zip(known["at"], known[role], strict=True)}
        pairs = zip(met.at.tolist(), said, strict=True)
        bad = [not {(at, text), (at, "")} & logged and text != "" for at, text in pairs]
        rows = met.row[np.array(bad, dtype=bool)]
        found.refuse(
            met.raw,
            np.unique(rows),
            lambda i, column=column, role=role: (
                f"{role} {column.iloc[i]!r}, another than the log's"
            ),
            rule=f"ratings and log agree on the {role}",
            remedy="Correct one of the two.",
        )


def _agreeing(met: _Met, texts: Any, name: str, found: Findings) -> Ints:
    """Row of ratings for each row of the study's table, −1 where none; two values are an error."""
    some = np.array([bool(str(text).strip()) for text in texts[met.row]], dtype=bool)
    row, at = met.row[some], met.at[some]
    taken = np.full(met.size, -1, dtype=np.int64)
    taken[at[::-1]] = row[::-1]
    alike = np.array([_value(text) for text in texts], dtype=object)
    found.refuse(
        met.raw,
        row[alike[row] != alike[taken[at]]],
        lambda i: f"a second {name}, {texts[i]!r}",
        rule="each session or query has one rating of a kind",
        remedy="Keep one of the two.",
    )
    return taken


def _value(text: Any) -> object:
    """What a rating says: 5 and 5.0 are one value."""
    short = str(text).strip()
    return float(short) if NUMBER.fullmatch(short) else short


def _new_name(name: str, table: pd.DataFrame, more: dict[str, Any]) -> str:
    own = free_name(name)
    while own in table.columns or own in more:
        own += "_2"
    return own
