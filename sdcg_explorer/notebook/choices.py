"""Choices by name, as a notebook gives them: filters, and rules of reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypedDict, TypeVar

from sdcg_explorer.reading.rules import OFFERED

Made = TypeVar("Made")


class FilterChoices(TypedDict, total=False):
    """Which sessions are looked at; fields of `Filters` (scoring/definition.py)."""

    systems: Sequence[str]
    topics: Sequence[str]
    searchers: Sequence[str]
    min_queries: int
    max_queries: int | None


class RuleChoices(TypedDict, total=False):
    """How doubtful input is taken; fields of `Rules` (reading/rules.py)."""

    rank_base: str | int
    same_rank: str
    conflicts: str
    query_numbers: str
    query_id: str
    system_by_file: bool
    most_results: int | None
    topics_by: str
    judged_by: str
    order: str
    most_sessions: int | None
    file_name: str
    fix: str
    events: str
    session_by: str
    session_gap: str
    assessors: str
    search_tools: str
    open_tools: str
    doc_id: str
    grade: str
    parts: str
    missing_sessions: str


def made_of(kind: type[Made], called: str, given: Mapping[str, Any]) -> Made:
    """Filters or rules of choices by name.

    Raises
    ------
    ValueError : a name that is not known, with those that are, or a value that is not offered
    """
    known = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
    for name in given:
        if name not in known:
            raise ValueError(f"{called} {name!r}; known are {', '.join(known)}.")
    return kind(**{name: _plain(name, value) for name, value in given.items()})


def _plain(name: str, value: Any) -> Any:
    """A list of names as filters have it; rank_base=0 as its rule has it."""
    if name in OFFERED:
        return str(value)
    is_several = isinstance(value, Iterable) and not isinstance(value, str)
    return tuple(value) if is_several else value
