"""Counts of a log, and the folder that holds them: a few small tables, whatever the log's size.

A counts folder holds six Parquet files and `counts.json`. Places count from 0, query numbers and
ranks from 1.

`layouts` (layout, query_number, topic, cells) : the queries of each layout, that is, of sessions
with the same ideal; topic −1 is any that nobody judged · `groups` (group, bucket, system, layout,
sessions) : how many sessions of each system have a layout, in each of 256 buckets · `lists`
(counts) : how many counts each query of each group has, groups and queries in their order ·
`counts` (rank, code, repeat, results) : those of one list after those of another, results of the
group's sessions at a rank with a grade; `code` is its place in `grades`, or `len(grades) + 2` for a
judged document again in one list, which counts nothing; `repeat` is 1 where an earlier query of the
session showed the document within the top · `judged` (topic, code, documents) : the ideal profile
of each topic · `shown` (system, rank, results) : all results, the unjudged included.

A group's curve is Σ results · gain(code) · d(rank) · D(query_number), and its ideal follows from
its layout and `judged`; so every mean of sessions or queries follows from these tables, under any
gains, bases, forms, repeats, ideal and average, for the top and the short lists counted by. What a
searcher did lies in one bucket (by the md5 of searcher, else of session), for intervals.
"""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.counting.counted_study import BUCKETS
from sdcg_explorer.counting.files import read_tables
from sdcg_explorer.counting.place import SIGN
from sdcg_explorer.counting.validation import COUNT_AGAIN, odd_rows, too_wide, unsound_fields
from sdcg_explorer.reading.limits import MOST_NAMED
from sdcg_explorer.study.disk import sum_of
from sdcg_explorer.study.problems import UnusableInputError, error, in_words, refuse
from sdcg_explorer.study.sent import SentAsMade

FORMAT = 2
KINDS = {
    "layouts": {"layout": "int32", "query_number": "int32", "topic": "int32", "cells": "int16"},
    "groups": {
        **{"group": "int32", "bucket": "int16", "system": "int16", "layout": "int32"},
        "sessions": "int64",
    },
    "lists": {"counts": "int32"},
    "counts": {"rank": "int8", "code": "int8", "repeat": "int8", "results": "int32"},
    "judged": {"topic": "int32", "code": "int8", "documents": "int64"},
    "shown": {"system": "int16", "rank": "int16", "results": "int64"},
}


@dataclass(frozen=True, eq=False)
class Counted(SentAsMade):
    """Counts of a log to `top`, in canonical order; the tables are those of the folder.

    short_lists : pad, as-is, or the least number of cells · totals : sessions, queries and results
    of the log, and what was mended by rule, by name · rules : by which it was read · buckets : 256,
    or 1 where no intervals were asked for
    """

    name: str
    top: int
    short_lists: str | int
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    grades: tuple[float, ...]
    tables: dict[str, pd.DataFrame]
    totals: dict[str, int] = field(default_factory=dict[str, int])
    rules: dict[str, str] = field(default_factory=dict[str, str])
    buckets: int = BUCKETS

    @cached_property
    def digest(self) -> str:
        """sha256 over what was counted and how cells were laid out, names and totals left out."""
        head = [FORMAT, self.top, self.short_lists, self.systems, self.topics, self.grades]
        total = hashlib.sha256(json.dumps(head).encode())
        for name, kinds in KINDS.items():
            total.update(f"table {name} {len(self.tables[name])}\n".encode())
            for column, kind in kinds.items():
                values = self.tables[name][column].to_numpy(dtype=np.dtype(kind).newbyteorder("<"))
                total.update(np.ascontiguousarray(values).data)
        return total.hexdigest()


SAID = [each.name for each in fields(Counted) if each.name != "tables"]  # in counts.json


def write_counted(counted: Counted, folder: Path) -> None:
    """Write the tables and `counts.json`, which names each file's sha256."""
    sums: dict[str, str] = {}
    for name, kinds in KINDS.items():
        path = folder / f"{name}.parquet"
        table = pa.Table.from_pandas(counted.tables[name].astype(kinds), preserve_index=False)
        pq.write_table(table, path, compression="zstd")
        sums[path.name] = sum_of(path)
    said = {name: getattr(counted, name) for name in SAID}
    about = {"format": FORMAT, **said, "digest": counted.digest, "files": sums}
    (folder / SIGN).write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")


def read_counted(folder: Path, called: str | None = None, *, bounded: bool = False) -> Counted:
    """Read a counts folder back, which is what was written.

    Parameters
    ----------
    called : what the folder is called where something is wrong in it; its path unless said
    bounded : whether counts may take only so much memory, as of strangers

    Raises
    ------
    UnusableInputError : a file, a field or a row that nobody counted, or too many of them
    """
    try:
        return _read(folder, bounded=bounded)
    except UnusableInputError as refused:
        place = PurePosixPath(folder.as_posix() if called is None else called)
        found = [replace(each, file=str(place / each.file)) for each in refused.problems]
        raise UnusableInputError(found) from None


def _read(folder: Path, *, bounded: bool) -> Counted:
    about = _read_about(folder, bounded=bounded)
    tables = read_tables(folder, KINDS, bounded=bounded)
    refuse(odd_rows(tables, about))
    if bounded:
        refuse(too_wide(tables, about))
    said = {name: about[name] for name in SAID}
    said |= {name: tuple(said[name]) for name in ("systems", "topics")}
    counted = Counted(**{**said, "grades": tuple(map(float, said["grades"]))}, tables=tables)
    if counted.digest != about["digest"]:
        rule = "counts have the digest that they were written with"
        refuse([error(SIGN, None, f"digest {about['digest']!r}", rule, COUNT_AGAIN)])
    return counted


def _read_about(folder: Path, *, bounded: bool) -> dict[str, Any]:
    """`counts.json`, and whether the files are those that it names."""
    rule = "a counts folder is whole, as `sdcg counts` wrote it"
    try:
        if bounded and (size := (folder / SIGN).stat().st_size) > MOST_NAMED:
            raise ValueError(f"{size:,} bytes; here it has at most {MOST_NAMED:,}")
        about: dict[str, Any] = orjson.loads((folder / SIGN).read_bytes())
        names = [f"{name}.parquet" for name in KINDS]  # no others, wherever they may lie
        sums = {name: sum_of(folder / name) for name in names}
    except (OSError, ValueError) as fault:
        found = in_words(fault).removeprefix(f"{SIGN}: ")
        file = Path(getattr(fault, "filename", "") or SIGN).name
        raise UnusableInputError([error(file, None, found, rule, COUNT_AGAIN)]) from None
    version = about.get("format")
    if type(version) is not int or version != FORMAT:
        found, says = f"format {version!r}", f"this version reads format {FORMAT}"
        remedy = COUNT_AGAIN if version == 1 else "Update sDCG Explorer, or count again."
        refuse([error(SIGN, None, found, says, remedy)])
    refuse(unsound_fields(about))
    other = [name for name in names if about["files"].get(name) != sums[name]]
    refuse([error(name, None, "not as counted", rule, COUNT_AGAIN) for name in other])
    return about
