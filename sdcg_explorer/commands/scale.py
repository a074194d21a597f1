"""Options of a log beyond memory, which an engine parts and this package scores."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from sdcg_explorer.commands.options import OptionError, printed
from sdcg_explorer.reading.temporary_files import own_folder
from sdcg_explorer.study.problems import terminal_safe
from sdcg_explorer.study.wording import counted

ENGINES = ("duckdb", "spark")


def at_scale(
    engine: Annotated[
        str, typer.Option(help="Of a log beyond memory: duckdb, on this machine, or spark.")
    ] = "",
    master: Annotated[
        str, typer.Option(help="Spark's master; without, spark-submit's or this machine.")
    ] = "",
    memory: Annotated[str, typer.Option(help="Of engine and part; 4GB unless said.")] = "",
    sample: Annotated[
        int, typer.Option(min=0, help="Whole sessions to keep as a study, sample.zip.")
    ] = 0,
) -> Any:
    """What scores a log by an engine; None where none is asked for."""
    if engine and engine not in ENGINES:
        raise OptionError(f"--engine {engine!r}; known are {', '.join(ENGINES)}.")
    alone = {"--master": master, "--memory": memory, "--sample": sample}
    if not engine and (said := [name for name, value in alone.items() if value]):
        raise OptionError(f"{said[0]} is of --engine. Name one: {', '.join(ENGINES)}.")
    if master and engine != "spark":
        raise OptionError("--master is Spark's, and the engine is duckdb. Leave it out.")
    if not engine:
        return None
    from sdcg_explorer.scale.engines import bytes_of

    return partial(_scored, engine, master, bytes_of(memory or "4GB"), sample)


def _scored(
    engine: str,
    master: str,
    memory: int,
    sample: int,
    given: Any,
    passes: Any,
    folders: Sequence[Path],
    *,
    depth: int,
    residuals: bool,
) -> str:
    """Score a log into a folder for each definition, and say what was scored."""
    from sdcg_explorer.scale.engines import DuckDB, Spark
    from sdcg_explorer.scale.log import Asked, score_log

    log, judgments, mapping, ratings, rules = given.args
    if judgments is None:
        raise OptionError("--engine takes the log and its judgments apart. Name both.")
    if ratings or given.keywords["columns"] or residuals:
        raise OptionError("--ratings, --columns and --residuals are not for --engine.")
    place = re.sub(r"^(\w{2,}):/(?=[^/])", r"\1://", str(log))
    asked = Asked(place, judgments, mapping, rules, passes, depth, sample, memory)
    with own_folder(folders[0].parent) as spill:  # what passes the memory
        run: Any = Spark(master) if engine == "spark" else DuckDB(memory, Path(spill))
        try:
            found = score_log(asked, run, folders, _teller())
        finally:
            run.close()
    for problem in found.notes:
        printed(f"{problem.severity}: {problem}")
    return f"{counted(found.sessions, 'session')}, {counted(found.queries, 'query')}"


def _teller() -> Callable[[str], None]:
    """What tells how far it is: a line on standard error, anew where somebody watches."""
    start, watched = time.monotonic(), sys.stderr.isatty()

    def tell(what: str) -> None:
        if watched:
            line = terminal_safe(f"{what}, {time.monotonic() - start:,.0f} s")
            typer.echo(f"\r\x1b[K{line}", err=True, nl=False)

    return tell
