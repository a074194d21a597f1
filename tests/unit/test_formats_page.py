"""The page of formats: each form of file has an example there, and is known for it."""

from __future__ import annotations

from pathlib import Path

from docs.column_names import names_table
from sdcg_explorer.reading.formats import FORMATS, reader_of
from sdcg_explorer.reading.mapping import ROLES, map_columns
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.sources import Head, Source
from tests.support.formats import parquet_of, put, table_of, workbook_of
from tests.support.pages_of_text import files_of
from tests.support.plain_files import ROOT
from tests.unit.test_forms_of_file import OWN


def test_every_form_has_an_example_that_is_read(tmp_path: Path) -> None:
    """Commands beneath the examples read them (test_pages_of_text.py); here are their forms."""
    given = files_of((ROOT / "docs" / "formats.md").read_text(encoding="utf-8"))
    files = {name: content.encode() for name, content in given.items()}
    log, judgments = (table_of(files[name]) for name in ("log.csv", "judgments.csv"))
    packed = {
        "log.parquet": parquet_of(log),
        "both.xlsx": workbook_of(log=log, judgments=judgments),
    }
    sources = [Source(path.name, path) for path in put(tmp_path, files | packed)]
    read = {reader_of(Head(source)).name for source in sources} | {OWN}
    missing = [reader.name for reader in FORMATS if reader.name not in read]
    assert missing == [], "a form of file has its smallest example in docs/formats.md"
    plain = read_study(tmp_path / "log.csv", tmp_path / "judgments.csv")
    for names in (("log.parquet", "judgments.csv"), ("both.xlsx",)):
        assert read_study([tmp_path / name for name in names]).digest == plain.digest


def test_the_page_lists_what_columns_are_called() -> None:
    assert names_table() in (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


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
