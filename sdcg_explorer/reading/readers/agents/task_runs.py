"""Runs of agents, one JSON object a task: the tools it called, and what each gave back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from sdcg_explorer.reading.readers.agents.calls import Call, Listed, Run, System, calls_by_tool
from sdcg_explorer.reading.readers.agents.form import Form, Object, UnionError
from sdcg_explorer.reading.readers.agents.outputs import (
    as_list,
    as_object,
    as_objects,
    lists_of,
    opened_in,
    search_in,
    texts_in,
)
from sdcg_explorer.reading.readers.json_rows import cell

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
    said = {name: cell(given[name]) for name in SAID if _is_plain(given.get(name))}
    counts = as_object(given.get("usage"))
    for column, names in TOKENS.items():
        value = next((counts[name] for name in names if _is_plain(counts.get(name))), None)
        said |= {column: cell(value)} if value is not None else {}
    return said | calls_by_tool(calls)


def _is_plain(value: Any) -> bool:
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


def _task_runs(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    for line, given in objects:
        steps = [e for e in as_objects(given.get("result")) if e.get("type") == "tool_call"]
        calls = [
            call_of(
                str(each.get("tool_name") or ""), each.get("arguments"), each.get("output"), line
            )
            for each in steps
        ]
        if given.get("retrieved_docids") and not any(each.docs for c in calls for each in c.lists):
            raise UnionError(line)
        about = about_run(given, calls)
        yield Run(calls, task_of(given), question_of(given), system_of(given), "", about, line)


def _is_lists(given: Object) -> bool:
    lists = as_list(given.get("retrieved_docids"))
    return bool(lists) and all(isinstance(each, dict) for each in lists)


def _lists(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    for line, given in objects:
        calls = [
            Call("search", (query,), (Listed([{"doc": cell(doc)} for doc in docs]),), line=line)
            for each in as_objects(given["retrieved_docids"])
            for query, docs in each.items()
        ]
        about = about_run(given, [])
        yield Run(calls, task_of(given), question_of(given), system_of(given), "", about)


def _is_union(given: Object) -> bool:
    return "retrieved_docids" in given


def _refused(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    raise UnionError(next(objects)[0])


LISTS = Form("lists of documents by query", _is_lists, _lists)
TASK_RUNS = Form("a run a task", _is_task_run, _task_runs)
UNION = Form("the union of documents", _is_union, _refused)
