"""Results that are kept within one budget of bytes, and how many bytes a result takes."""

import os
import sys
import threading
from collections.abc import Callable, Collection, Hashable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import pandas as pd
from cachetools import LRUCache, cached

from sdcg_explorer.study import grade_cube, machine, study

Sizes = dict[int, int]  # bytes by the id of what holds them
LEAVES = frozenset({int, float, bool, str, bytes})  # most of what there is, and nothing in them
WALKED = 1_000  # items of a list that are looked at, evenly spread; the others count as these


def object_sizes(value: Any, apart: tuple[type, ...] = (study.Study, grade_cube.Block)) -> Sizes:
    """Bytes of all that a value reaches, by the id of what holds them, as long as it lives.

    An array counts as what it is a view of. What is of a class `apart` does not count: studies
    and their blocks are counted where studies are kept.

    >>> numbers = np.arange(10.0)
    >>> sum(object_sizes([numbers[:5], numbers[5:]]).values()) - sys.getsizeof([0, 0])
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
            while isinstance(each.base, np.ndarray):  # of which it is a view
                each = each.base
        own, inside = _size_and_contents(each)
        if len(inside) > WALKED:
            some = [*inside][:: -(-len(inside) // WALKED)]
            each_own = sum(object_sizes(some, apart).values()) - sys.getsizeof(some)
            own += round(each_own / len(some) * len(inside))
            inside = ()
        sizes[id(each)] = own
        todo.extend(inside)
    return sizes


def _size_and_contents(value: Any) -> tuple[int, Collection[Any]]:
    """Bytes that a value holds itself, and what it reaches."""
    if isinstance(value, np.ndarray):
        return value.nbytes, value.ravel().tolist() if value.dtype == object else ()
    if isinstance(value, pd.DataFrame):
        return 0, [part for _, column in value.items() for part in _column_arrays(column.array)]
    if isinstance(value, (pd.Series, pd.Index)):
        return 0, _column_arrays(value.array)
    if isinstance(value, dict):
        return sys.getsizeof(value), [part for pair in [*value.items()] for part in pair]
    if isinstance(value, (list, tuple, set, frozenset)):
        return sys.getsizeof(value), [*value]
    if hasattr(value, "nbytes"):  # a column's text, which has no numpy array
        return int(value.nbytes), ()
    inside = getattr(value, "__dict__", None)
    return sys.getsizeof(value, 64), [inside] if inside and not callable(value) else ()


def _column_arrays(column: Any) -> list[Any]:
    """What holds a column's values; tables that share them have it in common."""
    parts = ("_pa_array", "_ndarray", "_data", "_mask")  # by kind of column, as pandas calls them
    if isinstance(column, pd.Categorical):
        return [column.codes, column.categories]
    return [getattr(column, part) for part in parts if hasattr(column, part)] or [column]


Made = TypeVar("Made")
Asked = ParamSpec("Asked")
LEAST = 1_000  # bytes that a result counts, however small it is
USUAL = 512  # MB
GIVEN_BACK = 8_000_000  # bytes that are dropped before the system has them back


class _Cache(LRUCache[Hashable, Any]):
    """A cache that says what gives way to others."""

    dropped = 0

    def popitem(self) -> tuple[Hashable, Any]:
        """Drop the least recently used."""
        before = self.currsize
        found = super().popitem()
        self.dropped += int(before - self.currsize)
        return found


class ResultCache:
    """Results by key, at most `budget` bytes of them; of one key at most one is being made.

    What is used may grow (parts are computed when they are first asked for): it is measured again
    at each use. Where `last_stays` the last one stays whatever it takes; `then` is called after
    others gave way.
    """

    def __init__(
        self,
        budget: int,
        *,
        last_stays: bool = False,
        measure: Callable[[Any], Sizes] = object_sizes,
        then: Callable[[], None] | None = None,
    ) -> None:
        self._last_stays, self._measure, self._then = last_stays, measure, then
        self._lock = threading.Condition()
        once = cached(cast(Any, self), lambda key, make: key, condition=self._lock)
        self._made_once = once(lambda key, make: make())
        self.reset_budget(budget)

    def reset_budget(self, budget: int) -> None:
        """Keep so many bytes from now on, and nothing of what is kept."""
        with self._lock:
            self.budget = budget
            self._cache = _Cache(budget, self._value_size)

    def _value_size(self, value: Any) -> int:
        size = LEAST + sum(self._measure(value).values())
        return min(size, self.budget) if self._last_stays else size

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of a key, made unless it is kept.

        Who asks while another makes it waits; where that fails, the one who waited tries anew.
        """
        value = self._made_once(key, make)
        if self._cache.dropped > GIVEN_BACK:
            self._cache.dropped = 0
            machine.free_memory(cycles=False)
        return value

    def __getitem__(self, key: Hashable) -> Any:
        value = self._cache[key]
        self[key] = value  # as large as it is now
        return value

    def __setitem__(self, key: Hashable, value: Any) -> None:
        """Keep a result, unless it is larger than all that may be; others give way to it."""
        before = self._cache.dropped
        try:
            self._cache[key] = value
        except ValueError:  # too large
            self._cache.pop(key, None)
        if self._cache.dropped > before and self._then:
            self._then()

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._cache.clear()

    def let_go(self, most: int) -> None:
        """Keep no result of more than so many bytes."""
        with self._lock:
            sizes = {key: self._value_size(value) for key, value in self._cache.items()}
            for key in (key for key, size in sizes.items() if size > most):
                del self._cache[key]

    @property
    def bytes(self) -> int:
        """What is kept takes."""
        return int(self._cache.currsize)

    def keys(self) -> list[Hashable]:
        """Keys of what is kept."""
        with self._lock:
            return [*self._cache]


def budget() -> int:
    """Bytes that results may take, as `sdcg app --cache` has it in MB."""
    return int(os.environ.get("SDCG_CACHE", USUAL)) * 1_000_000


RESULTS = ResultCache(budget())


def kept(make: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """A function of a study, whose results are kept."""

    @wraps(make)
    def of(*asked: Asked.args, **named: Asked.kwargs) -> Made:
        key = make.__qualname__, asked, *named.items()
        return RESULTS.of(key, lambda: make(*asked, **named))

    return of


# a sample holds its block: what is counted of a study goes with it
_whole_sizes = partial(object_sizes, apart=())
STUDIES = ResultCache(budget(), last_stays=True, measure=_whole_sizes, then=RESULTS.clear)
