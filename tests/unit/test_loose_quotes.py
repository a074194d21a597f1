"""Tables with quotes: those that are well written, and those that people type."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.reading.readers import tables, text
from sdcg_explorer.reading.readers.tables import read_table
from sdcg_explorer.reading.readers.text import open_text
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.problems import UnusableInputError

CELLS = st.text("a1é\"\\,;' \n", max_size=6)


def cells_of(written: str) -> list[list[str]]:
    """Rows of a table with the columns session and query."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        path.write_bytes(written.encode())
        with open_text(Source("log.csv", path, "log")) as opened:
            (table,) = read_table(opened)
    return table.rows.astype(str).to_numpy().tolist()


@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_what_the_csv_module_writes_is_read_as_it_was(
    rows: list[tuple[str, str]], quoting: Any
) -> None:
    written = io.StringIO()
    writer = csv.writer(written, quoting=quoting, lineterminator="\n")
    writer.writerows([("session", "query"), *rows])
    try:
        read = cells_of(written.getvalue())
    except UnusableInputError as refused:
        said = str(refused)
        read = [[*row] for row in rows] if "a quotation mark that opens in" in said else [[said]]
    assert read == [[*row] for row in rows]  # unless a cell reads like rows


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ('s1, "foot, ulcer"', ["s1", "foot, ulcer"]),
        ('s1,  "a, ""b"""', ["s1", 'a, "b"']),
        ('s1,5" screen', ["s1", '5" screen']),
        ('"s, ""1"" ", "a\nb"', ['s, "1" ', "a\nb"]),
    ],
)
def test_a_blank_before_a_quote_goes_and_a_quote_within_a_cell_is_a_letter(
    row: str, cells: list[str]
) -> None:
    assert cells_of(f"session,query\n{row}\ns2,b\n") == [cells, ["s2", "b"]]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ('s1,"a"b', "',' expected after '\"'"),
        ('s1,"a" ', "',' expected after '\"'"),
        ('s1,"a', "unexpected end of data"),
    ],
)
def test_text_behind_a_closing_quote_and_an_open_one_are_refused(row: str, found: str) -> None:
    said = f"log.csv, line 2: {found}; quotes come in pairs and stand at a cell's ends. "
    with pytest.raises(UnusableInputError) as raised:
        cells_of(f"session,query\n{row}\n")
    assert str(raised.value) == f"{said}Correct the quotes."


@pytest.mark.parametrize(
    ("row", "last", "column"),
    [
        ('s1,1,1,"tea', 's2,2,1,coffee"', "query"),
        ('"s1,1,1,tea', 's2",2,1,coffee', "session"),
        ('s1,1,"1,tea', 's2,2,1",coffee', "rank"),
    ],
)
def test_a_quote_that_swallows_the_end_of_a_line_is_named_with_its_line(
    row: str, last: str, column: str
) -> None:
    table = f"session,rank,n,query\ns0,1,1,a\n{row}\ns1,2,1,b\n{last}\n"
    column = {"rank": "n"}.get(column, column)
    with pytest.raises(UnusableInputError) as raised:
        cells_of(table)
    assert str(raised.value) == (
        f"log.csv, line 3: a quotation mark that opens in {column!r} and closes on line 5; quotes "
        "come in pairs and stand at a cell's ends. Correct the quotes."
    )


@pytest.mark.parametrize(
    "rows",
    [
        ["s0,a,d1", 's1,"tea,d2', 's12,coffee",d3', "s2,b,d4"],  # ids of one form
        ["ann,a,good", 'ben,"tea,bad', 'ann,coffee",good', "eve,b,bad"],  # texts of other rows
    ],
)
def test_without_numbers_ids_and_texts_of_other_rows_tell_a_swallowed_line(rows: list[str]) -> None:
    with pytest.raises(UnusableInputError) as raised:
        cells_of("\n".join(["session,query,doc", *rows, ""]))
    assert str(raised.value) == (
        "log.csv, line 3: a quotation mark that opens in 'query' and closes on line 4; quotes "
        "come in pairs and stand at a cell's ends. Correct the quotes."
    )


def test_a_query_of_two_lines_stays_one_where_no_column_has_numbers() -> None:
    rows = ["ann,a,good", 'ben,"tea, green\nhot, or cold",bad', "eve,b,bad"]
    table = "\n".join(["session,query,doc", *rows, ""])
    assert cells_of(table)[1][1] == "tea, green\nhot, or cold"


def test_lines_of_a_cell_that_are_no_rows_stay_its_lines() -> None:
    query = "tea, green,\nhot, or\ncold, black, sweet"
    assert cells_of(f'session,rank,n,query\ns0,1,1,"{query}"\n')[0][3] == query


def test_cells_that_a_quote_joined_are_counted_with_its_end() -> None:
    with pytest.raises(
        UnusableInputError, match="line 2: 4 cells, with a quotation mark that closes on line 3"
    ):
        cells_of('session,query\ns1,"a\ns2",b,c\n')


def test_a_cell_or_a_row_that_is_too_long_is_refused_by_its_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "LONGEST_LINE", 100)
    monkeypatch.setattr(tables, "LONGEST_BLOCK", 200)
    cell, filled = '"' + 9 * "some words\n" + '"', "s1,a\n" * 30
    long = '"' + 10 * "some words\n" + '"'
    for written, line in [
        (f"session,query\n{filled}s1,{long}\n", 32),
        (f"session,query\ns1,{long}\n", 2),
        (f"session,{long}\ns1,a\n", 1),
    ]:
        with pytest.raises(UnusableInputError, match=f"line {line}: a longer cell; a cell has"):
            cells_of(written)
        cells_of(written.replace(long, '"short"'))
    row = ",".join([cell] * 10)
    with pytest.raises(UnusableInputError, match="line 3: a longer row; a row has at most"):
        cells_of(f"a,b,c,d,e,f,g,h,i,j\n{',' * 9}\n{row}\n")
    cells_of(f"a,b,c,d,e,f,g,h,i,j\n{',' * 9}\n{row.replace('some words', '')}\n")


def test_names_of_columns_may_take_many_lines() -> None:
    name = '"' + 30 * "line\n" + 'query"'
    assert cells_of(f"session,{name}") == []
    with pytest.raises(UnusableInputError, match="line 32: 3 cells; the header has 2 columns"):
        cells_of(f"session,{name}\na,b,c\n")


def test_blanks_before_quotes_go_wherever_a_piece_of_the_text_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = '"s, ""1"" ", "a, ""b"""\n5" s,  "a\n\n, "\n"", ""\n'
    read = [['s, "1" ', 'a, "b"'], ['5" s', "a\n\n, "], ["", ""]]
    for size in (1, 2, 3, 5, 8, 1_000):
        monkeypatch.setattr(text, "PIECE", size)
        assert cells_of(f"session, query\n{rows}") == read
    with pytest.raises(UnusableInputError, match="line 2: unexpected end of data"):
        cells_of('session, query\ns1, "never closed\n' + 9 * "s2,a\n")
