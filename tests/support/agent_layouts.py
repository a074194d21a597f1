"""One small study of search agents as plain data, and the same written in each layout of theirs."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.formats import Files

MODEL = "agent-30b"


@dataclass(frozen=True)
class Searched:
    """A call that searched: its query, the documents that it listed, those opened after it."""

    text: str
    docs: tuple[str, ...]
    opened: tuple[str, ...] = ()


RUNS = {
    "11": [
        Searched("who won", ("d1", "d2", "d3"), ("d2",)),
        Searched("who won 1990", ("d3", "d4")),
    ],
    "12": [Searched("nothing at all", ()), Searched("rivers", ("d5", "d1"), ("d5", "d1"))],
    "13": [Searched("a, 'quoted' name", ("d6",)), Searched("a name", ("d6", "d7", "d2"))],
}
QUESTIONS = {"11": "Which team won the cup?", "12": "Which river is longest?", "13": "Who was it?"}
GRADES = "topic doc grade\n11 d2 2\n11 d4 1\n12 d5 1\n13 d7 3\n13 d6 0\n".replace(
    " ", "\t"
).encode()
Steps = Iterator[tuple[str, dict[str, Any], Any]]


def steps(task: str, output: Callable[[Searched], Any]) -> Steps:
    """Tool, arguments and output of each call of a run."""
    for searched in RUNS[task]:
        yield "search", {"query": searched.text}, output(searched)
        for doc in searched.opened:
            yield "get_document", {"docid": doc}, f"Document {doc}: text"


def objects_of(searched: Searched) -> str:
    """A list as JSON, as a tool gives it back."""
    return json.dumps([{"docid": doc, "score": 1 / (k + 1)} for k, doc in enumerate(searched.docs)])


def headed(searched: Searched) -> str:
    """A list as text beneath its query."""
    if not searched.docs:
        return f"No results found for '{searched.text}'. Try another."
    lines = "".join(f"DocID:{doc}\n[title]\nsnippet\n\n" for doc in searched.docs)
    return f"A search for '{searched.text}' found {len(searched.docs)} results:\n\n{lines}"


def numbered(searched: Searched) -> str:
    """A list as numbered lines."""
    lines = [f"{k}. Document ID: {doc}\nScore: 0.5" for k, doc in enumerate(searched.docs, start=1)]
    return "\n".join(lines) or "No results found for this"


def linked(searched: Searched) -> str:
    """A list as numbered links; the address is the document."""
    lines = [f"{k}. [a title]({doc})\nsnippet" for k, doc in enumerate(searched.docs, start=1)]
    found = f"A Google search for '{searched.text}' found {len(lines)} results:"
    return "\n".join([found, *lines]) if lines else f"No results found for '{searched.text}'."


def cached(search: str) -> Callable[[Searched], str]:
    """A list as text with ranks of hits that are kept."""

    def text(searched: Searched) -> str:
        lines = [f"{k}. docid={doc} score=1.5" for k, doc in enumerate(searched.docs, start=1)]
        return "\n".join([f"Showing ranks 1-{len(lines)} of 9 hits for search_id={search}", *lines])

    return text


def task_run(task: str, output: Callable[[Searched], Any] = objects_of) -> dict[str, Any]:
    """A run as one object."""
    result: list[dict[str, Any]] = [{"type": "reasoning", "tool_name": None, "output": ["think"]}]
    result += [
        {"type": "tool_call", "tool_name": tool, "arguments": json.dumps(given), "output": out}
        for tool, given, out in steps(task, output)
    ]
    union = sorted({doc for searched in RUNS[task] for doc in searched.docs})
    usage = {"input_tokens": 100, "output_tokens": 9}
    about = {"query_id": task, "metadata": {"model": f"models/{MODEL}"}, "status": "completed"}
    return {**about, "usage": usage, "retrieved_docids": union, "result": result}


def chat(task: str) -> dict[str, Any]:
    """A run as messages of a chat."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": QUESTIONS[task]}]
    for k, (tool, given, out) in enumerate(steps(task, numbered)):
        called = {"id": f"c{k}", "function": {"name": tool, "arguments": json.dumps(given)}}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [called]},
            {"role": "tool", "tool_call_id": f"c{k}", "content": [{"type": "text", "text": out}]},
        ]
    return {"question": QUESTIONS[task], "messages": messages, "model": MODEL}


def responses(task: str) -> dict[str, Any]:
    """A run as items of a response."""
    items: list[dict[str, Any]] = []
    for k, (tool, given, out) in enumerate(steps(task, objects_of)):
        called = {"type": "function_call", "call_id": f"c{k}", "name": tool}
        items.append({**called, "arguments": json.dumps(given)})
        items.append({"type": "function_call_output", "call_id": f"c{k}", "output": out})
    return {"id": task, "model": MODEL, "output": items}


