"""Options by which a command is told the definition and the filters, read off what was typed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from sdcg_explorer.reading.recipe import option
from sdcg_explorer.scoring.definition import PRESETS, Definition, Filters, declared, read_definition
from sdcg_explorer.study.problems import UnusableInputError, cut

BAD_INPUT = 2  # what a command exits with
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


class OptionError(ValueError):
    """An option whose value is not offered."""


def refused_lines(refused: UnusableInputError) -> list[str]:
    """A plain line for each problem, and all repairs that are offered as one option."""
    offered = [f"Repairs that are offered: {option('fix', ','.join(refused.fixes))}, or all."]
    return [*refused.lines(), *offered] if refused.fixes else refused.lines()


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(part for part in text.split(",") if part)


def base(name: str, text: str) -> float:
    """A base as `--b` or `--bq` has it; inf for none."""
    value = math.inf if text == "inf" else number(text)
    if math.isnan(value):
        raise OptionError(f"--{name} {cut(repr(text))}; a base is a number above 1, or inf.")
    return value


def number(text: str) -> float:
    """A number as one writes it; nan where a text is none, and where no float is as large."""
    value = float(text) if NUMBER.fullmatch(text.strip()) else math.nan
    return math.nan if math.isinf(value) else value


def short_lists(text: str) -> str | int:
    """The least number of cells, or the name of what becomes of short lists."""
    return int(text) if NUMBER.fullmatch(text) and text.isdecimal() else text


def weights(text: str) -> str | tuple[tuple[float, float], ...]:
    """A weighting's name, or the gain of each grade."""
    if "=" not in text:
        return text
    parts = [part.partition("=") for part in text.split(",")]
    pairs = [(number(grade), number(gain)) for grade, _, gain in parts]
    if any(math.isnan(each) for pair in pairs for each in pair):
        rule = "it is a weighting's name, or reads GRADE=GAIN,GRADE=GAIN"
        raise OptionError(f"--weights {cut(repr(text))}; {rule}. Correct it.")
    return tuple(pairs)


READ: dict[str, Callable[[Any], Any]] = {  # those that are not taken as they are typed
    "weights": weights,
    "b": partial(base, "b"),
    "bq": partial(base, "bq"),
    "short_lists": short_lists,
    **dict.fromkeys(("systems", "topics", "searchers"), names),
    "measures": lambda given: tuple(dict.fromkeys(given)),
}


Preset = Annotated[str, typer.Option(help=", ".join(PRESETS))]


def passes(
    preset: Preset = "ecir2008",
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


def choosing(
    preset: Preset = "ecir2008",
    definition: Annotated[Path | None, typer.Option(help="A definition.toml.")] = None,
    **given: Any,
) -> Any:
    """Definition and filters of a command that is asked of one."""
    ((_, *chosen),) = passes(preset, [definition] if definition else None, **given)
    return tuple(chosen)


def with_fields(group: Callable[..., Any], *of: type) -> None:
    """Have a group of options take one for each field that is declared, as its last ones."""
    *own, _ = signature(group, eval_str=True).parameters.values()
    options = {
        name: Annotated[each.kind | None, typer.Option(*each.option, help=each.typed)]
        for kind in of
        for name, each in declared(kind).items()
        if each.typed
    }
    kind = Parameter.KEYWORD_ONLY
    own += [Parameter(n, kind, default=None, annotation=option) for n, option in options.items()]
    group.__dict__["__signature__"] = Signature(own)


with_fields(passes, Definition, Filters)
with_fields(choosing, Definition, Filters)
