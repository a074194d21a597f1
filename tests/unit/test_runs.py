"""Runs: how ids of queries split, queries without a line, tags, and the order of results."""

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support import refusals, told

TURNS = "9_1 0 a 1\n9_2 0 b 2\n9_4 0 a 1\n"
TOPICS = "9 0 a 1\n8 0 a 1\n"


def run(ids: str, tag: str = "t", docs: str = "a") -> str:
    """Lines of a run: each query's id has these documents."""
    return "".join(
        f"{query} Q0 {doc} {rank} {9 - rank} {tag}\n"
        for query in ids.split()
        for rank, doc in enumerate(docs, start=1)
    )


def read(folder: Path, runs: told.Contents, qrels: str = TOPICS, **rules: Any) -> Study:
    """Study of runs, by the names of their files, and judgments."""
    return told.made(folder, {**runs, "qrels.txt": qrels}, **rules)


def queries(study: Study) -> str:
    """Each query as session.number:topic, with * where it has results."""
    shown = {*study.results[["session", "query_number"]].itertuples(index=False, name=None)}
    rows = study.queries[["session", "query_number", "topic"]].itertuples(index=False, name=None)
    return " ".join(f"{s}.{n}:{topic}{'*' * ((s, n) in shown)}" for s, n, topic in rows)


SPLIT = {  # ids and qrels: the queries; places that are filled where it is asked
    ("9-1 9-4 8-2", TOPICS): "9.1:9* 9.2:9 9.3:9 9.4:9* 8.1:8 8.2:8*",
    ("9-q1 9-q3 8-q1", TOPICS): "9.1:9* 9.2:9 9.3:9* 8.1:8*",
    ("9_0 9_2 8_1", TOPICS): "9.1:9* 9.2:9 9.3:9* 8.1:8 8.2:8*",  # counted from 0
    ("5_9_1 5_9_3", "5_9 0 a 1\n"): "5_9.1:5_9* 5_9.2:5_9 5_9.3:5_9*",
    ("9_1 9_3", TURNS): "9.1:9_1* 9.2:9_2 9.3:9_3* 9.4:9_4",  # the last is judged
    ("9_1 9_3 9_7", TURNS): "9.1:9_1* 9.2:9_2 9.3:9_3* 9.4:9_4 9.5:9_5 9.6:9_6 9.7:9_7*",
    ("q09_08 q09_11", "q09_08 0 a 1\n"): "q09_08.1:q09_08* q09_11.1:q09_11*",
    ("q9_01 q9_03", "q9_01 0 a 1\n"): "q9.1:q9_01* q9.2:q9_02 q9.3:q9_03*",
    ("Q0 Q1", "Q0 0 a 1\n"): "Q0.1:Q0* Q1.1:Q1*",
    ("301 302", "301 0 a 1\n302 0 a 1\n303 0 a 1\n"): "301.1:301* 302.1:302*",
    ("alpha beta", "other 0 a 1\n"): "alpha.1:alpha* beta.1:beta*",
    ("a b c 9-1 9-2", "other 0 a 1\n"): "a.1:a* b.1:b* c.1:c* 9-1.1:9-1* 9-2.1:9-2*",  # most
    ("a-b-12 a-12-b", "a-b-12 0 a 1\n"): "a-b-12.1:a-b-12* a-12-b.1:a-12-b*",
    ("2024-145979 2024-158743", "2024-145979 0 a 1\n"): "2024-145979.1:2024-145979* "
    "2024-158743.1:2024-158743*",
    ("9_08 9_11", TOPICS): "2 of 11",
    ("a-q1 a-q2", "a-q1 0 a 1\na-q2 0 a 1\n"): "2 of 2",  # all ids begin so, as documents do
    ("test-1 test-2", "test-1 0 a 1\n"): "2 of 2",  # queries of a session, or tests
    ("9-1 8-2", "9-1 0 a 1\n"): "2 of 3",  # numbers go on
    ("9-1 9-2 8-3", TOPICS): "3 of 5",
    ("t|1 t|2", "t 0 a 1\n"): "t|1",  # they begin with a topic
    ("9-1 alpha", "9 0 a 1\n"): "alpha",
}


