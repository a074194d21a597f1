"""Files of search agents: runs, messages, traces and conversations, as calls of tools."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast

import orjson

from sdcg_explorer.reading import limits, mapping, raw_table, sources
from sdcg_explorer.reading.raw_table import FaultError, Known, Object, RawTable, Row, cell
from sdcg_explorer.study.problems import Problem, error, refuse

OF_RUNS = ("session", "task", "question", "searcher", "system", "system by")
MOST_TOOLS = 20  # that have a column of their own
KNOWN = Known("log", "it holds calls of tools, with the list of each", calls=True)
TURNS = Known("log", "it holds turns of conversations, with the list of each", calls=True)
Objects = Iterator[tuple[int, Object]]  # of a file, each with its line


class Listed(NamedTuple):
    """A list that a call brought: columns of each document, and of the list where it names some.

    about : "text", its query, and "page_of", the search that this is the first or a further page of
    """

    docs: Sequence[Row]
    about: Mapping[str, str] = {}


class Call(NamedTuple):
    """A call of a tool: its line, what was asked, the lists that came back, and more columns."""

    line: int
    tool: str
    asked: Sequence[str] = ()
    lists: Sequence[Listed] = ()
    more: Mapping[str, str] = {}


class Run(NamedTuple):
    """An agent's work on a task, or a conversation: a session, and columns that say what it is.

    about : session, task, question, searcher, system, and what that goes by, as far as known
    """

    about: Row
    calls: Sequence[Call] = ()
    line: int = 1


class CallsTable:
    """A row for each document of each call's lists, and one for a list, or a call, without any.

    Columns of runs (session, task, question, searcher, system, what that goes by, and more), of
    calls (call, tool, text, opens, page_of, failed, not_run, and more) and of documents (doc, rank,
    and more);
    "" where nothing is said. `run` numbers runs, `call` the calls of a run, both from 1; a run
    without any call has one row, of no tool. Small files of runs are many, so that all of them
    make one table.
    """

    def __init__(self) -> None:
        self._columns = raw_table.GrowingColumns()
        self._runs = 0
        self.files: list[tuple[str, int]] = []
        self._notes: list[Problem] = []

    def add(self, text: sources.Text, runs: Sequence[Run]) -> None:
        """The runs of one more file; a file without any is a run that called nothing."""
        self._columns.file, self._columns.counter = text.name, text.counter
        self.files.append((text.name, self._columns.rows))
        self._notes += text.notes
        for about, calls, line in runs or [Run({})]:
            self._runs += 1
            run = {"run": str(self._runs)} | dict.fromkeys(OF_RUNS, "") | about
            for number, call in enumerate(calls or [Call(line, "")], start=1):
                more = max(0, len(call.asked) - max(1, len(call.lists)))  # that brought no list
                for place, listed in enumerate(call.lists or [Listed(())]):
                    row = run | {
                        "call": str(number),
                        "list": str(place + 1),
                        "tool": call.tool,
                        "text": call.asked[place] if place < len(call.asked) else "",
                        **{"opens": "", "page_of": "", "failed": "0"},
                        "not_run": str(0 if place else more),
                        **call.more,
                        **listed.about,
                    }
                    for doc in listed.docs or [{"doc": ""}]:
                        self._columns.add(row | doc, call.line)

    def tables(self) -> list[RawTable]:
        """The one table of all files; none where there was none."""
        if not self.files:
            return []
        (first, _), *more = self.files
        name = f"{first} and {len(more):,} more" if more else first
        parts, notes = tuple(self.files) if more else (), tuple(self._notes)
        table, lines = self._columns.table(), self._columns.lines
        known = TURNS if raw_table.texts_of(table["tool"]) == [mapping.TURN] else KNOWN
        return [RawTable(name, table, lines, known, notes=notes, parts=parts)]


def calls_by_tool(calls: Iterable[Call]) -> Row:
    """How often each tool was called, a column for each of the most frequent."""
    counts = Counter(call.tool for call in calls if call.tool)
    return {f"calls_{tool}": str(count) for tool, count in counts.most_common(MOST_TOOLS)}


IDS = ("docid", "doc_id", "document_id", "documentId", "id", "file_id", "url")
LIST_NAMES = (
    *("results", "documents", "docs", "hits", "references", "data", "output_documents", "content"),
)
BETWEEN_LISTS = re.compile(r"^=======$", re.MULTILINE)
HEADED = re.compile(r"A (?:\w+ )?search for '(.*?)' found |No results found for '(.*?)'", re.DOTALL)
PAGE = re.compile(r"Showing ranks (\d+)\s*[-–]\s*(\d+) of .*?search_id=(\S+)", re.DOTALL)
IN_TEXTS = {  # columns of documents in texts: their rank, where it stands, and their id or title
    re.compile(
        r"^[ \t]*(?:(\d{1,9})[.)][ \t]+)?(?:doc_?id|document[ _]id|docno)[ \t]*[:=][ \t]*(\S+)",
        re.IGNORECASE | re.MULTILINE,
    ): "doc",
    re.compile(r"^[ \t]*(\d{1,9})[.)][ \t]+\[[^\]\n]*\]\((\S+?)\)", re.MULTILINE): "doc",
    re.compile(r"^Doc (\d{1,9}) ?\(Title: (.*?)\)", re.MULTILINE): "title",
}
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


def _first(given: Object, *names: str) -> Any:
    """The first field of these that says something; None where none does."""
    return next((given[name] for name in names if given.get(name) not in (None, "", [])), None)


def parsed_json_text(given: Any) -> Any:
    """A value; that of a text which is JSON's list or object."""
    if isinstance(given, str) and given.lstrip().startswith(("[", "{")):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(given)
    return given


