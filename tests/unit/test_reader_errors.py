"""Every refusal of the readers: the whole message, with its place, rule and remedy."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sdcg_explorer.reading.limits import NARROWER, UNPACK
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.problems import Problem, UnusableInputError, error
from tests.support import plain_files, refusals
from tests.support.formats import Table, parquet_of, workbook_of, zip_of

COLUMNS = ("session", "query_number", "rank", "doc", "topic")
ROW = ("s1", 1, 1, "a", "t")
FIRST = dict(zip(COLUMNS, ROW, strict=True))
LINE = "each line is one JSON object"
SHEET = "Save the sheet as CSV."
UNNUMBERED = (
    '<log><session num="1"><topic num="t"/>\n<interaction><results><result rank="1">'
    "<docno>a</docno></result></results></interaction></session></log>"
)


def twice() -> bytes:
    """A Parquet file with two columns of one name."""
    data = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array(["a"])] * 2, names=["doc", "doc"]), data)
    return data.getvalue()


# of other forms of file: name and content of the log, and what is said, whole
OTHERS: dict[str, tuple[str, str | bytes, str]] = {
    "half a line of JSON": ("log.jsonl",
        '{"session":"s1","query_number":1,"rank":1,"doc":"a","topic":"t"}\n\n{"session"',
        "log.jsonl, line 3: not JSON (unexpected end of data: line 1 column 11 (char 10)); "
        f"{LINE}. Correct the line."),
    "lists in lines of JSON": ("log.json", '["s1", 1, 1, "a", "t"]\n["s1", 1, 2, "b", "t"]\n',
        f"log.json, line 1: a list (and 1 more: line 2); {LINE}. "
        'Write {"name": value, …} in each line.'),
    "long JSON": ("log.jsonl", '{"session":"' + "s" * 1_000_000 + '"}\n{}\n',
        "log.jsonl, line 1: a longer line; a line has at most 1,000,000 bytes. "
        "Split the object into several."),
    "JSON without its end": ("log.json", '[\n{"session": "s1"},\n{"session"\n',
        "log.json, line 4: not JSON (unexpected end of data: line 4 column 1 (char 32)); a JSON "
        "file is one value, or one object per line. Correct it there."),
    "JSON without objects": ("log.json", '["s1", "s2", 3]',
        "log.json, line 1: a str (and 2 more); each element of the list is an object. "
        'Write {"name": value, …} for each.'),
    "deep JSON": ("log.json", "[" + '{"a":' * 60 + "1" + "}" * 60 + "]",
        "log.json, line 1: objects nested deeper; at most 50 levels are read. Write the objects "
        "that hold documents nearer to the top."),
    "a query twice": ("log.json", '{"t_1": {"a": 1.5},\n"t_1": {"b": 2.5}}',
        "log.json, line 2: query 't_1' again; each query appears once. Join its documents in one "
        "object."),
    "text in a rank, on the line where its object opens": ("log.json",
        json.dumps({"about": {"a": 1}, "results": [{**FIRST, "rank": "x"}]}, indent=1),
        "log.json, line 6: rank 'x'; ranks are whole numbers from 0 or 1. Correct the cell."),
    "many names in JSON": ("log.jsonl", "{" + ",".join(f'"n{i}":1' for i in range(1_001)) + "}",
        f"log.jsonl: 1,001 columns; a table has at most 1,000 columns. {NARROWER}"),
    "large numbers in JSON": ("log.jsonl", '{"session":1e30}',
        "log.jsonl, line 1: the number 1e+30; numbers beyond 2⁶³ are written in quotes. "
        "Write it in quotes."),
    "Parquet with a name twice": ("log.parquet", twice(),
        "log.parquet: a name twice; each column has its own name. Write it again, or export it as "
        "CSV."),
    "Parquet without rows": ("log.parquet",
        parquet_of(Table(COLUMNS, []), **dict.fromkeys(COLUMNS, pa.string())),
        "log.parquet, line 1: no row; a table has rows below its header. Export it again."),
    "text in a Parquet file's rank": ("log.parquet",
        parquet_of(Table(COLUMNS, [(*ROW[:2], "1", *ROW[3:]), ("s1", 1, "x", "b", "t")])),
        "log.parquet, line 2: rank 'x'; ranks are whole numbers from 0 or 1. Correct the cell."),
    "workbook with a name twice": ("log.xlsx",
        workbook_of(log=Table((*COLUMNS, "doc"), [(*ROW, "b")])),
        f"log.xlsx, line 1: column 'doc' {refusals.TWICE}"),
    "tables beside each other": ("log.xlsx",
        workbook_of(log=Table((*COLUMNS, "", "doc"), [(*ROW, "", "b")])),
        f"log.xlsx, line 1: column 'doc' {refusals.TWICE}"),
    "workbook with cells beyond its header": ("log.xlsx",
        workbook_of(log=Table(COLUMNS, [ROW, (*ROW, None, "note"), (*ROW, "note")])),
        "log.xlsx, line 3: cells right of the header (and 1 more: line 4); the header has 5 "
        f"columns. {SHEET}"),
    "empty workbook": ("log.xlsx", workbook_of(log=Table((), [])),
        f"log.xlsx: an empty workbook; a table has a header and rows. {SHEET}"),
    "text in a workbook's rank, below empty rows": ("log.xlsx",
        workbook_of(log=Table((), [COLUMNS, ROW, (), ("s1", 1, "x", "b", "t")])),
        "log.xlsx, line 5: rank 'x'; ranks are whole numbers from 0 or 1. Correct the cell."),
    "ids of a workbook that lost digits": ("log.xlsx",
        workbook_of(log=Table(COLUMNS, [ROW, (2**53, *ROW[1:])])),
        "log.xlsx, line 3: the number 9007199254740992 in column 'session'; numbers keep 15 "
        "digits, longer ids are texts. Format the column as text, and enter the ids again."),
    "ids of a Parquet file that lost digits": ("log.parquet",
        parquet_of(Table(COLUMNS, [(2.0**53, *ROW[1:])])),
        "log.parquet, line 1: the number 9007199254740992: numbers keep 15 digits, longer ids are "
        "texts in column 'session'; a cell is a text, a number, or a time of the years 1 to 9999. "
        "Write it again, or export it as CSV."),
    "sheet that spans too much": ("log.xlsx",
        zip_of({
            "xl/workbook.xml": b"<workbook/>",
            "xl/a.xml": b'<sheetData><c r="A1"/><c r="CV200001"/></sheetData>',
        }),
        f"log.xlsx: 20,000,100 cells; files of 268 bytes have at most 2,000,000 cells. {NARROWER}"),
    "workbook that grows too much": ("log.xlsx",
        zip_of({"xl/workbook.xml": b"<a>" + b"0" * 30_000_000}),
        "log.xlsx: more than 20 MB once unpacked; packed files unpack to at most 20 MB, or 200 "
        f"times their size; never over 1,000 MB. {UNPACK}"),
    "run with parts missing": ("log.run", "12-1 Q0 a 1 9 x\n12-1 Q0 b 2 9\n12-2 Q0 b 1 9 x y\n",
        "log.run, line 2: 5 parts (and 1 more: line 3); a line reads: query_number Q0/0 doc "
        "rank score run. Correct the line."),
    "interaction without a number": ("log.xml", UNNUMBERED,
        "log.xml, line 2: <interaction> without num; every interaction has a number. Correct the "
        "file, or export it again."),
    "deep XML": ("log.xml", "<a>\n" * 51,
        "log.xml, line 51: elements nested deeper; at most 50 levels are read. Correct the file, "
        "or export it again."),
    "XML in an encoding of its own": ("log.xml", '<?xml version="1.0" encoding="klingon"?><log/>',
        "log.xml, line 1: unknown encoding: klingon; an XML log must be complete and well formed. "
        "Copy the whole file again."),
}  # fmt: skip
EVERY = [
    *refusals.REFUSALS,
    *(
        refusals.Refusal(
            name, {file.replace(".", "_"): content, "judgments_csv": refusals.JUDGMENTS}, said
        )
        for name, (file, content, said) in OTHERS.items()
    ),
]


def refusal_of(folder: Path, **files: str | bytes) -> str:
    """What is said about a log and (as the second file) its judgments."""
    return said_of(plain_files.written(folder, **files))


def said_of(paths: dict[str, Path]) -> str:
    """What is said about these files."""
    with pytest.raises(UnusableInputError) as raised:
        read_study(*paths.values())
    refusals.assert_each_has_its_means(raised.value.problems)
    return str(raised.value)


@pytest.mark.parametrize("refusal", EVERY, ids=[refusal.name for refusal in EVERY])
def test_refusal_says_place_found_rule_remedy(refusal: refusals.Refusal, tmp_path: Path) -> None:
    paths = plain_files.written(tmp_path, **refusal.files)
    assert said_of(paths) == refusal.message


TWO = {"a_csv": refusals.HEADER + "s1,1,x,a,t\n", "b_csv": refusals.HEADER + "s2,1,y,a,t\n"}
RANKS = "ranks are whole numbers from 0 or 1. Correct the cell."


def test_all_problems_are_reported_at_once_a_cause_with_its_count(tmp_path: Path) -> None:
    log = refusals.LOG + "s3,x,y,c,t\n,1,1,c,t\n"
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=refusals.JUDGMENTS).splitlines() == [
        "log.csv, line 5: query number 'x'; query numbers are whole numbers from 0 or 1. Correct "
        "the cell.",
        f"log.csv, line 5: rank 'y'; {RANKS}",
        "log.csv, line 6: an empty session; each row needs its session. Fill the cell, or remove "
        "the row.",
    ]
    log = refusals.HEADER + "".join(f"s1,1,r{i},a,t\n" for i in range(130))
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=refusals.JUDGMENTS) == (
        f"log.csv, line 2: rank 'r0' (and 129 more: line 3; line 4; …); {RANKS}"
    )
    folder = tmp_path / "two"
    plain_files.written(folder, **TWO, judgments_csv=refusals.JUDGMENTS)
    assert said_of({"folder": folder}) == (
        f"a.csv, line 2: rank 'x' (and 1 more: b.csv, line 2); {RANKS}"
    )


def test_problems_beyond_a_hundred_are_counted() -> None:
    problems = [error("a.csv", i, f"{i}", "rule", "Remedy.") for i in range(130, 0, -1)]
    lines = UnusableInputError(problems).lines()
    assert len(lines) == 101
    assert lines[99] == "a.csv, line 100: 100; rule. Remedy."
    assert lines[100] == "and 30 more"
    assert UnusableInputError(problems[-101:]).lines()[100:] == ["and 1 more"]
    assert UnusableInputError(problems[-100:]).lines() == lines[:100]


SHARED: dict[str, tuple[str, list[dict[str, Any]], str]] = {  # findings of a, b, c, …; what is said
    "counts": ("3 rows|12 rows|1,200 rows|4 rows", [{}] * 4,
               "a, b and 2 more files: 3 to 1,200 rows each"),
    "one count": ("3 rows|3 rows", [{}] * 2, "a, b: 3 rows each"),
    "sheets": ("3 rows|3 rows|3 rows", [{"file": "x [1]"}, {"file": "x [2]"}, {}],
               "x [1], x [2], c: 3 rows each"),
    "no count": ("rows|rows", [{}] * 2, "a, b: rows"),
    "others": ("rows|cells", [{}] * 2, "a: rows|b: cells"),
    "one file": ("3 rows|3 rows", [{"file": "a"}] * 2, "a: 3 rows"),
    "examples": ("3 rows|3 rows", [{"examples": ("x",)}, {}], "a: 3 rows|b: 3 rows"),
    "lines": ("3 rows|3 rows", [{"line": 2}] * 2, "a, line 2: 3 rows|b, line 2: 3 rows"),
    "made": ("x as 1|y as 1", [{"fix": "f"}, {"fix": "f", "examples": ("y",)}],
             "a, b: x as 1 in the first file"),
    "alike": ("x as 1|x as 1", [{"fix": "f"}] * 2, "a, b: x as 1"),
    "offered": ("x|y", [{"fix": "f", "severity": "warning"}] * 2, "a: x|b: y"),
}  # fmt: skip


@pytest.mark.parametrize("what", SHARED)
def test_what_files_share_is_said_once(what: str) -> None:
    found, fields, said = SHARED[what]
    problems = [
        replace(Problem("note", file, None, text, "rule", "Remedy."), **own)
        for file, text, own in zip("abcd", found.split("|"), fields, strict=False)
    ]
    assert UnusableInputError(problems).lines() == [f"{s}; rule. Remedy." for s in said.split("|")]


def test_missing_file_is_refused_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "nothing.csv"
    said = said_of({"log": path})
    assert said == f"{path}: no such file; each file to read must exist. Check the path."


WIDE = "text," + refusals.HEADER
SPREAD = '"one\ntwo\n\nfour",s1,1,1,a,t\n'  # lines 2 to 5
PLACES = [
    ("after it", WIDE + SPREAD + "x,s1,1,no,b,t\n", 6),
    ("in it", WIDE + SPREAD.replace("1,1,a", "1,no,a"), 2),
    ("after two", WIDE + SPREAD * 2 + "x,s1,1,no,b,t\n", 10),
    ("blank first line", "\n" + refusals.HEADER + "s1,1,1,a,t\ns1,1,no,b,t\n", 4),
    ("blank lines", refusals.HEADER + "\ns1,1,1,a,t\n\n\ns1,1,no,b,t\n", 6),
    ("quotes in it", WIDE + '"a ""quoted""\nword",s1,1,1,a,t\nx,s1,1,no,b,t\n', 4),
    ("ragged", WIDE + SPREAD + "x,s1\n", 6),
    ("too many", refusals.LOG + "s2,1,2,c,t,\n", 5),
    ("blank rank", refusals.LOG + "s2,1, ,c,t\n", 5),
    ("blank query number", refusals.LOG + "s2, ,2,c,t\n", 5),
]
NO = f"rank 'no'; {RANKS}"
FOUND = {
    "ragged": "2 cells; the header has 6 columns",
    "too many": "6 cells; the header has 5 columns",
    "blank rank": "document 'c' without a rank; a result",
    "blank query number": "an empty query number; each row",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("where", "log", "line"), PLACES, ids=[place[0] for place in PLACES])
def test_line_numbers_are_right_where_cells_span_lines(
    where: str, log: str, line: int, ends: str, tmp_path: Path
) -> None:
    said = refusal_of(tmp_path, log_csv=log.replace("\n", ends), judgments_csv=refusals.JUDGMENTS)
    assert said.startswith(f"log.csv, line {line}: {FOUND.get(where, NO)}")


def test_lines_of_qrels_and_xml_are_right(tmp_path: Path) -> None:
    said = refusal_of(tmp_path, log_csv=refusals.LOG, qrels_txt="t 0 a 1\n\n\nt 0 a 2\n")
    assert said.startswith("qrels.txt, line 4: a second grade (2)")
    log = '<s>\n<session num="1">\n<topic num="t"/>\n<interaction num="1">\n<results>\n'
    log += '<result rank="1"><docno>a</docno></result>\n<result\nrank="x"><docno>b</docno>'
    log += "</result></results></interaction></session></s>"
    said = refusal_of(tmp_path, log_xml=log, judgments_csv=refusals.JUDGMENTS)
    assert said.startswith("log.xml, line 7: rank 'x'; ")
