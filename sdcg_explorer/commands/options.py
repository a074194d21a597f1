"""Options that commands share: how a study is read, and how it is counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdcg_explorer.commands.choosing import with_fields
from sdcg_explorer.reading.mapping import unknown_roles
from sdcg_explorer.reading.recipe import DEFAULT, FIELDS, Recipe, read_recipe
from sdcg_explorer.study.problems import refuse, terminal_safe

if TYPE_CHECKING:
    from sdcg_explorer.study.study import Study
import time
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread

Log = Annotated[
    Path, typer.Argument(help="The log: a file, a folder, a zip, or a pattern in quotes.")
]
Judgments = Annotated[
    Path | None, typer.Argument(help="The judgments; without, those found with the log.")
]
Out = Annotated[Path, typer.Option(help="Folder for the tables.")]
Force = Annotated[
    bool,
    typer.Option("--force", help="Replace, or write beside, what sdcg did not write."),
]
Ratings = Annotated[
    list[Path] | None,
    typer.Option(help="A table by session, session and query, or searcher; may come again."),
]
File = Annotated[Path | None, typer.Option("--recipe", help="A recipe.toml: how files are read.")]
Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help=f"A choice of the recipe, NAME=VALUE; again for more. Names: {', '.join(FIELDS)}.",
    ),
]


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
    ratings: Ratings = None,
    recipe: File = None,
    choices: Choices = None,
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
    refuse(unknown_roles(chosen.mapping, "--map"))
    return partial(read, log, judgments, ratings, chosen)


with_fields(reading, Recipe)


@wraps(reading)  # its signature, too
def counting(**given: Any) -> Any:
    """What gives the study, or what can be counted of it; and why it can't be used, if so."""
    return partial(_counted, reading(**given))


def _counted(read: Callable[[], Study]) -> tuple[Study, Exception | None]:
    from sdcg_explorer.study.problems import UnusableInputError

    try:
        return read(), None
    except UnusableInputError as refused:
        if refused.counted is None:
            raise
        return refused.counted, refused


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


EACH = 0.5  # seconds


@contextmanager
def showing_progress(what: str) -> Generator[None]:
    """Say what is done and for how long, on standard error where it is a terminal; gone after."""
    if not sys.stderr.isatty():
        yield
        return
    over, start, line = Event(), time.monotonic(), f"\r\x1b[K{terminal_safe(what)}"

    def say() -> None:
        while not over.wait(EACH):
            typer.echo(f"{line}, {time.monotonic() - start:.0f} s", err=True, nl=False)

    aside = Thread(target=say, daemon=True)
    aside.start()
    try:
        yield
    finally:
        over.set()
        aside.join()
        typer.echo("\r\x1b[K", err=True, nl=False)
