"""What hostile files are told: briefly, with the file within the archive, with the cell."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from sdcg_explorer.reading import limits, read, shapes
from sdcg_explorer.study.problems import LONGEST, UnusableInputError, error
from tests.support import formats, fuzz_bombs

VALUES = (
    "cells hold values, not errors (#N/A) or formulas without a value. Open it in a spreadsheet, "
    "which computes them, and save it; or save the sheet as CSV."
)
FORMULAS = {
    '<c r="C3"><f>1+1</f><v/></c>': "cell C3",
    '<c r="C3"><f>1+1</f></c>': "cell C3",
    '<c r="C3"><f>1+1</f><v> </v></c>': "cell C3",
    '<c r="C3"><f>1+1</f><v>2</v></c>': "",
    '<c r="C3"><f/><v>2</v></c>': "",
    '<c r="C3"><v>2</v></c>': "",
    '<c r="AB3" t="str"><f>B2</f><v></v></c>': "",  # may come to the empty text
    '<c r="AB3" t="e"><f>B2</f><v></v></c>': "cell AB3",  # an error is no value
}
HEAD = '<row r="1"><c r="A1" t="str"><v>session</v></c></row><row r="2"/>'


def refused(*paths: Path) -> list[str]:
    """The lines that refuse a study, or none."""
    try:
        read.read_study(paths[0], *paths[1:])
    except UnusableInputError as found:
        return found.lines()
    return []


def test_a_refusal_shows_300_characters_of_what_a_file_says() -> None:
    long = "x" * 60_000
    line = str(error(long, 1, long, long, "Correct it.", 9, (long,) * 3))
    assert len(line) < 6 * LONGEST
    assert line.count("…") >= 3
    short = "x" * LONGEST
    assert error("a", 1, short, short, "").found == short


@pytest.mark.parametrize("cell", FORMULAS)
@pytest.mark.parametrize("prefix", ["", "x:"])
def test_a_formula_without_its_value_is_refused_with_the_cell(
    cell: str, prefix: str, tmp_path: Path
) -> None:
    xml = f'{HEAD}<row r="3">{cell}<c><f>0</f><v>0</v></c></row>'
    xml = re.sub(r"<(/?)(?=[a-z])", rf"<\1{prefix}", xml)
    book = tmp_path / "log.xlsx"
    book.write_bytes(formats.workbook({"log": xml, "other": ""}))
    found = [line for line in refused(book) if "without a value" in line]
    where = f"log.xlsx [log], line 3: {FORMULAS[cell]} without a value of its own; {VALUES}"
    assert found == ([where] if FORMULAS[cell] else [])


def test_errors_in_a_zip_name_the_file_within(tmp_path: Path) -> None:
    named: dict[str, str] = {}
    for name, data in fuzz_bombs.broken_zips().items():
        path = tmp_path / "study.zip"
        path.write_bytes(data)
        if lines := refused(path):
            named[name] = lines[0].partition(": ")[0]
    without = {name for name, file in named.items() if file not in ("log.csv", "judgments.csv")}
    what = {"version", "directory"}  # of a zip whose list of files can't be read
    assert without <= {f"zip that lies about its {one}" for one in what}
    assert len(named) - len(without) >= 5


def test_lists_in_cells_are_read_as_python_writes_them() -> None:
    ids = ["d1", 'a"b', "a'b", "a\\b", "a, b", "é", "http://x/?a=b|c", "null ", "[7]", "a\nb", ""]
    for some in (ids, ids[:1], ids[5:7]):
        assert shapes.documents_in_cell(repr(some)) == [one.replace("\n", "n") for one in some]
    assert shapes.documents_in_cell("[O'Reilly, b]") == ["O'Reilly", "b"]
    assert shapes.documents_in_cell("['a' 'b'\n 'c']") == ["a", "b", "c"]


def test_a_part_that_only_looks_binary_is_looked_through(tmp_path: Path) -> None:
    rows = HEAD + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    whole = tmp_path / "whole.xlsx"
    whole.write_bytes(formats.workbook({"log": rows}))
    book = tmp_path / "log.xlsx"
    with zipfile.ZipFile(whole) as given, zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as out:
        for name in given.namelist():
            data = given.read(name)
            if name.endswith("sheet1.xml"):
                name, data = name.replace(".xml", ".bin"), b"\0x" + data
            out.writestr(name, data.replace(b"sheet1.xml", b"sheet1.bin"))
        out.writestr("xl/media/image1.png", b"\x89PNG\0<")
    (line,) = refused(book)
    assert line.startswith("log.xlsx: xl/worksheets/sheet1.bin")


def shared(text: str, sheets: int = 1, other: str = "no") -> bytes:
    """A workbook with one shared string in 5,000 cells of each sheet."""
    strings = f'<sst xmlns="{formats.SHEETS}"><si><t>{other}</t></si><si><t>{text}</t></si></sst>'
    rows = ("<row>" + '<c t="s"><v>1</v></c>' * 5 + "</row>") * 1_000
    return formats.workbook({f"S{i}": rows for i in range(sheets)}, strings)


def wide(rows: int) -> str:
    """A table of 999 columns."""
    return "\n".join([",".join(f"c{i}" for i in range(999)), *[",".join("1" * 999)] * rows])


def repeated(cell: str, rows: int = 1, columns: int = 1) -> bytes:
    """A sheet of LibreOffice with one cell many times, behind empty ones."""
    empty = '<table:table-row table:number-rows-repeated="9"><table:table-cell/></table:table-row>'
    times = f'table:number-columns-repeated="{columns}"'
    own = f'<table:table-cell office:value-type="string" {times}><text:p>{cell}</text:p>'
    row = f'<table:table-row table:number-rows-repeated="{rows}">{own}</table:table-cell>'
    return formats.ods_of(f"{empty}{row}</table:table-row>")


REPEATED = "text counts each time it appears in a cell, to at most 20 MB"
BOMBS: dict[str, tuple[str, str | bytes, str]] = {
    "a string in many cells": ("log.xlsx", shared("x" * 5_000), REPEATED),
    "a string in cells of many sheets": ("log.xlsx", shared("x" * 500, 9), REPEATED),
    "a text in many rows": ("log.ods", repeated("x" * 5_000, 999, 5), REPEATED),
    "a cell in many rows": ("log.ods", repeated("x", 10**9, 9), "a table has at most 200,000,000"),
    "a cell over many columns": (
        "log.xls",
        b"<table><tr><td>a" + b"<td colspan=900>b" * 2,
        "at most 1,000 columns",
    ),
    "many columns in a database": (
        "log.db",
        formats.database_of(log=formats.Table(tuple(f"c{i}" for i in range(1_001)), [])),
        "at most 1,000 columns",
    ),
    "many columns": ("log.csv", wide(30), "a table of more than 40 columns has at most 20,000"),
    "a query's text beside many results": (
        "log.xml",
        '<log><session num="1"><topic num="t"/><interaction num="1"><query>'
        + "q" * 30_000
        + "</query><results>"
        + "".join(f'<result rank="{i}"><docno>d{i}</docno></result>' for i in range(1, 1_000))
        + "</results></interaction></session></log>",
        REPEATED,
    ),
    "a query's name beside many scores": (
        "log.json",
        json.dumps({"q" * 30_000: {f"d{i}": 0.5 for i in range(1_000)}}),
        REPEATED,
    ),
    "a field around many objects": (
        "log.jsonl",
        json.dumps({"session": "s", "text": "q" * 30_000, "results": [{"doc": "d"}] * 1_000}),
        REPEATED,
    ),
}


@pytest.mark.parametrize("what", BOMBS)
def test_text_counts_each_time_it_stands_in_a_cell_and_cells_before_they_are_read(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_RATIO", 1)  # bombs of a size that a test has time for
    monkeypatch.setattr(limits, "MOST_WIDE", 20_000)
    file, data, rule = BOMBS[what]
    content = data.encode() if isinstance(data, str) else data
    (tmp_path / file).write_bytes(content)
    (line,) = refused(tmp_path / file)
    assert line.startswith(f"{file}: ")
    assert rule in line


def test_one_long_answer_among_short_strings_is_no_bomb(tmp_path: Path) -> None:
    book = tmp_path / "log.xlsx"
    book.write_bytes(shared("x", other="x" * 30_000))
    assert not any("text" in line for line in refused(book))