def lists_of(output: Any) -> list[Listed]:
    """Lists of documents in what a tool gave back; one without documents where it has none."""
    given = parsed_json_text(output)
    if isinstance(given, str):
        return [_documents_in_text(part.strip()) for part in BETWEEN_LISTS.split(given)]
    while own := as_object(given):
        given = next((own[name] for name in LIST_NAMES if isinstance(own.get(name), list)), None)
    objects = as_objects(given)
    if texts := [str(each["text"]) for each in objects if each.get("type") in PIECES]:
        parsed = as_objects([*map(parsed_json_text, texts)])  # a text a document
        return lists_of(parsed if len(parsed) == len(texts) > 1 else "\n".join(texts))
    return [Listed([doc for each in objects if (doc := document_columns(each))])]


def document_columns(given: Object) -> Row:
    """Columns of a document: its id, and where that has no usual name all its metadata.

    >>> document_columns({"docid": 7, "snippet": "…", "score": 1.5})
    {'doc': '7'}
    >>> document_columns({"page_content": "…", "metadata": {"source": "a.pdf"}})
    {'metadata.source': 'a.pdf'}
    """
    own = as_object(given.get("document")) or given
    named = next((own[name] for name in IDS if own.get(name) not in (None, "")), None)
    if isinstance(named, dict | list):
        what, rule = "a document's id in brackets", "ids are texts or numbers"
        raise FaultError(what, rule, "Write it as a text.")
    rank = {"rank": cell(given["rank"])} if given.get("rank") is not None else {}
    if named is not None:
        return {"doc": cell(named), **rank}
    metadata: Row = {}
    for key, value in as_object(own.get("metadata")).items():
        with suppress(FaultError):  # of what nobody may need
            metadata |= {f"metadata.{key}": cell(value)} if _is_short(value, 1000) else {}
    return metadata | rank if "metadata" in own else {}


def _is_short(value: Any, most: int = 200) -> bool:
    return isinstance(value, str | int | float) and len(str(value)) < most


def _documents_in_text(text: str) -> Listed:
    """The list that a text holds, a line of each document or more."""
    headed, page = HEADED.match(text), PAGE.match(text)
    asked = (headed[1] or headed[2]) if headed else ""
    about: Row = ({"text": asked} if asked else {}) | ({"page_of": page[3]} if page else {})
    none = headed and headed[1] is None  # as it says
    for form, column in IN_TEXTS.items() if not none else ():
        if fits := [(fit[1], fit[2].strip(" ,;\"'")) for fit in form.finditer(text)]:
            docs = [{column: name} | ({"rank": rank} if rank else {}) for rank, name in fits]
            return Listed(docs, about)
    return Listed((), about)


def query_texts(arguments: Any) -> tuple[str, ...]:
    """Queries in a call's arguments: a text, or a list of them.

    >>> query_texts('{"query": ["a", "b"]}'), query_texts({"user_query": "c"}), query_texts("d")
    (('a', 'b'), ('c',), ('d',))
    """
    value = parsed_json_text(arguments)
    if isinstance(value, dict):
        value = next((v for name, v in as_object(value).items() if "quer" in name.lower()), None)
    if isinstance(value, list):
        return tuple(each for each in as_list(value) if isinstance(each, str))
    return (str(value),) if value else ()


def call_from_output(line: int, tool: Any, arguments: Any, output: Any, **more: str) -> Call:
    """A call by its arguments and what came back; None where it failed.

    >>> call_from_output(1, "visit", {"url": ["u"]}, "text").more
    {'opens': 'u', 'failed': '0'}
    """
    asked, given = query_texts(arguments), as_object(parsed_json_text(arguments))
    named = _first(given, *IDS)
    opens = cell("" if named is None else named[0] if isinstance(named, list) else named)
    page = "" if asked else str(given.get("search_id") or "")  # a further one of that search
    own = {"opens": opens, "failed": str(int(output is None))} | ({"page_of": page} if page else {})
    lists = [] if output is None else lists_of(output)
    return Call(line, str(tool or ""), asked, lists, own | more)


class Form(NamedTuple):
    """A form of file: what it is called, whether an object is of it, and their runs."""

    name: str
    recognises: Callable[[Object], Any]
    read: Callable[[Objects], Iterable[Run]]


def _run_per_object(run_of: Callable[[int, Object], Run]) -> Callable[[Objects], Iterable[Run]]:
    """A form of which each object is a run."""
    return lambda objects: (run_of(line, given) for line, given in objects)


