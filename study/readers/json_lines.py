"""JSON lines: an object per result, per query with its results, or per session with its queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import orjson

from study.checks import SHOWN, Problem, UnusableInputError, error
from study.limits import DEEPEST, LONGEST_LINE, MOST_COLUMNS
from study.raw import RawTable, encoded
from study.readers.text import open_text
from study.sources import Source

Row = dict[str, str]
Object = dict[str, Any]
REMEDY = "Write one object per line, such as jq -c '.[]' does."
LARGEST = 2**63


class _FaultError(ValueError):
    """What is wrong with one object: found, and the rule."""


def read_json_lines(source: Source) -> RawTable:
    """One row per innermost object; what stands outside it is repeated.

    A list of objects is nested rows (queries of a session, results of a query); a list of texts
    stays one cell, as a list. A field within an object is named after both, where it must be.

    Raises
    ------
    UnusableInputError : a line that is no JSON object, each with its number
    """
    rows: list[Row] = []
    lines: list[int] = []
    problems: list[Problem] = []
    with open_text(source) as text:
        for number, line in enumerate(text.data.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                found = list(_rows(_object(line), {}, "", 0))
            except _FaultError as fault:
                found_text, rule = fault.args
                problems.append(error(source.name, number, found_text, rule, REMEDY))
                if len(problems) > SHOWN:
                    break
                continue
            rows += found
            lines += [number] * len(found)
        notes = text.notes
    names = dict.fromkeys(name for row in rows for name in row)
    if len(names) > MOST_COLUMNS:
        rule = f"objects have at most {MOST_COLUMNS:,} names between them"
        problems.append(error(source.name, None, f"{len(names):,} names", rule, REMEDY))
    if problems:
        raise UnusableInputError(problems)
    columns = {name: [row.get(name, "") for row in rows] for name in names}
    return RawTable(source.name, encoded(columns), lines, form="JSON lines", notes=notes)


def _object(line: bytes) -> Object:
    if len(line) > LONGEST_LINE:
        raise _FaultError("a longer line", f"a line has at most {LONGEST_LINE:,} characters")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as fault:
        raise _FaultError(f"no JSON ({fault})", "each line is one JSON object") from None
    if not isinstance(value, dict):
        raise _FaultError(f"a {type(value).__name__}", "each line is one JSON object")
    return cast("Object", value)


def _rows(value: Object, outer: Row, within: str, depth: int) -> Iterator[Row]:
    """Rows of an object: its plain fields, beside those of each object in the lists it has."""
    if depth > DEEPEST:
        raise _FaultError("objects nested deeper", f"at most {DEEPEST} levels are read")
    own: Row = dict(outer)
    nested: list[tuple[str, list[Object]]] = []
    for name, field in _flat(value, "", depth):
        objects = cast("list[Any]", field) if isinstance(field, list) else []
        if objects and all(isinstance(one, dict) for one in objects):
            nested.append((name, objects))
        else:
            free = f"{within}_{name}" if name in outer and within else name
            own[free] = _cell(field)
    if not nested:
        yield own
    if len(nested) > 1:
        both = " and ".join(name for name, _ in nested[:2])
        raise _FaultError(f"lists of objects in {both}", "an object has one list of objects")
    for name, objects in nested:
        for inner in objects:
            yield from _rows(inner, own, name, depth + 1)


def _flat(value: Object, before: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Fields of an object; those of an object within it named after both."""
    if depth > DEEPEST:
        raise _FaultError("objects nested deeper", f"at most {DEEPEST} levels are read")
    for name, field in value.items():
        if isinstance(field, dict):
            yield from _flat(cast("Object", field), f"{before}{name}_", depth + 1)
        else:
            yield f"{before}{name}", field


def _cell(value: Any) -> str:
    """A value as text: lists as JSON, true as 1, nothing as empty."""
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if abs(value) >= LARGEST:
            raise _FaultError(f"the number {value!r}", "longer numbers than 2⁶³ stand in quotes")
        return f"{value:.0f}" if value.is_integer() else repr(value)
    if isinstance(value, list):
        return orjson.dumps(value).decode()
    return str(value).replace("\r\n", "\n").replace("\r", "\n")
