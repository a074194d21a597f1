"""Every form of file has one reader, which recognises it by its content before any other does."""

from pathlib import Path

from sdcg_explorer.reading.formats import FORMATS, reader_of
from sdcg_explorer.reading.sources import Head, Source
from tests.support import formats
from tests.unit import test_file_names, test_formats

OWN = "table of ours"
SAMPLES: dict[str, bytes] = {  # a file for each reader, in the order in which they are tried
    OWN: test_formats.LOG,
    "Parquet": formats.parquet_of(formats.by_result()),
    "workbook": formats.workbook_of(log=formats.by_result(), judgments=formats.graded()),
    "database": formats.database_of(log=formats.by_result()),
    "page": formats.page_of(formats.by_result()),
    "session log in XML": formats.xml_of("docno"),
    "JSON": formats.json_of(formats.by_result().objects()),
    "SimIIR": test_file_names.simulated()["news-bm25-1-GPT-short.log"],
    "click log": b"0\t0\tQ\t7\t1\td1\td2\n0\t5\tC\td2\n" * 2,
    "run or qrels": formats.run_of(formats.STUDY, "{}-{}"),
    "table": test_formats.LOG,
}


def test_every_reader_recognises_and_reads_its_sample_and_none_before_it_does(
    tmp_path: Path,
) -> None:
    missing = [reader.name for reader in FORMATS if reader.name not in SAMPLES]
    assert missing == [], "a reader has a sample in SAMPLES of tests/unit/test_forms_of_file.py"
    listed = "each sample has its Reader in sdcg_explorer/reading/formats.py, in the same order"
    assert [reader.name for reader in FORMATS] == list(SAMPLES), listed
    for reader in FORMATS:
        (path,) = test_formats.put(tmp_path, {reader.name: SAMPLES[reader.name]})
        head = Head(Source(reader.name, path), own=reader.name == OWN)
        assert reader_of(head) is reader
        assert reader.seems_ours(head)
        tables = reader.tables(head.source)
        assert len(tables) == 1 + (reader.name == "workbook"), reader.name
        assert all(len(table.rows) > 3 for table in tables), reader.name
