"""Runs: how ids of queries split, queries without a line, which ids tell of, and tags: systems."""

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

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


def read(folder: Path, runs: dict[str, str], qrels: str = TOPICS, **rules: Any) -> Study:
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
        "it is a query without results (1 in other systems' runs)",
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
