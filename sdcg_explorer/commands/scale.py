"""Options of a log beyond memory, which an engine parts and this package scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdcg_explorer.commands.options import Option, print_problems, showing_progress
from sdcg_explorer.reading.sources import own_folder
from sdcg_explorer.study.wording import counted

if TYPE_CHECKING:
    from sdcg_explorer.scale.log import Plan
    from sdcg_explorer.scoring.definition import Definition, Filters

ENGINES = ("duckdb", "spark")
METHOD = (
    "The log was scored in parts of whole sessions; means and their numbers are sums over all "
    "parts. Curves end where fewer than {} sessions still run, at most after {} queries. Intervals "
    "are pointwise 95% bootstrap-t intervals (1,000 resamples of {}, fixed seed); with fewer than "
    "{} to resample, those of scores are by t."
)
OVER_BASES = (
    "Robustness: at each b and bq means over sessions were compared, system by system, every "
    "session counting alike and topic effects not removed, with 95% intervals by t over {}; "
    "neighbouring points are no independent tests."
)
SEARCHERS = "searchers, and of sessions that name none"


AT_SCALE = {
    "engine": Option("", "For a log larger than memory: duckdb, on this machine, or spark."),
    "master": Option("", "Spark's master; by default spark-submit's, or this machine."),
    "memory": Option("", "Memory for the engine and a part of the log; by default 4GB."),
    "sample": Option(0, "How many whole sessions to keep as a study, sample.zip.", ends=(0, None)),
}


def at_scale(asked: dict[str, Any]) -> Any:
    """What scores a log by the engine that is asked for, if any; its options are taken out."""
    engine, master, memory, sample = (asked.pop(name) for name in AT_SCALE)
    if engine and engine not in ENGINES:
        raise ValueError(f"--engine {engine!r}; choose one of {', '.join(ENGINES)}.")
    if master and engine != "spark":
        raise ValueError("--master needs --engine spark. Add that, or leave --master out.")
    if not engine:
        if memory or sample:
            raise ValueError("--memory and --sample need --engine duckdb or --engine spark.")
        return None
    from sdcg_explorer.scale.engines import parse_memory

    return partial(_score_log, engine, master, parse_memory(memory or "4GB"), sample)


def _score_log(
    engine: str,
    master: str,
    memory: int,
    sample: int,
    given: Any,
    passes: Any,
    folders: Sequence[Path],
    *,
    depth: int = 1,
    plane: str = "",
) -> str:
    """Score a log into a folder for each definition, and say what was scored.

    plane : a score of sessions whose differences are asked over b and bq, and nothing else
    """
    from sdcg_explorer.export.study_zip import study_zip
    from sdcg_explorer.export.tables import write_files
    from sdcg_explorer.scale.engines import DuckDB, Spark
    from sdcg_explorer.scale.log import Asked, sample_study, score_log
    from sdcg_explorer.scoring.definition import to_toml

    log, judgments, ratings, recipe = given.args
    if judgments is None:
        raise ValueError("--engine needs the log and its judgments as two files. Name both.")
    if ratings:
        raise ValueError("--ratings does not work with --engine. Leave it out.")
    if any(definition.behaviour for _, definition, _ in passes):
        raise ValueError("Gains from clicks do not work with --engine. Score its sample.zip.")
    place = re.sub(r"^(\w{2,}):/(?=[^/])", r"\1://", str(log)).replace("file://", "/")
    asked = Asked(place, judgments, recipe, passes, depth, sample, memory, plane)
    with own_folder(folders[0].parent) as spill:  # what passes the memory
        run: Any = Spark(memory, master) if engine == "spark" else DuckDB(memory, Path(spill))
        with closing(run), showing_progress(f"reading {log.name}") as tell:
            sessions = [each / "sessions.parquet" for each in folders]
            plan, scored, notes = score_log(asked, run, sessions, tell)
            kept = sample_study(plan, run) if sample else None
    for folder, (definition, filters, tables, over) in zip(folders, scored, strict=True):
        files = {f"{name}.csv": table for name, table in tables.items()}
        files["methods.txt"] = scale_methods_text(plan, definition, filters, over)
        write_files(folder, files | {"definition.toml": to_toml(definition, filters)})
    *view, _, over = scored[0]
    if kept:
        write_files(folders[0], {"sample.zip": study_zip(kept, *view)})
    print_problems(notes)
    return f"{counted(over['sessions'], 'session')}, {counted(over['queries'], 'query')}"


def scale_methods_text(
    plan: Plan, definition: Definition, filters: Filters, over: dict[str, int]
) -> str:
    """What was computed, on what, for a paper."""
    from sdcg_explorer.questions.methods import FEWEST_RESAMPLED, filters_sentence, say_definition
    from sdcg_explorer.scale.log import GROUPS, LEAST_RUNNING, MOST_QUERIES

    sessions, queries = counted(over["sessions"], "session"), counted(over["queries"], "query")
    units = f"{GROUPS} groups of {SEARCHERS}" if plan.grouped else SEARCHERS
    method = METHOD.format(LEAST_RUNNING, MOST_QUERIES, units, FEWEST_RESAMPLED)
    lines = [
        f"{plan.file}: {sessions}, {queries}; {counted(over['judged'], 'session')} had a "
        f"judged topic and were scored. {filters_sentence(filters)}".strip(),
        f"Definition: {say_definition(definition, plan.grades)}",
        OVER_BASES.format(units) if plan.asked.plane else method,
    ]
    return "\n\n".join(lines) + "\n"
