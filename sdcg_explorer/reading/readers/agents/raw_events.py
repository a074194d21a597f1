"""Events of an agent's run as they came, one a line: what each tool was called with, and gave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sdcg_explorer.reading.readers.agents.calls import Call, Listed, Run, System, calls_by_tool
from sdcg_explorer.reading.readers.agents.form import Form, Object
from sdcg_explorer.reading.readers.agents.outputs import as_list, as_object
from sdcg_explorer.reading.readers.agents.task_runs import call_of
from sdcg_explorer.reading.readers.json_rows import cell

STARTED, ENDED = "tool_execution_start", "tool_execution_end"
FIRST = ("agent_start", "turn_start", "message_start", STARTED, ENDED)  # that such a file begins by


def _is_event(given: Object) -> bool:
    kind = given.get("type")
    return kind in FIRST or (kind == "session" and {"id", "timestamp"} <= {*given})


def _of_events(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    """The one run of a file: a call where each tool began, with what it gave where it ended."""
    asked: dict[str, Any] = {}
    calls: dict[str, Call] = {}
    system = ""
    for line, given in objects:
        kind, key = given.get("type"), str(given.get("toolCallId"))
        tool = str(given.get("toolName") or "")
        if kind == STARTED:
            asked[key] = given.get("args")
            calls[key] = call_of(tool, asked[key], None, line)
        elif kind == ENDED:
            calls[key] = _ended(tool, asked.get(key), given, line)
        elif kind == "message_end":
            system = str(as_object(given.get("message")).get("model") or system)
    yield Run([*calls.values()], system=System(system, "model"), more=calls_by_tool(calls.values()))


def _ended(tool: str, asked: Any, given: Object, line: int) -> Call:
    """A call that gave something back; what was seen of its list where that is told apart."""
    result = as_object(given.get("result"))
    details = as_object(result.get("details"))
    output = None if given.get("isError") else result.get("content", result)
    call = call_of(tool, asked or details, output, line)
    seen = as_list(details.get("previewedDocids"))
    if not seen or output is None:
        return call
    first = int(details.get("returnedRankStart") or 1)
    docs = [{"doc": cell(doc), "rank": str(rank)} for rank, doc in enumerate(seen, start=first)]
    text, page_of = str(details.get("rawQuery") or ""), str(details.get("searchId") or "")
    return Call(tool, (text,) * bool(text), (Listed(docs, text, page_of),), line=line)


EVENTS = Form("events of a run", _is_event, _of_events)
