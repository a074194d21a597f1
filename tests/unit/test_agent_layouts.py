"""Search agents: one study in each layout is one log, and what can't be one is refused."""

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.study.report import SET_ASIDE
from sdcg_explorer.study.study import Study
from tests.support.agent_layouts import GRADES, LAYOUTS, MODEL, RUNS, lines
from tests.support.refusals import refusal
from tests.support.told import Contents, lists_of, made, outcome


def made_of(folder: Path, files: Contents, **rules: Any) -> Study:
    """The study of files and the judgments."""
    return made(folder, {"grades.tsv": GRADES, **files}, **rules)


# the others are held whole by tests/answers
@pytest.mark.parametrize(
    "layout", ["events of runs", "samples of an evaluation", "rows of a service"]
)
def test_one_study_is_the_same_log_in_each_layout(layout: str, tmp_path: Path) -> None:
    known = layout != "rows of a service"
    mapping = {} if known else {"doc": "metadata.source"}
    study = made_of(tmp_path, LAYOUTS[layout], mapping=mapping)
    assert lists_of(study) == " | ".join(
        " ".join([f"{task}.{k} {task}:",
                  *(f"{doc}{'*' * (known and doc in searched.opened)}" for doc in searched.docs)])
        for task, run in RUNS.items() for k, searched in enumerate(run, start=1)
    )  # fmt: skip
    texts = [searched.text for run in RUNS.values() for searched in run]
    assert study.queries["text"].tolist() == texts
    assert study.results["clicked"].isna().any() != known
    assert len(study.judgments) == 5


def test_events_beside_their_runs_are_left_aside(tmp_path: Path) -> None:
    study = made_of(tmp_path, {**LAYOUTS["a file a task"], **LAYOUTS["events of runs"]})
    assert len(study.sessions) == len(RUNS)
    aside = [file.file for file in study.report.files if file.role == SET_ASIDE]
    assert sorted(aside) == sorted(LAYOUTS["events of runs"])


def test_what_a_run_says_of_itself_comes_along(tmp_path: Path) -> None:
    study = made_of(tmp_path, LAYOUTS["a file a task"])
    said = study.sessions[["system", "status", "tokens_in", "tokens_out", "calls_search"]]
    assert said.to_numpy().tolist()[0] == [MODEL, "completed", 100, 9, 2]
    seconds = made_of(tmp_path / "b", LAYOUTS["samples of an evaluation"])
    assert seconds.queries["query_seconds"].tolist() == [1, 3, 1, 2, 1, 2]
    assert seconds.sessions["right"].tolist() == [1.0] * 3


def call(tool: str, given: object, output: object) -> dict[str, Any]:
    """A call of a tool."""
    return {"type": "tool_call", "tool_name": tool, "arguments": given, "output": output}


ONE = call("search", {"query": ["the first", "the second", "the third"]},
           "A search for 'the second' found 1 results:\nDocID:d2\n")  # fmt: skip
PYTHON = call("python", {"code": "1"}, "1")
AT_ONCE = {"query_id": "11", "result": [
    ONE, call("search", {"query": "b"}, None), call("visit", {"docid": "d9"}, "x"), PYTHON,
]}  # fmt: skip
UNION = {"query_id": "11", "retrieved_docids": ["d1", "d2"], "result": []}
TITLES = {"question": "q", "messages": [{"role": "assistant", "content": (
    "<search> who </search>\n<information>Doc 1(Title: A) t\nDoc 2(Title: B) u</information>"
)}]}  # fmt: skip
BM25 = {"id": "11", "messages": [{"role": "assistant", "tool_calls": [
    {"id": "1", "name": "bm25", "arguments": {"query": "a"}}]},
    {"role": "tool", "tool_call_id": "1", "content": "1. docid=d2"}]}  # fmt: skip
CHUNKS = {"query_id": "11", "retrieved_docids": [{"q": ["d2#1", "d1#4", "d2#7", "d9"]}]}
LISTS = [{"tea": ["d1", "d3"]}, {"green tea": ["d2"]}]
FORMS = [{"query_id": str(11 + i), "retrieved_docids": LISTS, "result": [call("search", None, out)]}
         for i, out in enumerate(("<d1> x", "1. docid: d2"))]  # fmt: skip
