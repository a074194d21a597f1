"""A study as a zip of tables: it reads back to the same digest, and no spreadsheet runs a cell."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from tests.support.plain_files import write_rows
from tests.support.studies import at_hand, every_study
from tests.support.zips import PLAIN, assert_reads_back

TEXTS = [
    *("=1+1", "+1", "-1", "-1.5", "@x", "\tx", "=", "-", "'=1+1", "''-1", "'quoted'", "'", '"'),
    *("a,b", "a;b", "a;b;c;d;e;f;g;h;i;j;k;l;m", "a\nb", "a\n\n=b", "c\td", "#d", '""', "01", "1"),
    *(" =1", " lead", "trail ", "two  blanks", "é", "🙂", "مرحبا", "\u00a0y"),
    *("true", "NULL", "nan"),
]
NAMES = [  # of columns without a role: most are a role's other names, taken already
    *("doc_id", "url", "user", "session_id", "rank ", "position", "query", "qno", "label", "task"),
    *("=SUM(A1)", "+x", "-x", "@x", "'=x", "''+x", "'x'", "a,b", 'say "x"', "née 🙂", " lead"),
    *("tab\tin it", "column", "2", "true"),
]
ROLES = ("grade", "system", "searcher", "text", "time", "clicked", "examined")
HEADER = ("session", "query_number", "rank", "doc", "topic")
ROWS = [
    ("s1", 1, 1, "a", "t"),
    ("s1", 2, "", "", "t"),
    *(("s2", 1, r, "-bc"[r], "t") for r in (1, 2)),
]
ODD = (("d", "1e-05"), ("e", ".1"))
GRADES = [("t", "a", "2"), ("t", "b", "-2"), ("t", "c", "0.5"), *(("t", d, e) for d, e in ODD)]


def read_rows(
    folder: Path, header: list[str], rows: list[list[object]], judged: Any = GRADES, **options: Any
) -> Study:
    """Study of a log with these rows, and judgments."""
    log = write_rows(folder / "log.csv", header, rows)
    judgments = write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), judged)
    return read_study(log, judgments, **options)


def with_column(folder: Path, name: str, values: str) -> Study:
    """Study whose log has one more column: a value for each session, query, or row."""
    at = {"session": lambda row: row[0], "query": lambda row: f"{row[0]}/{row[1]}"}[values]
    return read_rows(folder, [*HEADER, name], [[*row, f"v {at(row)}"] for row in ROWS])


def hostile(folder: Path) -> Study:
    """Study in which every text stands for everything that has a name or text."""
    header = ["session", "system", "searcher", "topic", "query_number", "text", "time"]
    rows: list[list[object]] = []
    for i, text in enumerate(TEXTS):
        who: list[object] = [text, text, "" if i % 3 == 0 else text, text]
        rows.append([*who, 1, text, text, 1, text, 1, text, text, "", i / 10])
        rows.append([*who, 1, text, text, 7, f"{text} 2", 0, text, text, "", i / 10])
        rows.append([*who, 2, "", "", "", "", "", text, f"{text}{text}", 0.1 + i / 7, ""])
    more = ["rank", "doc", "clicked", "of session", "of query", "number", "other"]
    judged = [(text, text, (-2, 0.5, 3)[i % 3]) for i, text in enumerate(TEXTS)]
    return read_rows(folder, header + more, rows, judged)


@every_study
def test_kept_study_reads_back_from_its_zip(name: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "studies")
    saved = store.save(replace(at_hand(name), note='„Note“\n– \\ "\t.'))
    study = store.load(saved.digest)
    assert_reads_back(study, tmp_path)
    assert study_zip(study, *PLAIN) == study_zip(replace(at_hand(name), note=study.note), *PLAIN)
    counted, expected = (
        {key: value for key, value in shown.checked().items() if key not in OF_REPORT}
        for shown in (read_study(tmp_path / "study.zip"), study)
    )
    assert counted == expected


# what was repaired or left out of the files is no part of the tables
OF_REPORT = ("problems", "files", "left_out", "repaired", "pages_folded", "rank_clashes")


def test_hostile_texts_read_back(tmp_path: Path) -> None:
    study = hostile(tmp_path)
    assert_reads_back(study, tmp_path)
    back = read_study(tmp_path / "study.zip")
    assert back.sessions["session"].astype(str).tolist() == TEXTS
    assert back.queries["text"].tolist()[::2] == TEXTS
    assert set(back.judgments["topic"].astype(str)) == set(TEXTS)


def test_columns_without_a_role_read_back(tmp_path: Path) -> None:
    """Each name for a column of sessions, and with more to it for one of queries."""
    of_queries = [f"{name}/q" for name in NAMES]
    header = [*HEADER, *ROLES, *NAMES, *of_queries]
    rows = [
        [*row, "", "A", "p", "q", "", "", ""]
        + [f"{name}: {row[0]}" for name in NAMES]
        + [f"{name}: {row[0]} {row[1]}" for name in NAMES]
        for row in ROWS
    ]
    study = read_rows(tmp_path, header, rows)
    assert study.sessions.columns[3:].tolist() == NAMES
    assert study.queries.columns[5:].tolist() == of_queries
    assert study.queries["=SUM(A1)/q"].tolist() == [
        f"=SUM(A1): s{n}" for n in ("1 1", "1 2", "2 1")
    ]
    assert_reads_back(study, tmp_path)


@pytest.mark.parametrize("role", ["doc", "topic", "rank", "session", "query_number"])
def test_column_called_as_a_role_reads_back(role: str, tmp_path: Path) -> None:
    header = [f"my {name}" if name == role else name for name in HEADER]
    rows = [[*row, f"v {row[0]}"] for row in ROWS]
    study = read_rows(tmp_path, [*header, role], rows, recipe=Recipe(mapping={role: f"my {role}"}))
    assert study.sessions[f"{role}_2"].tolist() == ["v s1", "v s2"]
    assert_reads_back(study, tmp_path)


NOT_YET = {
    "a role in capitals, per session": ("Topic", "session"),
    "a role in capitals, per query": ("TOPIC", "query"),
    "another role in capitals": ("Doc", "session"),
    "a role that makes it judgments": ("Doc", "query"),
    "a role as two words": ("Query Number", "session"),
    "semicolons": ("satisfaction (1=low; 3=mid; 5=high)", "session"),
}


@pytest.mark.parametrize("what", NOT_YET)
def test_column_that_could_be_mistaken_reads_back(what: str, tmp_path: Path) -> None:
    name, values = NOT_YET[what]
    assert_reads_back(with_column(tmp_path, name, values), tmp_path)


def test_numbers_with_missing_ones_and_grades_of_any_scale_read_back(tmp_path: Path) -> None:
    numbers = "0.1", ".30000000000000004", "-3", "1e-7", "12345678901234567890"
    more = [(*numbers, *numbers), (*["5"] * 5, *numbers), *[("",) * 10] * 2]
    rows = [[*row, *cells] for row, cells in zip(ROWS, more, strict=True)]
    names = [f"of {what} {i}" for what in ("query", "session") for i in range(5)]
    judged = [
        ("t", "abcdef"[i], grade) for i, grade in enumerate((*numbers[:4], "1e2", "0.001e-99"))
    ]
    study = read_rows(tmp_path, [*HEADER, *names], rows, judged)
    of_sessions = [float(study.sessions[name].iloc[0]) for name in names[5:]]
    assert of_sessions == [float(number) for number in numbers]
    for name in names[:5]:
        assert study.queries[name].isna().tolist() == [False, False, True]
    assert_reads_back(study, tmp_path)


FROM_JSON = {"name of two lines": {"Satisfied?\n(1–5)": "3"}, "\r in a text": {"query": "a\rb"}}


@pytest.mark.parametrize("what", FROM_JSON)
def test_what_only_json_can_hold_reads_back(what: str, tmp_path: Path) -> None:
    row = {"session": "s", "query_number": 1, "rank": 1, "doc": "a", "topic": "t", "grade": 1}
    row |= FROM_JSON[what]
    (tmp_path / "log.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert_reads_back(read_study(tmp_path / "log.jsonl"), tmp_path)
