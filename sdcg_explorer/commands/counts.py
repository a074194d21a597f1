"""`sdcg counts`: a log of any size to a folder of counts, by DuckDB here or by Spark on many."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdcg_explorer.commands.options import (
    Columns,
    Force,
    Mapping,
    OptionError,
    mapped,
    may_write,
    named,
    printed,
)
from sdcg_explorer.counting.engine import DUCKDB, SPARK, not_installed
from sdcg_explorer.reading.rules import Rules, values_of
from sdcg_explorer.study.problems import terminal_safe
from sdcg_explorer.study.wording import counted

if TYPE_CHECKING:
    from sdcg_explorer.counting.count import CountChoices
    from sdcg_explorer.counting.engine import Engine
    from sdcg_explorer.study.problems import Problem

SPILL = ".spill"  # in the folder aside: what passes the memory
ENGINES = ("duckdb", "spark")
SPARK_ONLY, DUCKDB_ONLY = "--master is Spark's", "--memory is DuckDB's"
Table = Annotated[
    str, typer.Argument(help="Parquet or CSV: a file, a folder, or a pattern in quotes.")
]


def counts(
    log: Table,
    judgments: Table,
    out: Annotated[str, typer.Option(help="Folder for the counts.")],
    queries: Annotated[
        str, typer.Option(help="A table of queries, where the log's rows name no topics.")
    ] = "",
    engine: Annotated[str, typer.Option(help=", ".join(ENGINES))] = "duckdb",
    master: Annotated[
        str, typer.Option(help="Spark's master; without, spark-submit's or this machine.")
    ] = "",
    memory: Annotated[
        str, typer.Option(help="What DuckDB may take of it; the rest goes to disk. 4GB unless said")
    ] = "",
    top: Annotated[int, typer.Option(help="Ranks of each query that are counted.")] = 10,
    short_lists: Annotated[str, typer.Option(help="pad, as-is, or a number")] = "pad",
    sample: Annotated[int, typer.Option(min=0, help="Whole sessions to keep beside them.")] = 0,
    intervals: Annotated[
        bool, typer.Option(help="Groups of sessions that intervals resample: many more counts.")
    ] = True,
    mapping: Mapping = None,
    columns: Columns = None,
    rank_base: Annotated[str, typer.Option(help=values_of("rank_base"))] = Rules.rank_base,
    same_rank: Annotated[
        str, typer.Option(help="Two documents at a rank: error, or first (by name)")
    ] = Rules.same_rank,
    conflicts: Annotated[str, typer.Option(help="Two grades: error, highest")] = Rules.conflicts,
    topics_by: Annotated[
        str, typer.Option(help="Where nothing names a topic: one, for all queries")
    ] = "",
    force: Force = False,
) -> None:
    """Count a log of any size: grades by system, query and rank, all that mean curves need."""
    from sdcg_explorer.counting.count import CountChoices

    if engine not in ENGINES:
        raise OptionError(f"--engine {engine!r}; known are {', '.join(ENGINES)}.")
    if (engine == "duckdb" and master) or (engine == "spark" and memory):
        said = SPARK_ONLY if master else DUCKDB_ONLY
        raise OptionError(f"{said}, and the engine is {engine}. Leave it out.")
    short: Any = int(short_lists) if short_lists.isdecimal() else short_lists
    rules = Rules(rank_base, same_rank, conflicts, topics_by=topics_by)
    names = mapped(mapping), named(columns)
    asked = CountChoices(log, judgments, queries, *names, rules, top, short, sample, intervals)
    run = _spark(master) if engine == "spark" else _duckdb(memory or "4GB")
    _counted(asked, out, run, force=force)


def _counted(asked: CountChoices, out: str, run: Callable[[Path], Engine], *, force: bool) -> None:
    """Count aside, then put the folder in its place."""
    from sdcg_explorer.counting.count import count

    notes: list[Problem] = []
    with _aside(out, force=force) as folder, Progress() as progress:
        spill = folder / SPILL
        engine = run(spill)
        try:
            kept = count(asked, engine, folder, progress.said, notes.append)
            engine.put(folder, out)
        finally:
            engine.close()
            shutil.rmtree(spill, ignore_errors=True)
    rows = len(kept.tables["counts"])
    sessions, results = kept.totals["sessions"], kept.totals["results"]
    read = f"{counted(sessions, 'session')}, {counted(results, 'result')}"
    _print(f"{read} in {counted(rows, 'count')}: {out}")
    for problem in notes:
        printed(f"{problem.severity}: {problem}")


@contextmanager
def _of_extra(brought: tuple[str, str]) -> Generator[None]:
    """Say which extra to install, where an engine needs what is not here."""
    try:
        yield
    except ModuleNotFoundError:
        raise OptionError(not_installed(*brought)) from None


def _duckdb(memory: str) -> Callable[[Path], Engine]:
    def run(spill: Path) -> Engine:
        with _of_extra(DUCKDB):
            from sdcg_explorer.counting.by_duckdb import DuckDBEngine
        return DuckDBEngine(memory, spill)

    return run


def _spark(master: str) -> Callable[[Path], Engine]:
    def run(_: Path) -> Engine:
        with _of_extra(SPARK):
            from sdcg_explorer.counting.by_spark import SparkEngine, start
        return SparkEngine(start(master))

    return run


@contextmanager
def _aside(out: str, *, force: bool) -> Generator[Path]:
    """A folder to write in, beside the place unless that is another machine's."""
    if "://" in out:
        with TemporaryDirectory() as folder:
            yield Path(folder)
        return
    from sdcg_explorer.export.into import writing

    with writing("counts", Path(out), may_write(force=force), printed) as folder:
        yield folder


class Progress:
    """A line on standard error: rows, share and seconds; each anew where nobody watches."""

    def __init__(self) -> None:
        self.start, self.rows = time.monotonic(), ""
        self.watched = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.watched:
            sys.stderr.write("\n")

    def said(self, what: str, share: float) -> None:
        """A step is done."""
        if not share:
            self.rows = what
            return
        seconds = time.monotonic() - self.start
        line = f"counting {self.rows}: {share:4.0%}, {seconds:,.1f} s ({what})"
        _print(line, err=True, anew=self.watched)


def _print(text: str, *, err: bool = False, anew: bool = False) -> None:
    line = terminal_safe(text)
    typer.echo(f"\r\x1b[K{line}" if anew else line, err=err, nl=not anew)