TOKENS = {
    "tokens_in": ("input_tokens", "prompt_tokens", "tokens_in"),
    "tokens_out": ("output_tokens", "completion_tokens", "tokens_out"),
}
SAID = ("status", "termination", "cost", "seconds", "correct", "score")
TASKS = ("query_id", "qid", "task_id", "question_id", "instance_id")
TOPICS = ("topic_id", "topic", "task")  # unless an id says it


def run_of(given: Object, calls: Sequence[Call], line: int, question: str = "") -> Run:
    """A run with what its object says of it.

    Its task, question and system (the model, with the retriever where one is named), and status,
    tokens, cost, seconds, scores, and calls by tool.

    >>> about = run_of({"metadata": {"model": "models/agent-30b", "searcher_type": "bm25"}}, [], 1)
    >>> about.about["system"], about.about["system by"]
    ('agent-30b with bm25', 'model and retriever')
    """
    asked = [given.get(name) for name in ("question", "query", "input")]
    asked = [each for each in asked if isinstance(each, str) and each.strip()]
    used = as_object(given.get("model_usage"))
    known = given | as_object(given.get("metadata")) | ({"model": next(iter(used))} if used else {})
    model = PurePosixPath(str(_first(known, "model", "model_name") or "")).name
    system = {"model": model, "retriever": str(_first(known, "searcher_type", "retriever") or "")}
    system = {by: name for by, name in system.items() if name}
    named = as_object(given.get("metadata")) | given
    last = ("id", *TOPICS) if given.get("object") != "response" else (*TOPICS, "id")
    tasks = [text for n in (*TASKS, *last) if _is_short(named.get(n)) and (text := cell(named[n]))]
    about = {
        "task": [*tasks, ""][0],
        "question": [*asked, question][0],
        "searcher": _session_or_searcher_name(known, "searcher"),
        "system": " with ".join(system.values()),
        "system by": " and ".join(system),
        **{name: cell(given[name]) for name in SAID if _is_short(given.get(name))},
    }
    usage = as_object([*used.values(), given.get("usage")][0])
    for column, names in TOKENS.items():
        counts = [usage[name] for name in names if _is_short(usage.get(name))]
        about |= {column: cell(counts[0])} if counts else {}
    about |= calls_by_tool(calls)
    for name, score in as_object(given.get("scores")).items():
        if (value := as_object(score).get("value")) is not None:
            about[name] = {"C": "1", "I": "0"}.get(str(value), str(value))  # of evaluations
    return Run(about, calls, line)


def _session_or_searcher_name(given: Object, what: str) -> str:
    """What an object is called as a session or a searcher; "" where it doesn't say."""
    name = _first(given, *OF_SPANS[what])
    return cell(name) if _is_short(name) else ""


def _merged_results_error() -> FaultError:
    found, rule = "the union of what all calls found", "a session needs the list of each call"
    return FaultError(found, rule, "Log each call's list: docs/agents.md says how.")


def _is_lists(given: Object) -> bool:
    return bool(as_objects(given.get("retrieved_docids")))


def _run_from_result_lists(line: int, given: Object) -> Run:
    calls = [
        Call(line, "search", (query,), [Listed([{"doc": cell(doc)} for doc in docs])])
        for each in as_objects(given["retrieved_docids"])
        for query, docs in each.items()
    ]
    return run_of(given, [], line)._replace(calls=calls)


def _refuse_merged_results(objects: Objects) -> Iterator[Run]:
    next(objects)
    raise _merged_results_error()


STARTED, ENDED = "tool_execution_start", "tool_execution_end"
ANSWER, STEP, EVENT = "role: tool", "tool_call of a run", "event: tool"
ASKS = {  # by its kind, the names of a call's id, tool and arguments; and of what came back
    STEP: ("", "tool_name", "arguments"),
    EVENT: ("id", "function", "arguments"),
    "function_call": ("call_id", "name", "arguments"),
    STARTED: ("toolCallId", "toolName", "args"),
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), ("id", "name", "input")),
}
ANSWERS = {
    STEP: ("", "output"),
    EVENT: ("id", "result"),
    "function_call_output": ("call_id", "output"),
    ENDED: ("toolCallId", "result"),
    ANSWER: ("tool_call_id", "content"),
    **{f"{kind}tool_result": ("tool_use_id", "content") for kind in ("", "web_search_", "mcp_")},
}
OWN_SEARCHES = ("file_search_call", "web_search_call")
ITEMS = ("result", "events", "messages", "output", "input", "items", "conversation")


def _item_kind(item: Object) -> str:
    if item.get("role") == "tool" or item.get("event") == "tool":
        return ANSWER if item.get("role") == "tool" else EVENT
    is_step = item.get("type") == "tool_call" and "tool_name" in item
    return STEP if is_step else str(item.get("type"))


