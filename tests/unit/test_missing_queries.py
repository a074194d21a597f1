"""Runs: queries without a line, which ids tell of, and tags, which are systems."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.study import Study
from tests.support.refusals import refusal

TURNS = "9_1 0 a 1\n9_2 0 b 2\n9_4 0 a 1\n"
TOPICS = "9 0 a 1\n8 0 a 1\n"


def run(ids: str, tag: str = "t", docs: str = "a") -> str:
    """Lines of a run: each query's id has these documents."""
    return "".join(
        f"{query} Q0 {doc} {rank} {9 - rank} {tag}\n"
        for query in ids.split()
        for rank, doc in enumerate(docs, start=1)
    )


def read(folder: Path, runs: dict[str, str], qrels: str = TOPICS, **rules: str | bool) -> Study:
    """Study of runs, by the names of their files, and judgments."""
    for name, text in {**runs, "qrels.txt": qrels}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return read_study(
        [folder / name for name in runs],
        folder / "qrels.txt",
        recipe=Recipe(**rules),  # pyright: ignore[reportArgumentType]
    )


def queries(study: Study) -> str:
    """Each query as session.number:topic, with * where it has results."""
    shown = {*study.results[["session", "query_number"]].itertuples(index=False, name=None)}
    rows = study.queries[["session", "query_number", "topic"]].itertuples(index=False, name=None)
    return " ".join(f"{s}.{n}:{topic}{'*' * ((s, n) in shown)}" for s, n, topic in rows)


@pytest.mark.parametrize(
    ("ids", "qrels", "expected"),
    [
        ("9-1 9-4 8-2", TOPICS, "9.1:9* 9.2:9 9.3:9 9.4:9* 8.1:8 8.2:8*"),
        ("9-q1 9-q3 8-q1", TOPICS, "9.1:9* 9.2:9 9.3:9* 8.1:8*"),
        ("9_0 9_2 8_1", TOPICS, "9.1:9* 9.2:9 9.3:9* 8.1:8 8.2:8*"),  # counted from 0
        ("5_9_1 5_9_3", "5_9 0 a 1\n", "5_9.1:5_9* 5_9.2:5_9 5_9.3:5_9*"),
        ("9_1 9_3", TURNS, "9.1:9_1* 9.2:9_2 9.3:9_3* 9.4:9_4"),  # the last is judged
        ("9_1 9_3 9_7", TURNS, "9.1:9_1* 9.2:9_2 9.3:9_3* 9.4:9_4 9.5:9_5 9.6:9_6 9.7:9_7*"),
        ("9_08 9_11", TOPICS, None),  # asked: 2 of 11
        ("q09_08 q09_11", "q09_08 0 a 1\n", "q09_08.1:q09_08* q09_11.1:q09_11*"),
        ("q9_01 q9_03", "q9_01 0 a 1\n", "q9.1:q9_01* q9.2:q9_02 q9.3:q9_03*"),
    ],
)
def test_a_number_that_is_skipped_is_a_query_without_results(
    ids: str, qrels: str, expected: str | None, tmp_path: Path
) -> None:
    runs = {"x.run": run(ids)}
    if expected is not None:
        assert queries(read(tmp_path, runs, qrels)) == expected
        return
    assert refusal(lambda: read(tmp_path, runs, qrels)) == (
        "x.run: query ids that may each be a session of one query, or 2 queries of 1 session; "
        "their numbers fill 2 of 11 places in their sessions. Say which: --query-id whole, or "
        "--query-numbers keep or renumber."
    )
    assert len(read(tmp_path, runs, qrels, query_numbers="keep").queries) == 11
    assert len(read(tmp_path, runs, qrels, query_numbers="renumber").queries) == 2
    assert queries(read(tmp_path, runs, qrels, query_id="whole")) == "9_08.1:9* 9_11.1:9*"


