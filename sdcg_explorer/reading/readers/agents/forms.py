"""Forms of agents' files, how a file is known for one by its first object, and what reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, cast

import orjson

from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.agents.calls import CallsTable
from sdcg_explorer.reading.readers.agents.conversations import IKAT_2024, IKAT_2025, MTRAG
from sdcg_explorer.reading.readers.agents.form import Form, FormError, Object
from sdcg_explorer.reading.readers.agents.messages import CHATS, INSPECT, MESSAGES
from sdcg_explorer.reading.readers.agents.outputs import as_list, as_objects
from sdcg_explorer.reading.readers.agents.raw_events import EVENTS
from sdcg_explorer.reading.readers.agents.spans import SPANS
from sdcg_explorer.reading.readers.agents.task_runs import LISTS, TASK_RUNS, UNION
from sdcg_explorer.reading.readers.json_rows import FaultError
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Problem, UnusableInputError, error, refuse

FORMS = (
    TASK_RUNS,
    LISTS,
    INSPECT,
    MESSAGES,
    MTRAG,
    IKAT_2024,
    IKAT_2025,
    EVENTS,
    SPANS,
    UNION,
    CHATS,
)
MARKS = re.compile(  # one of them stands in each of these files; most others are known by none
    rb'"(tool_name|tool_calls|tool_call_counts|retrieved_docids|function_call|file_search_call'
    rb"|tool_use|server_tool_use|mcp_tool_use|contexts|passage_provenance|references|resourceSpans"
    rb'|context\.trace_id|trace_id|traceId|epoch|messages|agent_start|tool_execution_(start|end))"'
    rb"|<tool_call>|<information>"
)
LOOKED_AT = 1_000_000  # bytes
FAULTS = (
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
)  # FormError, FaultError too
RULE = "a file of runs is one JSON value, or an object per line"


def has_mark(data: bytes) -> bool:
    """Whether a field is called as one of a form is."""
    return bool(MARKS.search(data))


class RunFiles:
    """Files of agents' runs as they are read, which make one table.

    Events of runs are what the runs themselves are made of: beside runs they are left aside.
    """

    def __init__(self) -> None:
        self._runs, self._events = CallsTable(), CallsTable()

    def table_of(self, form: Form) -> CallsTable:
        """The table that files of a form go into."""
        return self._events if form is EVENTS else self._runs

    def tables(self) -> list[RawTable]:
        """The one table of all files; none where there was none."""
        return self._runs.tables() or self._events.tables()

    @property
    def aside(self) -> list[str]:
        """Names of files of events that are left aside."""
        return self._events.files if self._runs.files else []


def agent_table(text: Text) -> RawTable | None:
    """The calls of a file of runs, messages, traces or conversations; None for another file.

    Raises
    ------
    UnusableInputError : no JSON, or a form of which no session can be made
    """
    files = RunFiles()
    return files.tables()[0] if add_runs(text, files) else None


def add_runs(text: Text, files: RunFiles) -> bool:
    """Add the calls of a file of agents' runs to others; whether it is one.

    A form that the first object has, and that fails on it or a later one, gives way to the next.

    Raises
    ------
    UnusableInputError : no JSON, or no form of which sessions can be made
    """
    with text.path.open("rb") as data:
        if not has_mark(data.read(LOOKED_AT)):
            return False
    objects = _objects(text)
    try:
        first = next(objects, None)
    except (UnusableInputError, FaultError):
        return False  # no JSON: the reader of other JSON says where
    forms = [form for form in FORMS if first and form.recognises(first[1])]
    if first is None or not forms:
        return False
    forms = [form for form in forms if form is not UNION] or forms
    refused: list[Problem] = []
    for form in forms:
        at: list[int | None] = [None]
        given = chain([first], objects) if form is forms[0] else _objects(text)
        task = PurePosixPath(text.name).stem if form is EVENTS else ""  # a file a task
        try:
            runs = form.read(_followed(given, at))
            runs = runs if form is forms[-1] else [*runs]  # nothing is added of a form that fails
            files.table_of(form).add(text, runs, task)
            return True
        except UnusableInputError:
            raise
        except FAULTS as fault:
            refused.append(_refusal(fault, form, text.name, at[0]))
    refuse(refused[:1])
    return True


def _refusal(fault: Exception, form: Form, file: str, line: int | None) -> Problem:
    """Why a file can't be read by a form."""
    if isinstance(fault, FormError):
        return error(file, *fault.said)
    if isinstance(fault, FaultError):
        return error(file, line, *fault.args)
    rule = f"it reads as {form.name}, each object alike"
    found = "an object that lacks a part, or has it in another form"
    return error(file, line, found, rule, "Correct it, or leave it out.")


def _followed(
    objects: Iterator[tuple[int, Object]], at: list[int | None]
) -> Iterator[tuple[int, Object]]:
    """All objects; `at` has the line of the one that is read, and None after the last."""
    for each in objects:
        at[0] = each[0]
        yield each
    at[0] = None


def _objects(text: Text) -> Iterator[tuple[int, Object]]:
    """Objects of a file with their lines: one per line, or those of one value."""
    with text.path.open("rb") as data:
        first = next((line for line in data if line.strip()), b"")
        try:
            orjson.loads(first)
        except orjson.JSONDecodeError:
            yield from _of_value(text)
            return
        data.seek(0)
        for number, line in enumerate(data, start=1):
            if line.strip():
                yield from _listed(_loaded(text, line, number), number)


def _of_value(text: Text) -> Iterator[tuple[int, Object]]:
    yield from _listed(_loaded(text, text.data, 1), 1)


def _loaded(text: Text, data: bytes, line: int) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as fault:
        place = line if b"\n" not in data.strip() else fault.lineno
        refuse([error(text.name, place, f"no JSON ({fault})", RULE, "Correct it there.")])
        raise


def _listed(value: Any, line: int) -> Iterator[tuple[int, Object]]:
    """Objects of a value; a list of messages alone is one object that holds them.

    Raises
    ------
    FaultError : neither an object nor a list of them
    """
    if isinstance(value, dict):
        yield line, cast("Object", value)
        return
    plain = as_objects(value)
    if not plain or len(plain) < len(as_list(value)):
        raise FaultError("no object", RULE, "Correct it, or leave it out.")
    if any("role" in each or each.get("type") == "function_call" for each in plain):
        yield line, {"messages": plain}
        return
    yield from ((line, each) for each in plain)
