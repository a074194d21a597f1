"""Options by which a command is told the definition and the filters, read off what was typed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from sdcg_explorer.scoring.definition import (
    BASES,
    NUMBER,
    PRESETS,
    Definition,
    Filters,
    declared,
    read_definition,
)
from sdcg_explorer.study.problems import UnusableInputError, cut

BAD_INPUT = 2  # what a command exits with


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


def _fields() -> list[Parameter]:
    """An option for each field of the definition and of the filters."""
    options = {
        name: Annotated[each.kind | None, typer.Option(*each.option, help=each.typed)]
        for of in (Definition, Filters)
        for name, each in declared(of).items()
        if each.typed
    }
    kind = Parameter.KEYWORD_ONLY
    return [Parameter(n, kind, default=None, annotation=option) for n, option in options.items()]


_preset, _files, _ = signature(passes, eval_str=True).parameters.values()
_one = _files.replace(annotation=Annotated[Path | None, typer.Option(help="A definition.toml.")])
passes.__dict__["__signature__"] = Signature([_preset, _files, *_fields()])
choosing.__dict__["__signature__"] = Signature([_preset, _one, *_fields()])
