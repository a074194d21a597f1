"""Calls of tools as every form of an agent's file has them, and the table that they make."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd

from sdcg_explorer.reading.raw_table import Known, RawTable
from sdcg_explorer.reading.readers.json_rows import GrowingColumns
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Problem

NO_TOOL = ""  # of a call that stands for a run without any
MOST_TOOLS = 20  # that have a column of their own
KNOWN = Known("log", "it holds calls of tools, with the list of each", calls=True)


@dataclass(frozen=True)
class Listed:
    """One list that a call brought: its query where the list names it, and its documents.

    docs : columns of each, "doc" and "rank" among them, as far as they are known · page_of : the
    search that this is a page of, the first or a further one; "" where that has no name
    """

    docs: Sequence[dict[str, str]]
    text: str = ""
    page_of: str = ""


@dataclass(frozen=True)
class Call:
    """A call of a tool: what was asked, the lists that came back, and the document it opens.

    asked : texts in its arguments · failed : nothing came back · more : columns of the query ·
    line : in its file
    """

    tool: str
    asked: tuple[str, ...] = ()
    lists: tuple[Listed, ...] = ()
    opens: str = ""
    failed: bool = False
    more: dict[str, str] = field(default_factory=dict[str, str])
    line: int = 1

    @property
    def not_run(self) -> int:
        """Texts that were asked at once and of which no list came back."""
        return max(0, len(self.asked) - max(1, len(self.lists)))


class System(NamedTuple):
    """What a run's system is called, and what it goes by: its model, say."""

    name: str
    by: str


UNNAMED = System("", "")


@dataclass(frozen=True)
class Run:
    """An agent's work on a task, or a conversation: a session.

    task : its topic, or "" where the turns (`more` of their calls) name theirs · question : in
    words · session : its name, "" where the task is that · line : in its file
    """

    calls: Sequence[Call]
    task: str = ""
    question: str = ""
    system: System = UNNAMED
    session: str = ""
    more: dict[str, str] = field(default_factory=dict[str, str])
    line: int = 1


class CallsTable:
    """A row for each document of each call's lists, and one for a list, or a call, without any.

    Columns of runs (session, task, question, system, what that goes by, and more), of calls (call,
    tool, text, opens, page_of, failed, not_run, and more) and of documents (doc, rank, and more);
    "" where nothing is said. `run` numbers runs, `call` the calls of a run, both from 1; a run
    without any call has one row, of no tool. Small files of runs are many, so that all of them
    make one table.
    """

    def __init__(self) -> None:
        self._of_runs, self._of_calls, self._of_docs = (GrowingColumns() for _ in range(3))
        self._run_of, self._call_of, self._lines = array("q"), array("q"), array("q")
        self._files: list[tuple[str, int]] = []
        self._notes: list[Problem] = []

    def add(self, text: Text, runs: Iterable[Run], task: str = "") -> None:
        """The runs of one more file; `task` is that of those that name none.

        A file without any is a run that called nothing.
        """
        for columns in (self._of_runs, self._of_calls, self._of_docs):
            columns.file, columns.counter = text.name, text.counter
        self._files.append((text.name, len(self._lines)))
        self._notes += text.notes
        before = self._of_runs.rows
        for run in runs:
            self._add_run(run, task)
        if self._of_runs.rows == before:
            self._add_run(Run(()), task)

    def _add_run(self, run: Run, task: str) -> None:
        named = {
            "run": str(self._of_runs.rows + 1),
            "session": run.session,
            "task": run.task or task,
        }
        system = {"system": run.system.name, "system by": run.system.by}
        self._of_runs.add({**named, "question": run.question, **system, **run.more})
        for number, call in enumerate(run.calls or (Call(NO_TOOL, line=run.line),), start=1):
            self._add_call(call, number)

    def _add_call(self, call: Call, number: int) -> None:
        for place, listed in enumerate(call.lists or (Listed(()),)):
            self._of_calls.add(_of_list(call, number, place, listed))
            self._run_of.append(self._of_runs.rows - 1)
            for doc in listed.docs or ({"doc": ""},):
                self._of_docs.add(doc)
                self._call_of.append(self._of_calls.rows - 1)
                self._lines.append(call.line)

    @property
    def files(self) -> list[str]:
        """Names of the files that were added."""
        return [name for name, _ in self._files]

    def tables(self) -> list[RawTable]:
        """The one table of all files; none where there was none."""
        if not self._files:
            return []
        by_call = np.frombuffer(self._call_of, dtype=np.int64)
        of_call = np.frombuffer(self._run_of, dtype=np.int64)
        by_run = of_call[by_call] if by_call.size else by_call
        every = np.arange(by_call.size)
        pairs = ((self._of_runs, by_run), (self._of_calls, by_call), (self._of_docs, every))
        frames = [own.table().take(rows).reset_index(drop=True) for own, rows in pairs]
        lines = np.frombuffer(self._lines, np.int64)
        (first, _), *more = self._files
        name = f"{first} and {len(more):,} more" if more else first
        parts, notes = tuple(self._files) if more else (), tuple(self._notes)
        rows = pd.concat(frames, axis="columns")
        return [RawTable(name, rows, lines, KNOWN, notes=notes, parts=parts)]


def _of_list(call: Call, number: int, place: int, listed: Listed) -> dict[str, str]:
    """Columns of a call's list at a place (from 0)."""
    asked = call.asked[place] if place < len(call.asked) else ""
    return {
        "call": str(number),
        "list": str(place + 1),
        "tool": call.tool,
        "text": listed.text or asked,
        "opens": call.opens,
        "page_of": listed.page_of,
        "failed": str(int(call.failed)),
        "not_run": str(0 if place else call.not_run),
        **call.more,
    }


def calls_by_tool(calls: Iterable[Call]) -> dict[str, str]:
    """How often each tool was called, a column for each of the most frequent."""
    counts = Counter(call.tool for call in calls if call.tool)
    return {f"calls_{tool}": str(count) for tool, count in counts.most_common(MOST_TOOLS)}
