"""Parquet files of a few kB that stand for gigabytes, or hold what logs don't."""

import io
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.thorough import THOROUGH

# rows of a file; all in make soak, for they take long to write
ROWS = (1_000_000, 5_000_000, 15_000_000, 40_000_000)[: 4 if THOROUGH > 1 else 1]
LOG = {"session": ["s"], "query_number": [1], "rank": [1], "doc": ["a"], "topic": ["t"]}
FAR = 2**62
KINDS: dict[str, tuple[Any, pa.DataType | None]] = {
    "a time beyond year 9999": (FAR, pa.timestamp("us")),
    "a time before year 1": (-FAR, pa.timestamp("ms")),
    "a time in an unknown zone": (0, pa.timestamp("s", "Mars/Crater")),
    "a day beyond": (2**31 - 1, pa.date32()),
    "a day in ms beyond": (FAR // 86_400_000 * 86_400_000, pa.date64()),
    "a long duration": (FAR, pa.duration("s")),
    "a time of 99 hours": (2**31 - 1, pa.time32("s")),
    "lists of times beyond": ([FAR], pa.list_(pa.timestamp("us"))),
    "lone surrogates": (b"\xed\xa0\x80", pa.binary()),
    "no kind": (None, pa.null()),
    "large numbers": (2**64 - 1, pa.uint64()),
    "halves": (0.5, pa.float16()),
    "infinities": (float("inf"), pa.float64()),
}


def parquets() -> dict[str, Callable[[], bytes]]:
    """What makes each, by its name."""
    zeros = np.zeros(3_000_000, np.int8)
    texts = pa.array(["x" * 1_000] * 100_000)
    long = pa.array(["x" * 100_000] * 300)
    delta = {"use_dictionary": False, "column_encoding": {"session": "DELTA_BYTE_ARRAY"}}
    sessions = {
        "a long text 100,000 times": same("x" * 100_000, 100_000),
        "100,000 bytes 20,000 times": same(b"x" * 100_000, 20_000),
        "fixed 100,000 bytes 300 times": pa.array([b"x" * 100_000] * 300, pa.binary(100_000)),
        "3,000,000 values in lists": _lists(zeros, 3),
        "lists of lists": _lists(_lists(zeros, 1), 3_000),
        "long texts in lists": _lists(texts, 500),
    }
    tables = {name: {"session": values} for name, values in sessions.items()}
    tables |= {f"{n:,} rows": dict.fromkeys(LOG, pa.array(np.zeros(n, np.int8))) for n in ROWS}
    tables |= {"no column": {}, "2,000 columns": {f"c{i}": ["1"] for i in range(2_000)}}
    tables["100 columns of a text"] = {f"c{i}": same("x", 100_000) for i in range(100)}
    tables |= {name: {**LOG, "time": pa.array([v], kind)} for name, (v, kind) in KINDS.items()}
    found = {f"Parquet of {name}": partial(parquet, columns) for name, columns in tables.items()}
    return found | {"Parquet of texts as differences": partial(parquet, {"session": long}, **delta)}


def _lists(values: Any, size: int) -> Any:
    ends = pa.array(np.arange(0, len(values) + 1, size), pa.int32())
    return pa.ListArray.from_arrays(ends, values)


def same(text: str | bytes, times: int) -> Any:
    """One text so many times, in no more memory than once."""
    return pa.DictionaryArray.from_arrays(np.zeros(times, np.int32), [text])


def parquet(columns: dict[str, Any], **how: Any) -> bytes:
    """A Parquet file of these columns, which does not say that they were categories."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="zstd", store_schema=False, **how)
    return out.getvalue()
