"""Options that commands share: how a study is read and counted, and what they ask of it."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sdcg_explorer.reading.mapping import NONE, unknown_roles
from sdcg_explorer.reading.rules import Rules, values_of
from sdcg_explorer.scoring.definition import (
    BASES,
    NUMBER,
    PRESETS,
    Definition,
    Filters,
    declared,
    read_definition,
)
from sdcg_explorer.study.problems import UnusableInputError, cut, refuse, terminal_safe

if TYPE_CHECKING:
    from sdcg_explorer.study.study import Study

BAD_INPUT = 2  # what a command exits with
Log = Annotated[
    Path, typer.Argument(help="The log: a file, a folder, a zip, or a pattern in quotes.")
]
Judgments = Annotated[
    Path | None, typer.Argument(help="The judgments; without, those found with the log.")
]
Out = Annotated[Path, typer.Option(help="Folder for the tables.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace, or write beside, what sdcg did not write.")
]
Mapping = Annotated[
    str | None,
    typer.Option(
        "--map",
        help="Columns by role: session=Sess,doc=URL; clicked=(none) for no column; "
        "ratings.csv:topic=task in one file.",
    ),
]
Ratings = Annotated[
    list[Path] | None,
    typer.Option(help="A table by session, session and query, or searcher; may come again."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        help="Names for a table without a header row: session,query_number,rank,doc; "
        "FILE:topic,doc,grade for one file; may come again."
    ),
]
# by the name of a rule: what help says of it, {} being its values
RULES = {
    "rank_base": "{}",
    "same_rank": "Two documents at a rank: {}",
    "conflicts": "Two grades: {}",
    "query_numbers": "Gaps: {}",
    "missing_sessions": "Sessions that other systems have and one lacks: {}",
    "query_id": "Pattern with (?P<session>…) and (?P<query>…).",
    "system_by_file": "Each log file is a system of its own.",
    "topics_by": "Where nothing names a topic, a topic is: {} (each).",
    "judged_by": "What judgments go by, of several: {}",
    "order": "Results of runs stand by: {}",
    "file_name": "What names of the log's files say: {{system}}-{{topic}}, …",
    "fix": "Repairs: decimal-comma,yes-no or header-row=3,…, or all.",
    "events": "Rows that are events: event=COLUMN,query=VALUE,none=VALUE.",
    "session_by": "Columns that tell sessions apart: searcher,task.",
    "assessors": "Whose grades count, of several assessors: mean, max or NAME.",
    "search_tools": "Tools of agents that search: NAME,NAME, where their names don't say.",
    "open_tools": "Tools of agents that open a document: NAME,NAME.",
    "doc_id": "Pattern with (?P<doc>…), for ids of chunks.",
    "grade": "Grade of every row of a file of judgments: gold.txt=2,evidence.txt=1.",
    "parts": "Column of judgments: the parts of a task that a document answers.",
    "session_gap": "A session ends with a longer pause: 30m, 90s, 1h.",
}
NAMES = {"file_name": ("--file-name", "--name")}


class Option(NamedTuple):
    """An option of a command: its default, its help, and its kind and names where not as usual.

    ends : the least and the most that a number may be, if any
    """

    default: Any
    help: str
    kind: Any = None
    names: tuple[str, ...] = ()
    ends: tuple[int | None, int | None] = (None, None)


def parameters(told: dict[str, Option]) -> list[Parameter]:
    """Parameters of a command, which Typer makes options of; a flag has no opposite."""
    made = list[Parameter]()
    for name, (default, words, kind, names, (least, most)) in told.items():
        kind = kind or type(default)
        flag = (f"--{name.replace('_', '-')}",) if kind is bool else ()
        option = typer.Option(*(names or flag), help=words, min=least, max=most)
        made.append(
            Parameter(
                name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
            )
        )
    return made


def taking(**told: Option) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a group its options."""

    def decorate(group: Callable[..., Any]) -> Callable[..., Any]:
        group.__dict__["__signature__"] = Signature(parameters(told))
        return group

    return decorate


def asking(**told: Option) -> Callable[..., Any]:
    """A group of a command's own options, which it takes as a dict."""
    return taking(**told)(lambda **given: given)


