"""Files of numbers by query and document: runs where judgments are given, else asked for."""

import json
from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from tests.support import told


def numbers(high: float, low: float, last: float) -> bytes:
    """Numbers of two queries."""
    return json.dumps({"7_1": {"a": high, "b": low, "c": last}, "7_2": {"b": high}}).encode()


RUNS = {f"{n}.json": numbers(a, 0.5, 0.25) for n, a in (("x", 0.75), ("y", 0.125), ("z", 0.375))}


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
    study = told.made(tmp_path, {"x.json": RUNS["x.json"], **GRADES, **BOTH[form]})
    assert (study.sessions["system"].nunique(), len(study.results)) == (1, 4)
    assert told.grades_of(study) == "7_1/a=2 7_1/b=0 7_2/b=1"
    said = " ".join(map(str, study.report.problems))
    assert said.count(" repeat the grades of ") == 1
    assert "x.json: numbers read as a run; " in said


LOG = {"log.csv": b"session,query_number,rank,doc,topic,grade\ns1,1,1,a,t,1\n"}
SCORES = {"x.json": b'{"t": {"a": 1.5, "b": 0.5}}'}


def test_numbers_that_are_given_as_judgments_are_grades(tmp_path: Path) -> None:
    folder = told.put(tmp_path / "graded", {"t.json": b'{"t": {"a": 2}}', **SCORES})[0].parent
    (log,) = told.put(tmp_path, LOG)
    assert told.grades_of(read_study(log, folder / "x.json")) == "t/a=1.5 t/b=0.5"
    (folder / "x.json").write_bytes(b'{"u": {"a": 1}}')
    assert told.grades_of(read_study(log, folder)) == "t/a=2 u/a=1"
