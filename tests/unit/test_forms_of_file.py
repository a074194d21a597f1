"""Every form of file has one reader, which recognises it by its content before any other does."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.formats import FORMATS, Reader, reader_of
from sdcg_explorer.reading.limits import LONGEST_LINE
from sdcg_explorer.reading.raw_table import RawTable, category_columns
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.sources import Head, Source
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.formats import (
    STUDY,
    by_result,
    graded,
    json_of,
    parquet_of,
    run_of,
    workbook_of,
    xml_of,
)
from tests.support.refusals import refusal
from tests.unit.test_file_names import simulated
from tests.unit.test_formats import LOG, put

OWN = "table of ours"
SAMPLES: dict[str, bytes] = {  # a file for each reader, in the order in which they are tried
    OWN: LOG,
    "Parquet": parquet_of(by_result()),
    "workbook": workbook_of(log=by_result(), judgments=graded()),
    "session log in XML": xml_of("docno"),
    "JSON": json_of(by_result().objects()),
    "SimIIR": simulated()["news-bm25-1-GPT-short.log"],
    "click log": b"0\t0\tQ\t7\t1\td1\td2\n0\t5\tC\td2\n" * 2,
    "run or qrels": run_of(STUDY, "{}-{}"),
    "table": LOG,
}


def test_every_reader_recognises_and_reads_its_sample_and_none_before_it_does(
    tmp_path: Path,
) -> None:
    missing = [reader.name for reader in FORMATS if reader.name not in SAMPLES]
    assert missing == [], "a reader has a sample in SAMPLES of tests/unit/test_forms_of_file.py"
    listed = "each sample has its Reader in sdcg_explorer/reading/formats.py, in the same order"
    assert [reader.name for reader in FORMATS] == list(SAMPLES), listed
    for reader in FORMATS:
        (path,) = put(tmp_path, {reader.name: SAMPLES[reader.name]})
        head = Head(Source(reader.name, path), own=reader.name == OWN)
        assert reader_of(head) is reader
        assert reader.seems_ours(head)
        tables = reader.tables(head.source)
        assert len(tables) == 1 + (reader.name == "workbook"), reader.name
        assert all(len(table.rows) > 3 for table in tables), reader.name


def test_no_reader_of_lines_is_given_one_that_is_too_long(tmp_path: Path) -> None:
    for reader in (reader for reader in FORMATS if reader.by_lines):
        long = SAMPLES[reader.name].rstrip() + b"\n" + b"x" * LONGEST_LINE + b"y\n"
        (path,) = put(tmp_path, {reader.name: long})
        line = long.count(b"\n")
        refused = rf"line {line}: a longer line; a line has at most 1,000,000 bytes"
        with pytest.raises(UnusableInputError, match=refused):
            reader.tables(Source(reader.name, path))


def words_of(text: Text) -> list[RawTable]:
    """A reader that looks at no limit: a column for each word of the first line."""
    words = text.data.decode().split("\n")[0].split()
    return [RawTable(text.name, category_columns({word: ["1"] for word in words}))]


WORDS = Reader("words", lambda _: True, words_of)
BEYOND = {
    "nothing": (b" \n", "log, line 1: an empty file; a table has a header and rows"),
    "no text": (b"a,b\n1,\0\n", "log: binary content; a table is text"),
    "columns": (
        " ".join(map(str, range(1_001))).encode(),
        "log: 1,001 columns; a table has at most 1,000 columns. Leave out columns that nobody "
        "asks for, or split the file.",
    ),
}


@pytest.mark.parametrize(("content", "said"), BEYOND.values(), ids=BEYOND)
def test_a_reader_that_forgets_the_limits_keeps_to_them(
    content: bytes, said: str, tmp_path: Path
) -> None:
    (path,) = put(tmp_path, {"log": content})
    assert refusal(lambda: WORDS.tables(Source("log", path))).startswith(said)


def test_qrels_of_pairs_are_read_where_the_file_says_so(tmp_path: Path) -> None:
    log = b"session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\n"
    study = read_study(put(tmp_path / "a", {"log.csv": log, "qrels.txt": b"t a\nt c\n"}))
    assert study.judgments["grade"].tolist() == [1.0, 1.0]
    assert "judgments without grades" in [problem.found for problem in study.problems]
    with pytest.raises(UnusableInputError, match="no judgments"):
        read_study(put(tmp_path / "b", {"log.csv": log, "words.txt": b"t a\nt c\n"}))
