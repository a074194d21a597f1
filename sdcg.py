"""The command line: the same numbers as the screen, without a browser."""

from __future__ import annotations

import gc
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from study.rules import CONFLICTS, QUERY_ID, QUERY_NUMBERS, RANK_BASES, SAME_RANK, Rules

if TYPE_CHECKING:
    from analysis.definition import Definition, Filters
    from study.study import Study

ROOT = Path(__file__).resolve().parent
BAD_INPUT = 2

cli = typer.Typer(
    help="sDCG Explorer: what each query and session of a search study was worth.",
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
)

Log = Annotated[
    Path, typer.Argument(help="The log: a file, a folder, a zip, or a pattern in quotes.")
]
Judgments = Annotated[
    Path | None, typer.Argument(help="The judgments; without, those found with the log.")
]
Mapping = Annotated[
    str | None, typer.Option("--map", help="Columns by role: session=Sess,doc=URL,clicked= (none).")
]
Ratings = Annotated[
    list[Path] | None,
    typer.Option(help="A table by session, session and query, or searcher; may come again."),
]
RankBase = Annotated[str, typer.Option(help=", ".join(RANK_BASES))]
SameRank = Annotated[str, typer.Option(help=f"Two documents at a rank: {', '.join(SAME_RANK)}")]
Conflicts = Annotated[str, typer.Option(help=f"Two grades: {', '.join(CONFLICTS)}")]
QueryNumbers = Annotated[str, typer.Option(help=f"Gaps: {', '.join(QUERY_NUMBERS)}")]
QueryId = Annotated[str, typer.Option(help="Pattern with (?P<session>…) and (?P<query>…).")]
BySystem = Annotated[
    bool, typer.Option("--system-by-file", help="Each log file is a system of its own.")
]


class OptionError(ValueError):
    """An option whose value is not offered."""


@cli.command()
def app(
    study: Annotated[
        tuple[Path, Path] | None,
        typer.Option(help="Open on this log and these judgments."),
    ] = None,
    port: Annotated[int, typer.Option(help="Port to serve on.")] = 8501,
    workspace: Annotated[Path | None, typer.Option(help="Folder that keeps the studies.")] = None,
    shared: Annotated[
        bool, typer.Option("--shared", help="For several people: studies open by link only.")
    ] = False,
    ephemeral: Annotated[
        bool, typer.Option("--ephemeral", help="For public demos: studies live in memory alone.")
    ] = False,
) -> None:
    """Open the explorer in a browser, for one person on this machine unless --shared."""
    if ephemeral and (shared or workspace):
        rule = "with --ephemeral nothing is on disk, so --shared and --workspace don't fit"
        raise OptionError(f"--ephemeral; {rule}. Leave one out.")
    environment = dict(os.environ)
    environment["SDCG_MODE"] = "shared" if shared else "ephemeral" if ephemeral else ""
    if workspace:
        environment["SDCG_WORKSPACE"] = str(workspace.resolve())
    if study:
        _study(*study)  # refuse here, where there is a terminal to say so
        environment["SDCG_STUDY"] = json.dumps([str(path.resolve()) for path in study])
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    command.append(f"--server.port={port}")
    os.chdir(ROOT)  # where .streamlit/config.toml lies
    os.execve(sys.executable, command, environment)


