"""Rows of JSON objects: one per innermost object, with what stands outside it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.limits import DEEPEST, ReadCounter
from sdcg_explorer.reading.raw_table import Nested, as_text

Row = dict[str, str]
Object = dict[str, Any]
Lists = tuple[str, ...]  # around an object, by name, the outermost first
Places = dict[Lists, int]  # of an object and of those around it, each in its list
WHOLE_BELOW = 2**63
NEARER = "Write the objects that hold documents nearer to the top."


class FaultError(ValueError):
    """What is wrong with one object: found, the rule, and what to do."""


@dataclass
class GrowingColumns:
    """Columns that grow row by row: each text once, and its code in every row.

    file, counter : whose rows they are, and of what all files stand for · lists : around each
    column · places : of each row in each list
    """

    file: str = "files"
    counter: ReadCounter = field(default_factory=ReadCounter)
    rows: int = 0
    text: int = 0
    codes: dict[str, array[int]] = field(default_factory=dict[str, "array[int]"])
    texts: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    lists: dict[str, Lists] = field(default_factory=dict[str, Lists])
    places: dict[Lists, array[int]] = field(default_factory=dict[Lists, "array[int]"])

    def add_all(self, value: Object, outer: Row, within: Places) -> int:
        """The rows of an object, which stands within lists at these places; how many they are."""
        before, lists = self.rows, max(within, key=len, default=())
        for row, places in rows_of(value, outer, lists, within, self.lists):
            for name, place in places.items():
                known = self.places.setdefault(name, array("i"))
                known.extend([0] * (self.rows - len(known)))
                known.append(place)
            self.add(row)
        return self.rows - before

    def nested(self) -> Nested | None:
        """Where fields stood; None where no object stood in a list."""
        for known in self.places.values():
            known.extend([0] * (self.rows - len(known)))
        places = {name: np.frombuffer(known, dtype=np.intc) for name, known in self.places.items()}
        return Nested(self.lists, places) if places else None

    def add(self, row: Row) -> None:
        """One more row; a column that it lacks is empty there."""
        for name, text in row.items():
            known = self.texts.setdefault(name, {"": 0})
            codes = self.codes.setdefault(name, array("i"))
            codes.extend([0] * (self.rows - len(codes)))
            codes.append(known.setdefault(text, len(known)))
        self.rows += 1
        self.text += sum(map(len, row.values()))
        columns = len(self.codes)
        self.counter.check(self.file, self.rows * columns, self.text, columns=columns)

    def table(self) -> pd.DataFrame:
        """Columns of categories, in order of appearance."""
        columns: dict[str, Any] = {}
        for name, codes in self.codes.items():
            codes.extend([0] * (self.rows - len(codes)))
            used: Any = pd.factorize(np.frombuffer(codes, dtype=np.intc))
            texts = pd.Index(list(self.texts[name]), dtype="str")[used[1]]
            columns[name] = pd.Categorical.from_codes(used[0], texts)
        return pd.DataFrame(columns)


def rows_of(
    value: Object, outer: Row, lists: Lists, places: Places, around: dict[str, Lists]
) -> Iterator[tuple[Row, Places]]:
    """Rows of an object: its plain fields, beside those of each object in the list it has.

    Parameters
    ----------
    lists, places : that the object stands in, and where
    around : takes in the lists around each field
    """
    row, name, objects = opened(value, outer, lists, around)
    if not objects:
        yield row, places
    inside = (*lists, name)
    for place, inner in enumerate(objects, start=1):
        yield from rows_of(inner, row, inside, {**places, inside: place}, around)


def opened(
    value: Object, outer: Row, lists: Lists, around: dict[str, Lists]
) -> tuple[Row, str, list[Object]]:
    """Plain fields of an object and of what stands outside it, and the objects that it lists.

    Of two fields of one name the inner keeps it; the outer is named after its own list too.
    """
    depth, outside = len(lists), lists[-2] if len(lists) > 1 else "outer"
    if depth > DEEPEST:
        raise FaultError("objects nested deeper", f"at most {DEEPEST} levels are read", NEARER)
    own, nested = _parted(value, depth)
    if lists:  # most files have none, and many rows
        around.update({name: lists for name in own if depth >= len(around.get(name, ()))})
    row = {f"{outside}_{name}" if name in own else name: text for name, text in outer.items()} | own
    if len(nested) > 1:
        both = " and ".join(name for name, _ in nested[:2])
        rule = "an object has one list of objects"
        remedy = "Keep the list that holds the documents, or the queries, alone."
        raise FaultError(f"lists of objects in {both}", rule, remedy)
    name, objects = nested[0] if nested else ("", [])
    return row, name, objects


def _parted(value: Object, depth: int) -> tuple[Row, list[tuple[str, list[Object]]]]:
    """Plain fields of an object, and its lists of objects."""
    own: Row = {}
    nested: list[tuple[str, list[Object]]] = []
    for name, given in _flat(value, "", depth):
        objects = cast("list[Any]", given) if isinstance(given, list) else []
        if objects and all(isinstance(one, dict) for one in objects):
            nested.append((name, objects))
        elif name in own:
            rule, remedy = "each field has its own name", "Rename one."
            raise FaultError(f"two fields named {name}", rule, remedy)
        elif given != []:  # an empty list says nothing of its kind
            own[name] = cell(given)
    return own, nested


def _flat(value: Object, before: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Fields of an object; those of an object within it named after both."""
    if depth > DEEPEST:
        raise FaultError("objects nested deeper", f"at most {DEEPEST} levels are read", NEARER)
    for name, given in value.items():
        if isinstance(given, dict):
            yield from _flat(cast("Object", given), f"{before}{name}_", depth + 1)
        else:
            yield " ".join(f"{before}{name}".splitlines()), given


def cell(value: Any) -> str:
    """A value as text: lists as JSON, true as 1, nothing as empty."""
    if value is None or value == []:
        return ""
    if isinstance(value, float) and abs(value) >= WHOLE_BELOW:
        rule = "longer numbers than 2⁶³ stand in quotes"
        raise FaultError(f"the number {value!r}", rule, "Write it in quotes.")
    if isinstance(value, list):
        given = cast("list[Any]", value)
        if any(isinstance(one, list | dict) for one in given):
            rule, remedy = "a list of results holds documents alone", "Write an object per result."
            raise FaultError("a list within a list", rule, remedy)
        return orjson.dumps([cell(one) for one in given]).decode()
    try:
        return as_text(value)
    except ValueError as fault:
        rule, remedy = "texts hold letters and signs", "Take the character out."
        raise FaultError(str(fault), rule, remedy) from None
