"""Tables as researchers have them: names, delimiters, encodings, and what is repaired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sdcg_explorer.reading.formats import reader_of
from sdcg_explorer.reading.mapping import ROLES, map_columns
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.sources import Head, Source
from tests.support.formats import put
from tests.support.plain_files import written
from tests.support.refusals import HEADER, JUDGMENTS
from tests.support.tables import GRADED, TABLE, digest, read, report


def test_a_column_is_known_by_each_name_however_it_is_spelled() -> None:
    for role in (role for of_kind in ROLES.values() for role in of_kind):
        for name in role.names:
            for spelled in (name, name.upper(), name.replace("_", " "), name.replace("_", "-")):
                assert map_columns([spelled], (role,), {}, "log.csv")[0] == {role.name: spelled}
            joined = name.replace("_", "")
            assert map_columns([joined], (role,), {}, "log.csv")[0] == {role.name: joined}


def test_a_table_with_blanks_in_its_last_cells_is_no_qrels(tmp_path: Path) -> None:
    judged = b"topic,doc,grade\n7,101,2\n7,106,1\n"
    for log in (
        b"session,topic,query_number,docs\ns1,7,1,101 102 103 104\ns1,7,2,105 106 107 108\n",
        b"session,topic,query_number,rank,doc,query\ns1,7,1,1,101,symptoms of covid 19\n",
    ):
        study = read_study(put(tmp_path, {"log.csv": log, "judgments.csv": judged}))
        assert len(study.judgments) == 2
    bare = put(tmp_path, {"bare.csv": b"7, 101, 2\n7, 106, 1\n"})[0]
    assert reader_of(Head(Source(bare.name, bare))).name == "table"


SHAPES = {  # beside those of test_formats.py
    "UTF-16 big endian": b"\xfe\xff" + TABLE.encode("utf-16-be"),
    "CR": TABLE.replace("\n", "\r"),
    "no last line end": TABLE.rstrip("\n"),
    "blank lines": TABLE.replace("\n", "\n\n"),
    "blank first line": "\n" + TABLE,
    "blanks in the header": TABLE.replace("rank,doc", " rank ,doc "),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_table_in_another_shape_is_the_same_study(shape: str, tmp_path: Path) -> None:
    study = read(tmp_path / "other", log_csv=SHAPES[shape], judgments_csv=GRADED)
    assert study.results["doc"].tolist() == ["é1", "d;2\tx", "é1", "d4"]
    assert study.results["examined"].tolist() == [True, True, False, False]
    assert study.digest == digest(tmp_path / "same")


def test_reading_as_latin_1_is_said_in_the_report(tmp_path: Path) -> None:
    said = report(tmp_path, log_csv=TABLE.encode("latin-1"), judgments_csv=GRADED)
    assert "Latin-1" in json.dumps([said["repaired"], said["problems"]])


def test_a_session_without_a_system_is_told_from_those_with_one(tmp_path: Path) -> None:
    log = TABLE.replace("s2,p2,B", "s2,p2,")
    study = read(tmp_path, log_csv=log, judgments_csv=GRADED)
    assert study.sessions["system"].tolist() == ["A", "no system named"]
    rule = "sessions without a system are those of 'no system named'"
    assert [*study.report.rows()] == [("log.csv", 5, "repaired", rule)]
    nowhere = log.replace("s1,p1,A", "s1,p1,")
    study = read(tmp_path / "none", log_csv=nowhere, judgments_csv=GRADED)
    assert study.sessions["system"].tolist() == ["the system"] * 2


def test_query_without_results_is_a_query(tmp_path: Path) -> None:
    study = read(tmp_path, log_csv=TABLE, judgments_csv=GRADED)
    assert study.queries["query_number"].tolist() == [1, 2, 1]
    assert study.block().queries.tolist() == [2, 1]
    said = report(tmp_path, log_csv=TABLE, judgments_csv=GRADED)
    assert (said["queries"], said["queries_without_results"]) == (3, 1)


def test_a_file_name_with_brackets_names_that_file_alone(tmp_path: Path) -> None:
    written(tmp_path, log1_csv=HEADER + "another,1,1,b,t\n", judgments_csv=JUDGMENTS)
    log = tmp_path / "log[1].csv"  # as browsers and systems name a second copy
    log.write_text(HEADER + "mine,1,1,a,t\n", encoding="utf-8")
    study = read_study(log, tmp_path / "judgments.csv")
    assert study.sessions["session"].tolist() == ["mine"]


def test_a_log_without_a_name_of_its_own_is_called_as_its_folder(tmp_path: Path) -> None:
    rows = "session,topic,query_number,rank,doc\na,7,1,1,d1\n"
    folder = tmp_path / "pilot"
    folder.mkdir()
    for name in ("log.csv", "kiosk.csv"):
        (folder / name).write_text(rows, encoding="utf-8")
    (folder / "judgments.csv").write_text("topic,doc,grade\n7,d1,1\n", encoding="utf-8")
    named = {
        name: read_study(folder / name, folder / "judgments.csv").name
        for name in ("log.csv", "kiosk.csv")
    }
    assert named == {"log.csv": "pilot", "kiosk.csv": "kiosk"}
