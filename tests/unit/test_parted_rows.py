"""Parts between blanks, as Arrow has them, are those that Python splits a line into."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from sdcg_explorer.reading.readers.tables import parted_rows
from sdcg_explorer.reading.readers.text import Text

BLANK = st.sampled_from([" ", " ", " ", "  ", "\t", "\u00a0", "\u2003 ", "\u3000", "\x1f"])
EDGE = st.sampled_from(["", "", "", " ", "\t", "\u2003"])
PART = st.text('a1é"', min_size=1, max_size=3)
LINE = st.one_of(
    EDGE,
    st.tuples(EDGE, PART, BLANK, PART, BLANK, PART, EDGE).map("".join),
)


@settings(deadline=None)
@given(lines=st.lists(LINE, min_size=1), ends=st.booleans())
def test_blanks_of_any_width_part_lines_as_python_does(lines: list[str], ends: bool) -> None:
    parts = [(number, line.split()) for number, line in enumerate(lines, 1) if line.split()]
    if not parts:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_bytes(("\n".join(lines) + "\n" * ends).encode())
        rows, filled = parted_rows(Text("text", path), 3, {"third": 2, "first": 0})
    assert [*rows] == ["third", "first"]
    assert filled.tolist() == [number for number, _ in parts]
    assert rows["third"].tolist() == [line[2] for _, line in parts]
    assert rows["first"].tolist() == [line[0] for _, line in parts]