class _Heard:
    """Calls as they are read from items: each waits for what comes back of it, by its id."""

    def __init__(self) -> None:
        self.asked: dict[str, tuple[int, str, Any, Row]] = {}
        self.tagged: deque[str] = deque()  # ids of calls in tags, which come back in order
        self.calls: dict[str, Call] = {}

    def ask(self, line: int, key: Any, tool: Any, arguments: Any, more: Row | None = None) -> str:
        """The id of a call; one that never comes back has failed."""
        name = str(key if key is not None else f"call {len(self.asked)}")
        self.asked[name] = line, str(tool or ""), arguments, more or {}
        self.answer(name, None)
        return name

    def answer(self, key: Any, output: Any) -> None:
        """What came back of a call."""
        if (name := str(key)) in self.asked:
            line, tool, arguments, more = self.asked[name]
            self.calls[name] = call_from_output(line, tool, arguments, output, **more)

    def hear(self, line: int, item: Object) -> None:
        """One message, block or event, or one item of a response."""
        kind, key = _item_kind(item), None
        for called in as_objects(item.get("tool_calls")):
            inner = as_object(called.get("function")) or called
            self.ask(line, called.get("id"), inner.get("name"), inner.get("arguments"))
        if kind in OWN_SEARCHES:  # several queries have one list, or none is kept
            action = as_object(item.get("action"))
            queries = _first(item | action, "queries") or [action.get("query", "")]
            texts = " | ".join(map(str, queries))
            key = self.ask(line, None, kind.removesuffix("_call"), {"query": texts})
            listed = item.get("results", action.get("sources"))
            self.answer(key, listed if isinstance(listed, list) else None)
        elif kind in ASKS or kind in ANSWERS:
            if kind in ASKS:
                own, tool, arguments = (item.get(name) for name in ASKS[kind])
                key = self.ask(line, own, tool, arguments, _call_duration(item))
            if kind in ANSWERS:
                own, output = (item.get(name) for name in ANSWERS[kind])
                is_lost = item.get("error") or item.get("isError")
                self.answer(key or own, None if is_lost else output)
        elif isinstance(content := item.get("content"), str):
            self._tags(line, content)
        elif kind in PIECES:
            self._tags(line, str(item.get("text")))
        else:
            for block in as_objects(content):
                self.hear(line, block)

    def _tags(self, line: int, text: str) -> None:
        """Calls, and what comes back, in tags within a text."""
        for called in _in_tags(text, "tool_call"):
            given = as_object(parsed_json_text(called))
            self.tagged.append(self.ask(line, None, given.get("name"), given.get("arguments")))
        for answered in _in_tags(text, "tool_response"):
            if self.tagged:
                self.answer(self.tagged.popleft(), answered)
        searched = zip(_in_tags(text, "search"), _in_tags(text, "information"), strict=False)
        for asked, listed in searched:
            self.answer(self.ask(line, None, "search", asked), listed)


def _in_tags(text: str, tag: str) -> list[str]:
    """What stands within each pair of tags; one that is not closed holds nothing."""
    parts = [part.partition(f"</{tag}>") for part in text.split(f"<{tag}>")[1:]]
    return [inner.strip() for inner, closed, _ in parts if closed]


def _call_duration(item: Object) -> Row:
    """How long a call took, where both moments are known."""
    start, end = (_seconds_since_epoch(item.get(name)) for name in ("timestamp", "completed"))
    return {"query_seconds": f"{end - start:g}"} if start and end else {}


def _response_items(given: Object) -> list[Object]:
    """The list of an object, or the items of a response, in which tools are called."""
    lists = [as_objects(given.get(name)) for name in ITEMS]
    return next((items for items in lists if any(map(_is_call, items))), list[Object]())


def _is_call(item: Object) -> bool:
    content = item.get("content")
    blocks = as_objects(content)
    texts = [content if isinstance(content, str) else "", *(str(e.get("text")) for e in blocks)]
    return (
        bool(item.get("tool_calls"))
        or any(_item_kind(each) in (*ASKS, *OWN_SEARCHES) for each in (item, *blocks))
        or any("<tool_call>" in text or "</information>" in text for text in texts)
    )


def _is_task_run(given: Object) -> bool:
    return any("tool_name" in each for each in as_objects(given.get("result")))


def _has_tool_calls(given: Object) -> bool:
    return bool(_response_items(given)) or ("epoch" in given and bool(as_list(given.get("events"))))


def _run_from_items(line: int, given: Object) -> Run:
    heard, items = _Heard(), _response_items(given)
    for item in items:
        heard.hear(line, item)
    calls = [*heard.calls.values()]
    if given.get("retrieved_docids") and not any(own.docs for each in calls for own in each.lists):
        raise _merged_results_error()
    asked = (each.get("content") for each in items if each.get("role") == "user")
    return run_of(given, calls, line, next((each for each in asked if isinstance(each, str)), ""))


def _message_of(given: Object) -> Object:
    """The message of JSON-RPC that an object is, or that a log wraps; {} where there is none."""
    around = (given, *map(as_object, given.values()))
    return next((each for each in around if "jsonrpc" in each), Object())


