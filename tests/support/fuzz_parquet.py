"""Parquet files of a few kB that stand for gigabytes."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.thorough import THOROUGH

# rows of a file, and of each of 100 columns; all in make soak, for they take long to write
ROWS = (1_000_000, 5_000_000, 15_000_000, 40_000_000)[: 4 if THOROUGH > 1 else 1]
WIDE = 1_000_000 if THOROUGH > 1 else 100_000
NAMES = ("session", "query_number", "rank", "doc", "topic")
DELTA = {"use_dictionary": False, "column_encoding": {"session": "DELTA_BYTE_ARRAY"}}


def parquets() -> dict[str, bytes]:
    """Each by its name."""
    found: dict[str, bytes] = {}
    for rows in ROWS:
        zeros = pa.array(np.zeros(rows, np.int8))
        found[f"Parquet of {rows:,} rows"] = parquet(dict.fromkeys(NAMES, zeros))
    text = pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), ["x" * 100_000])
    found["Parquet of a long text 100,000 times"] = parquet({"session": text})
    found["Parquet of no column"] = parquet({})
    found["Parquet of 2,000 columns"] = parquet({f"c{i}": ["1"] for i in range(2_000)})
    columns = {f"c{i}": same("x", WIDE) for i in range(100)}
    found["Parquet of 100 columns, each of one text"] = parquet(columns)
    found["Parquet of 100,000 bytes 20,000 times"] = parquet(
        {"session": same(b"x" * 100_000, 20_000)}
    )
    fixed = pa.array([b"x" * 100_000] * 300, pa.binary(100_000))
    found["Parquet of fixed 100,000 bytes 300 times"] = parquet({"session": fixed})
    long = pa.array(["x" * 100_000] * 300)
    found["Parquet of long texts as differences"] = parquet({"session": long}, **DELTA)
    return found | {f"Parquet of {name}": parquet(lists) for name, lists in _lists().items()}


def _lists() -> dict[str, dict[str, Any]]:
    zeros = np.zeros(3_000_000, np.int8)
    single = pa.ListArray.from_arrays(_ends(zeros.size, 1), zeros)
    texts = pa.array(["x" * 1_000] * 100_000)
    return {
        "3,000,000 values in lists": {
            "session": pa.ListArray.from_arrays(_ends(zeros.size, 3), zeros)
        },
        "lists of lists": {"session": pa.ListArray.from_arrays(_ends(zeros.size, 3_000), single)},
        "long texts in lists": {"session": pa.ListArray.from_arrays(_ends(len(texts), 500), texts)},
    }


def _ends(values: int, size: int) -> Any:
    return pa.array(np.arange(0, values + 1, size), pa.int32())


def same(text: str | bytes, times: int) -> Any:
    """One text so many times, in no more memory than once."""
    return pa.DictionaryArray.from_arrays(np.zeros(times, np.int32), [text])


def parquet(columns: dict[str, Any], **how: Any) -> bytes:
    """A Parquet file of these columns, which does not say that they were categories."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="zstd", store_schema=False, **how)
    return out.getvalue()