@pytest.mark.parametrize(
    ("ids", "qrels", "expected"),
    [
        ("Q0 Q1", "Q0 0 a 1\n", "whole"),
        ("301 302", "301 0 a 1\n302 0 a 1\n303 0 a 1\n", "whole"),
        ("alpha beta", "other 0 a 1\n", "whole"),
        ("ab-cd-12 ab-12-cd", "ab-cd-12 0 a 1\n", "whole"),
        ("2024-145979 2024-158743", "2024-145979 0 a 1\n", "whole"),
        ("test-1 test-2", "test-1 0 a 1\n", "asked"),  # asked: queries of a session, or tests
        ("9-1 8-2", "9-1 0 a 1\n", "asked"),  # asked: numbers go on
        ("t|1 t|2", "t 0 a 1\n", "asked"),  # asked: they begin with a topic
        ("9-1 alpha", "9 0 a 1\n", "asked"),
    ],
)
def test_ids_that_do_not_split_are_a_session_each_and_doubtful_ones_are_asked(
    ids: str, qrels: str, expected: str, tmp_path: Path
) -> None:
    each = " ".join(f"{one}.1:{one}*" for one in ids.split())
    if expected == "asked":
        assert "whole" in refusal(lambda: read(tmp_path, {"x.run": run(ids)}, qrels))
        study = read(tmp_path, {"x.run": run(ids)}, qrels, query_id="whole")
        assert study.queries["session"].astype(str).tolist() == ids.split()
        return
    study = read(tmp_path, {"x.run": run(ids)}, qrels)
    assert queries(study) == each
    assert "each of 2 query ids is a session of one query" in [
        problem.found for problem in study.report.problems
    ]


def test_numbers_that_go_on_from_session_to_session_are_asked_for(tmp_path: Path) -> None:
    said = refusal(lambda: read(tmp_path, {"x.run": run("9-1 9-2 8-3")}))
    assert "fill 3 of 5 places" in said


@pytest.mark.parametrize("lost", ["9-1", "9-2", "9-3"])
@pytest.mark.parametrize("form", ["files", "tags", "table"])
def test_a_query_that_another_system_has_is_empty_where_one_lacks_it(
    form: str, lost: str, tmp_path: Path
) -> None:
    full, less = "9-1 9-2 9-3", "9-1 9-2 9-3".replace(lost, "")
    runs = {"x.run": run(full, "x"), "y.run": run(less, "y")}
    if form == "tags":
        runs = {"both.run": "".join(runs.values())}
    if form == "table":
        rows = [line.split() for line in "".join(runs.values()).splitlines()]
        table = pd.DataFrame(rows, columns=["qid", "Q0", "docno", "rank", "score", "system"])
        runs = {"both.csv": table.drop(columns="Q0").to_csv(index=False)}
    study = read(tmp_path, runs)
    own = " ".join(f"y/9.{n}:9{'*' * (f'9-{n}' != lost)}" for n in (1, 2, 3))
    assert queries(study) == f"x/9.1:9* x/9.2:9* x/9.3:9* {own}"
    assert study.sessions["system"].tolist() == ["x", "y"]
    (said,) = [p for p in study.report.problems if "without a line" in p.found]
    assert said.found == (f"1 query without a line in the run (y: query {lost[-1]} of session 9)")
    assert said.rule == "it is a query without results (1 in other systems' runs)"
    closed = queries(read(tmp_path, runs, query_numbers="renumber"))
    assert closed == "x/9.1:9* x/9.2:9* x/9.3:9* y/9.1:9* y/9.2:9*"


def test_nothing_found_and_one_worthless_result_are_worth_the_same_and_compare_says_what_was_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions = range(1, 7)
    for name, queries_of in (("x", (1, 2, 3)), ("y", (1, 3))):
        lines = [
            f"{s}-{n} Q0 {'bad' if n == 2 else f'good{n}'} 1 9 {name}"
            for s in sessions
            for n in queries_of
        ]
        (tmp_path / f"{name}.run").write_text("\n".join(lines), encoding="utf-8")
    graded = [f"{s} 0 {doc}" for s in sessions for doc in ("good1 1", "good3 1", "bad 0")]
    (tmp_path / "qrels.txt").write_text("\n".join(graded), encoding="utf-8")
    files = [str(tmp_path / "*.run"), str(tmp_path / "qrels.txt"), "--system-by-file"]
    out = ["--score", "final", "--out", str(tmp_path / "out")]
    assert sdcg.main(["compare", *files, *out]) == 0
    assert "6 queries without a line in the run" in capsys.readouterr().err
    (table,) = (tmp_path / "out").glob("comp*.csv")
    assert pd.read_csv(table)["difference"].tolist() == [0]
    assert sdcg.main(["check", *files]) == 0
    assert "6 queries without a line in the run" in "".join(capsys.readouterr())