def _runs_from_log(objects: Objects) -> Iterator[Run]:
    """Runs of messages or events, by the session that stands beside each; one where none does."""
    runs: dict[str, tuple[Row, _Heard]] = {}
    for line, given in objects:
        about = {name: _session_or_searcher_name(given, name) for name in ("session", "searcher")}
        about, heard = runs.setdefault(about["session"], (about, _Heard()))
        message = _message_of(given)
        called, result = (as_object(message.get(name)) for name in ("params", "result"))
        if message.get("method") == "tools/call":
            heard.ask(line, message.get("id"), called.get("name"), called.get("arguments"))
        elif "content" in result and not result.get("isError"):
            heard.answer(message.get("id"), result)
        elif not message:
            heard.hear(line, given)
        if model := as_object(given.get("message")).get("model"):
            about |= {"system": str(model), "system by": "model"}
    for about, heard in runs.values():
        calls = [*heard.calls.values()]
        yield Run(about | calls_by_tool(calls), calls)


def _is_chat_without_calls(given: Object) -> bool:
    """Whether a model answers, without any call, and no list stands beside what it says."""
    messages = [each for name in ITEMS[2:] for each in as_objects(given.get(name))]
    beside = [given[name] for name in given if name not in ITEMS[2:]]
    beside += [v for each in messages for name, v in each.items() if name != "content"]
    answers = any(each.get("role") == "assistant" for each in messages)
    return answers and not any(as_list(value) or as_object(value) for value in beside)


def _is_event(given: Object) -> bool:
    kind = given.get("type")
    first = ("agent_start", "turn_start", "message_start", STARTED, ENDED)
    return kind in first or (kind == "session" and {"id", "timestamp"} <= {*given})


RERANK, RETRIEVAL, TOOL = "rerank", "retrieval", "tool"
DOCUMENTS = re.compile(
    r"(?:retrieval|reranker)\.(?:output_)?documents\.(\d+)\.document\.(id|score|metadata)"
)
KINDS = {"retriever": RETRIEVAL, "reranker": RERANK, "execute_tool": TOOL}
AROUND = "extra.metadata.", "metadata.", ""
NAMING_SYSTEMS = {"gen_ai.request.model": "model", "service.name": "service"}
OF_SPANS = {  # what a span says, by the names that it goes by
    "trace": ("traceId", "context.trace_id", "trace_id", "traceid"),
    "span": ("spanId", "context.span_id", "span_id", "id"),
    "parent": ("parentSpanId", "parent_id", "parent_run_id", "parentObservationId"),
    "start": ("startTimeUnixNano", "start_time", "startTime"),
    "end": ("endTimeUnixNano", "end_time", "endTime"),
    "kind": ("openinference.span.kind", "gen_ai.operation.name", "span_kind", "run_type", "type"),
    "session": (
        *("session.id", "gen_ai.conversation.id", "session", "sessionId"),
        *(a + b for a in AROUND for b in ("thread_id", "session_id", "conversation_id")),
    ),
    "searcher": ("user.id", *(a + b for a in AROUND for b in ("user_id", "userId", "user"))),
    "tool": ("gen_ai.tool.name", "tool.name", "name"),
    "arguments": ("gen_ai.tool.call.arguments", "input.value", "input", "inputs"),
    "result": ("gen_ai.tool.call.result", "output.value", "output", "outputs"),
    "asked": (
        *("gen_ai.retrieval.query.text", "input.value", "reranker.query", "input", "inputs"),
        *("inputs.query", "input.query", "inputs.input"),
    ),
    "documents": (
        *("gen_ai.retrieval.documents", "retrieval.documents", "output.value"),
        *("gen_ai.tool.call.result", "output", "outputs", "outputs.documents", "output.documents"),
    ),
}
Key = tuple[str, str]  # of a span: its trace, and itself


class _Span:
    """A span by its flat attributes, with its line."""

    def __init__(self, line: int, said: Object) -> None:
        self.line, self.said = line, said
        self.trace, self.span, self.parent = (self.text(n) for n in ("trace", "span", "parent"))
        self.start, self.end = (_seconds_since_epoch(self.get(name)) for name in ("start", "end"))
        kind = self.text("kind").lower()
        self.kind = KINDS.get(kind, kind)

    def get(self, what: str) -> Any:
        """What it says, by one of the names for that."""
        return _first(self.said, *OF_SPANS[what])

    def text(self, what: str) -> str:
        """The same as a text; "" where it says nothing."""
        return str(self.get(what) or "")

    @property
    def conversation(self) -> str:
        """What it says itself of its session; "" where it says nothing."""
        # rows that have a run_type have a project in their session_id
        project = ["session_id"] * ("run_type" in self.said)
        name = _first(self.said, *(n for n in OF_SPANS["session"] if n not in project))
        return "" if name is None else cell(name)

    def call(self) -> Call:
        """The call of a span that retrieves, or calls a tool."""
        took = {"query_seconds": f"{self.end - self.start:g}"} if self.end > self.start > 0 else {}
        if self.kind == TOOL:
            given, output = self.get("arguments"), self.get("result")
            return call_from_output(self.line, self.get("tool"), given, output, **took)
        asked = query_texts(self.get("asked"))[:1]
        return Call(self.line, self.kind, asked, [Listed(self._documents())], took)

    def _documents(self) -> list[Row]:
        """Documents, best first; one without an id is known by its place alone."""
        by_place: dict[int, Object] = {}
        for name, value in self.said.items():
            if fit := DOCUMENTS.fullmatch(name):
                by_place.setdefault(int(fit[1]), {})[fit[2]] = value
        given = parsed_json_text(self.get("documents"))
        if isinstance(given, dict):
            given = _first(cast("Object", given), "documents", "results", "output")
        objects = dict(enumerate(map(as_object, as_list(given))))
        return [
            document_columns(each) or {"doc": "", "rank": str(place + 1), "nameless": "1"}
            for place, each in sorted((by_place or objects).items())
        ]


