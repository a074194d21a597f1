"""Files of numbers by query and document: runs where judgments are given, else asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_parts, read_study
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.study import Study
from tests.support.formats import zip_of
from tests.support.refusals import refused as lines_of_refusal
from tests.support.told import grades_of, made, put


def numbers(high: float, low: float, last: float) -> bytes:
    """Numbers of two queries."""
    return json.dumps({"7_1": {"a": high, "b": low, "c": last}, "7_2": {"b": high}}).encode()


RUNS = {f"{n}.json": numbers(a, 0.5, 0.25) for n, a in (("x", 0.75), ("y", 0.125), ("z", 0.375))}
WHOLE = {f"{n}.json": numbers(a, 2, 1) for n, a in (("x", 3), ("y", 0), ("z", 4))}
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
ASKED = (
    "{0}: its numbers by query and document may be a run's scores or grades; scores are not "
    "read as grades unless you say so. Say which: --set kinds={0}=judgments, or "
    "--set kinds={0}=log."
)


def refused(log: Any) -> list[str]:
    """What is said of files that make no study."""
    return lines_of_refusal(lambda: read_study(log))


def assert_three_systems(study: Study) -> None:
    """Each of three runs is a system; grades are those of the judgments."""
    assert sorted(study.sessions["system"]) == ["x", "y", "z"]
    assert grades_of(study) == "7/a=2 7/b=0"
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
    every = GIVEN[given](tmp_path / "all", together[::-1])
    if runs is WHOLE and qrels == "qrels.json":
        assert refused(every) == [ASKED.format(name) for name in sorted((*WHOLE, qrels))]
        assert_three_systems(read_study(every, path))
    else:
        assert_three_systems(read_study(every))


@pytest.mark.parametrize("given", GIVEN)
def test_scores_without_judgments_become_no_grades(given: str, tmp_path: Path) -> None:
    paths = put(tmp_path / "runs", RUNS)
    (line,) = refused(GIVEN[given](tmp_path / "runs", paths))
    assert line.startswith("x.json, y.json, z.json: no judgments; ")
    paths = put(tmp_path / "whole", WHOLE)
    lines = refused(GIVEN[given](tmp_path / "whole", paths))
    assert lines == [ASKED.format(name) for name in WHOLE]
    _, parts = read_parts([Source(path.name, path) for path in paths])
    assert [part.kind for part in parts] == ["", "", ""]  # until it is said


TREC = b"7_1 0 a 2\n7_1 0 b 0\n7_2 0 b 1\n"
GRADES = {"judged.json": b'{"7_1": {"a": 2, "b": 0}, "7_2": {"b": 1}}'}
BOTH = {
    "as TREC has them": {"qrels.txt": TREC},
    "as a table": {"qrels.csv": b"query_id,doc,relevance\n7_1,a,2.0\n7_1,b,0.0\n7_2,b,1.0\n"},
    "as BEIR has them": {"q.tsv": b"query-id\tcorpus-id\tscore\n7_1\ta\t2\n7_1\tb\t0\n7_2\tb\t1\n"},
    "in the same form": {"again.json": b'{"7_1": {"b": 0, "a": 2}, "7_2": {"b": 1}}'},
    "some of them": {"again.txt": b"7_1 0 a 2\n7_2 0 b 1\n"},
}


@pytest.mark.parametrize("form", BOTH)
def test_judgments_in_two_forms_are_one_set(form: str, tmp_path: Path) -> None:
    study = made(tmp_path, {"x.json": RUNS["x.json"], **GRADES, **BOTH[form]})
    assert (study.sessions["system"].nunique(), len(study.results)) == (1, 4)
    assert grades_of(study) == "7_1/a=2 7_1/b=0 7_2/b=1"
    said = " ".join(map(str, study.report.problems))
    assert said.count(" repeat the grades of ") == 1
    assert "x.json: numbers read as a run; " in said


LOG = {"log.csv": b"session,query_number,rank,doc,topic,grade\ns1,1,1,a,t,1\n"}
SCORES, MARKS = {"x.json": b'{"t": {"a": 1.5, "b": 0.5}}'}, {"x.json": b'{"t": {"a": 2, "b": 0}}'}
TREC_RUN = {"x.run": b"t_1 Q0 a 1 9 x\nt_2 Q0 b 1 9 x\n"}
# what is asked for, or the grades
BESIDE: dict[str, tuple[dict[str, bytes], dict[str, Any], str]] = {
    "judgments that differ": ({"a.json": RUNS["x.json"], **GRADES,
                               "q.txt": TREC.replace(b"b 0", b"b 1")}, {}, "judged.json"),
    "half of their grades": ({"a.json": RUNS["x.json"], "x.json": b'{"7_1": {"a": 2, "b": 0}}',
                              "q.txt": b"7_1 0 a 2\n7_1 0 b 1\n"}, {}, "7_1/a=2 7_1/b=1"),
    "one list, and judgments": (GRADES | {"q.txt": TREC}, {}, "7_1/a=2 7_1/b=0 7_2/b=1"),
    "scores beside a log": (LOG | SCORES, {}, "x.json"),
    "scores as is said": (LOG | SCORES, {"kinds": {"x.json": "judgments"}}, "t/a=1.5 t/b=0.5"),
    "grades beside a log": (LOG | MARKS, {}, "t/a=2 t/b=0"),
    # of equal scores the later name stands first, as trec_eval has it
    "a run and votes": ({"run.json": b'{"t_1": {"a": 0.5, "b": 2.25, "c": 0.5}}',
                         "grades.json": b'{"t": {"a": 2, "b": 0, "z": 1}}'}, {},
                        "t/a=2 t/b=0 t/z=1"),
    "votes on a run": (TREC_RUN | {"votes.json": b'{"t": {"a": 2, "b": 1}}'}, {}, "t/a=2 t/b=1"),
    "votes as a run": ({"q.txt": b"t 0 a 1\n", "votes.json": b'{"t_1": {"a": 2, "b": 1}}'}, {},
                       "t/a=1"),
    "neither": (TREC_RUN | {"q.txt": b"t 0 a 1\n", "scores.json": b'{"t_1": {"map": 0.25}}'}, {},
                "t/a=1"),
    "two of them": (LOG | MARKS | {"y.json": b'{"u": {"a": 1}}'}, {}, "x.json y.json"),
}  # fmt: skip


@pytest.mark.parametrize("what", BESIDE)
def test_numbers_are_what_the_other_files_leave_or_it_is_asked(what: str, tmp_path: Path) -> None:
    files, rules, told = BESIDE[what]
    put(tmp_path, files)
    if "json" in told:
        assert refused(tmp_path) == [ASKED.format(name) for name in told.split()]
    else:
        assert grades_of(made(tmp_path, files, **rules)) == told


def test_numbers_that_are_given_as_judgments_are_grades(tmp_path: Path) -> None:
    folder = put(tmp_path / "graded", {"t.json": b'{"t": {"a": 2}}', **SCORES})[0].parent
    (log,) = put(tmp_path, LOG)
    assert grades_of(read_study(log, folder / "x.json")) == "t/a=1.5 t/b=0.5"
    (folder / "x.json").write_bytes(b'{"u": {"a": 1}}')
    assert grades_of(read_study(log, folder)) == "t/a=2 u/a=1"


@pytest.mark.parametrize("names", ["x.csv y.run", "y.csv x.run"])
def test_a_run_and_a_table_of_query_ids_are_two_systems(names: str, tmp_path: Path) -> None:
    table, run = names.split()
    files = {table: b"query_id,rank,doc\n7_1,1,a\n", run: b"7_1 Q0 b 1 1 x\n"}
    study = made(tmp_path, files | {"qrels.txt": QRELS["qrels.txt"]})
    assert sorted(study.sessions["system"]) == ["x", "y"]
