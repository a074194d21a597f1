"""JSON lines: an object per result, per query with its results, or per session with its queries."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from study.checks import SHOWN, Problem, UnusableInputError, error
from study.limits import DEEPEST, LONGEST_LINE, MOST_COLUMNS, MOST_FIELDS, MOST_REPEATED
from study.raw import RawTable
from study.readers.text import open_text
from study.sources import Source

Row = dict[str, str]
Object = dict[str, Any]
REMEDY = "Write one object per line, such as jq -c '.[]' does."
LARGEST = 2**63


class _FaultError(ValueError):
    """What is wrong with one object: found, and the rule."""


@dataclass
class _Columns:
    """Columns that grow row by row: each text once, and its code in every row."""

    rows: int = 0
    codes: dict[str, array[int]] = field(default_factory=dict[str, "array[int]"])
    texts: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])

    def add(self, row: Row) -> None:
        """One more row; a column that it lacks is empty there."""
        for name, text in row.items():
            known = self.texts.setdefault(name, {"": 0})
            codes = self.codes.setdefault(name, array("i"))
            codes.extend([0] * (self.rows - len(codes)))
            codes.append(known.setdefault(text, len(known)))
        self.rows += 1
        if self.rows * len(self.codes) > MOST_FIELDS or len(self.codes) > MOST_COLUMNS:
            found = f"{self.rows:,} objects with {len(self.codes):,} names between them"
            rule = f"objects have at most {MOST_COLUMNS:,} names and {MOST_FIELDS:,} fields in all"
            raise _FaultError(found, rule)

    def table(self) -> pd.DataFrame:
        """Columns of categories, in order of appearance."""
        columns: dict[str, Any] = {}
        for name, codes in self.codes.items():
            codes.extend([0] * (self.rows - len(codes)))
            used: Any = pd.factorize(np.frombuffer(codes, dtype=np.intc))
            texts = pd.Index(list(self.texts[name]), dtype="str")[used[1]]
            columns[name] = pd.Categorical.from_codes(used[0], texts)
        return pd.DataFrame(columns)


def read_json_lines(source: Source) -> RawTable:
    """One row per innermost object; what stands outside it is repeated.

    A list of objects is nested rows (queries of a session, results of a query); a list of texts
    stays one cell, as a list. A field within an object is named after both, where it must be.

    Raises
    ------
    UnusableInputError : a line that is no JSON object, each with its number
    """
    columns, lines, problems = _Columns(), array("q"), list[Problem]()
    with open_text(source) as text:
        start = 0
        for number in count(1):
            end = text.data.find(b"\n", start)
            line = text.data[start : end if end >= 0 else None]
            try:
                for row in _rows(_object(line), {}) if line.strip() else ():
                    columns.add(row)
                    lines.append(number)
            except _FaultError as fault:
                found, rule = fault.args
                problems.append(error(source.name, number, found, rule, REMEDY))
            if end < 0 or len(problems) > SHOWN:
                break
            start = end + 1
        notes = text.notes
    if problems:
        raise UnusableInputError(problems)
    numbers = np.frombuffer(lines, dtype=np.int64)
    return RawTable(source.name, columns.table(), numbers, form="JSON lines", notes=notes)


def _object(line: bytes) -> Object:
    if len(line) > LONGEST_LINE:
        raise _FaultError("a longer line", f"a line has at most {LONGEST_LINE:,} bytes")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as fault:
        raise _FaultError(f"no JSON ({fault})", "each line is one JSON object") from None
    if not isinstance(value, dict):
        raise _FaultError(f"a {type(value).__name__}", "each line is one JSON object")
    return cast("Object", value)


def _rows(value: Object, outer: Row, lists: tuple[str, ...] = ()) -> Iterator[Row]:
    """Rows of an object: its plain fields, beside those of each object in the lists it has.

    Of two fields of one name the inner keeps it; the outer is named after its own list too.
    `lists` are the names of the lists that the object stands in.
    """
    depth, around = len(lists), lists[-2] if len(lists) > 1 else "outer"
    if depth > DEEPEST:
        raise _FaultError("objects nested deeper", f"at most {DEEPEST} levels are read")
    own, nested = _parted(value, depth)
    row = {f"{around}_{name}" if name in own else name: text for name, text in outer.items()} | own
    if not nested:
        yield row
    if len(nested) > 1:
        both = " and ".join(name for name, _ in nested[:2])
        raise _FaultError(f"lists of objects in {both}", "an object has one list of objects")
    for name, objects in nested:
        if len(row) * len(objects) > MOST_REPEATED:
            found = f"{len(row):,} fields around {len(objects):,} objects"
            raise _FaultError(found, f"at most {MOST_REPEATED:,} fields are repeated")
        for inner in objects:
            yield from _rows(inner, row, (*lists, name))


def _parted(value: Object, depth: int) -> tuple[Row, list[tuple[str, list[Object]]]]:
    """Plain fields of an object, and its lists of objects."""
    own: Row = {}
    nested: list[tuple[str, list[Object]]] = []
    for name, given in _flat(value, "", depth):
        objects = cast("list[Any]", given) if isinstance(given, list) else []
        if objects and all(isinstance(one, dict) for one in objects):
            nested.append((name, objects))
        elif name in own:
            raise _FaultError(f"two fields named {name}", "each field has its own name")
        elif given != []:  # an empty list says nothing of its kind
            own[name] = _cell(given)
    return own, nested


def _flat(value: Object, before: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Fields of an object; those of an object within it named after both."""
    if depth > DEEPEST:
        raise _FaultError("objects nested deeper", f"at most {DEEPEST} levels are read")
    for name, given in value.items():
        if isinstance(given, dict):
            yield from _flat(cast("Object", given), f"{before}{name}_", depth + 1)
        else:
            yield " ".join(f"{before}{name}".splitlines()), given


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
        given = cast("list[Any]", value)
        if any(isinstance(one, list | dict) for one in given):
            raise _FaultError("a list within a list", "a list of results holds documents alone")
        return orjson.dumps([_cell(one) for one in given]).decode()
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise _FaultError("a text with a NUL character", "texts hold letters and signs")
    return text