def _flat_attributes(given: Object, before: str = "") -> Object:
    """Attributes by their whole name, whether they stood within each other or not."""
    flat: Object = {}
    for name, value in given.items():
        whole = f"{before}{name}"
        if isinstance(value, dict):
            flat |= _flat_attributes(cast("Object", value), f"{whole}.")
            continue
        flat[whole] = value
        for place, each in enumerate(as_objects(value)):
            flat |= _flat_attributes(each, f"{whole}.{place}.")
    return flat


def _plain_attributes(given: Any) -> Object:
    """Attributes as OpenTelemetry writes them, plain; one without its key is none."""
    pairs = as_objects(given)
    return {str(e["key"]): _plain_value(as_object(e.get("value"))) for e in pairs if "key" in e}


def _plain_value(given: Object) -> Any:
    """A value as OpenTelemetry writes it, plain."""
    name, value = next(iter(given.items()), ("", None))
    inner = as_object(value).get("values")
    if name == "kvlistValue":
        return _plain_attributes(inner)
    return [_plain_value(each) for each in as_objects(inner)] if name == "arrayValue" else value


def _seconds_since_epoch(value: Any) -> float:
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


def _spans_of_object(line: int, given: Object) -> Iterator[_Span]:
    """Spans of an object, however they are packed."""
    if "resourceSpans" not in given:
        flat = _flat_attributes(given)
        yield _Span(line, {name.removeprefix("attributes."): v for name, v in flat.items()})
    for resource in as_objects(given.get("resourceSpans")):
        for scope in as_objects(resource.get("scopeSpans")):
            for each in as_objects(scope.get("spans")):
                own = {name: value for name, value in each.items() if name in OWN_OF_SPANS}
                yield _Span(line, _flat_attributes(_plain_attributes(each.get("attributes"))) | own)


OWN_OF_SPANS = {OF_SPANS[name][0] for name in ("trace", "span", "parent", "start", "end")}


def _runs_from_spans(objects: Objects) -> Iterator[Run]:
    """Runs of traces, in the order of time: a conversation is one, or else a trace.

    A retrieval and its rerank are one call, which showed the reranked list. Where an agent's spans
    neither retrieve nor call a tool its run has no calls.
    """
    spans = [each for line, given in objects for each in _spans_of_object(line, given)]
    by_id = {(each.trace, each.span): each for each in spans}
    runs: dict[str, list[_Span]] = {}
    known: dict[Key, str] = {}
    searchers: dict[str, str] = {}
    for each in sorted(spans, key=lambda span: span.start):
        session = _session_name_of_span(each, by_id, known)
        searchers[session] = searchers.get(session) or each.text("searcher")
        if each.kind:
            run = runs.setdefault(session, [])
            run += [each] if each.kind in (RETRIEVAL, RERANK, TOOL) else []
    for session, own in runs.items():
        calls: list[Call] = []
        for call in (each.call() for each in own):
            if call.tool == RERANK and calls and calls[-1].tool == RETRIEVAL:
                before = calls.pop()
                call = before._replace(asked=before.asked or call.asked, lists=call.lists)
            calls.append(call)
        about = {"session": session, "searcher": searchers[session]}
        ends = [each.end for each in own if each.end]
        for key, by in reversed(NAMING_SYSTEMS.items()):
            if own and (name := _first(own[0].said, key)):
                about |= {"system": str(name), "system by": by}
        if ends and own[0].start:
            about["seconds"] = f"{max(ends) - own[0].start:g}"
        yield Run(about | calls_by_tool(calls), calls)


def _session_name_of_span(span: _Span, by_id: dict[Key, _Span], known: dict[Key, str]) -> str:
    """What a span's session is called: by itself, what it stands within, or else its trace."""
    passed: set[Key] = set()
    at: _Span | None = span
    name = ""
    while at and not name and (key := (at.trace, at.span)) not in passed:
        name = at.conversation or known.get(key, "")
        passed.add(key)
        at = by_id.get((at.trace, at.parent))
    known |= dict.fromkeys(passed, name or span.trace)
    return name or span.trace


def _is_span(given: Object) -> bool:
    if "resourceSpans" in given:
        return True
    (span,) = _spans_of_object(1, given)
    return bool(span.trace and span.kind) and "start" in " ".join(span.said).lower()


