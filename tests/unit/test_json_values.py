"""Files that are one JSON value: lists and objects of records, numbers by query and document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.formats import STUDY, by_result, csv_of, graded, query_objects, session_objects
from tests.support.plain_files import written
from tests.support.refusals import refusal
from tests.support.told import outcome

JUDGED = csv_of(graded()).decode()
SHAPES: dict[str, Any] = {
    "results": by_result().objects(),
    "queries with results": query_objects(lists=False),
    "queries with lists": query_objects(lists=True),
    "sessions with queries": session_objects(),
    "an object with one list": {"made": "2026", "sessions": session_objects()},
}


def of(folder: Path, log: str, judgments: str = JUDGED, name: str = "log_json") -> Study:
    """The study of a log and judgments."""
    return read_study(*written(folder, **{name: log}, judgments_csv=judgments).values())


def refused(folder: Path, log: str) -> str:
    """What is said of a log."""
    return refusal(lambda: of(folder, log))


@pytest.mark.parametrize("indent", [None, 1], ids=["one line", "pretty"])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_value_reads_as_its_lines(shape: str, indent: int | None, tmp_path: Path) -> None:
    value = SHAPES[shape]
    records = value["sessions"] if isinstance(value, dict) else value
    lines = "".join(json.dumps(record) + "\n" for record in records)
    whole = of(tmp_path, json.dumps(value, indent=indent))
    by_line = of(tmp_path, lines, name="log_jsonl")
    assert whole.sessions["session"].tolist() == by_line.sessions["session"].tolist()
    if isinstance(value, list):
        assert whole.digest == by_line.digest
    assert len(whole.queries) == len(STUDY)


def test_records_are_found_on_their_lines(tmp_path: Path) -> None:
    rows = by_result().objects()
    rows[1]["rank"] = "x"
    pretty = json.dumps({"about": {"a": 1}, "results": rows}, indent=1)
    line = 1 + pretty[: pretty.index('"x"')].count("\n")
    opened = 1 + pretty[: pretty.rindex("{", 0, pretty.index('"x"'))].count("\n")
    assert opened < line
    assert refused(tmp_path, pretty).startswith(f"log.json, line {opened}: rank 'x'; ")


BROKEN = {
    "no end": (
        '[\n{"session": "s1"},\n{"session"\n',
        "log.json, line 4: no JSON (unexpected end of data: line 4 column 1 (char 32)); a file of "
        "JSON is one value, or an object per line. Correct it there.",
    ),
    "no objects": (
        '["s1", "s2", 3]',
        "log.json, line 1: a str (and 2 more); each element of the list is an object. "
        'Write {"name": value, …} for each.',
    ),
    "deep": (
        "[" + '{"a":' * 60 + "1" + "}" * 60 + "]",
        "log.json, line 1: objects nested deeper; at most 50 levels are read. Write the objects "
        "that hold documents nearer to the top.",
    ),
    "a query twice": (
        '{"t_1": {"a": 1.5},\n"t_1": {"b": 2.5}}',
        "log.json, line 2: query 't_1' again; each query stands once. Join its documents in one "
        "object.",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_no_log_is_refused_on_its_line(what: str, tmp_path: Path) -> None:
    text, message = BROKEN[what]
    assert refused(tmp_path, text).splitlines()[0] == message
    assert "one object per line, such" not in message


SCORES, VOTES = {"t_1": {"a": 0.5, "b": 2.25, "c": 0.5}}, {"t": {"a": 2, "b": 0, "z": 1}}
RUN = "t_1 Q0 a 1 9 x\nt_2 Q0 b 1 9 x\n"
LEFT = {  # the lists, and grades, where the other files leave numbers to be so
    # of equal scores the later name stands first, as trec_eval has it
    "both": ({"run.json": json.dumps(SCORES), "grades.json": json.dumps(VOTES)},
             "t.1 t: 3=a 1=b 2=c // t/a=2 t/b=0 t/z=1"),
    "votes on a run": ({"x.run": RUN, "votes.json": json.dumps(VOTES)},
                       "t.1 t: a | t.2 t: b // t/a=2 t/b=0 t/z=1"),
    "votes as a run": ({"q.txt": "t 0 a 1\n", "votes.json": '{"t_1": {"a": 2, "b": 1}}'},
                       "t.1 t: a b // t/a=1"),
    "neither": ({"x.run": RUN, "q.txt": "t 0 a 1\n", "scores.json": '{"t_1": {"map": 0.25}}'},
                "t.1 t: a | t.2 t: b // t/a=1"),
}  # fmt: skip


@pytest.mark.parametrize("what", LEFT)
def test_numbers_are_what_the_other_files_leave(what: str, tmp_path: Path) -> None:
    files, told = LEFT[what]
    assert outcome(tmp_path, files, grades=True).splitlines()[0] == told
