"""Messages of agents with the tools they call, as chats, responses, blocks or tags have them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sdcg_explorer.reading.readers.agents.calls import Call, Run
from sdcg_explorer.reading.readers.agents.form import Form, Object
from sdcg_explorer.reading.readers.agents.outputs import (
    PIECES,
    as_list,
    as_object,
    as_objects,
    json_in,
)
from sdcg_explorer.reading.readers.agents.task_runs import (
    about_run,
    call_of,
    question_of,
    system_of,
    task_of,
)

CALLED = ("tool_use", "server_tool_use", "mcp_tool_use")
CAME_BACK = ("tool_result", "web_search_tool_result", "mcp_tool_result")
MESSAGE_LISTS = ("messages", "output", "input", "items", "conversation")


class _Heard:
    """Calls as they are read from messages: each waits for what comes back of it, by its id."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.asked: dict[str, tuple[str, Any]] = {}
        self.tagged: deque[str] = deque()  # ids of calls in tags, which come back in order
        self.calls: dict[str, Call] = {}

    def ask(self, key: Any, tool: Any, arguments: Any) -> None:
        """A call; one that never comes back has failed."""
        name = str(key if key is not None else f"call {len(self.asked)}")
        self.asked[name] = str(tool or ""), arguments
        self.calls[name] = call_of(*self.asked[name], None, self.line)

    def answer(self, key: Any, output: Any) -> None:
        """What came back of a call."""
        if (name := str(key)) in self.asked:
            self.calls[name] = call_of(*self.asked[name], output, self.line)

    def hear(self, given: Object) -> None:
        """One message, or one item of a response."""
        kind = given.get("type")
        for called in as_objects(given.get("tool_calls")):
            inner = as_object(called.get("function")) or called
            self.ask(called.get("id"), inner.get("name"), inner.get("arguments"))
        if given.get("role") == "tool":
            self.answer(given.get("tool_call_id"), given.get("content"))
        elif kind == "function_call":
            self.ask(given.get("call_id"), given.get("name"), given.get("arguments"))
        elif kind == "function_call_output":
            self.answer(given.get("call_id"), given.get("output"))
        elif kind in ("file_search_call", "web_search_call"):
            self._searched(given, str(kind))
        elif isinstance(content := given.get("content"), str):
            self._tags(content)
        else:
            for block in as_objects(content):
                self._block(block)

    def _searched(self, given: Object, kind: str) -> None:
        """A search of the model's own: several queries have one list, or none is kept."""
        texts = " | ".join(map(str, as_list(given.get("queries"))))
        key = f"{kind} {len(self.asked)}"
        self.ask(key, kind.removesuffix("_call"), {"query": texts})
        if isinstance(given.get("results"), list):
            self.answer(key, given["results"])

    def _block(self, block: Object) -> None:
        """A block of a message's content."""
        kind = block.get("type")
        if kind in CALLED:
            self.ask(block.get("id"), block.get("name"), block.get("input"))
        elif kind in CAME_BACK:
            self.answer(block.get("tool_use_id"), block.get("content"))
        elif kind in PIECES:
            self._tags(str(block.get("text")))

    def _tags(self, text: str) -> None:
        """Calls, and what comes back, in tags within a text."""
        for called in _within(text, "tool_call"):
            given = as_object(json_in(called))
            self.tagged.append(f"tag {len(self.asked)}")
            self.ask(self.tagged[-1], given.get("name"), given.get("arguments"))
        for answered in _within(text, "tool_response"):
            if self.tagged:
                self.answer(self.tagged.popleft(), answered)
        searched = zip(_within(text, "search"), _within(text, "information"), strict=False)
        for asked, listed in searched:
            key = f"search {len(self.asked)}"
            self.ask(key, "search", asked)
            self.answer(key, listed)


def _within(text: str, tag: str) -> list[str]:
    """What stands within each pair of tags; one that is not closed holds nothing."""
    parts = [part.partition(f"</{tag}>") for part in text.split(f"<{tag}>")[1:]]
    return [inner.strip() for inner, closed, _ in parts if closed]


def _messages(given: Object) -> list[Object]:
    """Messages of an object, or items of a response."""
    lists = [as_list(given.get(name)) for name in MESSAGE_LISTS]
    return [as_object(each) for items in [*filter(_calls, lists)][:1] for each in items]


def _calls(items: list[Any]) -> bool:
    """Whether messages call tools."""
    return any(_is_call(as_object(each)) for each in items)


def _is_call(given: Object) -> bool:
    content = given.get("content")
    blocks = {as_object(each).get("type") for each in as_list(content)}
    texts = [content] if isinstance(content, str) else []
    texts += [str(as_object(each).get("text")) for each in as_list(content)]
    return (
        bool(given.get("tool_calls"))
        or given.get("type") in ("function_call", "file_search_call", "web_search_call")
        or not blocks.isdisjoint(CALLED)
        or any("<tool_call>" in text or "</information>" in text for text in texts)
    )


def _of_messages(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    for line, given in objects:
        heard, messages = _Heard(line), _messages(given)
        for message in messages:
            heard.hear(message)
        calls = list(heard.calls.values())
        asked = (each.get("content") for each in messages if each.get("role") == "user")
        question = question_of(given) or next((each for each in asked if isinstance(each, str)), "")
        about = about_run(given, calls)
        yield Run(calls, task_of(given), question, system_of(given), "", about, line)


def _is_chat(given: Object) -> bool:
    """Whether a model answers, without any call, and no list stands beside what it says."""
    messages = [each for name in MESSAGE_LISTS for each in as_objects(given.get(name))]
    beside = [given[name] for name in given if name not in MESSAGE_LISTS]
    beside += [each[name] for each in messages for name in each if name != "content"]
    answers = any(each.get("role") == "assistant" for each in messages)
    return answers and not any(isinstance(value, list | dict) and value for value in beside)


def _is_sample(given: Object) -> bool:
    return "epoch" in given and bool(as_list(given.get("events")))


def _samples(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    """Samples of Inspect's logs; epochs of one are sessions on its task."""
    for line, given in objects:
        events = [each for each in as_objects(given["events"]) if each.get("event") == "tool"]
        calls = [
            call_of(
                str(each.get("function")),
                each.get("arguments"),
                None if each.get("error") else each.get("result"),
                line,
                **_seconds(each.get("timestamp"), each.get("completed")),
            )
            for each in events
        ]
        usage = as_object(given.get("model_usage"))
        about = about_run({"usage": next(iter(usage.values()), None)}, calls) | _outcomes(given)
        system = system_of({"model": next(iter(usage), "")})
        yield Run(calls, task_of(given), question_of(given), system, "", about, line)


def _outcomes(given: Object) -> dict[str, str]:
    """Scores of a sample, a column for each; C and I are 1 and 0."""
    plain = {"C": "1", "I": "0"}
    every = as_object(given.get("scores")).items()
    scores = {name: as_object(score).get("value") for name, score in every}
    return {name: plain.get(str(v), str(v)) for name, v in scores.items() if v is not None}


def _seconds(start: Any, end: Any) -> dict[str, str]:
    """How long a call took, where both moments are known."""
    try:
        took = datetime.fromisoformat(str(end)) - datetime.fromisoformat(str(start))
    except (TypeError, ValueError):  # no moments, or one of them without a zone
        return {}
    return {"query_seconds": f"{took.total_seconds():g}"}


MESSAGES = Form("messages with tool calls", lambda given: bool(_messages(given)), _of_messages)
INSPECT = Form("a sample of Inspect's log", _is_sample, _samples)
CHATS = Form("messages without a tool call", _is_chat, _of_messages)  # asked for after all others
