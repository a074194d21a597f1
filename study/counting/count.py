"""Counting: an engine runs the SQL step by step, faults are refused, and the rest is written."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from string import Template

from study.counting.canonical import counted_of
from study.counting.columns import (
    OF_JUDGMENTS,
    OF_QUERIES,
    ROLES,
    Given,
    check_mapping,
    name_views,
    opened,
)
from study.counting.counted import Counted, write_counted
from study.counting.engine import Engine
from study.counting.faults import faults_of
from study.counting.place import SAMPLE
from study.problems import UnusableInputError, error, refuse
from study.reading.rules import Rules

SQL = Path(__file__).parent / "sql"
MOST_RANKS = 100
# share of the time that the steps take, of those that take any
SHARES = {"lists": 30, "queries": 12, "sessions": 12, "places": 6, "cells": 20, "counts": 20}
Said = Callable[[str, float], None]


@dataclass(frozen=True)
class Asked:
    """What is counted, and how.

    queries : a table of queries, where the log's rows don't say their topics and systems · top :
    ranks of each query · short_lists : pad, as-is, or a least number of cells · sample : whole
    sessions to keep beside the counts

    Raises
    ------
    ValueError : a choice that counts can't be made by
    """

    log: str
    judgments: str
    queries: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    rules: Rules = field(default_factory=Rules)
    top: int = 10
    short_lists: str | int = "pad"
    sample: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.top <= MOST_RANKS:
            raise ValueError(f"--top {self.top}; from 1 to {MOST_RANKS} ranks are counted.")
        if self.rules.conflicts in ("first", "last"):
            rule = "rows of a table have no order here, so it is error or highest"
            raise ValueError(f"--conflicts {self.rules.conflicts}; {rule}.")
        if self.rules.topics_by == "session":
            rule = "a layout for each session would be no smaller than the log"
            raise ValueError(f"--topics-by session; {rule}. Read a sample instead.")
        if self.short_lists not in ("pad", "as-is") and not isinstance(self.short_lists, int):
            rule = "counts know pad, as-is, or a number; observed needs single results"
            raise ValueError(f"--short-lists {self.short_lists!r}; {rule}.")

    @property
    def least(self) -> int:
        """Cells that a query has at least."""
        least = {"pad": self.top, "as-is": 0}.get(str(self.short_lists), self.short_lists)
        return min(int(least), self.top)


def count(asked: Asked, engine: Engine, aside: Path, said: Said) -> Counted:
    """Count, and write the folder's files to `aside`.

    Parameters
    ----------
    said : is told each step that is done, and the share of all that is

    Raises
    ------
    UnusableInputError : what breaks a rule
    """
    log, keys = _views(asked, engine)
    values = {
        **{"top": asked.top, "least": asked.least, "each": engine.each},
        "rank_zero": int(asked.rules.rank_base != "1"),
        "same_rank": int(asked.rules.same_rank == "first"),
        "conflicts": int(asked.rules.conflicts == "highest"),
    }
    done = 0
    for name, sql in steps():
        if name == "grades":
            refuse(faults_of(engine.rows("select * from faults").to_pylist()))
            shift = _shift(engine, asked.rules.rank_base)
            values |= {"shift": shift, "within": asked.top - shift}
        engine.table(name, Template(sql).substitute(values))
        if name == "lists":
            _check_results(engine, said)
        done += SHARES.get(name, 0)
        said(name, done / sum(SHARES.values()))
    named = Counted(Path(asked.log).stem, asked.top, asked.short_lists, (), (), (), {})
    counted = counted_of(engine.rows, named, values["shift"])
    totals = engine.rows("select what, number from totals order by what").to_pylist()
    counted.totals.update({row["what"]: int(row["number"]) for row in totals})
    counted.rules.update({k: str(v) for k, v in asdict(asked.rules).items() if k in KEPT_RULES})
    counted.rules["ranks_from"] = str(1 - values["shift"])
    write_counted(counted, aside)
    if asked.sample:
        _write_sample(asked, engine, log, keys, aside)
    return counted


KEPT_RULES = ("rank_base", "same_rank", "conflicts", "topics_by")


@cache
def steps() -> list[tuple[str, str]]:
    """The SQL of each table, by name, in order."""
    files = sorted(SQL.glob("*.sql"))
    return [(path.stem.split("_", 1)[1], path.read_text(encoding="utf-8")) for path in files]


def _views(asked: Asked, engine: Engine) -> tuple[Given, tuple[str, str]]:
    of_log = tuple(role for role in ROLES if not asked.queries or role.required)
    log = opened(engine, "given_log", asked.log, of_log, asked.mapping)
    queries = None
    if asked.queries:
        queries = opened(engine, "given_queries", asked.queries, OF_QUERIES, asked.mapping)
    judged = opened(engine, "given_judgments", asked.judgments, OF_JUDGMENTS, asked.mapping)
    check_mapping(asked.mapping, [log, judged, *([queries] if queries else [])])
    return log, name_views(engine, log, queries, judged, asked.rules.topics_by)


def _check_results(engine: Engine, said: Said) -> None:
    results = engine.rows("select sum(results) as results from lists").to_pylist()[0]["results"]
    if not results:
        rule, remedy = "a log has results", "Check the columns for rank and document."
        raise UnusableInputError([error("log", 1, "no result", rule, remedy)])
    said(f"{int(results):,} results", 0.0)


def _shift(engine: Engine, rank_base: str) -> int:
    """What ranks are shifted by, to count from 1."""
    if rank_base != "auto":
        return int(rank_base == "0")
    nearest = engine.rows("select min(nearest) as nearest from lists").to_pylist()[0]["nearest"]
    return int(nearest == 0)


def _write_sample(
    asked: Asked, engine: Engine, log: Given, keys: tuple[str, str], aside: Path
) -> None:
    """Write whole sessions, the first by the md5 of their name, and the judgments they need."""
    engine.table(
        "sampled",
        f"select session from named order by md5(session), session limit {asked.sample}",
    )
    session, topic = keys
    rows = f"select {log.name}.* from {log.name} where {session} in (select session from sampled)"
    if asked.queries:
        rows = (
            "select session, query_number, rank, doc, topic, system, searcher from log "
            "where session in (select session from sampled)"
        )
    asked_topics = (
        "select coalesce(topic, '') from lists where session in (select session from sampled)"
    )
    judged = f"select * from given_judgments where {topic} in ({asked_topics})"
    for name, sql in zip(SAMPLE, (rows, judged), strict=True):
        engine.write(sql, aside, name)
