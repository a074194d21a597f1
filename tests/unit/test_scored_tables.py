"""Files of numbers by query and document: runs where judgments are given, else asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_parts, read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.study import Study
from tests.support.formats import zip_of
from tests.support.refusals import refused as lines_of_refusal
from tests.unit.test_formats import put

RUNS = {
    f"{name}.json": json.dumps({"7_1": {"a": a, "b": 0.5, "c": 0.25}, "7_2": {"b": a}}).encode()
    for name, a in (("bm25", 0.75), ("dense", 0.125), ("mixed", 0.375))
}
WHOLE = {
    f"{name}.json": json.dumps({"7_1": {"a": a, "b": 2, "c": 1}, "7_2": {"b": a}}).encode()
    for name, a in (("bm25", 3), ("dense", 0), ("mixed", 4))
}
QRELS = {
    "qrels.txt": b"7 0 a 2\n7 0 b 0\n",
    "qrels.json": b'{"7": {"a": 2, "b": 0}}',
    "qrels.csv": b"topic,doc,grade\n7,a,2\n7,b,0\n",
}
GIVEN: dict[str, Callable[[Path, list[Path]], Any]] = {
    "files": lambda _, paths: paths,
    "folder": lambda folder, _: folder,
    "pattern": lambda folder, _: folder / "*.*",
    "zip": lambda folder, paths: put(
        folder.parent, {"x.zip": zip_of({path.name: path.read_bytes() for path in paths})}
    )[0],
}


def refused(log: Any) -> list[str]:
    """What is said of files that make no study."""
    return lines_of_refusal(lambda: read_study(log))


def assert_three_systems(study: Study) -> None:
    """Each of three runs is a system; grades are those of the judgments."""
    assert sorted(study.sessions["system"]) == ["bm25", "dense", "mixed"]
    assert study.checked()["grades"] == {"0": 1, "2": 1}
    assert len([f for f in study.report.files if (f.role, f.rows_used) == ("log", 4)]) == 3


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("qrels", QRELS)
def test_every_run_is_a_system_beside_judgments(qrels: str, given: str, tmp_path: Path) -> None:
    runs = (RUNS, WHOLE)[([*QRELS].index(qrels) + [*GIVEN].index(given)) % 2]
    judgments = {qrels: QRELS[qrels]}
    apart = put(tmp_path / "runs", runs)
    (path,) = put(tmp_path, judgments)
    assert_three_systems(read_study(GIVEN[given](tmp_path / "runs", apart), path))
    together = put(tmp_path / "all", runs | judgments)
    every = GIVEN[given](tmp_path / "all", together)
    if runs is WHOLE and qrels == "qrels.json":
        assert refused(every) == [ASKED.format(name) for name in (*WHOLE, qrels)]
        assert_three_systems(read_study(every, path))
    else:
        assert_three_systems(read_study(every))


BOTH = {
    "as TREC has them": {"qrels.txt": b"7_1 0 a 2\n7_1 0 b 0\n7_2 0 b 1\n"},
    "as a table": {"qrels.csv": b"query_id,doc,relevance\n7_1,a,2.0\n7_1,b,0.0\n7_2,b,1.0\n"},
    "as BEIR has them": {"q.tsv": b"query-id\tcorpus-id\tscore\n7_1\ta\t2\n7_1\tb\t0\n7_2\tb\t1\n"},
    "in the same form": {"again.json": b'{"7_1": {"b": 0, "a": 2}, "7_2": {"b": 1}}'},
    "some of them": {"again.txt": b"7_1 0 a 2\n7_2 0 b 1\n"},
}
GRADES = {"judged.json": b'{"7_1": {"a": 2, "b": 0}, "7_2": {"b": 1}}'}


@pytest.mark.parametrize("form", BOTH)
def test_judgments_in_two_forms_are_one_set(form: str, tmp_path: Path) -> None:
    put(tmp_path, {"bm25.json": RUNS["bm25.json"], **GRADES, **BOTH[form]})
    study = read_study(tmp_path)
    assert (study.sessions["system"].nunique(), len(study.results)) == (1, 4)
    assert study.checked()["grades"] == {"0": 1, "1": 1, "2": 1}
    said = [file.reason for file in study.report.files if file.role == "judgments"]
    assert sum(" repeat the grades of " in reason for reason in said) == 1


def test_judgments_in_two_forms_that_differ_are_asked(tmp_path: Path) -> None:
    graded = {"qrels.txt": b"7_1 0 a 2\n7_1 0 b 1\n7_2 0 b 1\n"}
    put(tmp_path, {"bm25.json": RUNS["bm25.json"], **GRADES, **graded})
    assert refused(tmp_path) == [ASKED.format("judged.json")]
    alone = read_study(put(tmp_path / "alone", GRADES | BOTH["as TREC has them"]))
    assert len(alone.results) == 3  # the one list there is stays a run


def test_the_order_of_runs_and_judgments_is_nothing_to_them(tmp_path: Path) -> None:
    paths = put(tmp_path, RUNS | {"qrels.json": QRELS["qrels.json"]})
    orders = [paths[i:] + paths[:i] for i in range(len(paths))]
    digests = {read_study(order).digest for order in (*orders, paths[::-1])}
    assert len(digests) == 1


ASKED = (
    "{0}: its numbers by query and document may be a run's scores or grades; scores are not "
    "read as grades unless you say so. Say which: --set kinds={0}=judgments, or "
    "--set kinds={0}=log."
)


@pytest.mark.parametrize("given", GIVEN)
def test_scores_without_judgments_become_no_grades(given: str, tmp_path: Path) -> None:
    paths = put(tmp_path / "runs", RUNS)
    (line,) = refused(GIVEN[given](tmp_path / "runs", paths))
    assert line.startswith("bm25.json, dense.json, mixed.json: no judgments; ")
    paths = put(tmp_path / "whole", WHOLE)
    lines = refused(GIVEN[given](tmp_path / "whole", paths))
    assert lines == [ASKED.format(name) for name in WHOLE]


LOG = b"session,query_number,rank,doc,topic,grade\ns1,1,1,a,t,1\n"


def test_scores_beside_a_log_are_asked_and_grades_are_not(tmp_path: Path) -> None:
    put(tmp_path / "a", {"log.csv": LOG, "x.json": b'{"t": {"a": 1.5, "b": 0.5}}'})
    assert refused(tmp_path / "a") == [ASKED.format("x.json")]
    said = Recipe(kinds={"x.json": "judgments"})
    assert len(read_study(tmp_path / "a", recipe=said).judgments) == 2
    graded = read_study(tmp_path / "a" / "log.csv", tmp_path / "a" / "x.json")
    assert graded.checked()["grades"] == {"0.5": 1, "1.5": 1}
    put(tmp_path / "b", {"log.csv": LOG, "x.json": b'{"t": {"a": 2, "b": 0}}'})
    assert read_study(tmp_path / "b").checked()["grades"] == {"0": 1, "2": 1}
    put(tmp_path / "b", {"y.json": b'{"u": {"a": 1}}'})
    assert refused(tmp_path / "b") == [ASKED.format("x.json"), ASKED.format("y.json")]


def test_grades_in_several_files_are_given_as_a_folder(tmp_path: Path) -> None:
    put(tmp_path / "graded", {"t.json": b'{"t": {"a": 2}}', "u.json": b'{"u": {"a": 1}}'})
    (log,) = put(tmp_path, {"log.csv": LOG})
    study = read_study(log, tmp_path / "graded")
    assert study.judgments.astype(str).to_numpy().tolist() == [["t", "a", "2.0"], ["u", "a", "1.0"]]


def test_what_is_asked_has_no_kind_until_it_is_said(tmp_path: Path) -> None:
    paths = put(tmp_path, WHOLE)
    _, parts = read_parts([Source(path.name, path) for path in paths])
    assert [part.kind for part in parts] == ["", "", ""]


@pytest.mark.parametrize("names", ["x.csv y.run", "y.csv x.run"])
def test_a_run_and_a_table_of_query_ids_are_two_systems(names: str, tmp_path: Path) -> None:
    table, run = names.split()
    ids = b"query_id,rank,doc\n7_1,1,a\n"
    put(tmp_path, {table: ids, run: b"7_1 Q0 b 1 1 x\n", "qrels.txt": QRELS["qrels.txt"]})
    assert sorted(read_study(tmp_path).sessions["system"]) == ["x", "y"]
