"""The link to a view: what its address says of study, definition and filters."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from sdcg_explorer.questions.view import View
from sdcg_explorer.scoring import definition as declared
from sdcg_explorer.scoring.definition import BASES, DEFAULT, FIELDS, Definition, Filters
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import SHORT, Study

SCORE = "score"  # that a page is asked by, in its address
CELLS = 5  # at least, where short lists are filled up to so many
ADDRESS = "http://127.0.0.1:8501/"  # where `sdcg app` serves


def view_link(study: Study, definition: Definition, filters: Filters, *, at: str = ADDRESS) -> str:
    """Address of a study's overview under a definition and filters, where the study is.

    What is as the app opens with is left out, as the app itself does.
    """
    return f"{at}?{urlencode(view_parameters(study, definition, filters))}"


def page_link(page: str, view: View, score: str = "", *, at: str = ADDRESS) -> str:
    """Address of a page in a view, by a score where it is asked by one."""
    asked = f"&{urlencode({SCORE: score})}" if score else ""
    return f"{view_link(*view, at=f'{at}{page}')}{asked}"


def view_parameters(
    study: Study, definition: Definition, filters: Filters
) -> list[tuple[str, str]]:
    """What such an address says, name by name."""
    own = link_values(definition, study.labels) | asdict(filters)
    usual = link_values(DEFAULT, study.labels) | asdict(Filters())
    asked = {k: v for k, v in own.items() if v != usual.get(k)}
    several = {k: v if isinstance(v, list | tuple) else [v] for k, v in asked.items()}
    named = [(key, _value_as_link_text(each)) for key, values in several.items() for each in values]
    return [("study", study.bare.digest[:SHORT]), *named]


def link_values(definition: Definition, labels: tuple[float, ...]) -> dict[str, Any]:
    """A definition as the panel's widgets and links have it, by their keys."""
    values = {each.key or name: getattr(definition, name) for name, each in FIELDS.items()}
    del values["weights"]
    values["measures"] = [*definition.measures]
    fractions = (name for name, each in FIELDS.items() if each.kind is float)
    values |= {name: float(values[name]) for name in (*BASES, *fractions)}
    for name in BASES:
        values[f"{name}_off"] = math.isinf(values[name])
        if values[f"{name}_off"]:
            values[name] = getattr(DEFAULT, name)
    if definition.short_lists not in declared.SHORT_LISTS:
        values |= {"short": declared.LEAST, "cells": definition.short_lists}
    gains = definition.gains(labels).tolist()
    return values | {f"w{label(grade)}": gain for grade, gain in zip(labels, gains, strict=True)}


def definition_of(values: Mapping[Any, Any], labels: tuple[float, ...]) -> Definition:
    """The definition that such values are of; what is not among them is as usual."""
    chosen: dict[str, Any] = {
        name: values.get(each.key or name, getattr(DEFAULT, name)) for name, each in FIELDS.items()
    }
    chosen |= {name: math.inf for name in BASES if values.get(f"{name}_off")}
    if chosen["short_lists"] == declared.LEAST:
        chosen["short_lists"] = values.get("cells", CELLS)
    chosen["weights"] = tuple((grade, values[f"w{label(grade)}"]) for grade in labels)
    chosen["measures"] = tuple(chosen["measures"])
    return Definition(**chosen).named(labels)


def _value_as_link_text(value: object) -> str:
    """A value as a link has it, whole numbers without a point."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
