"""Tables of events: columns by role, lists of documents in cells, and values that go by a name."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import WHOLE, Findings, coded
from sdcg_explorer.reading.lists_in_cells import is_bracketed, list_of, read_lists
from sdcg_explorer.reading.mapping import LISTS, LOG_ROLES, plain_name
from sdcg_explorer.reading.patterns import COLUMN, MEANINGS
from sdcg_explorer.reading.raw_table import RawTable, in_order, texts_of
from sdcg_explorer.study.arrays import Bools, Ints

MOST_VALUES = 200  # of a column that names events
# by what an event is: words in its name, the first that fits
WORDS = {
    "": {
        *("hover", "hoverenter", "hoverleave", "scroll", "move", "mousemove", "focus", "blur"),
        *("close", "leave", "start", "started", "stop", "stopped", "end", "context", "hide"),
        *("suggest", "suggestion", "suggestions", "autocomplete", "typing", "key", "keypress"),
        *("remove", "removed", "delete", "deleted", "unbookmark", "unmark", "change"),
    },
    "click": {"click", "clicked", "clicks", "open", "opened", "select", "selected", "visit"},
    "bookmark": {
        *("bookmark", "bookmarked", "mark", "marked", "save", "saved", "star", "starred"),
        *("favorite", "favourite", "collect", "collected"),
    },
    "result": {
        *("result", "results", "searchresult", "searchresults", "impression", "impressions"),
        *("snippet", "hit", "hits", "shown", "show", "display", "displayed"),
    },
    "query": {
        *("query", "queries", "search", "searched", "searches", "serp", "pagination"),
        *("anfrage", "suche", "requete", "recherche", "consulta", "busqueda", "查询", "搜索"),
    },
}
NAMES = (
    *("event", "event_name", "event_type", "event_details_name", "action", "action_type"),
    *("activity", "operation", "method", "type", "name"),
)


@dataclass(frozen=True)
class Events:
    """Column that names the events of a log, and what its values mean; others are not used."""

    column: str
    meanings: dict[str, str]


def meaning_of(value: str) -> str:
    """What an event is, by the words of its name; "" where they don't say.

    >>> meaning_of("SEARCHRESULT_CLICK_URL"), meaning_of("QUERY_SUBMITTED"), meaning_of("scroll")
    ('click', 'query', '')
    """
    words = {*plain_name(value if not value.isupper() else value.lower()).split("_")}
    return next((meaning for meaning, known in WORDS.items() if words & known), "")


def said_events(said: str, raw: RawTable) -> Events | None:
    """The column that names events, and what they mean; None where this is no log of them.

    A guess by names needs some that mean a query, and some a result or a click.

    said : as in event=action,query=gesucht,none=open, in addition to what names say
    """
    pairs = [each.partition("=")[::2] for each in said.split(",") if each]
    known = {value.strip(): name.strip() for name, value in pairs}
    named = next((value for value, name in known.items() if name == COLUMN), "")
    plain = {plain_name(column): column for column in reversed(raw.header)}
    for column in [named] if named else [plain[name] for name in NAMES if name in plain]:
        values = texts_of(raw.rows[column])[: MOST_VALUES + 1] if column in raw.header else []
        meanings = {value: known.get(value.strip(), meaning_of(value)) for value in values}
        meant = {value: meaning for value, meaning in meanings.items() if meaning in MEANINGS}
        sure = "query" in meant.values() and {*meant.values()} & {"result", "click"}
        if values and (named or (sure and len(values) <= MOST_VALUES)):
            return Events(column, meant)
    return None


MORE_NAMES = {
    "time": ("date", "event_timestamp", "client_timestamp", "server_timestamp", "ts", "created_at"),
    "searcher": ("actor", "username", "person"),
}
MOST_NAMES = 60  # of values that are listed by name in each event
# columns of a table that Big Brother writes, which names none (github.com/hscells/bigbro)
BIG_BROTHER = (
    *("time", "actor", "method", "target", "name", "id", "location"),
    *("x", "y", "screen_width", "screen_height", "comment"),
)
GO_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{8,20} [+-][0-9]{4}.{0,60}")
OF_EVENTS = ("event", "event_name", "event_type", "action")
LIST_ENDS = tuple(f"_{name}" for name in LISTS)


def with_known_names(raw: RawTable) -> RawTable:
    """A table without a header row whose columns are those of a known logger; else as it is."""
    cells = raw.first
    if len(cells) != len(BIG_BROTHER) or not GO_TIME.fullmatch(cells[0].strip()):
        return raw
    if not all(WHOLE.fullmatch(cell.strip()) for cell in cells[7:11]):
        return raw
    return replace(raw, rows=raw.rows.set_axis([*BIG_BROTHER], axis="columns"))


def event_roles(raw: RawTable, given: dict[str, str]) -> dict[str, str]:
    """Role → column of a log of events, those too whose names merely end as a role is called."""
    plain = {plain_name(column): column for column in reversed(raw.header)}
    columns = {role: column for role, column in given.items() if column in raw.header}
    for role in (role for role in LOG_ROLES if role.name not in given):
        names = [*role.names, *MORE_NAMES.get(role.name, ())]
        names = [name for name in names if name not in LISTS]
        ends = [own for name in names for own in plain if own.endswith(f"_{name}")]
        fit = [plain[name] for name in (*names, *ends) if name in plain]
        free = [column for column in fit if column not in columns.values()]
        columns |= {role.name: free[0]} if free else {}
    return columns


def list_columns(raw: RawTable) -> list[str]:
    """Columns of lists of documents, by their names."""
    plain = {column: plain_name(column) for column in raw.header}
    return [c for c, name in plain.items() if name in LISTS or name.endswith(LIST_ENDS)]


def spread_events(
    raw: RawTable, doc: str, found: Findings
) -> tuple[RawTable, np.ndarray, Ints, Bools]:
    """A row for each document of a list; documents (N,); its row before; which are listed."""
    count = len(raw.rows)
    own = raw.rows[doc].astype("str").str.strip().to_numpy(object) if doc else np.full(count, "")
    lists: list[list[str]] = [[] for _ in range(count)]
    for name in list_columns(raw):
        parted = [[one["doc"] for one in results] for results in read_lists(raw, name, found)]
        lists = [parted[c] or old for c, old in zip(coded(raw.rows[name]), lists, strict=True)]
    for row, text in enumerate(own):
        if not lists[row] and is_bracketed(str(text)):
            lists[row] = list_of(str(text))
    sizes = np.array([len(docs) for docs in lists], dtype=np.int64)
    row = np.repeat(np.arange(count), np.maximum(sizes, 1))
    listed = (sizes > 0)[row]
    docs = own.astype(object)[row]
    docs[listed] = [doc for docs in lists for doc in docs]
    return (raw.take(row) if sizes.any() else raw), docs, row, listed


def event_starts(raw: RawTable, around: tuple[str, ...]) -> Bools:
    """Rows (N,) that begin an event, of those that its inner lists of objects were spread over.

    around : the lists that events themselves stand in
    """
    starts = np.ones(len(raw.rows), dtype=bool)
    if raw.nested is not None:
        for lists, place in raw.nested.places.items():
            if len(lists) > len(around):
                starts &= place <= 1
    return starts


def with_named_values(raw: RawTable) -> RawTable:
    """A table whose events list values by name, as columns; else as it is."""
    is_log = not {plain_name(column) for column in raw.header}.isdisjoint(OF_EVENTS)
    pair = _name_and_value(raw) if is_log else None
    if pair is None:
        return raw
    names, values = (raw.rows[column].astype("str").to_numpy(object) for column in pair)
    new = event_starts(raw, raw.nested.lists[pair[0]][:-1] if raw.nested else ())
    event = np.cumsum(new) - 1
    table = raw.take(np.flatnonzero(new))
    columns: dict[str, Any] = {}
    for name in [text for text in texts_of(raw.rows[pair[0]]) if text][:MOST_NAMES]:
        texts = np.full(len(table.rows), "", dtype=object)
        texts[event[names == name]] = values[names == name]
        columns[name if name not in raw.header else f"{name} of events"] = in_order(texts)
    return replace(table, rows=table.rows.drop(columns=[*pair]).assign(**columns))


def _name_and_value(raw: RawTable) -> tuple[str, str] | None:
    """Columns of names and values that stand in one list of objects."""
    if raw.nested is None:
        return None
    around = raw.nested.lists
    for name, lists in around.items():
        value = name.removesuffix("name") + "value"
        if name.endswith("name") and lists and around.get(value) == lists:
            return name, value
    return None


def lists_around(raw: RawTable, events: Events | None) -> tuple[str, ...]:
    """The lists that events stand in."""
    return raw.nested.lists.get(events.column, ()) if raw.nested and events else ()


def event_counts(
    raw: RawTable, events: Events, new: Bools | None = None
) -> list[tuple[str, int, str]]:
    """Each event's name, how many there are, and what it means; the most frequent first.

    new (N,) : where each begins, of those that were spread over rows
    """
    new = event_starts(raw, lists_around(raw, events)) if new is None else new
    counts = Counter(raw.rows[events.column].astype("str")[new])
    return [(name, n, events.meanings.get(name, "")) for name, n in counts.most_common()]


def events_table(raw: RawTable, events: Events) -> pd.DataFrame:
    """Events of a log, how many there are, and what they mean."""
    counts = event_counts(raw, events)
    cells = [(name, number, means or "not used") for name, number, means in counts]
    return pd.DataFrame(cells, columns=["event", "how many", "means"])