CITED = {"references": ["d1", "d2"], "answer": [{"text": "x", "citations": [1]}]}
NOT_SO = ". If that is wrong, read with --set search_tools=NAME and --set open_tools=NAME."
KEEP = ". If that is wrong, log the model of each run, or give each system's runs a folder."
ONE_SYSTEM = f"a.jsonl: systems of runs; none is named: all are one{KEEP}"
CALLS = "a.jsonl: tool calls; search searches"
NOT_RUN = " left out: queries asked together with another and not run"
SAID: dict[str, tuple[Contents, dict[str, Any], str]] = {
    "what was not run, failed or was never shown": ({"a.jsonl": lines([AT_ONCE])}, {},
        "11.1 11: d2\n"
        "a.jsonl [1] left out: searches that failed and returned no list\n"
        "a.jsonl [1] left out: an opened document that no earlier list shows\n"
        f"a.jsonl [1, 1]{NOT_RUN}\n"
        f"{CALLS} (2), visit opens (1), python isn't used (1){NOT_SO}\n"
        f"{ONE_SYSTEM}"),
    "the union": ({"a.jsonl": lines([UNION])}, {},
        "a.jsonl, line 1: the union of what all calls found; a session needs the list of each "
        "call. Log each call's list: docs/agents.md says how."),
    "titles": ({"a.jsonl": lines([TITLES])}, {},
        "a.jsonl: documents by title alone; documents are judged by their ids. Log the ids "
        "(docs/agents.md says how), or read with --map doc=title."),
    "titles, as is said": (
        {"a.jsonl": lines([TITLES]), "grades.tsv": "topic\ttitle\tgrade\n11\tA\t1\n"},
        {"mapping": {"doc": "title"}},
        "q.1 q: A B\n"
        f"{CALLS} (1){NOT_SO}\n"
        f"{ONE_SYSTEM}\n"
        "grades.tsv: no topic in common with the log (here '11'; there 'q'); a judgment counts for "
        "queries on its own topic alone. Name topics alike in both, or add a table with both "
        "names of each topic.\n"
        "grades.tsv: no judgment below 1; unlisted documents gain 0, as if judged not "
        "relevant. Nothing to do if everything relevant is listed."),
    "no tool that searches": ({"a.jsonl": lines([BM25])}, {},
        "a.jsonl: no tool that searches; bm25 isn't used (1). Say which: --set "
        "search_tools=bm25."),
    "a form that fails": ({"a.jsonl": lines(FORMS)}, {},
        "11.1 11: d1 d3 | 11.2 11: d2 | 12.1 12: d1 d3 | 12.2 12: d2\n"
        f"{CALLS} (4){NOT_SO}\n"
        f"{ONE_SYSTEM}"),
    "an answer beside mere references": ({
            "a.jsonl": lines([{"topic_id": "11", **CITED}]),
            "b.jsonl": lines([{"topic_id": "11", "references": ["d1", "d2"]}]),
        }, {},
        f"11.1 11: d1 d2*\n{ONE_SYSTEM}\n"
        "b.jsonl: ignored; its columns fit no log, judgments or ratings (topic_id, "
        "references). If it belongs to the study, say what it is."),
    "chunks": ({"a.jsonl": lines([CHUNKS])}, {"doc_id": r"(?P<doc>.+)#\d+"},
        "11.1 11: d2 d1 d2 d9\n"
        "a.jsonl [1] repaired: a document listed twice: the second copy gains nothing\n"
        f"{CALLS} (1){NOT_SO}\n"
        f"{ONE_SYSTEM}\n"
        "a.jsonl: 1 id of a document; '(?P<doc>.+)#\\d+' does not fit it, so each stays a "
        "document. Correct the pattern: --doc-id PATTERN.\n"
        "a.jsonl: 4 ids are 3 documents; documents are read from ids by "
        "'(?P<doc>.+)#\\d+'; one document's chunks fill at most 50% of a list "
        "(largest_share). Nothing to do if this is right."),
}  # fmt: skip


@pytest.mark.parametrize("what", SAID)
def test_what_is_no_list_of_a_call_is_said_or_refused(what: str, tmp_path: Path) -> None:
    files, rules, told = SAID[what]
    assert outcome(tmp_path, {"grades.tsv": GRADES, **files}, **rules) == told


def test_what_a_reader_did_not_think_of_is_said_without_an_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Any:
        return {}["key"]

    monkeypatch.setattr("sdcg_explorer.reading.readers.agents.add_runs", fails)
    said = refusal(lambda: made_of(tmp_path, {"a.jsonl": lines([AT_ONCE])}))
    assert "a.jsonl: malformed; its parts are not where its format has them. " in said
    assert "key" not in said


def test_turns_with_contexts_ask_what_the_user_said_last(tmp_path: Path) -> None:
    said = [("user", "one"), ("agent", "an answer"), ("user", "two"), ("agent", "another")]
    tasks = [
        {
            "conversation_id": "c",
            "task_id": f"c{turn}",
            "input": [{"speaker": who, "text": text} for who, text in said[: 2 * turn]],
            "contexts": [{"document_id": f"d{turn}"}, {}, {"document_id": "d3"}],
        }
        for turn in (1, 2)
    ]
    grades = "topic\tdoc\tgrade\nc1\td1\t1\nc2\td2\t1\n"
    study = made_of(tmp_path, {"a.jsonl": lines(tasks), "grades.tsv": grades})
    assert study.queries[["topic", "text"]].astype(str).to_numpy().tolist() == [
        ["c1", "one"],
        ["c2", "two"],
    ]
    assert study.results["doc"].tolist() == ["d1", "d3", "d2", "d3"]
