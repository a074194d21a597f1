"""Results that are kept for the next who asks: within a number of bytes, least recently used go.

A module's own object outlives what Streamlit does with its caches, which any visitor may empty
(decision 108).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from cachetools import LRUCache

from sdcg_explorer.analysis.selection.sizes import Sizes, sizes_of
from sdcg_explorer.study.memory import give_back

Made = TypeVar("Made")
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


class Results:
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
        measure: Callable[[Any], Sizes] = sizes_of,
        then: Callable[[], None] | None = None,
    ) -> None:
        self._last_stays, self._measure, self._then = last_stays, measure, then
        self._turns: dict[Hashable, threading.Lock] = {}
        self._lock = threading.RLock()
        self.hold_to(budget)

    def hold_to(self, budget: int) -> None:
        """Keep so many bytes from now on, and nothing of what is kept."""
        with self._lock:
            self.budget = budget
            self._cache = _Cache(budget, self._size)

    def _size(self, value: Any) -> int:
        size = LEAST + sum(self._measure(value).values())
        return min(size, self.budget) if self._last_stays else size

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of a key, made unless it is kept.

        Who asks while another makes it waits; where that fails, the one who waited tries anew.
        """
        with self._lock:
            if key in self._cache:
                return self._keep(key, self._cache[key])
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if key in self._cache:
                    return self._keep(key, self._cache[key])
            try:
                return self._keep(key, make())
            finally:
                with self._lock:
                    self._turns.pop(key, None)

    def _keep(self, key: Hashable, value: Made) -> Made:
        """Keep a result, unless it is larger than all that may be; others give way to it."""
        with self._lock:
            before = self._cache.dropped
            try:
                self._cache[key] = value
            except ValueError:  # too large
                self._cache.pop(key, None)
            if self._cache.dropped > before and self._then:
                self._then()
            if enough := self._cache.dropped > GIVEN_BACK:
                self._cache.dropped = 0
        if enough:
            give_back(cycles=False)
        return value

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._cache.clear()

    def let_go(self, most: int) -> None:
        """Keep no result of more than so many bytes."""
        with self._lock:
            for key in [key for key, value in self._cache.items() if self._size(value) > most]:
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


def sizes_with_studies(value: Any) -> Sizes:
    """Bytes of studies themselves, with their blocks."""
    return sizes_of(value, apart=())


RESULTS = Results(budget())
# a sample holds its block: what is counted of a study goes with it
STUDIES = Results(budget(), last_stays=True, measure=sizes_with_studies, then=RESULTS.clear)
