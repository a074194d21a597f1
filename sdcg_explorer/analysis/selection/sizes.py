"""How many bytes a result takes: what holds them, so that what two results share counts once."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.study.grade_cube import Block
from sdcg_explorer.study.study import Study

Sizes = dict[int, int]  # bytes by the id of what holds them
LEAVES = frozenset({int, float, bool, str, bytes})  # most of what there is, and nothing in them
WALKED = 1_000  # items of a list that are looked at, evenly spread; the others count as these


def sizes_of(value: Any, apart: tuple[type, ...] = (Study, Block)) -> Sizes:
    """Bytes of all that a value reaches, by the id of what holds them, as long as it lives.

    An array counts as what it is a view of. What is of a class `apart` does not count: studies
    and their blocks are counted where studies are kept.

    >>> numbers = np.arange(10.0)
    >>> sum(sizes_of([numbers[:5], numbers[5:]]).values()) - sys.getsizeof([0, 0])
    80
    """
    sizes: Sizes = {}
    todo = [value]
    passed = (type, *apart)
    while todo:
        each = todo.pop()
        if each is None or id(each) in sizes:
            continue
        if type(each) in LEAVES:
            sizes[id(each)] = sys.getsizeof(each)
            continue
        if isinstance(each, passed):
            continue
        if isinstance(each, np.ndarray):
            each = _owner(each)
        own, inside = _own(each)
        if len(inside) > WALKED:
            some = [*inside][:: -(-len(inside) // WALKED)]
            each_own = sum(sizes_of(some, apart).values()) - sys.getsizeof(some)
            own += round(each_own / len(some) * len(inside))
            inside = ()
        sizes[id(each)] = own
        todo.extend(inside)
    return sizes


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """What an array is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _own(value: Any) -> tuple[int, Collection[Any]]:
    """Bytes that a value holds itself, and what it reaches."""
    if isinstance(value, np.ndarray):
        return value.nbytes, value.ravel().tolist() if value.dtype == object else ()
    if isinstance(value, pd.DataFrame):
        return 0, [part for _, column in value.items() for part in _arrays(column.array)]
    if isinstance(value, (pd.Series, pd.Index)):
        return 0, _arrays(value.array)
    if isinstance(value, dict):
        return sys.getsizeof(value), [part for pair in [*value.items()] for part in pair]
    if isinstance(value, (list, tuple, set, frozenset)):
        return sys.getsizeof(value), [*value]
    if hasattr(value, "nbytes"):  # a column's text, which has no numpy array
        return int(value.nbytes), ()
    inside = getattr(value, "__dict__", None)
    return sys.getsizeof(value, 64), [inside] if inside and not callable(value) else ()


def _arrays(column: Any) -> list[Any]:
    """What holds a column's values; tables that share them have it in common."""
    parts = ("_pa_array", "_ndarray", "_data", "_mask")  # by kind of column, as pandas calls them
    if isinstance(column, pd.Categorical):
        return [column.codes, column.categories]
    return [getattr(column, part) for part in parts if hasattr(column, part)] or [column]