def takes(*groups: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of some groups; each group makes one of its first arguments.

    The last group is asked first, so that a wrong option is told before any file is read.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., None]:
        asked = [list(signature(group, eval_str=True).parameters.values()) for group in groups]
        own = list(signature(command, eval_str=True).parameters.values())[len(groups) :]
        every = [p.replace(kind=p.KEYWORD_ONLY) for part in (*asked, own) for p in part]

        @wraps(command)
        def run(**given: Any) -> None:
            made = [
                group(**{parameter.name: given.pop(parameter.name) for parameter in part})
                for group, part in reversed([*zip(groups, asked, strict=True)])
            ]
            command(*reversed(made), **given)

        run.__dict__["__signature__"] = Signature(every)
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in every}
        return run

    return decorate


def may_write(*, force: bool) -> Callable[[str, str], bool]:
    """Whether to write where something is: by --force, else by who sits at the terminal."""

    def may(said: str, question: str) -> bool:
        asked = f"{terminal_safe(said)} {question}"
        return force or (sys.stdin.isatty() and typer.confirm(asked, err=True))

    return may


def printed(said: str) -> None:
    """Say something on standard error."""
    typer.echo(terminal_safe(said), err=True)


def reading(
    log: Log,
    judgments: Judgments = None,
    mapping: Mapping = None,
    ratings: Ratings = None,
    columns: Columns = None,
    **rules: Any,
) -> Any:
    """What reads the study that files and reading options make, once all options are known good."""
    given = log, judgments, mapped(mapping), ratings, Rules(**rules)
    return partial(read, *given, columns=named(columns))


*_given, _ = signature(reading, eval_str=True).parameters.values()
_usual = {rule.name: rule.default for rule in fields(Rules)}
_rules = parameters(
    {
        name: Option(_usual[name], words.format(values_of(name)), names=NAMES.get(name, ()))
        for name, words in RULES.items()
    }
)
reading.__dict__["__signature__"] = Signature([*_given, *_rules])


@wraps(reading)  # its signature, too
def counting(**given: Any) -> Any:
    """What gives the study, or what can be counted of it; and why it can't be used, if so."""
    return partial(_counted, reading(**given))


def _counted(read: Callable[[], Study]) -> tuple[Study, Exception | None]:
    try:
        return read(), None
    except UnusableInputError as refused:
        if refused.counted is None:
            raise
        return refused.counted, refused


def read(
    log: Path,
    judgments: Path | None = None,
    mapping: dict[str, str] | None = None,
    ratings: list[Path] | None = None,
    rules: Rules | None = None,
    *,
    columns: dict[str, list[str]] | None = None,
) -> Study:
    """The study of a log and judgments, under the options of reading."""
    from sdcg_explorer.reading.read import read_study
    from sdcg_explorer.reading.worker import read_apart, size_of

    asked: Any = {"mapping": mapping, "columns": columns, "rules": rules, "ratings": ratings or ()}
    size = size_of([log, *([judgments] if judgments else []), *asked["ratings"]])
    with showing_progress(f"reading {log.name}"):
        return read_apart(read_study, log, judgments, where=log.name, size=size, **asked)


def mapped(mapping: str | None) -> dict[str, str]:
    """Columns by role, as `--map` names them; "" where none plays it."""
    pairs = [part.partition("=") for part in (mapping or "").split(",") if part]
    roles = [role for role, _, _ in pairs]
    for role, sign, _ in pairs:
        given = cut(repr(mapping))
        if not (role and sign):
            raise OptionError(f"--map {given}; it reads ROLE=COLUMN,ROLE=COLUMN. Correct it.")
        if roles.count(role) > 1:
            raise OptionError(f"--map {given}; {cut(role)} has one column. Leave the others out.")
    by_role = {role: "" if column == NONE else column for role, _, column in pairs}
    refuse(unknown_roles(by_role, "--map"))
    return by_role


def named(columns: list[str] | None) -> dict[str, list[str]]:
    """Names of columns by file, as `--columns` has them; "" for every table without a header."""
    read: dict[str, list[str]] = {}
    for given in columns or []:
        file, _, names = given.rpartition(":")
        read[file] = [name.strip() for name in names.split(",")]
        twice = [name for name in read[file] if name and read[file].count(name) > 1]
        if twice:
            found = f"--columns {cut(repr(given))}; {cut(repr(twice[0]))} names two columns"
            raise OptionError(f"{found}. Name each column once, or leave it empty.")
    return read


