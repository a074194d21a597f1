"""Every form of file has one reader, which recognises it by its content before any other does."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.formats import FORMATS, reader_of
from sdcg_explorer.reading.head import Head
from sdcg_explorer.reading.raw_table import Known
from sdcg_explorer.reading.sources import Source
from tests.support.formats import (
    GRADES,
    STUDY,
    by_result,
    graded,
    json_of,
    parquet_of,
    qrels_of,
    run_of,
    workbook_of,
    xml_of,
)
from tests.unit.test_formats import LOG, put

OWN = "table of ours"
SAMPLES: dict[str, bytes] = {  # a file for each reader, in the order in which they are tried
    OWN: LOG,
    "Parquet": parquet_of(by_result()),
    "workbook": workbook_of(log=by_result(), judgments=graded()),
    "session log in XML": xml_of("docno"),
    "JSON": json_of(by_result().objects()),
    "qrels": qrels_of(GRADES),
    "run": run_of(STUDY, "{}-{}"),
    "table": LOG,
}


def test_every_reader_recognises_and_reads_its_sample_and_none_before_it_does(
    tmp_path: Path,
) -> None:
    assert [reader.name for reader in FORMATS] == list(SAMPLES)
    for reader in FORMATS:
        (path,) = put(tmp_path, {reader.name: SAMPLES[reader.name]})
        head = Head(Source(reader.name, path), own=reader.name == OWN)
        assert reader_of(head) is reader
        assert reader.seems_ours(head)
        tables = reader.read(head.source)
        assert len(tables) == 1 + (reader.name == "workbook"), reader.name
        assert all(len(table.rows) > 3 for table in tables), reader.name


def test_a_reader_that_knows_a_kind_that_is_none_raises() -> None:
    with pytest.raises(ValueError, match=r"^kind 'qrels'; known are log, judgments, ratings, oth"):
        Known("qrels", "its lines read: topic, 0, document, grade")
