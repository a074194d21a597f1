"""Options that commands share: how a study is read and counted, and what they ask of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sdcg_explorer.reading.mapping import unknown_role_errors
from sdcg_explorer.reading.recipe import DEFAULT, FIELDS, Recipe, read_recipe
from sdcg_explorer.scoring import definition as definitions
from sdcg_explorer.scoring.definition import PRESETS, Definition, Filters, read_definition
from sdcg_explorer.study.declared import declared
from sdcg_explorer.study.problems import Problem, cut, refuse, terminal_safe

if TYPE_CHECKING:
    from sdcg_explorer.study.study import Study

BAD_INPUT = 2  # what a command exits with
cli = typer.Typer(
    help="sDCG Explorer: what each query and session of a search study was worth.",
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
)
Out = Annotated[Path, typer.Option(help="Folder for the tables.")]
Force = Annotated[
    bool,
    typer.Option("--force", help="Overwrite, or write next to, files that sdcg did not create."),
]
NAMES = ", ".join(FIELDS)


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
        typed = Annotated[kind, typer.Option(*(names or flag), help=words, min=least, max=most)]
        made.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=typed))
    return made


def with_fields(group: Callable[..., Any], *of: type) -> None:
    """Have a group of options take one for each field that is declared, as its last ones."""
    *own, _ = signature(group, eval_str=True).parameters.values()
    typed = {
        name: Option(None, each.typed, each.kind | None, each.option)
        for kind in of
        for name, each in declared(kind).items()
        if each.typed
    }
    group.__dict__["__signature__"] = Signature([*own, *parameters(typed)])


def command(*groups: Callable[..., Any], **told: Option) -> Callable[..., Any]:
    """Make a function a command with the options of some groups, and `told` of its own.

    Each group makes one of its first arguments; what is read, and what it is looked at by, unless
    others are named. The last group is asked first, so that a wrong option is told before any file
    is read.
    """
    groups = groups or (reading, passes)

    def decorate(function: Callable[..., Any]) -> Callable[..., None]:
        asked = [list(signature(group, eval_str=True).parameters.values()) for group in groups]
        last = list(signature(function, eval_str=True).parameters.values())[len(groups) :]
        own = [*parameters(told), *(p for p in last if p.name not in (*told, "asked"))]
        every = [p.replace(kind=p.KEYWORD_ONLY) for part in (*asked, own) for p in part]

        @wraps(function)
        def run(**given: Any) -> None:
            made = [
                group(**{parameter.name: given.pop(parameter.name) for parameter in part})
                for group, part in reversed([*zip(groups, asked, strict=True)])
            ]
            function(*reversed(made), **given)

        run.__dict__["__signature__"] = Signature(every)
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in every}
        return cli.command()(run)

    return decorate


def may_write(force: bool, said: str, question: str) -> bool:
    """Whether to write where something is: by --force, else by who sits at the terminal."""
    asked = f"{terminal_safe(said)} {question}"
    return force or (sys.stdin.isatty() and typer.confirm(asked, err=True))


def print_lines(text: str, *, err: bool = False) -> None:
    """Print lines, whatever texts of a log they hold."""
    for line in text.split("\n"):
        typer.echo(terminal_safe(line), err=err)


print_aside = partial(print_lines, err=True)


def print_problems(problems: Iterable[Problem]) -> None:
    """Print what one should be wary of, on standard error."""
    for problem in problems:
        print_aside(f"{problem.severity}: {problem}")


def reading(
    log: Annotated[
        Path, typer.Argument(help="The log: a file, a folder, a zip, or a pattern in quotes.")
    ],
    judgments: Annotated[
        Path | None,
        typer.Argument(help="The judgments; by default those in that folder, zip or pattern."),
    ] = None,
    ratings: Annotated[
        list[Path] | None,
        typer.Option(help="A table of ratings by session, query or searcher; repeat for more."),
    ] = None,
    recipe: Annotated[Path | None, typer.Option(help="A recipe.toml: how files are read.")] = None,
    choices: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help=f"A choice of the recipe, NAME=VALUE; repeat for more. Names: {NAMES}."
        ),
    ] = None,
    **typed: Any,
) -> Any:
    """What reads the study that files and their recipe make, once all options are known good.

    Options beat the recipe's file.
    """
    given = [
        f"{name}={value}"
        for name, values in typed.items()
        for value in (values if isinstance(values, list) else [values])
        if value not in (None, False)
    ]
    chosen = (read_recipe(recipe) if recipe else DEFAULT).with_texts([*(choices or []), *given])
    refuse(unknown_role_errors(chosen.mapping, "--map"))
    return partial(read, log, judgments, ratings, chosen)


with_fields(reading, Recipe)


def read(
    log: Path,
    judgments: Path | None = None,
    ratings: list[Path] | None = None,
    recipe: Recipe = DEFAULT,
) -> Study:
    """The study of a log and judgments, by a recipe."""
    from sdcg_explorer.reading.read import read_study
    from sdcg_explorer.reading.worker import read_apart, size_of

    asked: Any = {"ratings": ratings or (), "recipe": recipe}
    size = size_of([log, *([judgments] if judgments else []), *asked["ratings"]])
    with showing_progress(f"reading {log.name}"):
        return read_apart(read_study, log, judgments, where=log.name, size=size, **asked)


@contextmanager
def showing_progress(what: str) -> Generator[Callable[[str], None]]:
    """Say what is done, on standard error where it is a terminal; gone after.

    What it gives takes what is done next.
    """

    def say(doing: str) -> None:
        if sys.stderr.isatty():
            typer.echo(f"\r\x1b[K{terminal_safe(doing)}", err=True, nl=False)

    say(f"{what} …")
    try:
        yield say
    finally:
        say("")


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(part for part in text.split(",") if part)


def number(text: str) -> float | str:
    """A number as one writes it, or inf; another text stays, for the choice to refuse."""
    value = float(text) if text == "inf" or definitions.NUMBER.fullmatch(text.strip()) else math.nan
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
    **dict.fromkeys(definitions.BASES, number),
    **dict.fromkeys(("systems", "topics", "searchers"), names),
    "measures": lambda given: tuple(dict.fromkeys(given)),
}


def passes(
    preset: Annotated[
        str, typer.Option(help=f"{', '.join(PRESETS)}; --definition replaces it.")
    ] = "ecir2008",
    definition: Annotated[
        list[Path] | None,
        typer.Option(help="A definition.toml; score and robustness take several with --engine."),
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
        raise ValueError(f"--definition {twice[0]}.toml twice; each names a folder. Rename one.")
    if preset not in PRESETS:
        raise ValueError(f"--preset {cut(repr(preset))}; choose one of {', '.join(PRESETS)}.")
    usual = PRESETS[preset], Filters()
    read = [read_definition(file, usual[0]) if file else usual for file in files]
    return [
        (name, replace(of, **choices), replace(filters, **kept))
        for name, (of, filters) in zip(called, read, strict=True)
    ]


with_fields(passes, Definition, Filters)
