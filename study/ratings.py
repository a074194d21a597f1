"""Ratings: tables keyed by session, by session and query, or by searcher, joined to a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from study.cells import WHOLE, Findings
from study.checks import error, warning
from study.log_rows import Ints
from study.log_tables import NO_NAME, free_name, values_of
from study.parts import Part
from study.raw import RawTable

KEYS = (
    ("session", "query_number"),
    ("session", "text"),
    ("session",),
    ("searcher", "topic", "query_number"),
    ("searcher", "topic"),
    ("searcher",),
)


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables that ratings join: sessions and queries."""

    sessions: pd.DataFrame
    queries: pd.DataFrame


def join_ratings(part: Part, tables: Tables, found: Findings) -> Tables:
    """Sessions and queries with the columns of one ratings table.

    A table goes by the first of these that it has: session and query number (or text), session,
    searcher and topic (and query number), searcher. Roles that the log has already are left.
    """
    raw, columns = part.raw, part.columns
    known = _known(tables)
    key = next((key for key in KEYS if all(role in columns for role in key)), ())
    if any(known[role].eq("").all() for role in key) or not key:
        rule = "ratings go by session, session and query number, searcher, or searcher and topic"
        remedy = "Name the columns so, or leave the table out."
        found.problems.append(error(raw.file, 1, "no key that the log has too", rule, remedy))
        return tables
    values = [name for name in raw.header if name not in columns.values()]
    for name in filter(NO_NAME.fullmatch, values):
        found.leave_out_column(raw, f"{name} has no name")
    values = [name for name in values if not NO_NAME.fullmatch(name)]
    rated = pd.DataFrame({role: raw.rows[columns[role]].astype("str") for role in key})
    if "query_number" in key:
        rated["query_number"] = _numbers(raw, rated["query_number"], found)
    rated = _stripped(rated)
    per_query = "query_number" in key or "text" in key
    table = tables.queries if per_query else tables.sessions
    target = known if per_query else known.drop_duplicates("session")
    rows = _matched(raw, rated, target.reset_index(drop=True), list(key), found)
    more: dict[str, Any] = {}
    for name in values:
        texts = raw.rows[name].astype("str").to_numpy(dtype=object)
        at = _agreeing(raw, rows, texts, name, len(target), found)
        filled = np.where(at >= 0, np.append(texts, "")[at], "")
        if any(str(text).strip() for text in filled):
            more[_new_name(name, table, more)] = values_of(filled)
        else:
            found.leave_out_column(raw, f"column {name!r} has no value for the log's sessions")
    joined = table.assign(**more)
    return Tables(tables.sessions, joined) if per_query else Tables(joined, tables.queries)


def _known(tables: Tables) -> pd.DataFrame:
    """One row per query, in the order of their table: what ratings can go by, as text."""
    sessions = tables.sessions.assign(session=tables.sessions["session"].astype("str"))
    texts = tables.queries[["session", "query_number", "topic", "text"]].astype("str")
    named = texts.merge(sessions[["session", "searcher"]], on="session", how="left", sort=False)
    return _stripped(named.fillna({"searcher": ""}))


def _stripped(table: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: table[name].str.strip() for name in table.columns})


def _numbers(raw: RawTable, column: pd.Series, found: Findings) -> pd.Series:
    """Query numbers from 1; shifted where they start at 0."""
    good = column.str.strip().str.fullmatch(WHOLE)
    rule, remedy = "query numbers are whole numbers", "Correct the cell."
    bad = np.flatnonzero(~good)
    found.refuse(raw, bad, lambda i: f"query number {column.iloc[i]!r}", rule=rule, remedy=remedy)
    numbers = pd.to_numeric(column.where(good, "1")).astype("int64")
    if (numbers == 0).any():
        rule = "query numbers of ratings counted from 0 are counted from 1"
        found.repair(raw, rule, np.arange(len(column)))
        numbers += 1
    return numbers.astype("str")


def _matched(
    raw: RawTable, rated: pd.DataFrame, known: pd.DataFrame, key: list[str], found: Findings
) -> pd.DataFrame:
    """Pairs of a row of ratings and a row of the study's table that it is about."""
    rated = rated.assign(row=np.arange(len(rated)))
    target = known[key].assign(at=np.arange(len(known)))
    met = rated.merge(target, on=key, how="left", sort=False)
    nobody = met["at"].isna()
    if nobody.any():
        rows = np.sort(met["row"][nobody].to_numpy(dtype=np.int64))
        some = " and ".join(role.replace("_", " ") for role in key)
        found.leave_out(raw, f"ratings of a {some} that the log does not have", rows)
        if nobody.all():
            rule = f"ratings go by {some}, and none of theirs is in the log"
            found.problems.append(
                warning(raw.file, "no rating fits", rule, "Check that both files write it alike.")
            )
    return met[~nobody].astype({"at": "int64"})


def _agreeing(
    raw: RawTable, met: pd.DataFrame, texts: Any, name: str, size: int, found: Findings
) -> Ints:
    """Row of ratings for each row of the study's table, −1 where none; two values are an error."""
    row, at = met["row"].to_numpy(), met["at"].to_numpy()
    some = np.array([bool(str(text).strip()) for text in texts[row]], dtype=bool)
    row, at = row[some], at[some]
    taken = np.full(size, -1, dtype=np.int64)
    taken[at[::-1]] = row[::-1]
    differ = np.flatnonzero(texts[row] != texts[taken[at]])
    found.refuse(
        raw,
        row[differ],
        lambda i: f"a second {name}, {texts[i]!r}",
        rule="each session or query has one rating of a kind",
        remedy="Keep one of the two.",
    )
    return taken


def _new_name(name: str, table: pd.DataFrame, more: dict[str, Any]) -> str:
    plain = free_name(name)
    while plain in table.columns or plain in more:
        plain += "_2"
    return plain
