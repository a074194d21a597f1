"""Wide tables: a column for each rank, for each query of a session, or for each assessor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER
from sdcg_explorer.reading.event_tables import with_named_values
from sdcg_explorer.reading.lists_in_cells import is_several
from sdcg_explorer.reading.log_names import with_own_session
from sdcg_explorer.reading.mapping import (
    ASSESSOR,
    DOC,
    EITHER,
    GRADE,
    LISTS,
    LOG_ROLES,
    QUERY_NUMBER,
    TEXT,
    plain_name,
)
from sdcg_explorer.reading.raw_table import RawTable, category_columns, texts_of
from sdcg_explorer.study.problems import note

NUMBERED = re.compile(r"([^0-9]*[^0-9_])_?([0-9]{1,3})(?:_([^0-9]+))?")
OF_RESULTS = (DOC.name, "clicked", "examined", "grade")
ROLES = {name: role.name for role in LOG_ROLES for name in role.names} | {"result": DOC.name}
OF_QUERIES = {*QUERY_NUMBER.names, *EITHER, "q"}  # Q1, Query 2: what stands beneath says which
MARKED = (*ASSESSOR.names, *GRADE.names)

Wide = dict[str, list[str]]  # role → a column for each place


def with_usual_columns(raw: RawTable) -> RawTable:
    """A table whose rows are results, events or judgments, and whose session is named."""
    if raw.exact or raw.first:
        return with_own_session(raw)
    raw = with_named_values(raw)
    for spread in (_by_rank, _by_query, _by_assessor):
        raw = spread(raw)
    return with_own_session(raw)


def _by_rank(raw: RawTable) -> RawTable:
    """A row for each result, where each rank has a column of its own; a query without has one."""
    others = {ROLES.get(plain_name(column), "") for column in raw.header}
    if others & {*OF_RESULTS, "rank"} or not others & {"query_number", "text"}:
        return raw
    found: dict[str, dict[int, str]] = {}
    for column, (word, number, end) in _numbered(raw):
        if not end and ROLES.get(word) in OF_RESULTS:
            found.setdefault(ROLES[word], {})[number] = column
    rule = "each holds the document at the rank that its name ends in"
    return _spread(raw, _complete(found, DOC.name), "rank", rule)


def _by_query(raw: RawTable) -> RawTable:
    """A row for each query of a session, where each has a column for the list of its documents."""
    others = {ROLES.get(plain_name(column), "") for column in raw.header}
    if others & {*OF_RESULTS, "rank", "query_number"} or not others & {"session", "searcher"}:
        return raw
    by_name: dict[str, dict[int, str]] = {}
    for column, (word, number, end) in _numbered(raw):
        name = end if word in OF_QUERIES and end else word
        by_name.setdefault(name, {})[number] = column
    found: dict[str, dict[int, str]] = {}
    for name, columns in by_name.items():
        beside = name in DOC.names and not OF_QUERIES.isdisjoint(by_name)
        may_list = name in OF_QUERIES or name in DOC.names
        listed = beside or name in LISTS or (may_list and _are_lists(raw, columns.values()))
        role = LISTS[0] if listed else TEXT.name if name in OF_QUERIES else ROLES.get(name, "")
        if listed or role in (TEXT.name, "time", "clicked"):
            found[role] = columns
    rule = "each holds the documents of the query that its name counts"
    return _spread(raw, _complete(found, LISTS[0]), "query_number", rule)


def _by_assessor(raw: RawTable) -> RawTable:
    """A row for each grade, where each assessor has a column."""
    others = {ROLES.get(plain_name(column), "") for column in raw.header}
    if DOC.name not in others or others & {"rank", "grade", "query_number"}:
        return raw
    columns = [c for c in raw.header if _is_marked(plain_name(c)) and _are_grades(raw, c)]
    wide = {GRADE.name: columns} if len(columns) > 1 else {}
    return _spread(raw, wide, ASSESSOR.name, "each holds the grades of one assessor", columns)


def _spread(raw: RawTable, wide: Wide, by: str, rule: str, names: Sequence[str] = ()) -> RawTable:
    """A table with a row for each place that is filled, and one for a row that has none.

    by : the role that says the place, by its name or, from 1, its number
    """
    if not wide:
        return raw
    cells = {role: _cells(raw, columns) for role, columns in wide.items()}
    first = next(iter(wide))
    counted = [first] if by == "rank" else [*wide]  # a click without a document is none
    filled = np.any([cells[role] != "" for role in counted], axis=0)
    shown = filled.copy()
    shown[~filled.any(axis=1), 0] = True
    row, place = np.nonzero(shown)
    called = np.array([*names] or [str(i + 1) for i in range(filled.shape[1])], dtype=object)
    texts = {role: own[row, place].tolist() for role, own in cells.items()}
    texts[by] = np.where(filled[row, place], called[place], "").tolist()
    long, spent = raw.take(row), [name for columns in wide.values() for name in columns]
    rows = pd.concat([long.rows.drop(columns=spent), category_columns(texts)], axis="columns")
    said = f"columns {wide[first][0]} to {wide[first][-1]}"
    notes = (*raw.notes, note(raw.file, said, rule, "Nothing to do, if so."))
    return replace(long, rows=rows, notes=notes)


def _cells(raw: RawTable, names: list[str]) -> Any:
    """Texts (rows × places) of columns, without blanks around."""
    return np.column_stack([raw.rows[n].astype("str").str.strip().to_numpy(object) for n in names])


def _numbered(raw: RawTable) -> list[tuple[str, tuple[str, int, str]]]:
    """Columns whose names count: the word before the number, the number, and the word after.

    None where two would be one.
    """
    fits = ((column, NUMBERED.fullmatch(plain_name(column))) for column in raw.header)
    counted = [(c, (fit[1], int(fit[2]), fit[3] or "")) for c, fit in fits if fit]
    return counted if len({place for _, place in counted}) == len(counted) else []


def _complete(found: dict[str, dict[int, str]], needed: str) -> Wide:
    """Columns by role and place, of those roles that have each place from 1; the needed first."""
    places = [*range(1, len(found.get(needed, ())) + 1)]
    if len(places) < 2 or sorted(found[needed]) != places:
        return {}
    every = sorted(found, key=lambda role: role != needed)
    return {r: [found[r][i] for i in places] for r in every if sorted(found[r]) == places}


def _are_lists(raw: RawTable, columns: Iterable[str]) -> bool:
    """Whether most cells hold several texts, by signs that sentences lack."""
    filled = [text for name in columns for text in texts_of(raw.rows[name]) if text.strip()]
    return 2 * sum(map(is_several, filled)) > len(filled)


def _is_marked(name: str) -> bool:
    """Whether a name has a word for an assessor or a grade at one of its ends, and another."""
    is_counted = name.rstrip("0123456789_") in MARKED
    return is_counted or any(name.startswith(f"{w}_") or name.endswith(f"_{w}") for w in MARKED)


def _are_grades(raw: RawTable, column: str) -> bool:
    texts = [text.strip() for text in texts_of(raw.rows[column])]
    return any(texts) and all(NUMBER.fullmatch(text) for text in texts if text)
