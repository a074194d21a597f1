"""What was observed, as analyses take it: its sessions one by one, or counts of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any, Self

from sdcg_explorer.study.arrangement import AS_SHOWN, Arrangement
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.grade_cube import DEPTH, Block
from sdcg_explorer.study.own_judgments import Layer
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.sent import SentAsMade
from sdcg_explorer.study.tags import Tags
from sdcg_explorer.study.wording import NAME
from sdcg_explorer.study.written import Written


class NeedsSessionsError(ValueError):
    """What counts don't say: it takes the sessions themselves."""

    def __init__(self, needed: str = "single sessions") -> None:
        super().__init__(f"This takes {needed}, which counts have not.")


class Observed(SentAsMade, ABC):
    """A `Study` (study/study.py), or counts of a log (counting/counted_study.py).

    name, note : as its user calls it, and a sentence that every screen shows · report : what its
    import mended and left out · tags : of queries · layer : judgments of one's own among its own ·
    written : notes beneath answers
    """

    name: str
    note: str
    report: Report
    tags: Tags
    layer: Layer
    written: Written

    @property
    def remarks(self) -> tuple[str, ...]:
        """What every screen says of it."""
        return (self.note,)

    @property
    def lacks(self) -> str:
        """Why it doesn't answer what takes single sessions; empty where these are known."""
        return ""

    @property
    def extras(self) -> tuple[str, ...]:
        """Columns that came along with sessions and queries, whatever they hold."""
        return ()

    @property
    def names(self) -> Iterator[str]:
        """Names of whatever a sentence may name."""
        block = self.block()
        names = block.system_names, block.topic_names, block.searcher_names, self.extras
        return chain.from_iterable(names)

    @cached_property
    def long_names(self) -> tuple[str, ...]:
        """Names that a sentence has in short."""
        return tuple({name for name in self.names if len(name) > NAME})

    @property
    @abstractmethod
    def rows(self) -> int:
        """Rows that every answer is made of, by which it takes its time."""

    @cached_property
    @abstractmethod
    def digest(self) -> str:
        """sha256 over what was observed."""

    @cached_property
    @abstractmethod
    def problems(self) -> list[Problem]:
        """Warnings and notes of the import, and those that follow from the tables."""

    @property
    @abstractmethod
    def labels(self) -> tuple[float, ...]:
        """Grades that the judgments use, in ascending order."""

    @cached_property
    @abstractmethod
    def grade_counts(self) -> tuple[int, ...]:
        """Judgments with each of the labels."""

    @cached_property
    @abstractmethod
    def topics(self) -> tuple[str, ...]:
        """Topics that queries are on, by name, or by number where all are numbers."""

    @cached_property
    @abstractmethod
    def busiest_topic(self) -> str:
        """The topic of the most sessions; the first of several."""

    @abstractmethod
    def block(self, depth: int = DEPTH, how: Arrangement = AS_SHOWN) -> Block:
        """Arrays of its sessions, or of groups of them."""

    @abstractmethod
    def depth_to(self, depth: int) -> int:
        """Ranks that are known, at most so many."""

    @abstractmethod
    def judged_by_rank(self, deepest: int) -> tuple[Ints, Ints, Ints]:
        """Ranks that any result has, results there, and how many of them are judged."""

    @abstractmethod
    def repeats_by_document(self, groups: Ints, top: int) -> Ints | None:
        """Results of each group of sessions in the top whose document came earlier in them.

        groups (S,) : group of each session, −1 of those left out. None where nobody knows.
        """

    @abstractmethod
    def checked(self) -> dict[str, object]:
        """The import report as `sdcg check --json` prints it."""

    def own_files(self) -> dict[str, bytes]:
        """Files that it is kept as, by name; none where its tables are written."""
        return {}

    def judged_over(self, layer: Layer) -> Self:
        """The same with judgments of one's own over its own; itself where it has none to add to."""
        return self

    @property
    def bare(self) -> Self:
        """The same without judgments of one's own."""
        return self

    @abstractmethod
    def put(self, **words: Any) -> Self:
        """The same by another name or note, with other texts, and tags where it has queries."""
