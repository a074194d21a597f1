"""Results that are kept for the next who asks: within a number of bytes, least recently used go.

A module's own object outlives what Streamlit does with its caches, which any visitor may empty
(decision 108).
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sdcg_explorer.analysis.selection.sizes import Sizes, sizes_of
from sdcg_explorer.study.memory import give_back

Made = TypeVar("Made")
LEAST = 1_000  # bytes that a result counts, however small it is
USUAL = 512  # MB
WATCHED = 10  # a result is measured again when so many have come in after it was used
LARGE = 1 / 100  # of the budget, from which a result is measured when each of these comes in
GIVEN_BACK = 8_000_000  # bytes that are dropped before the system has them back


@dataclass(eq=False)
class _Entry:
    key: Hashable
    value: Any
    sizes: Sizes = field(default_factory=dict[int, int])
    bytes: int = 0
    left: int = WATCHED  # to come in until it is measured again, for the last time unless used
    used: bool = False


class Results:
    """Results by key, at most `budget` bytes of them; of one key at most one is being made.

    What is used may grow afterwards (parts are computed when they are first asked for): it is
    measured again when others have come in, a large one when each does. What several results share
    counts once. The `least` last ones stay whatever they take; `then` is called after others gave
    way.
    """

    def __init__(
        self,
        budget: int,
        *,
        least: int = 0,
        measure: Callable[[Any], Sizes] = sizes_of,
        then: Callable[[], None] | None = None,
    ) -> None:
        self.budget, self.least, self.bytes = budget, least, 0
        self._measure, self._then = measure, then
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._watched: dict[int, _Entry] = {}  # by id: those that may grow
        self._held: dict[int, tuple[int, int]] = {}  # by how many entries, and bytes
        self._making: dict[Hashable, Future[tuple[Any] | None]] = {}
        self._dropped = 0
        self._lock = threading.RLock()

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of a key, made unless it is kept.

        Who asks while another makes it waits; where that fails, the one who waited tries anew.
        """
        while True:
            with self._lock:
                if entry := self._entries.get(key):
                    self._watch(entry)
                    self._entries.move_to_end(key)
                    return entry.value
                if (other := self._making.get(key)) is None:
                    own = self._making[key] = Future[tuple[Any] | None]()
                    break
            if made := other.result():
                return made[0]
        value: tuple[Made] | None = None
        try:
            value = (make(),)
            self._keep(key, value[0])
            return value[0]
        finally:
            with self._lock:
                del self._making[key]
            own.set_result(value)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            while self._entries:
                self._drop(next(iter(self._entries)))

    def let_go(self, most: int) -> None:
        """Keep no result of more than so many bytes."""
        with self._lock:
            for key, entry in [*self._entries.items()]:
                self._weigh(entry)
                if entry.bytes > most:
                    self._drop(key)

    def keys(self) -> list[Hashable]:
        """Keys of what is kept, the least recently used first."""
        with self._lock:
            return [*self._entries]

    def _keep(self, key: Hashable, value: Any) -> None:
        """Keep a result, unless it is larger than all that may be; others give way to it."""
        with self._lock:
            self._measure_again()
            entry = self._entries[key] = _Entry(key, value)
            self._weigh(entry)
            self._watch(entry)
            if self.least < 1 and entry.bytes > self.budget:
                self._drop(key)
            kept = len(self._entries)
            while self.bytes > self.budget and len(self._entries) > self.least:
                self._drop(next(iter(self._entries)))
            if len(self._entries) < kept and self._then:
                self._then()
        self._give_back()

    def _watch(self, entry: _Entry) -> None:
        """A result is used, and may grow."""
        if self._is_large(entry) or id(entry) not in self._watched:
            entry.left = WATCHED
        else:
            entry.used = True  # once more, after this time
        self._watched[id(entry)] = entry

    def _is_large(self, entry: _Entry) -> bool:
        return entry.bytes > LARGE * self.budget

    def _measure_again(self) -> None:
        """Measure what may have grown, and leave alone what was not used for long."""
        for entry in [*self._watched.values()]:
            entry.left -= 1
            if entry.left <= 0 or self._is_large(entry):
                self._weigh(entry)
            if entry.left <= 0:
                del self._watched[id(entry)]
                if entry.used:
                    entry.used = False
                    self._watch(entry)

    def _weigh(self, entry: _Entry) -> None:
        """Count what a result takes by now, and its key."""
        self._let_go(entry)
        entry.sizes = {id(entry): LEAST, **self._measure((entry.key, entry.value))}
        entry.bytes = sum(entry.sizes.values())
        for place, size in entry.sizes.items():
            times, known = self._held.get(place, (0, 0))
            self._held[place] = times + 1, size
            self.bytes += size - known

    def _let_go(self, entry: _Entry) -> None:
        """Count a result no longer."""
        for place in entry.sizes:
            times, size = self._held.pop(place)
            if times > 1:
                self._held[place] = times - 1, size
            else:
                self.bytes -= size

    def _drop(self, key: Hashable) -> None:
        before, entry = self.bytes, self._entries.pop(key)
        self._watched.pop(id(entry), None)
        self._let_go(entry)
        self._dropped += before - self.bytes

    def _give_back(self) -> None:
        """Have the system take back what was dropped, once that is much."""
        if self._dropped > GIVEN_BACK:
            self._dropped = 0
            give_back(cycles=False)


def budget() -> int:
    """Bytes that results may take, as `sdcg app --cache` has it in MB."""
    return int(os.environ.get("SDCG_CACHE", USUAL)) * 1_000_000


def sizes_with_studies(value: Any) -> Sizes:
    """Bytes of studies themselves, with their blocks."""
    return sizes_of(value, apart=())


RESULTS = Results(budget())
# a sample holds its block: what is counted of a study goes with it
STUDIES = Results(budget(), least=1, measure=sizes_with_studies, then=RESULTS.clear)
