"""Counts of a log, and the folder that holds them: a few small tables, whatever the log's size.

A counts folder holds five Parquet files and `counts.json`. Places count from 0, query numbers and
ranks from 1.

`layouts` (layout, query_number, topic, cells) : the queries of each layout, that is, of sessions
with the same ideal; topic −1 is any that nobody judged · `groups` (group, bucket, system, layout,
sessions) : how many sessions of each system have a layout, in each of 256 buckets · `counts`
(group, query_number, rank, code, repeat, results) : results of a group's sessions at a place with a
grade; `code` is its place in `grades`, or `len(grades) + 2` for a judged document again in one
list, which counts nothing; `repeat` is 1 where an earlier query of the session showed the document
within the top · `judged` (topic, code, documents) : the ideal profile of each topic · `shown`
(system, rank, results) : all results, the unjudged included.

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
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from study.counting.counted_study import BUCKETS
from study.counting.place import SIGN
from study.counting.sound import beyond, odd_table, odd_words, wide
from study.problems import UnusableInputError, error
from study.sent import SentAsMade
from study.store.disk import sum_of, write_json

FORMAT = 1
KINDS = {
    "layouts": {"layout": "int32", "query_number": "int32", "topic": "int32", "cells": "int16"},
    "groups": {
        **{"group": "int32", "bucket": "int16", "system": "int16", "layout": "int32"},
        "sessions": "int64",
    },
    "counts": {
        **{"group": "int32", "query_number": "int32", "rank": "int16", "code": "int8"},
        **{"repeat": "int8", "results": "int64"},
    },
    "judged": {"topic": "int32", "code": "int8", "documents": "int64"},
    "shown": {"system": "int16", "rank": "int16", "results": "int64"},
}


@dataclass(frozen=True, eq=False)
class Counted(SentAsMade):
    """Counts of a log to `top`, in canonical order; the tables are those of the folder.

    short_lists : pad, as-is, or the least number of cells · totals : sessions, queries and results
    of the log, and what was mended by rule, by name · rules : by which it was read
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

    @cached_property
    def digest(self) -> str:
        """sha256 over what was counted and how cells were laid out, names and totals left out."""
        head = [FORMAT, self.top, self.short_lists, self.systems, self.topics, self.grades]
        total = hashlib.sha256(json.dumps(head).encode())
        for name, kinds in KINDS.items():
            total.update(f"table {name} {len(self.tables[name])}\n".encode())
            for column in kinds:
                values = self.tables[name][column].to_numpy(dtype="<i8")
                total.update(np.ascontiguousarray(values).tobytes())
        return total.hexdigest()


def write_counted(counted: Counted, folder: Path) -> None:
    """Write the tables and `counts.json`, which names each file's sha256."""
    sums: dict[str, str] = {}
    for name, kinds in KINDS.items():
        path = folder / f"{name}.parquet"
        table = pa.Table.from_pandas(counted.tables[name].astype(kinds), preserve_index=False)
        pq.write_table(table, path, compression="zstd")
        sums[path.name] = sum_of(path)
    about: dict[str, Any] = {
        **{"format": FORMAT, "name": counted.name, "digest": counted.digest},
        **{"top": counted.top, "short_lists": counted.short_lists, "buckets": BUCKETS},
        **{"systems": counted.systems, "topics": counted.topics, "grades": counted.grades},
        **{"rules": counted.rules, "totals": counted.totals, "files": sums},
    }
    write_json(folder / SIGN, about)


def read_counted(folder: Path, most: int | None = None) -> Counted:
    """Read a counts folder back, which is what was written; of strangers, within bounds.

    Parameters
    ----------
    most : rows of a table, and places that groups are laid out by, where there is such a bound

    Raises
    ------
    UnusableInputError : a file that is missing, or is not the one that was written
    """
    try:
        about = json.loads((folder / SIGN).read_text(encoding="utf-8"))
        if about["format"] > FORMAT:
            raise _damaged(folder, f"format {about['format']}, of a newer sDCG Explorer")
        files = {f"{name}.parquet": name for name in KINDS}  # no others, wherever they may lie
        changed = [name for name in files if sum_of(folder / name) != about["files"][name]]
        if changed:
            raise _damaged(folder, f"{', '.join(changed)}, not as counted")
        if odd := odd_words(about) or (beyond(folder, KINDS, most) if most else ""):
            raise _damaged(folder, odd)
        tables = {name: pq.read_table(folder / f"{name}.parquet").to_pandas() for name in KINDS}
        if odd := odd_table(tables, KINDS, about) or (wide(tables, most) if most else ""):
            raise _damaged(folder, odd)
    except UnusableInputError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise _damaged(folder, str(fault)) from None
    return _counted_of(about, tables)


def _counted_of(about: dict[str, Any], tables: dict[str, pd.DataFrame]) -> Counted:
    return Counted(
        about["name"],
        about["top"],
        about["short_lists"],
        tuple(about["systems"]),
        tuple(about["topics"]),
        tuple(about["grades"]),
        tables,
        about["totals"],
        about["rules"],
    )


def _damaged(folder: Path, found: str) -> UnusableInputError:
    rule, remedy = "a counts folder is whole, as `sdcg counts` wrote it", "Count again."
    return UnusableInputError([error(str(folder), None, found, rule, remedy)])
