"""Traces: spans that retrieve, rerank or call a tool, by the names of two conventions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from sdcg_explorer.reading.readers.agents.calls import (
    UNNAMED,
    Call,
    Listed,
    Run,
    System,
    calls_by_tool,
)
from sdcg_explorer.reading.readers.agents.form import Form, Object
from sdcg_explorer.reading.readers.agents.outputs import (
    as_list,
    as_object,
    as_objects,
    document_of,
    json_in,
    texts_in,
)
from sdcg_explorer.reading.readers.agents.task_runs import call_of
from sdcg_explorer.reading.readers.json_rows import cell

DOCUMENTS = re.compile(
    r"(?:retrieval|reranker)\.(?:documents|output_documents)\.(\d+)\.document\.(id|score|metadata)"
)
NAMES = ("thread_id", "session_id", "conversation_id")
CONVERSATION = (
    *("session.id", "gen_ai.conversation.id"),
    *(f"{around}{name}" for around in ("extra.metadata.", "metadata.", "") for name in NAMES),
)
PROJECT = "run_type", "session_id"  # rows that have the first have a project in the second
KINDS = {"retriever": "retrieval", "reranker": "rerank", "tool": "tool", "execute_tool": "tool"}
RERANK = "rerank"
NAMING_SYSTEMS = {"gen_ai.request.model": "model", "service.name": "service"}
Key = tuple[str, str]  # of a span: its trace, and itself


@dataclass(frozen=True)
class Span:
    """A span: its trace, itself, what it stands within, when, what it does, and its attributes."""

    trace: str
    span: str
    parent: str
    start: float
    end: float
    kind: str
    said: Object
    line: int


def _flat(given: Object, before: str = "") -> Object:
    """Attributes by their whole name, whether they stood within each other or not."""
    flat: Object = {}
    for name, value in given.items():
        whole = f"{before}{name}"
        if isinstance(value, dict):
            flat |= _flat(cast("Object", value), f"{whole}.")
        elif objects := as_objects(value):
            flat[whole] = value
            for place, each in enumerate(objects):
                flat |= _flat(each, f"{whole}.{place}.")
        else:
            flat[whole] = value
    return flat


def _by_key(given: Any) -> Object:
    """Attributes as OpenTelemetry writes them, plain; one without its key is none."""
    return {
        str(each["key"]): _value(as_object(each.get("value")))
        for each in as_objects(given)
        if "key" in each
    }


def _value(given: Object) -> Any:
    """A value as OpenTelemetry writes it, plain."""
    for name, value in given.items():
        if name == "kvlistValue":
            return _by_key(as_object(value).get("values"))
        if name == "arrayValue":
            return [_value(each) for each in as_objects(as_object(value).get("values"))]
        return value
    return None


def _seconds(value: Any) -> float:
    """A moment in seconds since 1970; 0 where there is none."""
    text = str(value or "0")
    if re.fullmatch(r"\d{1,20}(\.\d+)?", text):
        number = float(text)
        return number / next((unit for unit in (1e9, 1e6, 1e3) if number >= 1e8 * unit), 1.0)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _first(given: Object, *names: str) -> Any:
    return next((given[name] for name in names if given.get(name) not in (None, "")), None)


def _kind(said: Object) -> str:
    named = _first(
        said, "openinference.span.kind", "gen_ai.operation.name", "span_kind", "run_type", "type"
    )
    kind = str(named or "").lower()
    return KINDS.get(kind, kind)


def _spans(objects: Iterable[tuple[int, Object]]) -> Iterator[Span]:
    """Spans of a file, however they are packed."""
    for line, given in objects:
        if "resourceSpans" in given:
            for each in _of_telemetry(given):
                yield _span(each, _flat(_by_key(each.get("attributes"))), line)
        else:
            flat = _flat(given)
            said = {name.removeprefix("attributes."): value for name, value in flat.items()}
            yield _span(flat, said, line)


def _of_telemetry(given: Object) -> Iterator[Object]:
    for resource in as_objects(given["resourceSpans"]):
        for scope in as_objects(resource.get("scopeSpans")):
            yield from as_objects(scope.get("spans"))


def _span(given: Object, said: Object, line: int) -> Span:
    return Span(
        trace=str(_first(given, "traceId", "context.trace_id", "trace_id", "traceid") or ""),
        span=str(_first(given, "spanId", "context.span_id", "span_id", "id") or ""),
        parent=str(
            _first(given, "parentSpanId", "parent_id", "parent_run_id", "parentObservationId") or ""
        ),
        start=_seconds(_first(given, "startTimeUnixNano", "start_time", "startTime")),
        end=_seconds(_first(given, "endTimeUnixNano", "end_time", "endTime")),
        kind=_kind(said),
        said=said,
        line=line,
    )


def _documents(said: Object) -> list[dict[str, str]]:
    """Documents of a span, best first; one without an id keeps its place."""
    by_place: dict[int, Object] = {}
    for name, value in said.items():
        if fit := DOCUMENTS.fullmatch(name):
            by_place.setdefault(int(fit[1]), {})[fit[2]] = value
    if by_place:
        return [_named(document_of(by_place[place]), place) for place in sorted(by_place)]
    given = _first(
        said, "gen_ai.retrieval.documents", "retrieval.documents", "output.value",
        "gen_ai.tool.call.result", "output", "outputs", "outputs.documents", "output.documents",
    )  # fmt: skip
    value = json_in(given) if isinstance(given, str) else given
    if isinstance(value, dict):
        value = _first(cast("Object", value), "documents", "results", "output")
    found = [document_of(as_object(each)) for each in as_list(value)]
    return [_named(doc, place) for place, doc in enumerate(found)]


def _named(doc: dict[str, str], place: int) -> dict[str, str]:
    """A document; one that nothing names is known by its place alone."""
    return doc or {"doc": "", "rank": str(place + 1), "nameless": "1"}


def _asked(said: Object) -> str:
    given = _first(
        said, "gen_ai.retrieval.query.text", "input.value", "reranker.query", "input", "inputs",
        "inputs.query", "input.query", "inputs.input",
    )  # fmt: skip
    return next(iter(texts_in(given)), "") if given is not None else ""


def _call(span: Span) -> Call:
    """A span that retrieves, or calls a tool, as a call."""
    took = {"query_seconds": f"{span.end - span.start:g}"} if span.end > span.start > 0 else {}
    if span.kind == "tool":
        name = str(_first(span.said, "gen_ai.tool.name", "tool.name", "name") or "")
        given = _first(span.said, "gen_ai.tool.call.arguments", "input.value", "input", "inputs")
        output = _first(span.said, "gen_ai.tool.call.result", "output.value", "output", "outputs")
        return call_of(name, given, output, span.line, **took)
    text = _asked(span.said)
    return Call(span.kind, (text,) * bool(text), (Listed(_documents(span.said)),), line=span.line,
                more=took)  # fmt: skip


def _reranked(calls: list[Call]) -> list[Call]:
    """Calls, where a retrieval and its rerank are one, which showed the reranked list."""
    kept: list[Call] = []
    for call in calls:
        if call.tool == RERANK and kept and kept[-1].tool == "retrieval":
            before = kept.pop()
            asked = before.asked or call.asked
            kept.append(Call("retrieval", asked, call.lists, more=before.more, line=before.line))
        else:
            kept.append(call)
    return kept


def _of_spans(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    """Runs of traces, in the order of time: a conversation is one, or else a trace.

    Where an agent's spans neither retrieve nor call a tool its run has no calls.
    """
    spans = list(_spans(objects))
    by_id = {(each.trace, each.span): each for each in spans}
    runs: dict[str, list[Span]] = {}
    known: dict[Key, str] = {}
    for each in sorted(spans, key=lambda span: span.start):
        if each.kind:
            run = runs.setdefault(_conversation(each, by_id, known), [])
            run += [each] if each.kind in ("retrieval", RERANK, "tool") else []
    for session, own in runs.items():
        calls = _reranked([_call(each) for each in own])
        ends = [each.end for each in own if each.end]
        took = {"seconds": f"{max(ends) - own[0].start:g}"} if ends and own[0].start else {}
        more, system = took | calls_by_tool(calls), _system_of(own[0].said) if own else UNNAMED
        yield Run(calls, session=session, system=system, more=more)


def _system_of(said: Object) -> System:
    named = ((_first(said, key), by) for key, by in NAMING_SYSTEMS.items())
    return next((System(str(name), by) for name, by in named if name), UNNAMED)


def _conversation(span: Span, by_id: dict[Key, Span], known: dict[Key, str]) -> str:
    """What a span's session is called: by itself, what it stands within, or else its trace.

    known : names of spans that were asked about; "" while one is, which stands within itself then
    """
    chain: list[Key] = []
    at, name = span, _own_conversation(span)
    while not name and (within := by_id.get((at.trace, at.parent))) is not None:
        if (key := (within.trace, within.span)) in known:
            name = known[key]
            break
        known[key] = ""
        chain.append(key)
        at, name = within, _own_conversation(within)
    name = name or span.trace
    known |= dict.fromkeys(chain, name)
    return name


def _own_conversation(span: Span) -> str:
    """What a span itself says of its session; "" where it says nothing."""
    is_row = PROJECT[0] in span.said
    named = [each for each in CONVERSATION if (is_row, each) != (True, PROJECT[1])]
    name = _first(span.said, *named)
    return "" if name is None else cell(name)


def _is_span(given: Object) -> bool:
    if "resourceSpans" in given:
        return True
    flat = _flat(given)
    said = {name.removeprefix("attributes."): value for name, value in flat.items()}
    traced = _first(flat, "context.trace_id", "trace_id", "traceId", "traceid") is not None
    return traced and bool(_kind(said)) and "start" in " ".join(flat).lower()


SPANS = Form("spans of traces", _is_span, _of_spans)
