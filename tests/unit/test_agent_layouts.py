"""Search agents: one study in each layout is one log, and what can't be one is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.report import SET_ASIDE, TWICE
from sdcg_explorer.study.study import Study
from tests.support import agent_layouts
from tests.support.agent_layouts import GRADES, LAYOUTS, MAPPED, MODEL, RUNS, WITHOUT_OPENED, lines
from tests.support.formats import Files, put
from tests.support.zips import PLAIN


def study_of(folder: Path, files: Files, **asked: Any) -> Study:
    """The study of files and the judgments."""
    put(folder, {"grades.tsv": GRADES, **files})
    return read_study(folder, **asked)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_study_is_the_same_log_in_each_layout(layout: str, tmp_path: Path) -> None:
    study = study_of(tmp_path, LAYOUTS[layout], recipe=Recipe(mapping=MAPPED.get(layout, {})))
    queries = study.queries[["session", "query_number", "topic", "text"]].astype("str")
    assert queries.values.tolist() == [
        [task, str(k), task, searched.text]
        for task, run in RUNS.items()
        for k, searched in enumerate(run, start=1)
    ]
    shown = study.results[["session", "query_number", "rank", "doc"]].astype("str")
    assert shown.values.tolist() == [
        [task, str(k), str(rank), doc]
        for task, run in RUNS.items()
        for k, searched in enumerate(run, start=1)
        for rank, doc in enumerate(searched.docs, start=1)
    ]
    if layout not in WITHOUT_OPENED:
        assert study.results["clicked"].tolist() == [
            doc in searched.opened for run in RUNS.values() for searched in run
            for doc in searched.docs
        ]  # fmt: skip
    else:
        assert study.results["clicked"].isna().all()
    assert len(study.judgments) == 5


def test_events_beside_their_runs_are_left_aside(tmp_path: Path) -> None:
    both = {**LAYOUTS["a file a task"], **LAYOUTS["events of runs"]}
    study = study_of(tmp_path, both)
    assert len(study.sessions) == len(RUNS)
    aside = [file.file for file in study.report.files if file.role == SET_ASIDE]
    assert sorted(aside) == sorted(LAYOUTS["events of runs"])
    assert len(study.report.files) == 2 * len(RUNS) + 1


def test_what_a_run_says_of_itself_comes_along(tmp_path: Path) -> None:
    study = study_of(tmp_path, LAYOUTS["a file a task"])
    said = study.sessions[["system", "status", "tokens_in", "tokens_out", "calls_search"]]
    assert said.to_numpy().tolist()[0] == [MODEL, "completed", 100, 9, 2]
    seconds = study_of(tmp_path / "b", LAYOUTS["samples of an evaluation"])
    assert seconds.queries["query_seconds"].tolist() == [1, 3, 1, 2, 1, 2]
    assert seconds.sessions["right"].tolist() == [1.0] * 3


def test_runs_of_several_systems_and_several_of_one_task_are_sessions_of_their_own(
    tmp_path: Path,
) -> None:
    one, other = agent_layouts.lists("11"), {**agent_layouts.lists("11"), "model": "other"}
    study = study_of(tmp_path, {"a.jsonl": lines([one, other, other])})
    assert study.sessions["session"].astype("str").tolist() == [
        *(f"{MODEL}/11", "other/11/1", "other/11/2"),
    ]
    assert study.sessions["system"].astype("str").tolist() == [MODEL, "other", "other"]


ASKED_AT_ONCE = {
    "query_id": "11",
    "result": [
        {
            **{"type": "tool_call", "tool_name": "search"},
            "arguments": {"query": ["the first", "the second", "the third"]},
            "output": "A search for 'the first' found 1 results:\nDocID:d2\n",
        },
        {"type": "tool_call", "tool_name": "search", "arguments": {"query": "b"}, "output": None},
        {"type": "tool_call", "tool_name": "visit", "arguments": {"docid": "d9"}, "output": "x"},
        {"type": "tool_call", "tool_name": "python", "arguments": {"code": "1"}, "output": "1"},
    ],
}


def test_what_was_not_run_failed_or_was_never_shown_is_counted(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"11.json": json.dumps(ASKED_AT_ONCE).encode()})
    assert study.queries["text"].tolist() == ["the first"]
    assert study.report.left_out == {
        "queries asked together with another and not run": 2,
        "searches that failed and returned no list": 1,
        "an opened document that no earlier list shows": 1,
    }
    (said,) = [each for each in study.report.problems if each.found == "calls of tools"]
    assert said.rule == "tools are search (2): search, visit (1): open, python (1): not used"


def test_what_a_system_goes_by_is_said(tmp_path: Path) -> None:
    run = {"query_id": "11", "result": [ASKED_AT_ONCE["result"][0]]}
    named = {**run, "metadata": {"model": "m", "searcher_type": "bm25"}}
    files = {
        "a/11.json": named,
        "a/12.json": {**named, "query_id": "12"},
        "b/11.json": {**run, "model": "n"},
        "c/11.json": run,
    }
    study = study_of(tmp_path, {name: json.dumps(each).encode() for name, each in files.items()})
    assert [*dict.fromkeys(study.sessions["system"])] == ["m with bm25", "n", "c"]
    (said,) = [each for each in study.report.problems if each.found == "systems of runs"]
    by = "model with retriever (2 runs), model (1 run), folder (1 run)"
    assert said.rule == f"a run's system is its {by}"


def test_runs_that_never_searched_are_sessions_without_queries(tmp_path: Path) -> None:
    silent = {"query_id": "12", "result": [{"type": "reasoning", "tool_name": None}]}
    other = {"query_id": "13", "result": [{**ASKED_AT_ONCE["result"][3]}]}
    study = study_of(tmp_path, {"a.jsonl": lines([ASKED_AT_ONCE, silent, other])})
    assert study.sessions["session"].tolist() == ["11", "12", "13"]
    assert {*study.queries["session"]} == {"11"}
    checked: dict[str, Any] = study.checked()
    assert checked["query_lengths"]["0"] == 2
    assert checked["sessions_without_judgments"] == 0
    what = "2 sessions without queries ('12', '13')"
    assert what in [each.found for each in study.problems]
    assert [said for said in study.report.methods if said.startswith(f"{what}: ")]
    (tmp_path / "own.zip").write_bytes(study_zip(study, *PLAIN))
    again = read_study(tmp_path / "own.zip")
    assert (again.digest, again.report.methods) == (study.digest, study.report.methods)
    assert again.report.problems[0].found == what
    assert select(study, *PLAIN).sample.sessions.size == 1  # in no mean


def test_a_conversation_is_named_by_what_its_spans_stand_within(tmp_path: Path) -> None:
    about = {"trace_id": "t", "span_kind": "RETRIEVER", "start_time": 1, "input": "q"}
    listed = [
        {**about, "span_id": str(k), "parent_id": str(k + 1), "output": [{"id": f"d{k}"}]}
        for k in range(1, 2_000)
    ]
    root = {"trace_id": "t", "span_id": "2000", "start_time": 0, "session.id": "11"}
    study = study_of(tmp_path, {"a.jsonl": lines([*listed, root])})
    assert study.sessions["session"].tolist() == ["11"]
    assert len(study.queries) == len(listed)


def telemetry(*spans: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [*spans]}]}]}


def span(trace: str, *attributes: tuple[str, Any]) -> dict[str, Any]:
    return {
        **{"traceId": trace, "spanId": trace, "startTimeUnixNano": "1"},
        "attributes": [{"key": name, "value": value} for name, value in attributes],
    }


CHATTED = span("12", ("gen_ai.operation.name", {"stringValue": "chat"}))
FOUND = span(
    "11",
    ("gen_ai.operation.name", {"stringValue": "retrieval"}),
    ("gen_ai.retrieval.documents", {"stringValue": '[{"id": "d2"}]'}),
    ("y", {"arrayValue": {}}),
)
UNSEARCHED = {
    "no spans": telemetry(),
    "no scopes": {"resourceSpans": [{}]},
    "nothing": {"resourceSpans": None},
    "an empty span": telemetry({}, None),
    "an attribute without its key": telemetry({**CHATTED, "attributes": [{"value": {}}, {}]}),
    "only chat": telemetry(CHATTED),
    "values in pieces": telemetry(span("12", ("a", {"kvlistValue": {}}), ("b", None))),
    "messages": {"messages": [{"role": "user", "content": "q"},
                              {"role": "assistant", "content": "a"}]},
}  # fmt: skip


@pytest.mark.parametrize("what", UNSEARCHED)
def test_an_agent_that_never_searched_is_a_session_beside_one_that_did(
    what: str, tmp_path: Path
) -> None:
    silent = lines([UNSEARCHED[what]])
    name = "12" if what == "only chat" else "b"  # by its trace, or its file
    study = study_of(tmp_path, {"a.jsonl": lines([telemetry(FOUND)]), "b.jsonl": silent})
    assert study.sessions["session"].tolist() == ["11", name]
    assert f"1 session without queries ({name!r})" in [each.found for each in study.problems]
    with pytest.raises(UnusableInputError) as refused:
        study_of(tmp_path / "alone", {"b.jsonl": silent})
    assert str(refused.value).startswith("b.jsonl: agents that searched for nothing; ")


def test_what_a_reader_did_not_think_of_is_said_without_an_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Any) -> Any:
        return {}["key"]

    monkeypatch.setattr("sdcg_explorer.reading.readers.json_files.agent_table", fails)
    monkeypatch.setattr("sdcg_explorer.reading.readers.agents.add_runs", fails)
    with pytest.raises(UnusableInputError) as refused:
        study_of(tmp_path, {"a.jsonl": lines([telemetry(FOUND)])})
    assert "a.jsonl: malformed; " in str(refused.value)
    assert "key" not in str(refused.value)


UNION = {"query_id": "11", "retrieved_docids": ["d1", "d2"], "result": []}
TITLES = {
    "question": "q",
    "messages": [
        {"role": "assistant", "content": "<search> who </search>\n<information>Doc 1(Title: A) t\n"
         "Doc 2(Title: B) u</information>"},
    ],
}  # fmt: skip
NO_SEARCH = {"id": "11", "messages": [{"role": "assistant", "tool_calls": [
    {"id": "1", "name": "bm25", "arguments": {"query": "a"}}]},
    {"role": "tool", "tool_call_id": "1", "content": "1. docid=d2"}]}  # fmt: skip
REFUSED = {
    "the union": (
        UNION,
        "runs.jsonl, line 1: the union of what all calls found; a session needs the list of each "
        "call. Log each call's list: docs/agents.md says how.",
    ),
    "titles": (
        TITLES,
        "runs.jsonl: documents by title alone; documents are judged by their ids. Log the ids, or "
        "read with --map doc=title: docs/agents.md says how.",
    ),
    "no tool that searches": (
        NO_SEARCH,
        "runs.jsonl: no tool that searches; tools are bm25 (1): not used. Say which: "
        "--set search_tools=bm25.",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_session_is_refused_with_the_reason(what: str, tmp_path: Path) -> None:
    given, said = REFUSED[what]
    with pytest.raises(UnusableInputError) as refused:
        study_of(tmp_path, {"runs.jsonl": lines([given])})
    assert [str(problem) for problem in refused.value.problems] == [said]


def test_remedies_of_refused_runs_do_what_they_say(tmp_path: Path) -> None:
    named = study_of(tmp_path, {"a.jsonl": lines([NO_SEARCH])}, recipe=Recipe(search_tools="bm25"))
    assert named.results["doc"].astype("str").tolist() == ["d2"]
    files = {"a.jsonl": lines([TITLES]), "grades.tsv": b"topic\ttitle\tgrade\n11\tA\t1\n"}
    titled = study_of(tmp_path / "t", files, recipe=Recipe(mapping={"doc": "title"}))
    assert titled.results["doc"].astype("str").tolist() == ["A", "B"]


@pytest.mark.parametrize("outputs", [["<d1> x", "1. docid: d2"], ["1. docid: d2", "<d1> x"]])
def test_a_form_that_fails_gives_way_to_the_next(outputs: list[str], tmp_path: Path) -> None:
    runs = [
        {
            "query_id": str(11 + i),
            "retrieved_docids": [{"tea": ["d1", "d3"]}, {"green tea": ["d2"]}],
            "result": [{"type": "tool_call", "tool_name": "search", "output": output}],
        }
        for i, output in enumerate(outputs)  # one of whose lists can't be read off its text
    ]
    study = study_of(tmp_path, {"a.jsonl": lines(runs)})
    assert study.queries["text"].tolist() == ["tea", "green tea"] * 2
    assert study.results["doc"].astype("str").tolist() == ["d1", "d3", "d2"] * 2


def test_chunks_are_their_document_at_its_best_rank(tmp_path: Path) -> None:
    run = {"query_id": "11", "retrieved_docids": [{"q": ["d2#1", "d1#4", "d2#7", "d9"]}]}
    rules = Recipe(doc_id=r"(?P<doc>.+)#\d+")
    study = study_of(tmp_path, {"a.jsonl": lines([run])}, recipe=rules)
    shown = study.results.astype({"doc": "str"})
    assert shown[["rank", "doc"]].values.tolist() == [[1, "d2"], [2, "d1"], [3, "d2"], [4, "d9"]]
    assert study.report.repaired[TWICE] == 1
    assert study.sessions["largest_share"].tolist() == [0.5]
    notes = {each.found: each.rule for each in study.report.problems}
    assert notes["4 ids are 3 documents"] == (
        r"documents are read from ids by '(?P<doc>.+)#\\d+'; one document's chunks fill at most "
        "50% of a list (largest_share)"
    )
    with pytest.raises(UnusableInputError, match="it must fit ids such as 'd2#1'"):
        study_of(tmp_path, {"a.jsonl": lines([run])}, recipe=Recipe(doc_id="(?P<doc>x)"))


def test_files_of_judgments_stand_for_a_grade_each_and_the_highest_counts(tmp_path: Path) -> None:
    files = {"a.jsonl": LAYOUTS["lists by query"]["runs.jsonl"]}
    files |= {"gold.txt": b"11 0 d2 1\n12 0 d5 1\n", "evidence.txt": b"11 0 d2 1\n11 0 d4 1\n"}
    put(tmp_path, files)
    study = read_study(tmp_path, recipe=Recipe(grade="gold.txt=3,evidence.txt=1"))
    judged = study.judgments.astype({"topic": "str", "doc": "str"}).sort_values(["topic", "doc"])
    assert judged.values.tolist() == [["11", "d2", 3.0], ["11", "d4", 1.0], ["12", "d5", 3.0]]
    with pytest.raises(UnusableInputError) as refused:
        read_study(tmp_path, recipe=Recipe(grade="silver.txt=2"))
    said = "silver.txt: no such file; judgment files are evidence.txt, gold.txt. "
    assert str(refused.value) == said + "Name one of them: --grade evidence.txt=2."
