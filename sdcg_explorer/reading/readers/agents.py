"""Files of search agents: runs, messages, traces and conversations, as calls of tools."""

from __future__ import annotations

import re
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast

import numpy as np
import orjson

from sdcg_explorer.reading.mapping import TURN
from sdcg_explorer.reading.raw_table import Known, RawTable
from sdcg_explorer.reading.readers.text import Text, open_text
from sdcg_explorer.reading.readers.trees import FaultError, GrowingColumns, cell
from sdcg_explorer.reading.sources import Head
from sdcg_explorer.study.problems import Problem, UnusableInputError, error, refuse

Object = dict[str, Any]
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
        self._columns = GrowingColumns()
        self._lines = array("q")
        self._runs = 0
        self._files: list[tuple[str, int]] = []
        self._notes: list[Problem] = []

    def add(self, text: Text, runs: Iterable[Run], task: str = "") -> None:
        """The runs of one more file; `task` is that of those that name none.

        A file without any is a run that called nothing.
        """
        self._columns.file, self._columns.counter = text.name, text.counter
        self._files.append((text.name, len(self._lines)))
        self._notes += text.notes
        before = self._runs
        for run in runs:
            self._add_run(run, task)
        if self._runs == before:
            self._add_run(Run(()), task)

    def _add_run(self, run: Run, task: str) -> None:
        self._runs += 1
        about = {
            **{"run": str(self._runs), "session": run.session, "task": run.task or task},
            **{"question": run.question, "system": run.system.name, "system by": run.system.by},
            **run.more,
        }
        for number, call in enumerate(run.calls or (Call(NO_TOOL, line=run.line),), start=1):
            for place, listed in enumerate(call.lists or (Listed(()),)):
                row = about | _of_list(call, number, place, listed)
                for doc in listed.docs or ({"doc": ""},):
                    self._columns.add(row | doc)
                    self._lines.append(call.line)

    @property
    def files(self) -> list[str]:
        """Names of the files that were added."""
        return [name for name, _ in self._files]

    def tables(self) -> list[RawTable]:
        """The one table of all files; none where there was none."""
        if not self._files:
            return []
        (first, _), *more = self._files
        name = f"{first} and {len(more):,} more" if more else first
        parts, notes = tuple(self._files) if more else (), tuple(self._notes)
        lines = np.frombuffer(self._lines, np.int64)
        return [RawTable(name, self._columns.table(), lines, KNOWN, notes=notes, parts=parts)]


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


IDS = ("docid", "doc_id", "document_id", "documentId", "id", "file_id", "url")
LIST_NAMES = (
    "results",
    "documents",
    "docs",
    "hits",
    "references",
    "data",
    "output_documents",
    "content",
)
BETWEEN_LISTS = re.compile(r"^=======$", re.MULTILINE)
HEADED = re.compile(r"^A (?:\w+ )?search for '(.*?)' found ", re.DOTALL)
NOTHING = re.compile(r"^No results found for '(.*?)'", re.DOTALL)
PAGE = re.compile(r"^Showing ranks (\d+)\s*[-–]\s*(\d+) of .*?search_id=(\S+)", re.DOTALL)
NAMED = re.compile(
    r"^[ \t]*(?:(\d{1,9})[.)][ \t]+)?(?:doc_?id|document[ _]id|docno)[ \t]*[:=][ \t]*(\S+)",
    re.IGNORECASE | re.MULTILINE,
)
LINKED = re.compile(r"^[ \t]*(\d{1,9})[.)][ \t]+\[[^\]\n]*\]\((\S+?)\)", re.MULTILINE)
TITLED = re.compile(r"^Doc (\d{1,9}) ?\(Title: (.*?)\)", re.MULTILINE)
PLAIN_IDS, AS_TEXT = "ids are texts or numbers", "Write it as a text."
PIECES = ("text", "input_text", "output_text")  # of a text that comes in pieces


