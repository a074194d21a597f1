"""definition.toml: a definition and filters as text and back; what does not fit is refused."""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import asdict, fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli_w

from sdcg_explorer.analysis.definition.definition import (
    DEFAULT,
    Definition,
    Filters,
    found,
    is_number,
)
from sdcg_explorer.analysis.definition.further import FITTED_TO, FURTHER, MEASURES, NAMES
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.problems import cut

TABLES: dict[str, type] = {"definition": Definition, "filters": Filters}
LONGEST_NAME = 60  # letters of a name that is not known, in an error
LARGEST_FILE = 1_000_000  # bytes; one of every choice has 500
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
GRADES = "a weighting's name, or a table with a gain for each grade"


def to_toml(definition: Definition, filters: Filters) -> str:
    """Definition and filters as definition.toml."""
    kept = {name: value for name, value in asdict(filters).items() if value is not None}
    return tomli_w.dumps({"definition": _chosen(definition), "filters": kept})


def to_short_toml(definition: Definition) -> str:
    """What a definition does otherwise than the default, short enough for a link."""
    usual = asdict(DEFAULT)
    chosen = {k: v for k, v in _chosen(definition).items() if v != usual[k]}
    return tomli_w.dumps({"definition": chosen})


def _chosen(definition: Definition) -> dict[str, Any]:
    usual = asdict(DEFAULT)
    own = {name: value for name, value in asdict(definition).items() if value is not None}
    asked = {name for measure in definition.measures for name in FURTHER[measure].parameters}
    left = {MEASURES, FITTED_TO, *NAMES} - asked
    chosen = {k: v for k, v in own.items() if v != usual[k] or k not in left}
    if not isinstance(definition.weights, str):
        chosen["weights"] = {_exact(grade): gain for grade, gain in definition.weights}
    return chosen


def _exact(grade: float) -> str:
    """A grade's label, or all digits where that is cut off."""
    return label(grade) if float(label(grade)) == grade else repr(grade)


def read_definition(path: Path, default: Definition = DEFAULT) -> tuple[Definition, Filters]:
    """Definition and filters of a file.

    Raises
    ------
    OSError : it can't be read
    ValueError : as of `from_toml`, with the file's name and what to do
    """
    try:
        if path.exists() and not path.is_file():
            raise ValueError("a folder, fifo or device; a file of TOML is read")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ValueError(f"larger; at most {LARGEST_FILE:,} bytes are read")
        return from_toml(_text(content), default)
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}. Correct the file.") from None


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        raise ValueError(f"line {line}: no UTF-8; a definition.toml is text in UTF-8") from None


def from_toml(text: str, default: Definition = DEFAULT) -> tuple[Definition, Filters]:
    """Definition and filters of a definition.toml; what it leaves out is as in `default`.

    Raises
    ------
    ValueError : not TOML, or a table, name or value that is not offered
    """
    tables = _tables(text)
    chosen, kept = (_known(tables.get(name, {}), name) for name in TABLES)
    if "weights" in chosen:
        chosen["weights"] = _weights(chosen["weights"])
    if isinstance(chosen.get("measures"), list):
        chosen["measures"] = tuple(chosen["measures"])
    kept = {name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()}
    return _made(replace, "definition", default, chosen), _made(replace, "filters", Filters(), kept)


def _made(make: Any, name: str, default: Any, values: dict[str, Any]) -> Any:
    """A table's values in the place of the default's."""
    try:
        return make(default, **values)
    except ValueError as fault:
        raise ValueError(f"[{name}] {fault}") from None


def _tables(text: str) -> dict[str, Any]:
    """The tables of the file, of known names alone."""
    try:
        tables = tomllib.loads(text, parse_float=_float)
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(f"not TOML: {cut(str(fault))}; tables of NAME = VALUE are read") from None
    except RecursionError:
        raise ValueError("values nested deeper; weights are the deepest, by grade") from None
    except ValueError:
        raise ValueError("a number of thousands of digits; no choice has such") from None
    for name, value in tables.items():
        if name in TABLES:
            continue
        homes = [f"[{table}]" for table, kind in TABLES.items() if name in _names(kind)]
        if homes:
            raise ValueError(f"{name} stands above any table; its place is beneath {homes[0]}")
        place = f"[{cut(name)}]" if isinstance(value, dict) else cut(name)
        raise ValueError(f"{place} is not known; tables are [{'] and ['.join(TABLES)}]")
    return tables


def _float(text: str) -> float | Decimal:
    """A number as written; one beyond all floats is none, which the choices refuse by name."""
    value = float(text)
    return Decimal(text) if math.isinf(value) and "inf" not in text else value


def _known(table: Any, name: str) -> dict[str, Any]:
    """The values of a table, of known names alone."""
    if not isinstance(table, dict):
        raise ValueError(f"{name}: {found(table)}; it is a table, [{name}]")
    names = _names(TABLES[name])
    for each in table:
        if each not in names:
            raise ValueError(f"[{name}] {cut(each, LONGEST_NAME)}; known are {', '.join(names)}")
    return dict(table)


def _weights(given: Any) -> str | tuple[tuple[float, float], ...]:
    """A weighting's name, or (grade, gain) pairs."""
    if isinstance(given, str):
        return given
    if not isinstance(given, dict) or not given:
        raise ValueError(f"[definition] weights {found(given)}; {GRADES}")
    for grade, gain in given.items():
        place = f"[definition] weights.{cut(grade)}"
        if not NUMBER.fullmatch(grade):
            raise ValueError(f"{place}; a grade is a number, 2 or 0.5")
        if isinstance(gain, dict):
            raise ValueError(f'{place} is a table; a grade with a point has quotes: "0.5"')
        if not is_number(gain):
            raise ValueError(f"{place} {found(gain)}; a gain is a number")
    return tuple((float(grade), gain) for grade, gain in given.items())


def _names(kind: type) -> list[str]:
    return [field.name for field in fields(kind)]
