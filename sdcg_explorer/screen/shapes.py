"""Shapes of what tables, figures and modules of our own say of themselves: JSON, from a browser.

A shape is `Any`, a type, `None`, a function that says whether a value has it, or a collection of
the values there are. `[shape]` is a list of such; a tuple has several shapes to choose from; a dict
has all its names, each with its shape, and with `...: Any` whatever others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from typing import Any

Shape = Any
LONGEST_TEXT = 10_000  # characters that are typed, or a name has
LONGEST_JSON = 1_000_000
MOST_LISTED = 10_000  # values in one list
DEEPEST = 10  # lists and objects in one another
CELL: Shape = (str, float, bool, None)


def clicks(customdata: Shape) -> Shape:
    """What a figure sends after a click on a point that has such custom data."""
    return {"selection": {"points": [{"customdata": customdata, ...: Any}], ...: Any}}


def picks(count: int) -> Shape:
    """What a table of so many rows sends when one is chosen."""
    return {"selection": {"rows": [range(count)], ...: Any}}


def edits(count: int, columns: Collection[str]) -> Shape:
    """What a table of so many rows sends that is typed into: all that differs from what it had."""
    names, places = {*columns, "_index"}, {str(place) for place in range(count)}

    def is_row(row: dict[str, Any]) -> bool:
        return {*row} <= names and has_shape([*row.values()], [CELL])

    return {
        "edited_rows": lambda edited: {*edited} <= places and all(map(is_row, edited.values())),
        "added_rows": [is_row],
        "deleted_rows": [range(count)],
    }


def has_shape(value: Any, shape: Shape) -> bool:
    """Whether a value from JSON has a shape.

    Raises
    ------
    TypeError, AttributeError, UnicodeEncodeError : it hasn't, and can't even be asked
    """
    if shape is Any or shape is None:
        return shape is Any or value is None
    if shape is str:
        return isinstance(value, str) and len(value.encode()) <= LONGEST_TEXT  # no lone surrogate
    if isinstance(shape, type):
        return type(value) is shape or (shape is float and type(value) is int)
    if isinstance(shape, tuple):
        return any(has_shape(value, one) for one in shape)
    if isinstance(shape, list):
        listed = isinstance(value, list) and len(value) <= MOST_LISTED
        return listed and all(has_shape(each, shape[0]) for each in value)
    if isinstance(shape, dict):
        return _has_names(value, shape)
    if isinstance(shape, Collection):
        return type(value) in (int, str) and value in shape
    return shape(value)


def _has_names(value: Any, shape: dict[Any, Shape]) -> bool:
    names = {*shape} - {...}
    whole = isinstance(value, dict) and names <= {*value}
    known = whole and (... in shape or names == {*value})
    return known and all(has_shape(value[name], shape[name]) for name in names)


def parsed(text: str) -> Any:
    """JSON as a browser writes it.

    Raises
    ------
    ValueError, RecursionError : another text, too long or too deep a one, or one with nan in it
    """
    if len(text) > LONGEST_JSON:
        raise ValueError(f"{len(text):,} characters")
    value = json.loads(text, parse_float=_finite, parse_constant=_finite)
    layer = [value]
    for _ in range(DEEPEST):
        layer = [part for whole in layer for part in _parts(whole)]
    if layer:
        raise ValueError("deeper than anything that is sent")
    return value


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _parts(value: Any) -> Collection[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