def as_object(value: Any) -> Object:
    """A value where it is an object, or else one without fields."""
    return cast("Object", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A value where it is a list, or else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_objects(value: Any) -> list[Object]:
    """Objects of a list."""
    return [cast("Object", each) for each in as_list(value) if isinstance(each, dict)]


def lists_of(output: Any) -> tuple[Listed, ...]:
    """Lists of documents in what a tool gave back; one without documents where it has none."""
    if isinstance(output, str):
        if (value := json_in(output)) is not None:
            return lists_of(value)
        return tuple(_of_text(part) for part in BETWEEN_LISTS.split(output))
    objects = _objects(output)
    texts = [str(each["text"]) for each in objects if each.get("type") in PIECES]
    if texts:
        return lists_of("\n".join(texts))
    return (Listed([doc for each in objects if (doc := document_of(each))]),)


def json_in(text: str) -> Any:
    """The value of a text that is JSON's list or object; None where it is none."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _objects(output: Any) -> list[Object]:
    """Objects that stand for documents, or for pieces of text."""
    if not (given := as_object(output)):
        return as_objects(output)
    inner = next((given[name] for name in LIST_NAMES if isinstance(given.get(name), list)), None)
    return _objects(inner)


def document_of(given: Object) -> dict[str, str]:
    """Columns of a document: its id, and where that has no usual name all its metadata.

    >>> document_of({"docid": 7, "snippet": "…", "score": 1.5})
    {'doc': '7'}
    >>> document_of({"page_content": "…", "metadata": {"source": "a.pdf"}})
    {'metadata.source': 'a.pdf'}
    """
    inner = given.get("document")
    own = cast("Object", inner) if isinstance(inner, dict) else given
    named = next((own[name] for name in IDS if own.get(name) not in (None, "")), None)
    if named is not None and not isinstance(named, str | int | float):
        raise FaultError("a document's id within brackets", PLAIN_IDS, AS_TEXT)
    rank = {"rank": cell(given["rank"])} if given.get("rank") is not None else {}
    if named is not None:
        return {"doc": cell(named), **rank}
    metadata = own.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    plain = cast("Object", metadata).items()
    return {f"metadata.{key}": cell(v) for key, v in plain if _is_plain(v)} | rank


def _is_plain(value: Any) -> bool:
    try:
        return isinstance(value, str | int | float) and len(cell(value)) < 1000
    except FaultError:
        return False


def _of_text(text: str) -> Listed:
    """The list that a text holds, a line of each document or more."""
    text = text.strip()
    if nothing := NOTHING.match(text):
        return Listed((), nothing[1])
    headed, page = HEADED.match(text), PAGE.match(text)
    docs = _documents(text)
    return Listed(docs, headed[1] if headed else "", page[3] if page else "")


def _documents(text: str) -> list[dict[str, str]]:
    """Columns of each document in a text: its id, or else its title; its rank where one stands."""
    for column, form in (("doc", NAMED), ("doc", LINKED), ("title", TITLED)):
        if fits := [(fit[1], fit[2].strip(" ,;\"'")) for fit in form.finditer(text)]:
            return [{column: name} | ({"rank": rank} if rank else {}) for rank, name in fits]
    return []


def arguments_of(given: Any) -> Any:
    """A call's arguments; JSON in a text is read."""
    value = json_in(given) if isinstance(given, str) else given
    return given if value is None else value


def texts_in(arguments: Any) -> tuple[str, ...]:
    """Queries in a call's arguments: a text, or a list of them.

    >>> texts_in('{"query": ["a", "b"]}'), texts_in({"user_query": "c"}), texts_in("d")
    (('a', 'b'), ('c',), ('d',))
    """
    value = arguments_of(arguments)
    if isinstance(value, dict):
        asked = (each for name, each in as_object(value).items() if "quer" in name.lower())
        value = next(asked, None)
        return texts_in(value) if isinstance(value, list) else (str(value),) if value else ()
    if isinstance(value, list):
        return tuple(each for each in as_list(value) if isinstance(each, str))
    return (str(value),) if value else ()


def opened_in(arguments: Any) -> str:
    """Document that a call's arguments name; "" where they name none.

    >>> opened_in('{"docid": 7}'), opened_in({"url": ["u"]}), opened_in({"query": "q"})
    ('7', 'u', '')
    """
    given = as_object(arguments_of(arguments))
    named = next((given[name] for name in IDS if given.get(name) not in (None, "", [])), "")
    return cell(as_list(named)[0] if isinstance(named, list) else named)


def search_in(arguments: Any) -> str:
    """The search whose further page a call asks for; "" where it asks for none."""
    given = as_object(arguments_of(arguments))
    return str(given.get("search_id") or "") if not texts_in(given) else ""


@dataclass(frozen=True)
class Form:
    """A form of file: what it is called, whether an object is of it, and the runs of all of them.

    read : is given each object of a file with its line
    """

    name: str
    recognises: Callable[[Object], bool]
    read: Callable[[Iterator[tuple[int, Object]]], Iterable[Run]]


def _each(run_of: Callable[[int, Object], Run]) -> Callable[[Iterator[tuple[int, Object]]], Any]:
    """A form of which each object is a run."""
    return lambda objects: (run_of(line, given) for line, given in objects)


def _run(given: Object, calls: list[Call], line: int = 1, question: str = "") -> Run:
    """A run with what its object says of it."""
    asked = question_of(given) or question
    return Run(calls, task_of(given), asked, system_of(given), "", about_run(given, calls), line)


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


TOKENS = {
    "tokens_in": ("input_tokens", "prompt_tokens", "tokens_in"),
    "tokens_out": ("output_tokens", "completion_tokens", "tokens_out"),
}
SAID = ("status", "termination", "cost", "seconds", "correct", "score")


def call_of(tool: str, arguments: Any, output: Any, line: int, **more: str) -> Call:
    """A call by its arguments and its output; None is one that failed."""
    lists = () if output is None else lists_of(output)
    if page := search_in(arguments):
        lists = tuple(Listed(each.docs, each.text, each.page_of or page) for each in lists)
    asked, opens = texts_in(arguments), opened_in(arguments)
    return Call(tool, asked, lists, opens, output is None, more, line)


def about_run(given: Object, calls: list[Call]) -> dict[str, str]:
    """What a run says of itself: status, tokens, cost, seconds, and calls by tool."""
    said = {name: cell(given[name]) for name in SAID if _is_short(given.get(name))}
    counts = as_object(given.get("usage"))
    for column, names in TOKENS.items():
        value = next((counts[name] for name in names if _is_short(counts.get(name))), None)
        said |= {column: cell(value)} if value is not None else {}
    return said | calls_by_tool(calls)


def _is_short(value: Any) -> bool:
    return isinstance(value, str | int | float) and len(str(value)) < 200


def system_of(given: Object) -> System:
    """A run's model, with its retriever where that is named.

    >>> system_of({"metadata": {"model": "models/agent-30b", "searcher_type": "bm25"}})
    System(name='agent-30b with bm25', by='model with retriever')
    """
    about = given | as_object(given.get("metadata"))
    model = next((about[name] for name in ("model", "model_name") if about.get(name)), "")
    retriever = next((about[n] for n in ("searcher_type", "retriever") if about.get(n)), "")
    every = {"model": PurePosixPath(str(model)).name, "retriever": str(retriever)}
    named = {by: name for by, name in every.items() if name}
    return System(" with ".join(named.values()), " with ".join(named))


def task_of(given: Object) -> str:
    """The task's id; "" where none stands."""
    names = ("query_id", "qid", "task_id", "question_id", "instance_id", "id")
    return next((cell(given[n]) for n in names if given.get(n) not in (None, "")), "")


def question_of(given: Object) -> str:
    """The task in words; "" where none stand."""
    return next((str(given[n]) for n in ("question", "query", "input") if _asks(given.get(n))), "")


def _asks(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_task_run(given: Object) -> bool:
    return any("tool_name" in each for each in as_objects(given.get("result")))


def _task_run(line: int, given: Object) -> Run:
    steps = [e for e in as_objects(given.get("result")) if e.get("type") == "tool_call"]
    calls = [
        call_of(str(each.get("tool_name") or ""), each.get("arguments"), each.get("output"), line)
        for each in steps
    ]
    if given.get("retrieved_docids") and not any(each.docs for c in calls for each in c.lists):
        raise UnionError(line)
    return _run(given, calls, line)


def _is_lists(given: Object) -> bool:
    lists = as_list(given.get("retrieved_docids"))
    return bool(lists) and all(isinstance(each, dict) for each in lists)


def _lists(line: int, given: Object) -> Run:
    calls = [
        Call("search", (query,), (Listed([{"doc": cell(doc)} for doc in docs]),), line=line)
        for each in as_objects(given["retrieved_docids"])
        for query, docs in each.items()
    ]
    run = _run(given, calls)
    return replace(run, more=about_run(given, []))


def _refused(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    raise UnionError(next(objects)[0])


LISTS = Form("lists of documents by query", _is_lists, _each(_lists))
TASK_RUNS = Form("a run a task", _is_task_run, _each(_task_run))
UNION = Form("the union of documents", lambda given: "retrieved_docids" in given, _refused)


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
    calling = (items for items in lists if any(_is_call(as_object(each)) for each in items))
    return [as_object(each) for each in next(calling, list[Any]())]


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


def _of_messages(line: int, given: Object) -> Run:
    heard, messages = _Heard(line), _messages(given)
    for message in messages:
        heard.hear(message)
    asked = (each.get("content") for each in messages if each.get("role") == "user")
    question = next((each for each in asked if isinstance(each, str)), "")
    return _run(given, [*heard.calls.values()], line, question)


def _is_chat(given: Object) -> bool:
    """Whether a model answers, without any call, and no list stands beside what it says."""
    messages = [each for name in MESSAGE_LISTS for each in as_objects(given.get(name))]
    beside = [given[name] for name in given if name not in MESSAGE_LISTS]
    beside += [each[name] for each in messages for name in each if name != "content"]
    answers = any(each.get("role") == "assistant" for each in messages)
    return answers and not any(as_list(value) or as_object(value) for value in beside)


def _is_sample(given: Object) -> bool:
    return "epoch" in given and bool(as_list(given.get("events")))


def _sample(line: int, given: Object) -> Run:
    """A sample of Inspect's logs; epochs of one are sessions on its task."""
    calls = [
        call_of(
            str(each.get("function")),
            each.get("arguments"),
            None if each.get("error") else each.get("result"),
            line,
            **_seconds(each.get("timestamp"), each.get("completed")),
        )
        for each in as_objects(given["events"])
        if each.get("event") == "tool"
    ]
    usage = as_object(given.get("model_usage"))
    model = {"model": next(iter(usage), ""), "usage": next(iter(usage.values()), None)}
    more = about_run(model, calls) | _outcomes(given)
    return replace(_run(given, calls, line), system=system_of(model), more=more)


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


MESSAGES = Form(
    "messages with tool calls", lambda given: bool(_messages(given)), _each(_of_messages)
)
INSPECT = Form("a sample of Inspect's log", _is_sample, _each(_sample))
CHATS = Form(
    "messages without a tool call", _is_chat, _each(_of_messages)
)  # asked for after all others


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


def _moment(value: Any) -> float:
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
        start=_moment(_first(given, "startTimeUnixNano", "start_time", "startTime")),
        end=_moment(_first(given, "endTimeUnixNano", "end_time", "endTime")),
        kind=_kind(said),
        said=said,
        line=line,
    )


def _documents_of(said: Object) -> list[dict[str, str]]:
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
    listed = Listed(_documents_of(span.said))
    return Call(span.kind, (text,) * bool(text), (listed,), line=span.line, more=took)


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


class _Turn(NamedTuple):
    """A turn of a conversation: its topic, what was said, and documents, best first."""

    session: str
    topic: str
    text: Any
    docs: list[dict[str, str]]
    system: System = UNNAMED


def _turns_of(
    turns_in: Callable[[Object], Iterator[_Turn]],
) -> Callable[[Iterator[tuple[int, Object]]], Iterator[Run]]:
    """Runs of conversations, each of the turns that any object has of it."""

    def runs(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
        calls: dict[tuple[System, str], list[Call]] = {}
        for line, given in objects:
            for turn in turns_in(given):
                texts = (cell(turn.text),) if turn.text else ()
                call = Call(
                    TURN, texts, (Listed(turn.docs),), "", False, {"topic": turn.topic}, line
                )
                calls.setdefault((turn.system, turn.session), []).append(call)
        for (system, session), own in calls.items():
            yield Run(own, session=session, system=system)

    return runs


def _mtrag(given: Object) -> Iterator[_Turn]:
    """A turn of MTRAG's tasks."""
    docs = [doc for each in as_objects(given["contexts"]) if (doc := document_of(each))]
    said = [e.get("text") for e in as_objects(given.get("input")) if e.get("speaker") == "user"]
    text = str(said[-1]) if said else ""
    yield _Turn(cell(given["conversation_id"]), cell(given["task_id"]), text, docs)


def _ikat_2024(given: Object) -> Iterator[_Turn]:
    """Turns of iKAT's second year, each with passages, the used ones marked."""
    for turn in as_objects(given["turns"]):
        ranked = sorted(as_objects(turn["responses"]), key=lambda each: each.get("rank", 1))
        docs = [
            {"doc": cell(each["id"]), "clicked": cell(bool(each.get("used")))}
            for response in ranked[:1]
            for each in as_objects(response.get("passage_provenance"))
        ]
        yield _of_ikat(turn, docs, System(cell(given.get("run_name")), "own name"))


def _ikat_2025(given: Object) -> Iterator[_Turn]:
    """A turn of iKAT's third year: passages by score, the cited ones marked."""
    responses = as_objects(given.get("responses"))
    cited = {doc for each in responses for doc in as_object(each.get("citations"))}
    scores = as_object(given["references"])
    best_first = sorted(scores, key=lambda doc: (-float(scores[doc]), doc))
    docs = [{"doc": doc, "clicked": cell(doc in cited)} for doc in best_first]
    named = as_object(given.get("metadata"))
    team, run = cell(named.get("team_id")), cell(named.get("run_id"))
    yield _of_ikat(given, docs, System(run, "own name") if run else System(team, "team"))


def _rag(given: Object) -> Iterator[_Turn]:
    """The one answer to a topic, its documents best first, those that are cited marked."""
    docs = [cell(doc) for doc in given["references"]]
    cited: set[Any] = set()
    for each in as_objects(given["answer"]):
        cited.update(as_list(each.get("citations")))
    rows = [{"doc": doc, "clicked": cell(i in cited or doc in cited)} for i, doc in enumerate(docs)]
    topic, run = cell(given["topic_id"]), cell(given.get("run_id"))
    text = given.get("topic") or given.get("title") or ""
    yield _Turn(topic, topic, text, rows, System(run, "own name") if run else UNNAMED)


def _of_ikat(turn: Object, docs: list[dict[str, str]], system: System) -> _Turn:
    """A turn of the conversation that its id begins with."""
    topic = cell(turn["turn_id"])
    session = topic.rpartition("_")[0] or topic
    return _Turn(session, topic, turn.get("user_utterance"), docs, system)


MTRAG = Form(
    "turns with contexts",
    lambda given: "conversation_id" in given and isinstance(given.get("contexts"), list),
    _turns_of(_mtrag),
)
IKAT_2024 = Form(
    "turns with passages",
    lambda given: any("passage_provenance" in str(turn)[:2000] for turn in _turns(given)),
    _turns_of(_ikat_2024),
)
IKAT_2025 = Form(
    "turns with references",
    lambda given: "turn_id" in given and isinstance(given.get("references"), dict),
    _turns_of(_ikat_2025),
)
RAG = Form(
    "answers with references",
    lambda given: (
        "topic_id" in given
        and bool(as_list(given.get("references")))
        and not as_objects(given["references"])
        and isinstance(given.get("answer"), list)
    ),
    _turns_of(_rag),
)


def _turns(given: Object) -> list[Object]:
    return as_objects(given.get("turns"))[:1]


FORMS = (
    TASK_RUNS,
    LISTS,
    INSPECT,
    MESSAGES,
    MTRAG,
    IKAT_2024,
    IKAT_2025,
    RAG,
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
FAULTS = (LookupError, TypeError, AttributeError, ValueError)  # FormError, FaultError too
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

    def takes(self, head: Head) -> bool:
        """Whether a file looks like one of runs, and is: its calls are added then.

        Raises
        ------
        UnusableInputError : a form of which no session can be made
        """
        if head.own or not head.text.startswith(("{", "[")) or not has_mark(head.data):
            return False
        with open_text(head.source, by_lines=False) as text:
            return add_runs(text, self)

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
    objects = _objects_in(text)
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
        given = chain([first], objects) if form is forms[0] else _objects_in(text)
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


def _objects_in(text: Text) -> Iterator[tuple[int, Object]]:
    """Objects of a file with their lines: one per line, or those of one value."""
    with text.path.open("rb") as data:
        first = next((line for line in data if line.strip()), b"")
        try:
            orjson.loads(first)
        except orjson.JSONDecodeError:
            yield from _listed(_loaded(text, text.data, 1), 1)
            return
        data.seek(0)
        for number, line in enumerate(data, start=1):
            if line.strip():
                yield from _listed(_loaded(text, line, number), number)


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