class _Turn(NamedTuple):
    """A turn of a conversation: its topic, what was said, and documents, best first."""

    session: str
    topic: str
    text: Any
    docs: Sequence[Row]
    system: str = ""
    by: str = "own name"


def _turn_runs(turns_in: Callable[[Object], Iterator[_Turn]]) -> Callable[[Objects], Iterator[Run]]:
    """Runs of conversations, each of the turns that any object has of it."""

    def runs(objects: Objects) -> Iterator[Run]:
        calls: dict[tuple[str, str, str], list[Call]] = {}
        for line, given in objects:
            for turn in turns_in(given):
                texts = [cell(turn.text)] if turn.text else []
                call = Call(line, mapping.TURN, texts, [Listed(turn.docs)], {"topic": turn.topic})
                by = turn.by if turn.system else ""
                calls.setdefault((turn.session, turn.system, by), []).append(call)
        for (session, system, by), own in calls.items():
            yield Run({"session": session, "system": system, "system by": by}, own)

    return runs


def _mtrag(given: Object) -> Iterator[_Turn]:
    """A turn of MTRAG's tasks."""
    docs = [doc for each in as_objects(given["contexts"]) if (doc := document_columns(each))]
    said = [e.get("text") for e in as_objects(given.get("input")) if e.get("speaker") == "user"]
    text = str(said[-1]) if said else ""
    yield _Turn(cell(given["conversation_id"]), cell(given["task_id"]), text, docs)


def _is_ikat_2024(given: Object) -> bool:
    return "passage_provenance" in str(as_objects(given.get("turns"))[:1])[:2000]


def _ikat_2024(given: Object) -> Iterator[_Turn]:
    """Turns of iKAT's second year, each with passages, the used ones marked."""
    for turn in as_objects(given["turns"]):
        ranked = sorted(as_objects(turn["responses"]), key=lambda each: each.get("rank", 1))
        passages = as_objects(ranked[0].get("passage_provenance")) if ranked else []
        docs = [{"doc": cell(e["id"]), "clicked": cell(bool(e.get("used")))} for e in passages]
        yield _ikat_turn(turn, docs, cell(given.get("run_name")))


def _ikat_2025(given: Object) -> Iterator[_Turn]:
    """A turn of iKAT's third year: passages by score, the cited ones marked."""
    responses = as_objects(given.get("responses"))
    cited = {doc for each in responses for doc in as_object(each.get("citations"))}
    scores = as_object(given["references"])
    best_first = sorted(scores, key=lambda doc: (-float(scores[doc]), doc))
    docs = [{"doc": doc, "clicked": cell(doc in cited)} for doc in best_first]
    named = as_object(given.get("metadata"))
    team, run = cell(named.get("team_id")), cell(named.get("run_id"))
    yield _ikat_turn(given, docs, run or team, "own name" if run else "team")


def _ikat_turn(turn: Object, docs: list[Row], system: str, by: str = "own name") -> _Turn:
    """A turn of the conversation that its id begins with."""
    topic = cell(turn["turn_id"])
    session = topic.rpartition("_")[0] or topic
    return _Turn(session, topic, turn.get("user_utterance"), docs, system, by)


def _is_rag_answer(given: Object) -> bool:
    documents = as_list(given.get("references"))
    has_answer = "topic_id" in given and isinstance(given.get("answer"), list)
    return has_answer and bool(documents) and not as_objects(documents)


def _rag_answer_turns(given: Object) -> Iterator[_Turn]:
    """The one answer to a topic, its documents best first, those that are cited marked."""
    docs = [cell(doc) for doc in given["references"]]
    cited = {one for each in as_objects(given["answer"]) for one in as_list(each.get("citations"))}
    rows = [{"doc": doc, "clicked": cell(i in cited or doc in cited)} for i, doc in enumerate(docs)]
    topic, text = cell(given["topic_id"]), given.get("topic") or given.get("title")
    yield _Turn(topic, topic, text, rows, cell(given.get("run_id")))


def _having(**kinds: type) -> Callable[[Object], bool]:
    """Whether an object has fields of these kinds."""
    return lambda given: all(n in given and isinstance(given[n], k) for n, k in kinds.items())


EVENTS = Form("events of a run", _is_event, _runs_from_log)
FORMS = (  # the first that fits
    Form("messages of JSON-RPC", _message_of, _runs_from_log),
    Form("a run a task", _is_task_run, _run_per_object(_run_from_items)),
    Form("lists of documents by query", _is_lists, _run_per_object(_run_from_result_lists)),
    Form("messages with tool calls", _has_tool_calls, _run_per_object(_run_from_items)),
    Form("turns with contexts", _having(conversation_id=object, contexts=list), _turn_runs(_mtrag)),
    Form("turns with passages", _is_ikat_2024, _turn_runs(_ikat_2024)),
    Form("turns with references", _having(turn_id=object, references=dict), _turn_runs(_ikat_2025)),
    Form("answers with references", _is_rag_answer, _turn_runs(_rag_answer_turns)),
    EVENTS,
    Form("spans of traces", _is_span, _runs_from_spans),
    Form("messages without a tool call", _is_chat_without_calls, _run_per_object(_run_from_items)),
    Form("the union of documents", _having(retrieved_docids=object), _refuse_merged_results),
)
MARKS = re.compile(  # one of them stands in each of these files; most others are known by none
    rb'"(tool_name|tool_calls|tool_call_counts|retrieved_docids|function_call'
    rb"|(file|web)_search_call|tool_use|server_tool_use|mcp_tool_use|contexts|passage_provenance"
    rb"|references|resourceSpans|jsonrpc"
    rb'|context\.trace_id|trace_id|traceId|epoch|messages|agent_start|tool_execution_(start|end))"'
    rb"|<tool_call>|<information>"
)
LOOKED_AT = 1_000_000  # bytes
FAULTS = (LookupError, TypeError, AttributeError, ValueError)  # FaultError too


