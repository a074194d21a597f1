"""What is refused in JSON lines, Parquet, workbooks, runs and XML, and what may not pass unsaid."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sdcg_explorer.reading.limits import NARROWER, UNPACK
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.formats import Files, Table, parquet_of, put, workbook_of, zip_of
from tests.support.refusals import JUDGMENTS, refusal

LINE = "each line is one JSON object"
SHEET = "Save the sheet as CSV."
LOG = ("session", "query_number", "rank", "doc", "topic")
ROW = ("s1", 1, 1, "a", "t")


def parquet(**columns: Any) -> bytes:
    """A Parquet file of these columns."""
    data = io.BytesIO()
    pq.write_table(pa.table(columns), data)
    return data.getvalue()


def twice() -> bytes:
    """A Parquet file with two columns of one name."""
    data = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array(["a"])] * 2, names=["doc", "doc"]), data)
    return data.getvalue()


def session_log(inner: str, session: str = "1") -> str:
    """A session log with one session, its interactions from line 2."""
    return f'<log><session num="{session}"><topic num="t"/>\n{inner}</session></log>'


def shown(*docs: str, number: str = 'num="1"') -> str:
    """An interaction that shows documents, the first at rank 1."""
    listed = "".join(
        f'<result rank="{rank}"><docno>{doc}</docno></result>'
        for rank, doc in enumerate(docs, start=1)
    )
    return f"<interaction {number}><results>{listed}</results></interaction>"


REFUSED: dict[str, tuple[str, str | bytes, str]] = {
    "half a line of JSON": (
        "log.jsonl",
        '{"session":"s1","query_number":1,"rank":1,"doc":"a","topic":"t"}\n\n{"session"',
        f"log.jsonl, line 3: not JSON (unexpected end of data: line 1 column 11 (char 10)); "
        f"{LINE}. "
        "Correct the line.",
    ),
    "lists in lines of JSON": (
        "log.json",
        '["s1", 1, 1, "a", "t"]\n["s1", 1, 2, "b", "t"]\n',
        f"log.json, line 1: a list (and 1 more: line 2); {LINE}. "
        'Write {"name": value, …} in each line.',
    ),
    "long JSON": (
        "log.jsonl",
        '{"session":"' + "s" * 1_000_000 + '"}\n{}\n',
        "log.jsonl, line 1: a longer line; a line has at most 1,000,000 bytes. "
        "Split the object into several.",
    ),
    "JSON without its end": (
        "log.json",
        '[\n{"session": "s1"},\n{"session"\n',
        "log.json, line 4: not JSON (unexpected end of data: line 4 column 1 (char 32)); a JSON "
        "file is one value, or one object per line. Correct it there.",
    ),
    "JSON without objects": (
        "log.json",
        '["s1", "s2", 3]',
        "log.json, line 1: a str (and 2 more); each element of the list is an object. "
        'Write {"name": value, …} for each.',
    ),
    "deep JSON": (
        "log.json",
        "[" + '{"a":' * 60 + "1" + "}" * 60 + "]",
        "log.json, line 1: objects nested deeper; at most 50 levels are read. Write the objects "
        "that hold documents nearer to the top.",
    ),
    "a query twice": (
        "log.json",
        '{"t_1": {"a": 1.5},\n"t_1": {"b": 2.5}}',
        "log.json, line 2: query 't_1' again; each query appears once. Join its documents in one "
        "object.",
    ),
    "text in a rank, on the line where its object opens": (
        "log.json",
        json.dumps(
            {
                "about": {"a": 1},
                "results": [dict(zip(LOG, (*ROW[:2], "x", "a", "t"), strict=True))],
            },
            indent=1,
        ),
        "log.json, line 6: rank 'x'; ranks are whole numbers from 1. Correct the cell.",
    ),
    "many names in JSON": (
        "log.jsonl",
        "{" + ",".join(f'"n{i}":1' for i in range(1_001)) + "}",
        f"log.jsonl: 1,001 columns; a table has at most 1,000 columns. {NARROWER}",
    ),
    "large numbers in JSON": (
        "log.jsonl",
        '{"session":1e30}',
        "log.jsonl, line 1: the number 1e+30; numbers beyond 2⁶³ are written in quotes. "
        "Write it in quotes.",
    ),
    "Parquet with a name twice": (
        "log.parquet",
        twice(),
        "log.parquet: a name twice; each column has its own name. Write it again, or export it as "
        "CSV.",
    ),
    "Parquet without rows": (
        "log.parquet",
        parquet_of(Table(LOG, []), **dict.fromkeys(LOG, pa.string())),
        "log.parquet, line 1: no row; a table has rows below its header. Export it again.",
    ),
    "text in a Parquet file's rank": (
        "log.parquet",
        parquet_of(Table(LOG, [(*ROW[:2], "1", *ROW[3:]), ("s1", 1, "x", "b", "t")])),
        "log.parquet, line 2: rank 'x'; ranks are whole numbers from 1. Correct the cell.",
    ),
    "workbook with a name twice": (
        "log.xlsx",
        workbook_of(log=Table((*LOG, "doc"), [(*ROW, "b")])),
        "log.xlsx, line 1: column 'doc' twice; each column has its own name. Rename one.",
    ),
    "workbook with cells beyond its header": (
        "log.xlsx",
        workbook_of(log=Table(LOG, [ROW, (*ROW, None, "note"), (*ROW, "note")])),
        "log.xlsx, line 3: cells right of the header (and 1 more: line 4); the header has 5 "
        f"columns. {SHEET}",
    ),
    "empty workbook": (
        "log.xlsx",
        workbook_of(log=Table((), [])),
        f"log.xlsx: an empty workbook; a table has a header and rows. {SHEET}",
    ),
    "text in a workbook's rank, below empty rows": (
        "log.xlsx",
        workbook_of(log=Table((), [LOG, ROW, (), ("s1", 1, "x", "b", "t")])),
        "log.xlsx, line 5: rank 'x'; ranks are whole numbers from 1. Correct the cell.",
    ),
    "sheet that spans too much": (
        "log.xlsx",
        zip_of(
            {
                "xl/workbook.xml": b"<workbook/>",
                "xl/a.xml": b'<sheetData><c r="A1"/><c r="CV200001"/></sheetData>',
            }
        ),
        f"log.xlsx: 20,000,100 cells; files of 268 bytes have at most 2,000,000 cells. {NARROWER}",
    ),
    "workbook that grows too much": (
        "log.xlsx",
        zip_of({"xl/workbook.xml": b"<a>" + b"0" * 30_000_000}),
        "log.xlsx: more than 20 MB once unpacked; packed files unpack to at most 20 MB, or 200 "
        f"times their size; never over 1,000 MB. {UNPACK}",
    ),
    "run with parts missing": (
        "log.run",
        "12-1 Q0 a 1 9 x\n12-1 Q0 b 2 9\n12-2 Q0 b 1 9 x y\n",
        "log.run, line 2: 5 parts (and 1 more: line 3); a line of a run reads: query Q0 document "
        "rank score tag. Complete the line.",
    ),
    "interaction without a number": (
        "log.xml",
        session_log(shown("a", number="")),
        "log.xml, line 2: <interaction> without num; every interaction has a number. Correct the "
        "file, or export it again.",
    ),
    "deep XML": (
        "log.xml",
        "<a>\n" * 51,
        "log.xml, line 51: elements nested deeper; at most 50 levels are read. Correct the file, "
        "or export it again.",
    ),
    "XML in an encoding of its own": (
        "log.xml",
        '<?xml version="1.0" encoding="klingon"?><log/>',
        "log.xml, line 1: unknown encoding: klingon; an XML log is complete and well formed. Copy "
        "the whole file again.",
    ),
}


def read(folder: Path, files: Files) -> Study:
    """Study of a log, its judgments beside it."""
    log, *_, judgments = put(folder, {**files, "judgments.csv": JUDGMENTS.encode()})
    return read_study(log, judgments)


def of(folder: Path, name: str, content: str | bytes) -> Study:
    """Study of one file of any content."""
    return read(folder, {name: content.encode() if isinstance(content, str) else content})


@pytest.mark.parametrize("what", REFUSED)
def test_refusal_of_other_formats_says_place_found_rule_remedy(what: str, tmp_path: Path) -> None:
    name, content, message = REFUSED[what]
    assert refusal(lambda: of(tmp_path, name, content)) == message