def blocks(task: str) -> dict[str, Any]:
    """A run as messages whose contents are blocks."""
    messages: list[dict[str, Any]] = []
    for k, (tool, given, out) in enumerate(steps(task, numbered)):
        used = {"type": "tool_use", "id": f"c{k}", "name": tool, "input": given}
        text = [{"type": "text", "text": out}]
        back = {"type": "tool_result", "tool_use_id": f"c{k}", "content": text}
        messages += [{"role": "assistant", "content": [used]}, {"role": "user", "content": [back]}]
    return {"task_id": task, "model": MODEL, "messages": messages}


def tagged(task: str) -> dict[str, Any]:
    """A run as messages with tags in their texts."""
    messages = [{"role": "user", "content": QUESTIONS[task]}]
    for tool, given, out in steps(task, linked):
        given = {**given, "query": [given["query"]]} if "query" in given else given
        called = json.dumps({"name": tool, "arguments": given})
        messages.append({"role": "assistant", "content": f"so <tool_call>\n{called}\n</tool_call>"})
        back = f"<tool_response>\n{out}\n</tool_response>"
        messages.append({"role": "user", "content": back})
    return {"query_id": task, "model": MODEL, "messages": messages}


def sample(task: str) -> dict[str, Any]:
    """A run as a sample of an evaluation's log."""
    events = [
        {
            **{"event": "tool", "id": f"c{k}", "function": tool, "arguments": given, "result": out},
            **{
                "timestamp": "2026-01-01T10:00:00+00:00",
                "completed": f"2026-01-01T10:00:0{k + 1}+00:00",
            },
        }
        for k, (tool, given, out) in enumerate(steps(task, objects_of))
    ]
    usage = {MODEL: {"input_tokens": 100, "output_tokens": 9}}
    about = {"id": task, "epoch": 1, "input": QUESTIONS[task], "scores": {"right": {"value": "C"}}}
    return {**about, "events": events, "model_usage": usage}


def spans(task: str) -> list[dict[str, Any]]:
    """A run as spans, in the order in which they ended: a search is retrieved, then reranked."""
    made = [{"span_id": f"{task}r", "name": "agent", "attributes.session.id": task}]
    for k, searched in enumerate(RUNS[task]):
        asked = {"attributes.input.value": searched.text, "parent_id": f"{task}r"}
        for second, (kind, name, listed) in enumerate(
            (
                ("RETRIEVER", "retrieval.documents", searched.docs[::-1]),
                ("RERANKER", "reranker.output_documents", searched.docs),
            )
        ):
            docs = {f"attributes.{name}.{i}.document.id": doc for i, doc in enumerate(listed)}
            about = {"attributes.openinference.span.kind": kind, "span_id": f"{task}s{k}{second}"}
            at = f"2026-01-01T10:0{k}:0{second}+00:00"
            made.append({**about, **asked, **docs, "start_time": at})
    return [{"start_time": "2026-01-01T10:00:00+00:00", "context.trace_id": f"t{task}", **each}
            for each in reversed(made)]  # fmt: skip


def attribute(key: str, value: Any) -> dict[str, Any]:
    """An attribute as OpenTelemetry writes it."""
    if isinstance(value, list):
        values = [{"kvlistValue": {"values": [attribute("id", doc)]}} for doc in value]
        return {"key": key, "value": {"arrayValue": {"values": values}}}
    return {"key": key, "value": {"stringValue": value}}


def telemetry(task: str) -> dict[str, Any]:
    """A run as OpenTelemetry's spans, the last first."""
    made = []
    for k, searched in enumerate(RUNS[task]):
        said = {
            **{"gen_ai.operation.name": "retrieval", "gen_ai.conversation.id": task},
            **{"gen_ai.retrieval.query.text": searched.text, "gen_ai.request.model": MODEL},
            "gen_ai.retrieval.documents": list(searched.docs),
        }
        listed = [attribute(*each) for each in said.items()]
        nano = str(1_760_000_000_000_000_000 + k * 10**9)
        about = {"traceId": task, "spanId": f"{task}{k}", "name": "retrieval"}
        made.append({**about, "startTimeUnixNano": nano, "attributes": listed})
    return {"resourceSpans": [{"scopeSpans": [{"spans": made[::-1]}]}]}


def rows(task: str) -> list[dict[str, Any]]:
    """A run as rows of a tracing service, documents with their metadata."""
    return [
        {
            **{"id": f"{task}{k}", "trace_id": f"t{task}", "run_type": "retriever"},
            **{"start_time": f"2026-01-01T10:0{k}:00", "inputs": {"query": searched.text}},
            "outputs": {"documents": [{"page_content": "…", "metadata": {"source": doc}}
                                      for doc in searched.docs]},
            "extra": {"metadata": {"thread_id": task}}, "session_id": "the project",
        }
        for k, searched in enumerate(RUNS[task])
    ]  # fmt: skip


