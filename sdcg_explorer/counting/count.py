"""Counting: an engine runs the SQL step by step, faults are refused, and the rest is written."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from string import Template

from sdcg_explorer.counting.canonical import counted_of
from sdcg_explorer.counting.columns import OF_QUERIES, Given, check_mapping, given_as, name_views
from sdcg_explorer.counting.counted import Counted, write_counted
from sdcg_explorer.counting.counted_study import BUCKETS
from sdcg_explorer.counting.engine import Engine
from sdcg_explorer.counting.faults import OF_ROWS, faults_of
from sdcg_explorer.counting.looks import BOUNDS, Noted, lacking_topics, look_over
from sdcg_explorer.counting.place import SAMPLE
from sdcg_explorer.counting.warned import warnings_of
from sdcg_explorer.reading.judgments import no_topic
from sdcg_explorer.reading.log_rows import NO_SYSTEM, from_zero, no_result
from sdcg_explorer.reading.mapping import JUDGMENT_ROLES, LOG_ROLES
from sdcg_explorer.reading.read import check_columns
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.study.grades import AGAIN, code_of
from sdcg_explorer.study.problems import refuse
from sdcg_explorer.study.wording import counted

SQL = Path(__file__).parent / "sql"
MOST_RANKS = 100
# share of the time that the steps take, of those that take any
SHARES = {"lists": 30, "queries": 12, "sessions": 12, "places": 6, "cells": 20, "counts": 20}
DONE_WITH = {"totals": ("queries", "sessions"), "counts": ("cells", "repeated", "places")}
Said = Callable[[str, float], None]


@dataclass(frozen=True)
class CountChoices:
    """What is counted, and how.

    queries : a table of queries, where the log's rows don't say their topics and systems ·
    columns : names of columns of tables without a header row, by file · top : ranks of each query ·
    short_lists : pad, as-is, or a least number of cells · sample : whole sessions to keep beside
    the counts · intervals : whether groups of sessions are told apart, which they resample

    Raises
    ------
    ValueError : a choice that counts can't be made by
    """

    log: str
    judgments: str
    queries: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    rules: Rules = field(default_factory=Rules)
    top: int = 10
    short_lists: str | int = "pad"
    sample: int = 0
    intervals: bool = True

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
    def buckets(self) -> int:
        """Groups of sessions."""
        return BUCKETS if self.intervals else 1

    @property
    def least(self) -> int:
        """Cells that a query has at least."""
        least = {"pad": self.top, "as-is": 0}.get(str(self.short_lists), self.short_lists)
        return min(int(least), self.top)


def count(
    asked: CountChoices,
    engine: Engine,
    aside: Path,
    said: Said,
    noted: Noted = lambda problem: None,
) -> Counted:
    """Count, and write the folder's files to `aside`.

    Parameters
    ----------
    said : is told each step that is done, and the share of all that is
    noted : is told what is no error, but worth knowing

    Raises
    ------
    UnusableInputError : what breaks a rule
    """
    log, judged = _views(asked, engine, noted)
    values = {
        **{"top": asked.top, "least": asked.least, "each": engine.each, "rules": _rules()},
        "rank_zero": int(asked.rules.rank_base != "1"),
        "same_rank": int(asked.rules.same_rank == "first"),
        "conflicts": int(asked.rules.conflicts == "highest"),
        "buckets": asked.buckets,
        "nameless": NO_SYSTEM,
    }
    done = 0
    for name, sql in steps():
        if name == "grades":
            refuse(faults_of(engine.rows("select * from faults").to_pylist()))
            shift = _shift(engine, asked.rules.rank_base)
            values |= {"shift": shift, "within": asked.top - shift}
        engine.table(name, Template(sql).substitute(values))
        engine.drop(*DONE_WITH.get(name, ()))
        if name == "grades":
            values["again"] = code_of(AGAIN, engine.rows("select grade from grades"))
        if name == "lists":
            _check_results(engine, said)
        if name in BOUNDS:
            BOUNDS[name](engine, log)
        done += SHARES.get(name, 0)
        said(name, done / sum(SHARES.values()))
    named = Counted(
        Path(asked.log).stem, asked.top, asked.short_lists, (), (), (), {}, buckets=asked.buckets
    )
    counted = counted_of(engine, named, shift)
    totals = engine.rows("select what, number from totals order by what").to_pylist()
    counted.totals.update({row["what"]: int(row["number"]) for row in totals})
    counted.rules.update({k: str(v) for k, v in asdict(asked.rules).items() if k in KEPT_RULES})
    counted.rules["ranks_from"] = str(1 - shift)
    if shift and asked.rules.rank_base == "auto":
        noted(from_zero(log.opened.file, counted.totals["results"]))
    for problem in warnings_of(engine, counted, log.opened.file):
        noted(problem)
    write_counted(counted, aside)
    if asked.sample:
        _write_sample(asked, engine, log, judged, aside)
    return counted


def _rules() -> str:
    """SQL of the rules of rows, each with its bit."""
    return " union all ".join(
        f"select {bit} as bit, '{rule}' as rule" for rule, bit in OF_ROWS.items()
    )


KEPT_RULES = ("rank_base", "same_rank", "conflicts", "topics_by")


@cache
def steps() -> list[tuple[str, str]]:
    """The SQL of each table, by name, in order."""
    files = sorted(SQL.glob("*.sql"))
    return [(path.stem.split("_", 1)[1], path.read_text(encoding="utf-8")) for path in files]


def _views(asked: CountChoices, engine: Engine, noted: Noted) -> tuple[Given, Given]:
    """The log and the judgments, whose views are named, once what they lack was refused."""
    of_log = LOG_ROLES
    if asked.queries:
        of_log = tuple(role for role in LOG_ROLES if role.required)
    given = {"log": (asked.log, of_log), "judgments": (asked.judgments, JUDGMENT_ROLES)}
    given |= {"queries": (asked.queries, OF_QUERIES)} if asked.queries else {}
    opened = {
        name: engine.open(f"given_{name}", place, asked.columns)
        for name, (place, _) in given.items()
    }
    bare = [(file, first) for each in opened.values() for file, first in each.bare.items()]
    check_columns(asked.columns, bare)
    found = {
        name: given_as(engine, f"given_{name}", opened[name], roles, asked.mapping)
        for name, (_, roles) in given.items()
    }
    tables = {name: table for name, (table, _) in found.items()}
    if problems := [each for _, own in found.values() for each in own]:
        lacking = lacking_topics(tables)
        one = [file for file in lacking if len(lacking) == 1 and file not in dict(bare)]
        refuse([*problems, *map(no_topic, one)])
    check_mapping(asked.mapping, [*tables.values()])
    tables = look_over(tables, asked.rules.topics_by, noted)
    name_views(engine, tables["log"], tables.get("queries"), tables["judgments"])
    return tables["log"], tables["judgments"]


def _check_results(engine: Engine, said: Said) -> None:
    sql = "select sum(results) as results, sum(fault) as faults from lists"
    ((results, faults),) = engine.rows(sql).to_pandas().fillna(0).to_numpy()
    if not (results or faults):
        refuse([no_result("log")])
    said(counted(int(results), "result"), 0.0)


def _shift(engine: Engine, rank_base: str) -> int:
    """What ranks are shifted by, to count from 1."""
    if rank_base != "auto":
        return int(rank_base == "0")
    nearest = engine.rows("select min(nearest) as nearest from lists").to_pylist()[0]["nearest"]
    return int(nearest == 0)


def _write_sample(
    asked: CountChoices, engine: Engine, log: Given, judged: Given, aside: Path
) -> None:
    """Write whole sessions, the first by the md5 of their name, and the judgments they need."""
    engine.table(
        "sampled",
        f"select session from named order by md5(session), session limit {asked.sample}",
    )
    within = "in (select session from sampled)"
    rows = f"select {log.name}.* from {log.name} where {log.text('session')} {within}"
    if asked.queries:
        rows = (
            "select session, query_number, rank, doc, topic, system, searcher from log "
            f"where session {within}"
        )
    topics = f"select topic from lists where session {within}"
    topic = f"coalesce({judged.text('topic')}, '')"
    graded = f"select * from {judged.name} where {topic} in ({topics})"
    for name, sql in zip(SAMPLE, (rows, graded), strict=True):
        engine.write(sql, aside, name)
