"""Whose turn it is to have files read: fair to visitors, however many files one of them drops."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

LOOKED = 0.5  # seconds from one look to the next at whether somebody still waits
REMEMBERED = 1_000  # visitors whose last turn is known
TOGETHER = 100_000_000  # bytes of files that are read at once; a larger one is read alone


class UnwantedError(Exception):
    """Nobody waits for it any more: the page was left, or asks for something else."""


def always() -> bool:
    """Of what is wanted however long it takes."""
    return True


@dataclass(frozen=True, eq=False)
class Asker:
    """Which visitor asks for a turn, how many bytes are to be read, and if it is still wanted."""

    who: str = ""
    size: int = 0
    wanted: Callable[[], bool] = always


NOBODY = Asker()


class Turns:
    """A few places. Who has one waits behind who has none, and then who had one last.

    As long as there are two places, no visitor has them all, and large files don't have them at
    once: what they take in memory comes together.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._busy: list[Asker] = []
        self._last: dict[str, int] = {}  # the number of each visitor's last turn
        self._numbers = count(1)
        self._waiting: list[Asker] = []
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, asked: Asker, waits: Callable[[], object]) -> Iterator[None]:
        """Have a place within the block; `waits` is called once, where there is none at once.

        Raises
        ------
        UnwantedError : it is wanted no longer before there is a place
        """
        with self._changed:
            self._waiting.append(asked)
        try:
            if not self._begins(asked):
                waits()
                while not self._begins(asked, LOOKED):
                    if not asked.wanted():
                        raise UnwantedError
        except BaseException:  # a page that is left raises its own, from `waits`
            with self._changed:
                self._waiting.remove(asked)
            raise
        try:
            yield
        finally:
            with self._changed:
                self._busy.remove(asked)
                self._changed.notify_all()

    def _begins(self, asked: Asker, patience: float = 0.0) -> bool:
        """Whether it is its turn now, or becomes so within some seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._next() is asked, patience):
                return False
            self._waiting.remove(asked)
            self._busy.append(asked)
            self._last.pop(asked.who, None)
            self._last[asked.who] = next(self._numbers)
            for first in [*self._last][:-REMEMBERED]:
                del self._last[first]
            self._changed.notify_all()  # there may be a place for the next, too
            return True

    def _next(self) -> Asker | None:
        """Who goes next; none while every place is taken."""
        if len(self._busy) >= self.places:
            return None
        most, has = max(1, self.places - 1), Counter(asked.who for asked in self._busy)
        room = TOGETHER - sum(asked.size for asked in self._busy)
        able = [
            asked
            for asked in self._waiting
            if has[asked.who] < most and (asked.size <= room or not self._busy)
        ]
        order = {asked: (has[asked.who], self._last.get(asked.who, 0)) for asked in able}
        return min(able, key=order.__getitem__, default=None)
