"""From an engine's rows to counts in canonical order, which no engine's own order enters."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from sdcg_explorer.counting.counted import KINDS, Counted
from sdcg_explorer.reading.log_tables import NO_SYSTEM, ONE_SYSTEM
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.grades import AGAIN, code_of

NUMBER, TOPIC = 40, 8  # bits below the query number, and below the topic, in a layout's numbers
RANKS = 61  # of each of the two numbers whose bits are ranks
Rows = Callable[[str], pa.Table]


def counted_of(rows: Rows, named: Counted, shift: int) -> Counted:
    """Counts from the tables of an engine; `named` says how they were asked for."""
    topics = rows("select topic, code from topics").to_pandas()
    grades = rows("select grade, code from grades order by grade").to_pandas()
    groups = rows("select * from groups").to_pandas()
    shown = rows("select * from shown").to_pandas()
    judged = rows("select * from judged").to_pandas()
    names, topic = _sorted_names(topics["topic"], topics["code"])
    called, systems = _called([*shown["system"]])
    groups["system"] = [called[name] for name in groups["system"]]
    shown["system"] = [called[name] for name in shown["system"]]
    layouts, layout = _layouts(rows("select layout, code from layouts"), topic)
    groups["layout"] = layout[groups["layout"].to_numpy(dtype=np.int64)]
    groups, group = _in_order(groups, ["bucket", "system", "layout"])
    again = code_of(AGAIN, grades)
    judged["topic"] = topic[judged["topic_code"].to_numpy(dtype=np.int64)]
    tables = {
        "layouts": layouts,
        "groups": groups.assign(group=np.arange(len(groups))),
        "counts": _counts(rows("select * from counts"), group, again),
        "judged": judged.sort_values(["topic", "code"]),
        "shown": _shown(shown, shift, named.top),
    }
    return replace(
        named,
        systems=systems,
        topics=names,
        grades=tuple(grades["grade"].astype(float).tolist()),
        tables={
            name: table[list(kinds)].astype(kinds).reset_index(drop=True)
            for name, kinds in KINDS.items()
            for table in [tables[name]]
        },
    )


def _sorted_names(names: pd.Series, codes: pd.Series) -> tuple[tuple[str, ...], Ints]:
    """Names in order, and the place of each code among them; −1 of code 0, which has none."""
    ordered = sorted(zip(names, codes, strict=True))
    place = np.full(len(ordered) + 1, -1, dtype=np.int64)
    place[[int(code) for _, code in ordered]] = np.arange(len(ordered))
    return tuple(str(name) for name, _ in ordered), place


def _called(found: list[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Place of each system by the name it has in the log, and the names, as readers call them."""
    nameless = NO_SYSTEM if any(found) else ONE_SYSTEM
    names = tuple(sorted({name or nameless for name in found}))
    return {name: names.index(name or nameless) for name in found}, names


def _layouts(rows: pa.Table, topic: Ints) -> tuple[pd.DataFrame, Ints]:
    """Queries of the layouts in order, and the place of each code among them."""
    lists: Any = rows.column("layout").combine_chunks()
    values = lists.flatten().to_numpy().astype(np.int64)
    sizes = np.diff(lists.offsets.to_numpy())
    number, cells = values >> NUMBER, values & ((1 << TOPIC) - 1)
    topics = topic[(values >> TOPIC) & ((1 << (NUMBER - TOPIC)) - 1)]
    coded = (topics + 1 << TOPIC) + cells  # the number is the place in the list
    ends = np.cumsum(sizes)
    keys = [tuple(coded[end - size : end].tolist()) for end, size in zip(ends, sizes, strict=True)]
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
    place = np.zeros(len(keys) + 1, dtype=np.int64)
    codes = rows.column("code").to_numpy().astype(np.int64)
    place[codes[order]] = np.arange(len(keys))
    table = pd.DataFrame({"query_number": number, "topic": topics, "cells": cells})
    table.insert(0, "layout", np.repeat(place[codes], sizes))
    return table.sort_values(["layout", "query_number"]), place


def _in_order(table: pd.DataFrame, keys: list[str]) -> tuple[pd.DataFrame, Ints]:
    """Rows in order of their keys, and the place of each code among them."""
    ordered = table.sort_values(keys)
    place = np.zeros(len(table) + 1, dtype=np.int64)
    place[ordered["code"].to_numpy(dtype=np.int64)] = np.arange(len(table))
    return ordered, place


def _counts(rows: pa.Table, group: Ints, again: int) -> pd.DataFrame:
    """Counts in order, copies of all grades as one; sorted by one number each: they may be many."""

    def column(name: str) -> Ints:
        return rows.column(name).to_numpy().astype(np.int64)

    kind = column("kind")
    code = np.where(kind == 2, again, column("code"))
    sizes = {"query_number": 0, "rank": 0, "code": again, "repeat": 1}
    key = group[column("place")]
    for name, values in (
        *(("query_number", column("number")), ("rank", column("rank"))),
        *(("code", code), ("repeat", kind == 1)),
    ):
        sizes[name] = max(sizes[name], int(values.max(initial=0))) + 1
        key = key * sizes[name] + values
    order = np.argsort(key)
    key, results = key[order], column("results")[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    kinds = KINDS["counts"]
    total = np.add.reduceat(results, first) if first.size else results
    table: dict[str, np.ndarray] = {"results": total}
    key = key[first]
    for name, size in reversed(sizes.items()):
        key, place = np.divmod(key, size)
        table[name] = place.astype(kinds[name])
    return pd.DataFrame({"group": key.astype(kinds["group"]), **table}, copy=False)


def _shown(shown: pd.DataFrame, shift: int, top: int) -> pd.DataFrame:
    """Results of each system at each rank of the top, from the bits of queries' ranks."""
    words = [shown[name].to_numpy(dtype=np.int64)[:, None] for name in ("low", "high")]
    held = np.hstack([word >> np.arange(RANKS) & 1 for word in words])[:, 1 - shift :][:, :top]
    results = held * shown["queries"].to_numpy(dtype=np.int64)[:, None]
    systems = shown["system"].to_numpy(dtype=np.int64)
    total = np.zeros((systems.max(initial=-1) + 1, top), dtype=np.int64)
    np.add.at(total, systems, results)
    system, place = np.nonzero(total)
    return pd.DataFrame({"system": system, "rank": place + 1, "results": total[system, place]})
