"""Runs of search agents in two layouts: `sdcg check` of 10,000 runs of 20 calls of 10 documents."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import orjson

from benchmarks.counting import spent

RUNS, CALLS, DOCS = 10_000, 20, 10
TASKS, KNOWN = 830, 100_195  # as many as BrowseComp-Plus has, and documents
SNIPPET = "What a document says where a word of the query stands in it, cut after a line or so. "
Object = dict[str, object]


def calls_of(run: int) -> Iterator[tuple[str, list[Object]]]:
    """Query and documents of each call of a run."""
    chance = np.random.default_rng(run)
    docs = chance.integers(1, KNOWN, (CALLS, DOCS))
    for number, row in enumerate(docs.tolist(), start=1):
        found: list[Object] = [
            {"docid": str(doc), "score": 30.5 - rank, "snippet": SNIPPET}
            for rank, doc in enumerate(dict.fromkeys(row))
        ]
        yield f"query {number} of run {run}", found


def task_run(run: int) -> Object:
    """A run as a list of calls with their outputs."""
    steps = [
        {
            "type": "tool_call",
            "tool_name": "search",
            "arguments": {"query": query},
            "output": orjson.dumps(found).decode(),
        }
        for query, found in calls_of(run)
    ]
    about = {"model": f"agent-{run % 4}"}
    return {"metadata": about, "query_id": str(run % TASKS), "status": "done", "result": steps}


def messages(run: int) -> Object:
    """A run as messages that call tools."""
    said: list[Object] = [{"role": "user", "content": f"question {run % TASKS}"}]
    for number, (query, found) in enumerate(calls_of(run)):
        inner = {"name": "search", "arguments": orjson.dumps({"query": query}).decode()}
        called = {"id": f"c{number}", "type": "function", "function": inner}
        output = orjson.dumps(found).decode()
        said += [
            {"role": "assistant", "content": "", "tool_calls": [called]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": output},
        ]
    return {"query_id": str(run % TASKS), "model": f"agent-{run % 4}", "messages": said}


def write_runs(folder: Path, layout: Callable[[int], Object], runs: int, *, apart: bool) -> Path:
    """Write runs, one a line, or each as a file of its own; the log."""
    if apart:
        log = folder / "runs"
        log.mkdir()
        for run in range(runs):
            (log / f"run_{run:05}.json").write_bytes(orjson.dumps(layout(run)))
        return log
    log = folder / "runs.jsonl"
    with log.open("wb") as file:
        for run in range(runs):
            file.write(orjson.dumps(layout(run)) + b"\n")
    return log


def bench_agents() -> None:
    """Seconds and peak memory by layout; SDCG_RUNS=1000 asks for fewer runs."""
    runs = int(os.environ.get("SDCG_RUNS", RUNS))
    for name, layout, apart in (
        ("a run a line", task_run, False),
        ("a run a file", task_run, True),
        ("messages", messages, False),
    ):
        with tempfile.TemporaryDirectory() as place:
            log = write_runs(Path(place), layout, runs, apart=apart)
            qrels = Path(place) / "qrels.txt"
            judged = np.random.default_rng(0).integers(1, KNOWN, (TASKS, 6)).tolist()
            lines = (f"{t} 0 {doc} 1\n" for t, docs in enumerate(judged) for doc in {*docs})
            qrels.write_text("".join(lines))
            size = sum(f.stat().st_size for f in ([log] if log.is_file() else log.iterdir()))
            ours = [sys.executable, "-m", "sdcg_explorer", "check", str(log), str(qrels), "--json"]
            seconds, used, peak = spent(*ours)
            print(
                f"{runs:,} runs of {CALLS} calls × {DOCS} documents, {name}, {size / 1e6:.0f} MB: "
                f"{seconds:.1f} s, {used:.1f} of processors, peak {peak:.2f} GB"
            )