def messages(task: str) -> list[dict[str, Any]]:
    """A run as logged messages of JSON-RPC, some lists with a text for each document."""
    made: list[dict[str, Any]] = [{"id": 0, "method": "initialize", "params": {}}]
    for k, (tool, given, out) in enumerate(steps(task, objects_of), start=1):
        found = [out] if k == 1 or "docid" in given else [*map(json.dumps, json.loads(out))]
        content = [{"type": "text", "text": text} for text in found]
        call = {"method": "tools/call", "params": {"name": tool, "arguments": given}}
        made += [{"id": k, **call}, {"id": k, "result": {"content": content, "isError": False}}]
    beside = {"session": task, "time": "2026-01-01T10:00:00"}
    return [{**beside, "message": {"jsonrpc": "2.0", **each}} for each in made]


def lists(task: str) -> dict[str, Any]:
    """A run that keeps each query's list and no more."""
    kept = [{searched.text: list(searched.docs)} for searched in RUNS[task]]
    return {"query_id": task, "model": MODEL, "retrieved_docids": kept}


def lines(objects: list[Any]) -> bytes:
    """Objects, one a line."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in objects)


def every(write: Callable[[str], Any]) -> list[Any]:
    """What is written of each run, one after the other."""
    made = [write(task) for task in RUNS]
    return [each for one in made for each in (one if isinstance(one, list) else [one])]


def paged(task: str) -> dict[str, Any]:
    """A run whose lists are read page by page, the last document on a page of its own."""
    result: list[dict[str, Any]] = []

    def call(tool: str, given: dict[str, Any], out: str) -> None:
        called = {"type": "tool_call", "tool_name": tool}
        result.append({**called, "arguments": given, "output": out})

    for k, searched in enumerate(RUNS[task]):
        name, last = f"s{k}", len(searched.docs)
        cut = Searched(searched.text, searched.docs[:-1])
        call("search", {"query": searched.text}, cached(name)(cut))
        if last:
            text = f"Showing ranks {last}-{last} of 9 hits for search_id={name}"
            text += f"\n{last}. docid={searched.docs[-1]} score=1"
            call("read_search_results", {"search_id": name, "offset": last, "limit": 1}, text)
        for doc in searched.opened:
            call("read_document", {"docid": doc}, "text")
    return {"query_id": task, "metadata": {"model": MODEL}, "result": result}


def events(task: str) -> bytes:
    """A run as the events that it was made of, of which the run keeps what was seen."""
    made: list[dict[str, Any]] = [{"type": "session", "id": "u-1", "timestamp": "2026-01-01"}]
    for k, (tool, given, out) in enumerate(steps(task, numbered)):
        named = {"toolCallId": f"c{k}", "toolName": tool}
        result = {"content": [{"type": "text", "text": out}], "details": given}
        made.append({"type": "tool_execution_start", **named, "args": given})
        made.append({"type": "tool_execution_end", **named, "result": result})
    return lines([*made, {"type": "message_end", "message": {"model": MODEL}}])


def archive(files: Files) -> bytes:
    """Files as a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as into:
        for name, content in files.items():
            into.writestr(name, content)
    return packed.getvalue()


TOPICS = "".join(f"{task}\t{text}\n" for task, text in QUESTIONS.items()).encode()
# by the name of a layout: its files, without judgments
LAYOUTS: dict[str, Files] = {
    "a file a task": {
        f"{task}.json": json.dumps(task_run(task), indent=1).encode() for task in RUNS
    },
    "runs in lines, lists as text": {"runs.jsonl": lines([task_run(t, headed) for t in RUNS])},
    "pages of hits": {"runs.jsonl": lines(every(paged))},
    "events of runs": {f"raw-events/{task}.jsonl": events(task) for task in RUNS},
    "lists by query": {"runs.jsonl": lines(every(lists))},
    "a chat, and topics": {"chats.jsonl": lines(every(chat)), "topics.tsv": TOPICS},
    "items of responses": {"items.jsonl": lines(every(responses))},
    "blocks": {"runs.json": json.dumps(every(blocks)).encode()},
    "tags": {"runs.jsonl": lines(every(tagged))},
    "samples of an evaluation": {
        "log.eval": archive(
            {"header.json": b'{"eval": {"task": "t"}}'}
            | {f"samples/{t}_epoch_1.json": json.dumps(sample(t)).encode() for t in RUNS}
        )
    },
    "spans": {"spans.jsonl": lines(every(spans))},
    "telemetry": {"traces.jsonl": lines(every(telemetry))},
    "messages": {"messages.jsonl": lines(every(messages))},
    "rows of a service": {"rows.json": json.dumps(every(rows)).encode()},
}
