"""Counts folders as strangers might make them: every column and every number as something else."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.counting.counted import KINDS, Counted, write_counted
from sdcg_explorer.reading.read import read_study
from tests.support.counting import random_log
from tests.support.formats import Files, zip_of
from tests.support.fuzz_parquet import parquet, same
from tests.support.plain_counts import plain_counts

TOP = 10
MOST = 10_000  # rows of what has a digest
WORDS: dict[str, Any] = {
    **{"0": 0, "-1": -1, "2⁶³": 2**63, "nan": float("nan"), "a text": "x", "null": None},
    **{"a list": [], "true": True},
}
MORE, LONG = 100, 150_000  # columns of 1,000 characters a cell, and their rows: 15 GB
CELLS: dict[str, Any] = {
    **{"0": 0, "-1": -1, "1": 1, "the largest": "the largest", "2⁶³": 2.0**63},
    **{"nan": float("nan"), "a text": "x", "nothing": None},
}


@cache
def counts_files() -> Files:
    """The files of honest counts: repeats, copies, unjudged topics, several systems."""
    with TemporaryDirectory() as name:
        study = read_study(*random_log(Path(name)))
        out = Path(name) / "counts"
        out.mkdir()
        write_counted(plain_counts(study, TOP), out)
        return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def odd_counts() -> Iterator[tuple[str, Files]]:
    """Files of each, by what was done to them; none of them stands for much."""
    yield "counts as they are", counts_files()
    for name, table in _tables().items():
        for column in table:
            yield (
                f"counts without {name}.{column}",
                with_table(name, _parquet(table.drop(columns=column))),
            )
            for what, value in CELLS.items():
                yield f"{name}.{column} {what}", with_cells(name, str(column), value)
            for what in ("0", "-1", "1", "the largest"):
                yield (
                    f"the last {name}.{column} {what}",
                    with_cells(name, str(column), CELLS[what], -1),
                )
        yield f"no rows of {name}", with_table(name, _parquet(table.iloc[:0]))
        yield f"rows of {name} twice", with_table(name, _parquet(pd.concat([table, table])))
        yield f"rows of {name} turned round", with_table(name, _parquet(table.iloc[::-1]))
    for place in sorted({*_leaves(_about())} - {"files"}):
        yield f"counts.json without {place}", saying(place, "leave out")
        for what, value in WORDS.items():
            yield f"counts.json with {place} {what}", saying(place, value)
    deep = b"[" * 100_000 + b"]" * 100_000
    yield "counts.json nested 100,000 deep", {**counts_files(), "counts.json": deep}
    named = counts_files()["counts.json"].replace(b'"name": "', rb'"name": "\ud800')
    yield "half a pair of surrogates as a name", {**counts_files(), "counts.json": named}


def large_counts() -> Iterator[tuple[str, Files]]:
    """Zips of some 50 kB that stand for gigabytes."""
    counts = _tables()["counts"]
    more = dict.fromkeys((f"more{i}" for i in range(MORE)), same("x" * 1_000, LONG))
    yield (
        "100 columns more",
        _zip(
            with_table("counts", parquet({**_long(counts, LONG), **more}, write_statistics=False))
        ),
    )
    yield "19 million rows alike", _zip(with_table("counts", parquet(_long(counts, 19_000_000))))
    topics = [f"{i:x}" for i in range(400_000)]
    yield "400,000 topics", _zip(saying("topics", topics))
    yield "100,000 systems", _zip(saying("systems", topics[:100_000]))
    yield "a name of 10,000,000", _zip(saying("name", "x" * 10_000_000))
    yield "totals of 400,000 names", _zip(saying("totals", dict.fromkeys(topics, 1)))


def _zip(files: Files) -> Files:
    return {"counts.zip": zip_of(files)}


@cache
def _tables() -> dict[str, pd.DataFrame]:
    files = counts_files()
    return {name: pd.read_parquet(io.BytesIO(files[f"{name}.parquet"])) for name in KINDS}


def _about() -> dict[str, Any]:
    return json.loads(counts_files()["counts.json"])


def with_cells(name: str, column: str, value: Any, first: int | None = None) -> Files:
    """The folder with another value in a column, or in its rows from `first` on."""
    table = _tables()[name]
    kind: Any = table[column].dtype
    if value == "the largest":
        value = np.iinfo(kind).max
    values: list[Any] = table[column].tolist()
    values[first:] = [value] * len(values[first:])
    own = pa.from_numpy_dtype(kind) if value is None or type(value) is int else None
    if isinstance(value, str):
        values = [*map(str, values)]
    columns = {str(each): pa.array(table[each]) for each in table}
    return with_table(name, parquet({**columns, column: pa.array(values, own)}))


def _long(table: pd.DataFrame, rows: int) -> dict[str, Any]:
    """The first row so many times, in no more memory than a byte a cell."""
    codes = pa.array(np.zeros(rows, np.int8))
    return {
        name: pa.DictionaryArray.from_arrays(codes, pa.array(table[name].iloc[:1]))
        for name in KINDS["counts"]
    }


def _parquet(table: pd.DataFrame) -> bytes:
    return parquet({str(name): pa.array(table[name]) for name in table})


def with_table(name: str, content: bytes) -> Files:
    """The folder with another table, whose sum and digest `counts.json` names."""
    files = {**counts_files(), f"{name}.parquet": content}
    return _summed(files, _about())


def saying(place: str, value: Any) -> Files:
    """The folder with another value at a place of `counts.json`."""
    about = _about()
    *outer, last = place.split("/")
    inner: Any = about
    for name in outer:
        inner = inner[int(name) if isinstance(inner, list) else name]
    key: Any = int(last) if isinstance(inner, list) else last
    if value == "leave out":
        del inner[key]
    else:
        inner[key] = value
    return _summed(counts_files(), about)


def _summed(files: Files, about: dict[str, Any]) -> Files:
    """The folder with the sums and the digest that fit, so that nothing else is found first."""
    own = {name: content for name, content in files.items() if name.endswith(".parquet")}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in own.items()}
    if about.get("files") == _about()["files"]:
        about = {**about, "files": sums}
    if about.get("digest") == _about()["digest"]:
        about = {**about, "digest": _digest(own, about)}
    return {**files, "counts.json": json.dumps(about, ensure_ascii=False).encode()}


def _digest(files: Files, about: dict[str, Any]) -> str:
    """The digest of what has the columns of counts, and not too many rows for a test."""
    tables = {**_tables()}
    for name, kinds in KINDS.items():
        if (content := files[f"{name}.parquet"]) != counts_files()[f"{name}.parquet"]:
            with pq.ParquetFile(io.BytesIO(content)) as file:
                own = {each.name: str(each.type) for each in file.schema_arrow}
                if own != kinds or file.metadata.num_rows > MOST:
                    return ""
                tables[name] = file.read().to_pandas()
    names: list[Any] = [about.get(name) for name in ("systems", "topics", "grades")]
    if not all(isinstance(each, list) for each in names):
        return ""
    if any(table.dtypes.astype(str).to_dict() != KINDS[name] for name, table in tables.items()):
        return ""  # empty cells
    given: Any = [about.get(name) for name in ("name", "top", "short_lists")]
    return Counted(*given, *map(tuple, names), tables=tables).digest


def _leaves(value: Any, place: str = "") -> Iterator[str]:
    """Places of all that a JSON value holds, the first of a list standing for the others."""
    inside: dict[str, Any] = {}
    if isinstance(value, dict):
        inside = value
    elif isinstance(value, list):
        inside = {str(i): each for i, each in enumerate(value[:1])}
    if place:
        yield place
    for name, each in inside.items():
        yield from _leaves(each, f"{place}/{name}" if place else name)
