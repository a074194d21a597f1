"""What a form of agents' files is, and why one can't be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sdcg_explorer.reading.readers.agents.calls import Run

Object = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """A form of file: what it is called, whether an object is of it, and the runs of all of them.

    read : is given each object of a file with its line
    """

    name: str
    recognises: Callable[[Object], bool]
    read: Callable[[Iterator[tuple[int, Object]]], Iterator[Run]]


class FormError(ValueError):
    """A file of a known form of which no sessions can be made: line, found, rule, and remedy."""

    def __init__(self, line: int, found: str, rule: str, remedy: str) -> None:
        self.said = line, found, rule, remedy
        super().__init__(f"line {line}: {found}; {rule}. {remedy}")


class UnionError(FormError):
    """A run that keeps the documents of all its calls together, and no call's own list."""

    def __init__(self, line: int) -> None:
        found, rule = "the union of what all calls found", "a session is the list of each call"
        super().__init__(line, found, rule, "Log each call's list: docs/agents.md says how.")
