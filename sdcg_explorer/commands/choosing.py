"""Options by which a command is told the definition and the filters."""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdcg_explorer.analysis.definition.choices import ERR_RULES, FURTHER, OPTIONS, PARAMETERS
from sdcg_explorer.commands import values
from sdcg_explorer.commands.values import OptionError
from sdcg_explorer.study.problems import cut

if TYPE_CHECKING:
    from sdcg_explorer.analysis.definition.definition import Definition, Filters


def offered(choice: str) -> str:
    """The options of one of the definition's choices, as help names them."""
    return ", ".join(OPTIONS[choice])


def passes(
    preset: Annotated[str, typer.Option(help=offered("preset"))] = "ecir2008",
    definition: Annotated[
        list[Path] | None, typer.Option(help="A definition.toml; of --engine again for more.")
    ] = None,
    weights: Annotated[str | None, typer.Option(help="A weighting's name, or GRADE=GAIN,…")] = None,
    b: Annotated[str | None, typer.Option(help="Base of the rank discount, or inf.")] = None,
    bq: Annotated[str | None, typer.Option(help="Base of the query discount, or inf.")] = None,
    top: Annotated[int | None, typer.Option(help="Ranks of each query that count.")] = None,
    discount: Annotated[str | None, typer.Option(help=offered("discount"))] = None,
    repeats: Annotated[str | None, typer.Option(help=offered("repeats"))] = None,
    ideal: Annotated[str | None, typer.Option(help=offered("ideal"))] = None,
    short_lists: Annotated[
        str | None, typer.Option(help="pad, as-is, observed, or a number")
    ] = None,
    unjudged: Annotated[str | None, typer.Option(help=offered("unjudged"))] = None,
    after_stop: Annotated[str | None, typer.Option(help=offered("after_stop"))] = None,
    average: Annotated[str | None, typer.Option(help=offered("average"))] = None,
    others: Annotated[str | None, typer.Option(help=offered("others"))] = None,
    grades: Annotated[str | None, typer.Option(help=offered("grades"))] = None,
    systems: Annotated[str | None, typer.Option(help="Only these systems: A,B")] = None,
    topics: Annotated[str | None, typer.Option(help="Only sessions on these topics.")] = None,
    searchers: Annotated[str | None, typer.Option(help="Only these searchers.")] = None,
    min_queries: Annotated[int | None, typer.Option(help="Least queries of a session.")] = None,
    max_queries: Annotated[int | None, typer.Option(help="Most queries of a session.")] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(help=f"A further measure: {', '.join(FURTHER)}; again for more."),
    ] = None,
    err_rule: Annotated[str | None, typer.Option(help=f"Of err: {', '.join(ERR_RULES)}")] = None,
    **parameters: float | None,
) -> Any:
    """Name, definition and filters of each file, or one: options beat it, it beats the preset."""
    choices = {
        "weights": None if weights is None else values.weights(weights),
        "b": values.base("b", b),
        "bq": values.base("bq", bq),
        "top": top,
        "discount": discount,
        "repeats": repeats,
        "ideal": ideal,
        "short_lists": values.short_lists(short_lists),
        "unjudged": unjudged,
        "after_stop": after_stop,
        "average": average,
        "others": others,
        "grades": grades,
        "measures": tuple(dict.fromkeys(measure)) if measure else None,
        "err_rule": err_rule,
        **parameters,
    }
    kept = {
        "systems": values.names(systems),
        "topics": values.names(topics),
        "searchers": values.names(searchers),
        "min_queries": min_queries,
        "max_queries": max_queries,
    }
    files = definition or [None]
    names = [file.stem if file else preset for file in files]
    if twice := [name for name in names if names.count(name) > 1]:
        raise OptionError(f"--definition {twice[0]}.toml twice; each names a folder. Rename one.")
    own = _given(choices), _given(kept)
    each = (_chosen(preset, file, *own) for file in files)
    return [(name, *chosen) for name, chosen in zip(names, each, strict=True)]


def choosing(definition: Path | None, **given: Any) -> Any:
    """Definition and filters of a command that is asked of one."""
    ((_, *chosen),) = passes(definition=[definition] if definition else None, **given)
    return tuple(chosen)


def _chosen(
    preset: str, file: Path | None, choices: dict[str, Any], kept: dict[str, Any]
) -> tuple[Definition, Filters]:
    """Definition and filters: an option beats the file, the file beats the preset."""
    from sdcg_explorer.analysis.definition.definition import PRESETS, Filters, read_definition

    if preset not in PRESETS:
        raise OptionError(f"--preset {cut(repr(preset))}; known are {', '.join(PRESETS)}.")
    definition, filters = PRESETS[preset], Filters()
    if file is not None:
        definition, filters = read_definition(file, definition)
    return replace(definition, **choices), replace(filters, **kept)


def _given(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if value is not None}


def _with_parameters() -> Signature:
    """An option for each parameter of further measures."""
    *own, _ = signature(passes, eval_str=True).parameters.values()
    options = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[float | None, typer.Option(help=f"{each.words.capitalize()}.")],
        )
        for name, each in PARAMETERS.items()
    ]
    return Signature([*own, *options])


passes.__dict__["__signature__"] = _with_parameters()
ONE = Annotated[Path | None, typer.Option(help="A definition.toml.")]
choosing.__dict__["__signature__"] = Signature(
    [
        each.replace(annotation=ONE) if each.name == "definition" else each
        for each in signature(passes).parameters.values()
    ]
)
