"""Events of a log: which column names them, and which of its values mean what."""

from __future__ import annotations

from dataclasses import dataclass

from sdcg_explorer.reading.event_patterns import COLUMN, MEANINGS
from sdcg_explorer.reading.mapping import plain_name
from sdcg_explorer.reading.raw_table import RawTable, texts_of

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
