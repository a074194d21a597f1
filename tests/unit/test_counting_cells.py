"""Cells of numbers, grades and flags: SQL reads each text as the readers do."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from tests.support.counting import CELLS, assert_cells_alike

SIGNS = st.text("0123456789+-.eE_x, \t\u00a0\u3000ainfyt'", max_size=12)


@given(st.lists(SIGNS, min_size=50, max_size=200))
def test_cells_are_read_as_by_readers(texts: list[str]) -> None:
    engine = DuckDBEngine("500MB", Path("nowhere"))
    engine._connection.register("texts", pa.table({"x": pa.array([*CELLS, *texts], pa.string())}))
    assert_cells_alike(engine.rows)
    engine.close()
