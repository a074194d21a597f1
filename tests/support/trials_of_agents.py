"""Refusals of agents' files, and what becomes of them once their remedies are carried out."""

from __future__ import annotations

import json

from tests.support.refusals import JUDGMENTS
from tests.support.trials import Files, Trial

CHECK = "check runs.jsonl judgments.csv"
FOUND = [{"docid": "a"}, {"docid": "b"}]
STEP = {"type": "tool_call", "tool_name": "search", "arguments": {"query": "q"}}
RUN = {"query_id": "t", "result": [{**STEP, "output": FOUND}]}
ODD = {"query_id": "t", "result": [{**STEP, "tool_name": "bm25", "output": FOUND}]}
UNION = {"query_id": "t", "retrieved_docids": ["a", "b"]}
NOTHING = {"query_id": "t", "result": [{**STEP, "output": "no documents here"}]}
KEYED = {"query_id": "t", "result": [{**STEP, "output": [{"metadata": {"source": "a"}}]}]}
LISTED = {"query_id": "t", "result": [{**STEP, "output": [{"docid": ["a"]}]}]}
CHUNKS = {"query_id": "t", "retrieved_docids": [{"q": ["a-1", "b-2"]}]}
TURN = {"turn_id": "t1", "references": {"a": 1.0}, "responses": []}


GRADED: Files = {"log.csv": "session,query_number,rank,doc,topic,grade\ns,1,1,a,t,1\n"}


def runs(*objects: object) -> str:
    """Objects, one a line."""
    return "".join(f"{json.dumps(each)}\n" for each in objects)


def files(log: str) -> Files:
    """Runs, and the usual judgments."""
    return {"runs.jsonl": log, "judgments.csv": JUDGMENTS}


def logged(bad: object) -> Trial:
    """A run that is logged otherwise."""
    return Trial(files(runs(bad)), {"runs.jsonl": runs(RUN)}, CHECK)


TRIALS = [
    logged(UNION),
    logged(NOTHING),
    logged(LISTED),
    logged({"query_id": "t", "result": [{**STEP, "tool_name": None, "output": FOUND}]}),
    Trial(files(runs(RUN) + "{]\n"), {"runs.jsonl": runs(RUN)}, CHECK),
    Trial(files(runs(TURN, {**TURN, "references": {"a": "x"}})), {"runs.jsonl": runs(TURN)}, CHECK),
    Trial(files(runs(ODD)), {}, CHECK, f"{CHECK} --set search_tools=bm25"),
    Trial(files(runs(KEYED)), {}, CHECK, f"{CHECK} --map doc=metadata.source"),
    Trial(
        files(runs(CHUNKS)),
        {},
        f"{CHECK} --doc-id '(?P<doc>x)'",
        f"{CHECK} --doc-id '(?P<doc>.)-[0-9]'",
    ),
    Trial(files(runs(RUN)), {}, f"{CHECK} --set parts=odd", f"{CHECK} --set parts=grade"),
    Trial(
        GRADED,
        {"judgments.csv": JUDGMENTS},
        "check log.csv --set parts=grade",
        "check log.csv judgments.csv --set parts=grade",
    ),
    Trial(files(runs(RUN)), {}, f"{CHECK} --grade j.csv=2", f"{CHECK} --grade judgments.csv=2"),
]