@pytest.mark.parametrize(("ids", "qrels"), SPLIT)
def test_ids_split_into_sessions_and_queries_or_it_is_asked(
    ids: str, qrels: str, tmp_path: Path
) -> None:
    expected, runs = SPLIT[ids, qrels], {"x.run": run(ids)}
    if "*" in expected:
        assert queries(study := read(tmp_path, runs, qrels)) == expected
        each = expected == " ".join(f"{one}.1:{one}*" for one in ids.split())
        said = f"x.run: each of {len(ids.split())} query ids is a session of one query; "
        assert any(note.startswith(said) for note in told.said_of(study)) == each
        return
    asked = refusals.refusal(lambda: read(tmp_path, runs, qrels))
    if " of " in expected:
        assert re.findall(r"their numbers fill (\d+ of \d+) places", asked) == [expected]
        assert asked.endswith("--query-id whole, or --query-numbers keep or renumber.")
        for numbers, count in ("keep", expected.split()[2]), ("renumber", expected.split()[0]):
            assert len(read(tmp_path, runs, qrels, query_numbers=numbers).queries) == int(count)
    else:
        assert f"query id {expected!r}" in asked
    study = read(tmp_path, runs, qrels, query_id="whole")
    assert study.queries["session"].astype(str).tolist() == ids.split()


@pytest.mark.parametrize("lost", ["9-1", "9-2", "9-3"])
@pytest.mark.parametrize("form", ["files", "tags", "table"])
def test_a_query_that_another_system_has_is_empty_where_one_lacks_it(
    form: str, lost: str, tmp_path: Path
) -> None:
    runs = {"x.run": run("9-1 9-2 9-3", "x"), "y.run": run("9-1 9-2 9-3".replace(lost, ""), "y")}
    if form == "tags":
        runs = {"both.run": "".join(runs.values())}
    if form == "table":
        rows = [line.split() for line in "".join(runs.values()).splitlines()]
        table = pd.DataFrame(rows, columns=["qid", "Q0", "docno", "rank", "score", "system"])
        runs = {"both.csv": table.drop(columns="Q0").to_csv(index=False)}
    study = read(tmp_path, runs)
    own = " ".join(f"y/9.{n}:9{'*' * (f'9-{n}' != lost)}" for n in (1, 2, 3))
    assert queries(study) == f"x/9.1:9* x/9.2:9* x/9.3:9* {own}"
    (said,) = [p for p in study.report.problems if "without a line" in p.found]
    assert (said.found, said.rule) == (
        f"1 query without a line in the run (y: query {lost[-1]} of session 9)",
        "it is a query without results",
    )
    renumbered = read(tmp_path, runs, query_numbers="renumber")
    assert sum("SYSTEM/" in rule for *_, rule in renumbered.report.rows()) == 2  # sessions
    closed = queries(renumbered)
    assert closed == "x/9.1:9* x/9.2:9* x/9.3:9* y/9.1:9* y/9.2:9*"


def test_a_session_that_a_system_lacks_wholly_is_asked_for(tmp_path: Path) -> None:
    runs = {"x.run": run("9-1 9-2 8-1"), "y.run": run("9-1 9-2")}
    assert refusals.refusal(lambda: read(tmp_path, runs)) == (
        "x.run, y.run: 1 session that a system lacks and others have (y: 8); either the system "
        "found nothing there, or it was not asked. Say which: --set missing_sessions=empty or "
        "absent."
    )
    own = "x/9.1:9* x/9.2:9* x/8.1:8* y/9.1:9* y/9.2:9*"
    for choice, more in ("empty", " y/8.1:8"), ("absent", ""):
        study = read(tmp_path, runs, missing_sessions=choice)
        assert queries(study) == own + more
        assert any("as chosen" in problem.rule for problem in study.report.problems)


