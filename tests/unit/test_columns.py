"""What is asked of a column's distinct texts at once is what a plain loop finds of each row."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.columns import factorised, seconds_of
from sdcg_explorer.study.problems import cut
from sdcg_explorer.study.wording import in_short

TEXTS = st.text(" 0aA1ßİ\u00a0\u2003", max_size=4)


@given(runs=st.lists(st.tuples(TEXTS, st.integers(1, 9))), cut=st.integers(0, 40))
def test_factorised_numbers_texts_as_they_appear(runs: list[tuple[str, int]], cut: int) -> None:
    texts = [text for text, times in runs for _ in range(times)]
    column: Any = pa.chunked_array([texts[:cut], texts[cut:]], pa.string())
    codes, distinct = factorised(column)
    first = list(dict.fromkeys(texts))
    assert list(distinct) == first
    assert codes.tolist() == [first.index(text) for text in texts]


@pytest.mark.parametrize(
    ("times", "apart"),
    [
        (("20000.00000001", "99999.00000001"), 86_400 * 79_999),  # days, as spreadsheets count
        (("20000.00000000", "99999.00000001"), 79_999),
        (("20000.00000001", "100000.00000000"), 80_000),
        (("20000.5", "20001.5"), 1),
        (("1e11", "2e11"), np.nan),
        (("100000000000", "100000001000"), 1),  # milliseconds
        (("99999999999", "100000001000"), 1001),
        (("1700000000000000", "1710000000000000"), 1e7),  # microseconds
        (("1700000000000000000", "1710000000000000000"), 1e7),  # nanoseconds
    ],
)
def test_numbers_are_times_in_a_unit_by_their_size(times: tuple[str, str], apart: float) -> None:
    found = np.diff(seconds_of(pd.Series(times, dtype="category")))[0]
    assert found == pytest.approx(apart, abs=1e-4, nan_ok=True)


def test_long_names_and_texts_are_cut_in_the_middle_or_at_their_end() -> None:
    whole, longer = ("A" * 36 + "B" * more + "C" * 18 for more in (6, 7))
    assert (in_short(whole), in_short(longer)) == (whole, f"{'A' * 36}…df43…{'C' * 18}")
    assert [cut("x" * size) for size in (100, 101)] == ["x" * 100, f"{'x' * 99}…"]


NAMED = {"run": "topic", "table": "topic", "texts": "query"}  # what judgments go by


def steps_to_read(folder: Path, queries: int, form: str) -> int:
    """Calls of functions while a log with 100 results of each query is read."""
    ids = [f"s{q // 4}_{q % 4 + 1}" for q in range(queries)]
    shown = [(own, r, f"d{(7 * q + 3 * r) % 211}") for q, own in enumerate(ids) for r in range(100)]
    if form == "run":
        log = "".join(f"{own} Q0 {doc} {r + 1} {-r} t\n" for own, r, doc in shown)
        header, topics = "", ids
    else:
        header, topics = f"session,query_number,{NAMED[form]},rank,doc\n", ["t"]
        log = "".join(f"{o.replace('_', ',')},t,{r + 1},{doc}\n" for o, r, doc in shown)
    (folder / "log.txt").write_text(header + log, "utf-8")
    judged = "".join(f"{topic},d{i},{i % 3}\n" for topic in topics for i in range(0, 211, 20))
    (folder / "judged.csv").write_text(f"{NAMED[form]},doc,grade\n{judged}", "utf-8")
    steps = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal steps
        steps += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        study = read_study(folder / "log.txt", folder / "judged.csv")
    finally:
        sys.setprofile(None)
    assert len(study.results) == 100 * queries
    return steps


@pytest.mark.parametrize(("form", "of_a_row"), [("run", 1), ("table", 0.5), ("texts", 4)])
def test_little_is_done_row_by_row(tmp_path: Path, form: str, of_a_row: float) -> None:
    steps_to_read(tmp_path, 4, form)  # what is loaded but once
    few, many = (steps_to_read(tmp_path, queries, form) for queries in (20, 220))
    assert many - few < 20_000 * of_a_row
