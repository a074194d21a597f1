"""From an engine's rows to counts in canonical order, by codes that SQL gave in that order."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from sdcg_explorer.counting.counted import KINDS, Counted
from sdcg_explorer.counting.engine import Engine
from sdcg_explorer.reading.log_rows import NO_SYSTEM, ONE_SYSTEM
from sdcg_explorer.study.arrays import Ints

NUMBER, TOPIC = 40, 8  # bits below the query number, and below the topic, in a layout's numbers
LIST, GROUP = 15, 29  # bits of a count below its list's query number, and below its group
QUERIES = (1 << GROUP - LIST) - 1
RANKS = 61  # of each of the two numbers whose bits are ranks
IN_ORDER = "select cell, results from counts order by cell"
Columns = dict[str, Ints]


def counted_of(engine: Engine, named: Counted, shift: int) -> Counted:
    """Counts from the tables of an engine; `named` says how they were asked for."""
    topics, grades, groups, shown, judged = (
        engine.rows(f"select * from {sql}").to_pandas()
        for sql in (
            *("topics order by code", "grades order by code", "groups order by code", "shown"),
            "judged order by topic, code",
        )
    )
    called, systems = _called([*shown["system"]])
    shown["system"] = shown["system"].map(called)
    layouts = _layouts(engine.rows("select layout from layouts order by code"))
    whose = groups["layout"].to_numpy(dtype=np.int64) - 1
    queries = np.bincount(layouts["layout"])[whose]
    lists, counts = _counts(engine.batches(IN_ORDER), queries)
    tables: dict[str, Any] = {
        "layouts": layouts,
        "groups": groups.assign(
            group=np.arange(len(groups)), system=groups["system"].map(called), layout=whose
        ),
        "lists": lists,
        "counts": counts,
        "judged": judged,
        "shown": _shown(shown, shift, named.top),
    }
    return replace(
        named,
        systems=systems,
        topics=tuple(topics["topic"]),
        grades=tuple(grades["grade"].astype(float).tolist()),
        tables={name: _as_kept(tables[name], kinds) for name, kinds in KINDS.items()},
    )


def _as_kept(columns: Any, kinds: dict[str, str]) -> pd.DataFrame:
    """A table of the folder, whose columns are not copied where they are of its kinds."""
    own = {name: np.asarray(columns[name]).astype(kind, copy=False) for name, kind in kinds.items()}
    return pd.DataFrame(own, copy=False)


def _called(found: list[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Place of each system by the name it has in the log, and the names, as readers call them."""
    nameless = NO_SYSTEM if any(found) else ONE_SYSTEM
    names = tuple(sorted({name or nameless for name in found}))
    return {name: names.index(name or nameless) for name in found}, names


def _layouts(rows: pa.Table) -> Columns:
    """Queries of the layouts, which come in order."""
    lists: Any = rows.column("layout").combine_chunks()
    values = lists.flatten().to_numpy().astype(np.int64)
    sizes = np.diff(lists.offsets.to_numpy())
    return {
        "layout": np.repeat(np.arange(sizes.size), sizes),
        "query_number": values >> NUMBER,
        "topic": (values >> TOPIC & (1 << NUMBER - TOPIC) - 1) - 1,
        "cells": values & (1 << TOPIC) - 1,
    }


def _counts(batches: Iterator[Any], queries: Ints) -> tuple[Columns, dict[str, Any]]:
    """How many counts each list has, and the counts, from those that come in order.

    queries (G,) : queries of each group, whose lists follow one another
    """
    first = np.cumsum(queries) - queries
    sizes = np.zeros(int(queries.sum()), dtype=np.int64)
    kinds = KINDS["counts"]
    parts: dict[str, list[Any]] = {name: [np.zeros(0, kind)] for name, kind in kinds.items()}
    for batch in batches:
        cell = batch.column("cell").to_numpy()
        at = first[cell >> GROUP] + (cell >> LIST & QUERIES) - 1
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        sizes[at[starts]] += np.diff(starts, append=at.size)
        parts["rank"].append((cell >> 8 & 127).astype(kinds["rank"]))
        parts["code"].append((cell >> 1 & 127).astype(kinds["code"]))
        parts["repeat"].append((cell & 1).astype(kinds["repeat"]))
        parts["results"].append(batch.column("results").cast(kinds["results"]).to_numpy())
    return {"counts": sizes}, {name: np.concatenate(parts.pop(name)) for name in kinds}


def _shown(shown: pd.DataFrame, shift: int, top: int) -> Columns:
    """Results of each system at each rank of the top, from the bits of queries' ranks."""
    words = [shown[name].to_numpy(dtype=np.int64)[:, None] for name in ("low", "high")]
    held = np.hstack([word >> np.arange(RANKS) & 1 for word in words])[:, 1 - shift :][:, :top]
    results = held * shown["queries"].to_numpy(dtype=np.int64)[:, None]
    systems = shown["system"].to_numpy(dtype=np.int64)
    total = np.zeros((systems.max(initial=-1) + 1, top), dtype=np.int64)
    np.add.at(total, systems, results)
    system, place = np.nonzero(total)
    return {"system": system, "rank": place + 1, "results": total[system, place]}