def test_sessions_that_judgments_alone_name_are_told_of(tmp_path: Path) -> None:
    runs, qrels = {"x.run": run("9_1 9_2")}, TURNS.replace("9_4", "9_3") + "7_1 0 a 1\n7_2 0 a 1\n"
    study = read(tmp_path, runs, qrels)
    assert "1 judged session that no run has (7)" in [p.found for p in study.report.problems]
    assert queries(study) == "9.1:9_1* 9.2:9_2* 9.3:9_3"
    whole = read(tmp_path, runs, qrels, missing_sessions="empty")
    assert sorted(queries(whole).split()) == ["7.1:7_1", "7.2:7_2", *queries(study).split()]


X, Y = run("9-1", "x"), run("9-1", "y")
TAGGED: dict[str, tuple[dict[str, str], dict[str, Any], str, int]] = {  # systems, notes of tags
    "one list each": ({"r.run": run("9-1", "x", "ab") + run("9-1", "y", "ca")}, {}, "x y", 1),
    "the only tag": ({"r.run": X}, {}, "x", 0),
    "sessions apart": ({"r.run": X + run("8-1", "y")}, {}, "x y", 1),
    "in two files": ({"r.run": X + Y, "s.run": run("8-1", "x") + run("8-1", "y")}, {}, "x y", 2),
    "by file": ({"r.run": X + Y, "s.run": X}, {"system_by_file": True}, "r/x r/y s", 2),
    "a tag for each file": ({"r.run": X, "s.run": X}, {}, "r s", 2),
    "one, as is said": ({"r.run": X + run("9-2", "y")}, {"mapping": {"system": ""}},
                        "the system", 0),
}  # fmt: skip


@pytest.mark.parametrize("form", TAGGED)
def test_run_tags_are_systems(form: str, tmp_path: Path) -> None:
    runs, rules, systems, notes = TAGGED[form]
    study = read(tmp_path, runs, **rules)
    assert " ".join(sorted(study.sessions["system"].unique())) == systems
    assert len(study.results) == sum(text.count("\n") for text in runs.values())
    assert len([p for p in study.report.problems if "run tag" in p.found]) == notes


# ranks against the order of the scores, and the choice between them
JUDGED = "t 0 a 1\nt 0 b 0\n"
RUN = (
    "t_1 Q0 a 1 1.5 x\nt_1 Q0 b 2 2.5 x\nt_1 Q0 c 3 0.5 x\n"  # b is worth more than a
    "t_2 Q0 a 1 7 x\nt_2 Q0 b 2 7.0 x\n"  # equal: the later name first
    "t_3 Q0 b 1 1e1 x\nt_3 Q0 a 2 9.5 x\n"  # as ranked
)
NUMBERS = json.dumps({"t_1": {"a": 2, "b": 2, "c": 3}, "t_2": {"b": 1, "a": 1}})
LISTED = [{"doc": "a", "score": 1.5}, {"doc": "b", "score": 2.5}, {"doc": "c", "score": 1.5}]
OBJECTS = json.dumps({"session": "t", "query_number": 1, "topic": "t", "results": LISTED})


def shown(study: Study) -> list[str]:
    """Documents of each query, by rank."""
    results = study.results.sort_values(["query_number", "rank"])
    return ["".join(docs.astype(str)) for _, docs in results.groupby("query_number")["doc"]]


KEEP = "Keep it if the ranks are what was shown; else read with --set order=score."
DISORDER = (
    "{} whose ranks and scores disagree; the rank column counts; trec_eval orders by score, then "
    f"document name, descending. {KEEP}"
)
OF_NUMBERS = (
    "run.json: results without a rank; they are ranked by score, equal ones by document name, "
    "descending. If the file's order is what was shown, read with --set order=rows."
)
ORDERED: dict[str, tuple[told.Contents, str, str, list[str]]] = {  # what each order shows, and says
    "a run": ({"a.run": RUN}, "rank", "abc ab ba",
              [DISORDER.format("a.run: 2 queries with 4 results")]),
    "a run by score": ({"a.run": RUN}, "score", "bac ba ba", []),
    "a run that is none": ({"a.run": RUN.replace("7.0", "7.0.1")}, "rank", "abc ab ba", [
        "a.run: scores that are not numbers; the rank column counts. Nothing to do if it is what "
        "was shown."]),
    "numbers": ({"run.json": NUMBERS}, "rank", "cba ba", [OF_NUMBERS]),
    "numbers by score": ({"run.json": NUMBERS}, "score", "cba ba", [OF_NUMBERS]),
    "a run by rows": ({"a.run": RUN}, "rows", "abc ab ba", [
        "a.run: results whose ranks aren't used; they are ranked in the order of their rows. "
        "Nothing to do if this is right."]),
    "objects": ({"log.jsonl": OBJECTS}, "rank", "abc",
                [DISORDER.format("log.jsonl: 1 query with 3 results")]),
    "objects by score": ({"log.jsonl": OBJECTS}, "score", "bca", []),
}  # fmt: skip