@cli.command()
def check(
    log: Log,
    judgments: Judgments = None,
    mapping: Mapping = None,
    ratings: Ratings = None,
    rank_base: RankBase = "auto",
    same_rank: SameRank = "error",
    conflicts: Conflicts = "error",
    query_numbers: QueryNumbers = "renumber",
    query_id: QueryId = QUERY_ID,
    system_by_file: BySystem = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read a study and report what was understood; exit 2 where it can't be used."""
    rules = Rules(rank_base, same_rank, conflicts, query_numbers, query_id, system_by_file)
    checked = _study(log, judgments, mapping, ratings, rules).checked()
    if as_json:
        typer.echo(json.dumps(checked, ensure_ascii=False, indent=2))
    else:
        _print_report(checked)


@cli.command()
def score(
    log: Log,
    out: Annotated[Path, typer.Option(help="Folder for the tables.")],
    judgments: Judgments = None,
    mapping: Mapping = None,
    ratings: Ratings = None,
    rank_base: RankBase = "auto",
    same_rank: SameRank = "error",
    conflicts: Conflicts = "error",
    query_numbers: QueryNumbers = "renumber",
    query_id: QueryId = QUERY_ID,
    system_by_file: BySystem = False,
    preset: Annotated[str, typer.Option(help="A named definition.")] = "ecir2008",
    definition: Annotated[Path | None, typer.Option(help="A definition.toml.")] = None,
    weights: Annotated[str | None, typer.Option(help="A weighting's name, or GRADE=GAIN,…")] = None,
    b: Annotated[str | None, typer.Option(help="Base of the rank discount, or inf.")] = None,
    bq: Annotated[str | None, typer.Option(help="Base of the query discount, or inf.")] = None,
    top: Annotated[int | None, typer.Option(help="Ranks of each query that count.")] = None,
    discount: Annotated[str | None, typer.Option(help="ecir2008, jk2002, kanoulas2011")] = None,
    repeats: Annotated[str | None, typer.Option(help="every, first")] = None,
    ideal: Annotated[str | None, typer.Option(help="repeated, spread")] = None,
    short_lists: Annotated[
        str | None, typer.Option(help="pad, as-is, observed, or a number")
    ] = None,
    unjudged: Annotated[str | None, typer.Option(help="zero, condense")] = None,
    after_stop: Annotated[str | None, typer.Option(help="hold, ideal-continues")] = None,
    average: Annotated[str | None, typer.Option(help="mean-of-ratios, ratio-of-means")] = None,
    others: Annotated[str | None, typer.Option(help="pooled, per-session")] = None,
    grades: Annotated[str | None, typer.Option(help="judgments, searcher")] = None,
    systems: Annotated[str | None, typer.Option(help="Only these systems: A,B")] = None,
    topics: Annotated[str | None, typer.Option(help="Only sessions on these topics.")] = None,
    searchers: Annotated[str | None, typer.Option(help="Only these searchers.")] = None,
    min_queries: Annotated[int | None, typer.Option(help="Least queries of a session.")] = None,
    max_queries: Annotated[int | None, typer.Option(help="Most queries of a session.")] = None,
    depth: Annotated[int, typer.Option(min=1, max=1000, help="Ranks of Figure 1.")] = 100,
) -> None:
    """Score every query and session of a study, and write the tables."""
    choices = {
        "weights": None if weights is None else _weights(weights),
        "b": _base("b", b),
        "bq": _base("bq", bq),
        "top": top,
        "discount": discount,
        "repeats": repeats,
        "ideal": ideal,
        "short_lists": _short_lists(short_lists),
        "unjudged": unjudged,
        "after_stop": after_stop,
        "average": average,
        "others": others,
        "grades": grades,
    }
    kept = {
        "systems": _names(systems),
        "topics": _names(topics),
        "searchers": _names(searchers),
        "min_queries": min_queries,
        "max_queries": max_queries,
    }
    chosen, filters = _chosen(preset, definition, _given(choices), _given(kept))
    rules = Rules(rank_base, same_rank, conflicts, query_numbers, query_id, system_by_file)
    from export.scores import write_scores

    study = _study(log, judgments, mapping, ratings, rules)
    sessions, queries = write_scores(study, chosen, filters, depth=depth, out=out)
    typer.echo(f"{sessions:,} sessions, {queries:,} queries: {out}")
    for problem in study.problems:
        typer.echo(f"{problem.severity}: {problem}", err=True)


def _study(
    log: Path,
    judgments: Path | None = None,
    mapping: str | None = None,
    ratings: list[Path] | None = None,
    rules: Rules | None = None,
) -> Study:
    from study.readers import read_study

    pairs = [part.partition("=") for part in (mapping or "").split(",") if part]
    for role, sign, _ in pairs:
        if not (role and sign):
            raise OptionError(f"--map {mapping!r}; it reads ROLE=COLUMN,ROLE=COLUMN. Correct it.")
    columns = {role: column for role, _, column in pairs}
    return read_study(log, judgments, ratings=ratings or (), mapping=columns, rules=rules)


def _chosen(
    preset: str, file: Path | None, choices: dict[str, Any], kept: dict[str, Any]
) -> tuple[Definition, Filters]:
    """Definition and filters: an option beats the file, the file beats the preset."""
    from analysis.definition import PRESETS, Filters, from_toml

    if preset not in PRESETS:
        raise OptionError(f"--preset {preset!r}; known are {', '.join(PRESETS)}.")
    definition, filters = PRESETS[preset], Filters()
    if file is not None:
        try:
            definition, filters = from_toml(file.read_text(encoding="utf-8"), definition)
        except (OSError, ValueError) as fault:
            raise OptionError(f"{file}: {fault}. Correct the file.") from None
    return replace(definition, **choices), replace(filters, **kept)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(part for part in text.split(",") if part)


def _base(name: str, text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        raise OptionError(f"--{name} {text!r}; a base is a number above 1, or inf.") from None


def _short_lists(text: str | None) -> str | int | None:
    return int(text) if text is not None and text.isdecimal() else text


def _weights(text: str) -> str | tuple[tuple[float, float], ...]:
    if "=" not in text:
        return text
    try:
        pairs = [part.split("=") for part in text.split(",")]
        return tuple((float(grade), float(gain)) for grade, gain in pairs)
    except ValueError:
        rule = "it is a weighting's name, or reads GRADE=GAIN,GRADE=GAIN"
        raise OptionError(f"--weights {text!r}; {rule}. Correct it.") from None


def _print_report(checked: dict[str, Any]) -> None:
    from analysis.data import report_words
    from study.checks import Problem

    for name, words in report_words(checked):
        typer.echo(f"{name}: {words}")
    for problem in checked["problems"]:
        typer.echo(f"{problem['severity']}: {Problem(**problem)}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 0 done, 2 bad input or option with one line per problem."""
    from study.checks import UnusableInputError

    try:
        code = cli(arguments, standalone_mode=False)
    except UnusableInputError as refused:
        lines = refused.lines()
    except typer.TyperException as fault:
        lines = [fault.format_message()]
    except (OptionError, OSError, ValueError) as fault:
        lines = [str(fault)]
    except typer.Abort:
        return 130
    else:
        return code if isinstance(code, int) else 0
    for line in lines:
        typer.echo(line, err=True)
    return BAD_INPUT


def run() -> None:
    """Run the command line as a program of its own."""
    gc.disable()  # one short run: collecting what imports leave behind costs a tenth of it
    sys.exit(main())


if __name__ == "__main__":
    run()
