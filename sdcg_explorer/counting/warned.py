"""Warnings that follow from the counts, and from the lists that they were made of."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from sdcg_explorer.counting.counted import Counted
from sdcg_explorer.counting.engine import Engine
from sdcg_explorer.reading.log_rows import renumbered
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.warnings import (
    TOP_OF_WARNINGS,
    mostly_unjudged,
    unjudged_topics,
    without_topic,
)


def warnings_of(engine: Engine, counted: Counted, file: str) -> list[Problem]:
    """What can be counted, but could mislead: queries and results that nobody judged."""
    names = "select distinct topic from lists where topic not in (select topic from topics)"
    some = engine.rows(f"select topic from ({names}) as asked order by topic limit 4").to_pylist()
    number, nameless = (
        int(engine.rows(f"select count(*) as n from {each}").to_pylist()[0]["n"])
        for each in (f"({names}) as asked", "lists where topic = ''")
    )
    gaps = counted.totals["queries_renumbered"]
    return [
        *([renumbered(file, gaps)] if gaps else []),
        *unjudged_topics(number, (row["topic"] for row in some), file),
        *without_topic(nameless, counted.totals["queries"], file),
        *mostly_unjudged(_unjudged(counted), min(TOP_OF_WARNINGS, counted.top), file),
    ]


def _unjudged(counted: Counted) -> float:
    """Share of the results in the top that nobody judged."""
    judged, shown = (
        int(rows["results"][rows["rank"] <= TOP_OF_WARNINGS].sum())
        for rows in (counted.tables["counts"], counted.tables["shown"])
    )
    return 1 - judged / shown if shown else 0.0