@pytest.mark.parametrize("what", ORDERED)
def test_results_stand_as_was_chosen_and_what_speaks_against_it_is_said(
    what: str, tmp_path: Path
) -> None:
    files, order, lists, said = ORDERED[what]
    study = read(tmp_path, files, JUDGED, order=order)
    assert shown(study) == lists.split()
    assert [
        note for note in told.said_of(study) if "score" in note or "aren't used" in note
    ] == said


@pytest.mark.parametrize("base", ["auto", "0", "1"])
def test_by_score_the_ranks_are_those_of_trec_eval(base: str, tmp_path: Path) -> None:
    study = read(tmp_path, {"a.run": RUN}, JUDGED, order="score", rank_base=base)
    assert told.lists_of(study) == "t.1 t: 2=a 1=b c | t.2 t: 2=a 1=b | t.3 t: b a"
    moved = [line for _, line, _, rule in study.report.rows() if "by score" in rule]
    assert moved == [1, 2, 4, 5]


# numbers by query and document: runs where judgments are given, else asked for


FIRST = {"x.json": b'{"7_1": {"a": 0.75, "b": 0.5, "c": 0.25}, "7_2": {"b": 0.75}}'}
TREC = b"7_1 0 a 2\n7_1 0 b 0\n7_2 0 b 1\n"
GRADES = {"judged.json": b'{"7_1": {"a": 2, "b": 0}, "7_2": {"b": 1}}'}
BOTH = {
    "as TREC has them": {"qrels.txt": TREC},
    "as a table": {"qrels.csv": b"query_id,doc,relevance\n7_1,a,2.0\n7_1,b,0.0\n7_2,b,1.0\n"},
    "as BEIR has them": {"q.tsv": b"query-id\tcorpus-id\tscore\n7_1\ta\t2\n7_1\tb\t0\n7_2\tb\t1\n"},
    "in the same form": {"again.json": b'{"7_1": {"b": 0, "a": 2}, "7_2": {"b": 1}}'},
}


@pytest.mark.parametrize("form", BOTH)
def test_judgments_in_two_forms_are_one_set(form: str, tmp_path: Path) -> None:
    study = told.made(tmp_path, {**FIRST, **GRADES, **BOTH[form]})
    assert (study.sessions["system"].nunique(), len(study.results)) == (1, 4)
    assert told.grades_of(study) == "7_1/a=2 7_1/b=0 7_2/b=1"
    said = " ".join(map(str, study.report.problems))
    assert said.count(" repeat the grades of ") == 1
    assert "x.json: read as a run; " in said


LOG = {"log.csv": b"session,query_number,rank,doc,topic,grade\ns1,1,1,a,t,1\n"}
SCORES = {"x.json": b'{"t": {"a": 1.5, "b": 0.5}}'}


def test_numbers_that_are_given_as_judgments_are_grades(tmp_path: Path) -> None:
    folder = told.put(tmp_path / "graded", {"t.json": b'{"t": {"a": 2}}', **SCORES})[0].parent
    (log,) = told.put(tmp_path, LOG)
    assert told.grades_of(read_study(log, folder / "x.json")) == "t/a=1.5 t/b=0.5"
    (folder / "x.json").write_bytes(b'{"u": {"a": 1}}')
    assert told.grades_of(read_study(log, folder)) == "t/a=2 u/a=1"
