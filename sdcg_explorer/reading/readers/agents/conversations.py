"""Conversations: turns with the passages that each was answered from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sdcg_explorer.reading.calls.tools import TURN
from sdcg_explorer.reading.readers.agents.calls import Call, Listed, Run, System
from sdcg_explorer.reading.readers.agents.form import Form, Object
from sdcg_explorer.reading.readers.agents.outputs import as_object, as_objects, document_of
from sdcg_explorer.reading.readers.json_rows import cell


def _mtrag(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    """Turns of MTRAG's tasks, each an object."""
    turns: dict[str, list[Call]] = {}
    for line, given in objects:
        docs = [doc for each in as_objects(given["contexts"]) if (doc := document_of(each))]
        said = [e for e in as_objects(given.get("input")) if e.get("speaker") == "user"]
        text = str(said[-1].get("text")) if said else ""
        call = Call(
            TURN, (text,), (Listed(docs),), more={"topic": cell(given["task_id"])}, line=line
        )
        turns.setdefault(cell(given["conversation_id"]), []).append(call)
    for session, calls in turns.items():
        yield Run(calls, session=session)


def _ikat_2024(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    """A run of iKAT's second year: its turns, each with passages, the used ones marked."""
    for line, given in objects:
        turns: dict[str, list[Call]] = {}
        for turn in as_objects(given["turns"]):
            ranked = sorted(as_objects(turn["responses"]), key=lambda each: each.get("rank", 1))
            docs = [
                {"doc": cell(each["id"]), "clicked": cell(bool(each.get("used")))}
                for response in ranked[:1]
                for each in as_objects(response.get("passage_provenance"))
            ]
            _add_turn(turns, turn, docs, line)
        for session, calls in turns.items():
            yield Run(
                calls, session=session, system=System(cell(given.get("run_name")), "own name")
            )


def _ikat_2025(objects: Iterator[tuple[int, Object]]) -> Iterator[Run]:
    """Turns of iKAT's third year, each an object: passages by score, the cited ones marked."""
    turns: dict[tuple[str, str], dict[str, list[Call]]] = {}
    for line, given in objects:
        responses = as_objects(given.get("responses"))
        cited = {doc for each in responses for doc in as_object(each.get("citations"))}
        scores = as_object(given["references"])
        best_first = sorted(scores, key=lambda doc: (-float(scores[doc]), doc))
        docs = [{"doc": doc, "clicked": cell(doc in cited)} for doc in best_first]
        named = as_object(given.get("metadata"))
        run = cell(named.get("team_id")), cell(named.get("run_id"))
        _add_turn(turns.setdefault(run, {}), given, docs, line)
    for (team, run), sessions in turns.items():
        for session, calls in sessions.items():
            system = System(run, "own name") if run else System(team, "team")
            yield Run(calls, session=session, system=system)


def _add_turn(
    turns: dict[str, list[Call]], turn: Any, docs: list[dict[str, str]], line: int
) -> None:
    """One more turn of its conversation, which its id begins with."""
    topic = cell(turn["turn_id"])
    texts = (cell(turn["user_utterance"]),) if turn.get("user_utterance") else ()
    call = Call(TURN, texts, (Listed(docs),), more={"topic": topic}, line=line)
    turns.setdefault(topic.rpartition("_")[0] or topic, []).append(call)


MTRAG = Form(
    "turns with contexts",
    lambda given: "conversation_id" in given and isinstance(given.get("contexts"), list),
    _mtrag,
)
IKAT_2024 = Form(
    "turns with passages",
    lambda given: any("passage_provenance" in str(turn)[:2000] for turn in _turns(given)),
    _ikat_2024,
)
IKAT_2025 = Form(
    "turns with references",
    lambda given: "turn_id" in given and isinstance(given.get("references"), dict),
    _ikat_2025,
)


def _turns(given: Object) -> list[Object]:
    return as_objects(given.get("turns"))[:1]
