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

from sdcg_explorer.reading.readers import loose_quotes, text
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
    assert cells_of(written.getvalue()) == [[*row] for row in rows]


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


def test_blanks_before_quotes_go_wherever_a_piece_of_the_text_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = '"s, ""1"" ", "a, ""b"""\n5" s,  "a\n\n, "\n"", ""\n'
    read = [['s, "1" ', 'a, "b"'], ['5" s', "a\n\n, "], ["", ""]]
    for size in (1, 2, 3, 5, 8, 1_000):
        monkeypatch.setattr(text, "PIECE", size)
        assert cells_of(f"session, query\n{rows}") == read
    monkeypatch.setattr(loose_quotes, "LONGEST_CELL", 10)
    with pytest.raises(UnusableInputError, match="line 2: unexpected end of data"):
        cells_of('session, query\ns1, "never closed\n' + 9 * "s2,a\n")