EACH = 0.5  # seconds


@contextmanager
def showing_progress(what: str) -> Generator[Callable[[str], None]]:
    """Say what is done and for how long, on standard error where it is a terminal; gone after.

    What it gives takes what is done next.
    """
    doing, over, start = [what], Event(), time.monotonic()
    if not sys.stderr.isatty():
        yield doing.append
        return

    def say() -> None:
        while not over.wait(EACH):
            line = f"\r\x1b[K{terminal_safe(doing[-1])}, {time.monotonic() - start:,.0f} s"
            typer.echo(line, err=True, nl=False)

    aside = Thread(target=say, daemon=True)
    aside.start()
    try:
        yield doing.append
    finally:
        over.set()
        aside.join()
        typer.echo("\r\x1b[K", err=True, nl=False)


class OptionError(ValueError):
    """An option whose value is not offered."""


def refused_lines(refused: UnusableInputError) -> list[str]:
    """A plain line for each problem, and all repairs that are offered as one option."""
    offered = [f"Repairs that are offered: --fix {','.join(refused.fixes)}, or all."]
    return [*refused.lines(), *offered] if refused.fixes else refused.lines()


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(part for part in text.split(",") if part)


def number(text: str) -> float | str:
    """A number as one writes it, or inf; another text stays, for the choice to refuse."""
    value = float(text) if text == "inf" or NUMBER.fullmatch(text.strip()) else math.nan
    return value if text == "inf" or math.isfinite(value) else text


def short_lists(text: str) -> str | int:
    """The least number of cells, or the name of what becomes of short lists."""
    return int(text) if text.isascii() and text.isdecimal() else text


def weights(text: str) -> Any:
    """A weighting's name, or the gain of each grade."""
    pairs = (part.partition("=") for part in text.split(","))
    return tuple((number(g), number(gain)) for g, _, gain in pairs) if "=" in text else text


READ: dict[str, Callable[[Any], Any]] = {  # those that are not taken as they are typed
    "weights": weights,
    "short_lists": short_lists,
    **dict.fromkeys(BASES, number),
    **dict.fromkeys(("systems", "topics", "searchers"), names),
    "measures": lambda given: tuple(dict.fromkeys(given)),
}


def passes(
    preset: Annotated[str, typer.Option(help=", ".join(PRESETS))] = "ecir2008",
    definition: Annotated[
        list[Path] | None, typer.Option(help="A definition.toml; of --engine again for more.")
    ] = None,
    **given: Any,
) -> Any:
    """Name, definition and filters of each file, or one: options beat it, it beats the preset."""
    choices = {
        name: READ[name](value) if name in READ else value
        for name, value in given.items()
        if value not in (None, [])
    }
    kept = {name: choices.pop(name) for name in declared(Filters) if name in choices}
    files = definition or [None]
    called = [file.stem if file else preset for file in files]
    if twice := [name for name in called if called.count(name) > 1]:
        raise OptionError(f"--definition {twice[0]}.toml twice; each names a folder. Rename one.")
    if preset not in PRESETS:
        raise OptionError(f"--preset {cut(repr(preset))}; known are {', '.join(PRESETS)}.")
    usual = PRESETS[preset], Filters()
    read = [read_definition(file, usual[0]) if file else usual for file in files]
    return [
        (name, replace(of, **choices), replace(filters, **kept))
        for name, (of, filters) in zip(called, read, strict=True)
    ]


def choosing(definition: Path | None, **given: Any) -> Any:
    """Definition and filters of a command that is asked of one."""
    ((_, *chosen),) = passes(definition=[definition] if definition else None, **given)
    return tuple(chosen)


_preset, _files, _ = signature(passes, eval_str=True).parameters.values()
_one = _files.replace(annotation=Annotated[Path | None, typer.Option(help="A definition.toml.")])
_chosen = parameters(
    {
        name: Option(None, each.typed, each.kind | None, each.option)
        for of in (Definition, Filters)
        for name, each in declared(of).items()
        if each.typed
    }
)
passes.__dict__["__signature__"] = Signature([_preset, _files, *_chosen])
choosing.__dict__["__signature__"] = Signature([_preset, _one, *_chosen])
