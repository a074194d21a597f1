"""Tables with quotes: those that are well written, and those that people type."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sdcg_explorer.reading.readers import tables
from sdcg_explorer.reading.sources import Source, open_text
from sdcg_explorer.study.problems import UnusableInputError


def cells_of(written: str) -> list[list[str]]:
    """Rows of a table with the columns session and query."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        path.write_bytes(written.encode())
        with open_text(Source("log.csv", path, "log")) as opened:
            (table,) = tables.read_table(opened)
    return table.rows.astype(str).to_numpy().tolist()


ENDS = "quotes come in pairs, at the ends of a cell. Correct the quotes."
HAS = "session,query\n"
RANKED = "session,rank,n,query\ns0,1,1,a\n"
NAMED = "session,query,doc\nann,a,good\n"
TWO = "tea, green\nhot, or cold"
THREE = "tea, green,\nhot, or\ncold, black, sweet"
SWALLOWED = "log.csv, line {}: a quotation mark that opens in {!r} and closes on line {}"
# cells of the rows, or what is said of them
ROWS: dict[str, list[list[str]] | str] = {
    f'{HAS}s1, "foot, ulcer"\n': [["s1", "foot, ulcer"]],
    f'{HAS}s1,  "a, ""b"""\n': [["s1", 'a, "b"']],
    f'{HAS}s1,5" screen\n': [["s1", '5" screen']],
    f'{HAS}"s, ""1"" ", "a\nb"\n': [['s, "1" ', "a\nb"]],
    f'{RANKED}s1,1,1,"{THREE}"\n': [["s0", "1", "1", "a"], ["s1", "1", "1", THREE]],
    f'{NAMED}ben,"{TWO}",bad\n': [["ann", "a", "good"], ["ben", TWO, "bad"]],
    f'{HAS}s1,"a"b"\n': "log.csv, line 2: ',' expected after '\"'",
    f'{HAS}s1,"a" \n': "log.csv, line 2: ',' expected after '\"'",
    'session,"que"ry\ns1,a\n': "log.csv, line 1: ',' expected after '\"'",
    f'{HAS}s1,"a\n': "log.csv, line 2: unexpected end of data",
    f'{RANKED}s1,1,1,"tea\ns1,2,1,b\ns2,2,1,coffee"\n': SWALLOWED.format(3, "query", 5),
    f'{RANKED}"s1,1,1,tea\ns1,2,1,b\ns2",2,1,coffee\n': SWALLOWED.format(3, "session", 5),
    f'{RANKED}s1,1,"1,tea\ns1,2,1,b\ns2,2,1",coffee\n': SWALLOWED.format(3, "n", 5),
    # without numbers ids of one form, and texts of other rows, tell a swallowed line
    'session,query,doc\ns0,a,d1\ns1,"tea,d2\ns12,coffee",d3\ns2,b,d4\n': SWALLOWED.format(
        3, "query", 4),
    f'{NAMED}ben,"tea,bad\nann,coffee",good\neve,b,bad\n': SWALLOWED.format(3, "query", 4),
}  # fmt: skip


@pytest.mark.parametrize("written", ROWS)
def test_quotes_that_people_type_are_read_or_named_with_their_line(written: str) -> None:
    told = ROWS[written]
    if isinstance(told, list):
        assert cells_of(written) == told
    else:
        with pytest.raises(UnusableInputError) as raised:
            cells_of(written)
        assert str(raised.value) == f"{told}; {ENDS}"


def test_cells_that_a_quote_joined_are_counted_with_its_end() -> None:
    with pytest.raises(UnusableInputError, match=r"line 2: 4 cells, .* that closes on line 3"):
        cells_of('session,query\ns1,"a\ns2",b,c\n')


def test_a_long_cell_or_row_is_refused_by_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables.limits, "LONGEST_LINE", 100)
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
