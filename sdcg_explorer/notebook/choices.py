"""Choices by name, as a notebook gives them: filters, and what a recipe says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypedDict, TypeVar

Made = TypeVar("Made")


class FilterChoices(TypedDict, total=False):
    """Which sessions are looked at; fields of `Filters` (scoring/definition.py)."""

    systems: Sequence[str]
    topics: Sequence[str]
    searchers: Sequence[str]
    min_queries: int
    max_queries: int | None


def made_of(kind: type[Made], called: str, given: Mapping[str, Any]) -> Made:
    """Filters or a recipe of choices by name.

    Raises
    ------
    ValueError : a name that is not known, with those that are, or a value that is not offered
    """
    known = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
    for name in given:
        if name not in known:
            raise ValueError(f"{called} {name!r}; choose one of {', '.join(known)}.")
    return kind(**{name: _list_as_tuple(value) for name, value in given.items()})


def _list_as_tuple(value: Any) -> Any:
    """A list of names as filters have it."""
    is_several = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    return tuple(value) if is_several else value