ALL_BUT_ONE = {"x.run": run("9-1 9-2 8-1"), "y.run": run("9-1 9-2")}


def test_a_session_that_a_system_lacks_wholly_is_asked_for(tmp_path: Path) -> None:
    assert refusal(lambda: read(tmp_path, ALL_BUT_ONE)) == (
        "x.run, y.run: 1 session that a system lacks and others have (y: 8); either the system "
        "found nothing there, or it was not asked. Say which: --set missing_sessions=empty or "
        "absent."
    )
    empty = read(tmp_path, ALL_BUT_ONE, missing_sessions="empty")
    assert queries(empty) == "x/9.1:9* x/9.2:9* x/8.1:8* y/9.1:9* y/9.2:9* y/8.1:8"
    absent = read(tmp_path, ALL_BUT_ONE, missing_sessions="absent")
    assert queries(absent) == "x/9.1:9* x/9.2:9* x/8.1:8* y/9.1:9* y/9.2:9*"
    for study in (empty, absent):
        assert any("as chosen" in problem.rule for problem in study.report.problems)


def test_sessions_that_judgments_alone_name_are_told_of(tmp_path: Path) -> None:
    runs, qrels = {"x.run": run("9_1 9_2")}, TURNS.replace("9_4", "9_3") + "7_1 0 a 1\n7_2 0 a 1\n"
    study = read(tmp_path, runs, qrels)
    (said,) = [problem for problem in study.report.problems if "no run has" in problem.found]
    assert said.found == "1 judged session that no run has (7)"
    assert queries(study) == "9.1:9_1* 9.2:9_2* 9.3:9_3"
    whole = read(tmp_path, runs, qrels, missing_sessions="empty")
    assert sorted(queries(whole).split()) == ["7.1:7_1", "7.2:7_2", *queries(study).split()]


TAGGED = {
    "one list each": (
        {"r.run": run("9-1", "x", "ab") + run("9-1", "y", "ca")},
        {},
        ["x", "y"],
    ),
    "the only tag": ({"r.run": run("9-1", "x")}, {}, ["x"]),
    "sessions apart": ({"r.run": run("9-1", "x") + run("8-1", "y")}, {}, ["x", "y"]),
    "in two files": (
        {"r.run": run("9-1", "x") + run("9-1", "y"), "s.run": run("8-1", "x") + run("8-1", "y")},
        {},
        ["x", "y"],
    ),
    "by file": (
        {"r.run": run("9-1", "x") + run("9-1", "y"), "s.run": run("9-1", "x")},
        {"system_by_file": True},
        ["r/x", "r/y", "s"],
    ),
    "a tag for each file": ({"r.run": run("9-1", "x"), "s.run": run("9-1", "x")}, {}, ["r", "s"]),
}


@pytest.mark.parametrize("form", TAGGED)
def test_run_tags_are_systems(form: str, tmp_path: Path) -> None:
    runs, rules, systems = TAGGED[form]
    study = read(tmp_path, runs, **rules)
    assert sorted(study.sessions["system"].unique()) == systems
    lines = sum(text.count("\n") for text in runs.values())
    assert len(study.results) == lines
    said = [problem for problem in study.report.problems if "run tag" in problem.found]
    assert len(said) == {"the only tag": 0, "in two files": 2}.get(form, len(runs))


def test_a_file_of_several_tags_is_one_system_where_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "r.run").write_text(run("9-1", "x") + run("9-2", "y"), encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(TOPICS, encoding="utf-8")
    files = tmp_path / "r.run", tmp_path / "qrels.txt"
    study = read_study(*files, recipe=Recipe(mapping={"system": ""}))
    assert queries(study) == "9.1:9* 9.2:9*"
    assert study.sessions["system"].tolist() == ["the system"]