def has_mark(data: bytes) -> bool:
    """Whether a field, of those that a file begins with, is called as one of a form is."""
    return bool(MARKS.search(data, 0, LOOKED_AT))


class RunFiles:
    """Files of agents' runs as they are read, which make one table.

    Events of runs are what the runs themselves are made of: beside runs they are left aside.
    """

    def __init__(self) -> None:
        self.runs, self.events = CallsTable(), CallsTable()

    def takes(self, head: sources.Head) -> bool:
        """Whether a file looks like one of runs, and is: its calls are added then.

        Raises
        ------
        UnusableInputError : a form of which no session can be made
        """
        if head.own or not head.text.startswith(("{", "[")) or not has_mark(head.data):
            return False
        with sources.open_text(head.source, by_lines=False) as text:
            return add_runs(text, self)

    def tables(self) -> list[RawTable]:
        """The one table of all files; none where there was none."""
        return self.runs.tables() or self.events.tables()

    @property
    def aside(self) -> list[str]:
        """Names of files of events that are left aside."""
        return [name for name, _ in self.events.files] if self.runs.files else []


def add_runs(text: sources.Text, files: RunFiles) -> bool:
    """Add the calls of a file of agents' runs to others; whether it is one.

    A form that the first object has, and that fails on it or a later one, gives way to the next.

    Raises
    ------
    UnusableInputError : no form of which sessions can be made
    """
    refused: list[Problem] = []
    try:
        _, first = next(_objects_in(text))
        for form in (form for form in FORMS if form.recognises(first)):
            at: list[int | None] = [None]
            try:
                runs = [*form.read(_track_current_line(_objects_in(text), at))]
            except orjson.JSONDecodeError:
                raise
            except FAULTS as fault:
                rule = f"it reads as {form.name}, each object alike"
                found = "an object that lacks a part or has it in another form"
                other = found, rule, "Correct it, or leave it out."
                found, rule, remedy = fault.args if isinstance(fault, FaultError) else other
                refused.append(error(text.name, at[0], found, rule, remedy))
                continue
            if form is EVENTS:  # a file a task
                task = {"task": PurePosixPath(text.name).stem}
                runs = [run._replace(about=run.about | task) for run in runs]
            (files.events if form is EVENTS else files.runs).add(text, runs)
            return True
    except (orjson.JSONDecodeError, StopIteration):
        return False  # no JSON, or no objects: the reader of other JSON says where
    refuse(refused[:1])
    return False


def _track_current_line(objects: Iterable[tuple[int, Object]], at: list[int | None]) -> Objects:
    """All objects; `at` has the line of the one that is read, and None after the last."""
    for each in objects:
        at[0] = each[0]
        yield each
    at[0] = None


def _objects_in(text: sources.Text) -> Objects:
    """Objects of a file with their lines: one per line, or those of one value.

    Raises
    ------
    JSONDecodeError : no JSON, or no objects
    """
    for line, value in [(1, text.data)] if is_one_value(text) else text.filled_lines():
        yield from _objects_of_json_value(value, line)


def is_one_value(text: sources.Text) -> bool:
    """Whether the file is one JSON value: it has one line, or its first line alone is none."""
    lines = (line.strip() for _, line in text.filled_lines())
    first, second = next(lines, b""), next(lines, b"")
    if not second or first[:1] not in b"{[":
        return not second
    if len(first) > limits.LONGEST_LINE:
        return first[:1] == b"["
    return not (_is_json(first) or (first[:1] == b"{" and _is_json(second[: limits.LONGEST_LINE])))


def _is_json(line: bytes) -> bool:
    with suppress(orjson.JSONDecodeError):
        orjson.loads(line)
        return True
    return False


def _objects_of_json_value(data: bytes, line: int) -> Objects:
    """Objects of a value; a list of messages alone is one object that holds them."""
    value = orjson.loads(data)
    plain = as_objects(value)
    if isinstance(value, dict):
        plain = [as_object(value)]
    elif not plain or len(plain) < len(as_list(value)):
        raise orjson.JSONDecodeError("no objects", "", 0)
    elif any("role" in each or each.get("type") == "function_call" for each in plain):
        plain = [{"messages": plain}]
    yield from ((line, each) for each in plain)
