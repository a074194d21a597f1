"""Options by which a command is told the definition and the filters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from sdcg_explorer.analysis.definition.definition import (
    PRESETS,
    Definition,
    Filters,
    declared,
    read_definition,
)
from sdcg_explorer.commands import values
from sdcg_explorer.commands.values import OptionError
from sdcg_explorer.study.problems import cut

READ: dict[str, Callable[[Any], Any]] = {  # fields whose values are not as they are typed
    "weights": values.weights,
    "b": partial(values.base, "b"),
    "bq": partial(values.base, "bq"),
    "short_lists": values.short_lists,
    "measures": lambda names: tuple(dict.fromkeys(names)),
    "systems": values.names,
    "topics": values.names,
    "searchers": values.names,
}


def passes(
    preset: Annotated[str, typer.Option(help=", ".join(PRESETS))] = "ecir2008",
    definition: Annotated[
        list[Path] | None, typer.Option(help="A definition.toml; of --engine again for more.")
    ] = None,
    **typed: Any,
) -> Any:
    """Name, definition and filters of each file, or one: options beat it, it beats the preset."""
    choices = {k: READ[k](v) if k in READ else v for k, v in typed.items() if v not in (None, [])}
    kept = {name: choices.pop(name) for name in declared(Filters) if name in choices}
    files = definition or [None]
    names = [file.stem if file else preset for file in files]
    if twice := [name for name in names if names.count(name) > 1]:
        raise OptionError(f"--definition {twice[0]}.toml twice; each names a folder. Rename one.")
    each = (_chosen(preset, file, choices, kept) for file in files)
    return [(name, *chosen) for name, chosen in zip(names, each, strict=True)]


def choosing(definition: Path | None, **given: Any) -> Any:
    """Definition and filters of a command that is asked of one."""
    ((_, *chosen),) = passes(definition=[definition] if definition else None, **given)
    return tuple(chosen)


def _chosen(
    preset: str, file: Path | None, choices: dict[str, Any], kept: dict[str, Any]
) -> tuple[Definition, Filters]:
    """Definition and filters: an option beats the file, the file beats the preset."""
    if preset not in PRESETS:
        raise OptionError(f"--preset {cut(repr(preset))}; known are {', '.join(PRESETS)}.")
    definition, filters = PRESETS[preset], Filters()
    if file is not None:
        definition, filters = read_definition(file, definition)
    return replace(definition, **choices), replace(filters, **kept)


def _fields() -> list[Parameter]:
    """An option for each field of the definition and of the filters."""
    return [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                each.kind | None,
                typer.Option(*([each.option] if each.option else []), help=each.typed),
            ],
        )
        for of in (Definition, Filters)
        for name, each in declared(of).items()
        if each.typed
    ]


_preset, _files, _ = signature(passes, eval_str=True).parameters.values()
_one = _files.replace(annotation=Annotated[Path | None, typer.Option(help="A definition.toml.")])
passes.__dict__["__signature__"] = Signature([_preset, _files, *_fields()])
choosing.__dict__["__signature__"] = Signature([_preset, _one, *_fields()])
