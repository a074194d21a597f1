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


class UnwantedError(Exception):
    """Nobody waits for it any more: the page was left, or asks for something else."""


def always() -> bool:
    """Of what is wanted however long it takes."""
    return True


@dataclass(frozen=True, eq=False)
class _Asked:
    who: str


class Turns:
    """A few places. Who has one waits behind who has none, and then who had one last.

    As long as there are two places, no visitor has them all.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._busy: Counter[str] = Counter()
        self._last: dict[str, int] = {}  # the number of each visitor's last turn
        self._numbers = count(1)
        self._waiting: list[_Asked] = []
        self._changed = threading.Condition()

    @contextmanager
    def turn(
        self, who: str, waits: Callable[[], None], wanted: Callable[[], bool] = always
    ) -> Iterator[None]:
        """Have a place within the block; `waits` is called once, where there is none at once.

        Raises
        ------
        UnwantedError : it is `wanted` no longer before there is a place
        """
        asked = _Asked(who)
        with self._changed:
            self._waiting.append(asked)
        try:
            if not self._begins(asked):
                waits()
                while not self._begins(asked, LOOKED):
                    if not wanted():
                        raise UnwantedError
        except BaseException:  # a page that is left raises its own, from `waits`
            with self._changed:
                self._waiting.remove(asked)
            raise
        try:
            yield
        finally:
            with self._changed:
                self._busy[who] -= 1
                self._changed.notify_all()

    def _begins(self, asked: _Asked, patience: float = 0.0) -> bool:
        """Whether it is its turn now, or becomes so within some seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._next() is asked, patience):
                return False
            self._waiting.remove(asked)
            self._busy[asked.who] += 1
            self._last.pop(asked.who, None)
            self._last[asked.who] = next(self._numbers)
            for first in [*self._last][:-REMEMBERED]:
                del self._last[first]
            self._changed.notify_all()  # there may be a place for the next, too
            return True

    def _next(self) -> _Asked | None:
        """Who goes next; none while every place is taken."""
        self._busy = +self._busy
        if self._busy.total() >= self.places:
            return None
        most = max(1, self.places - 1)
        able = [asked for asked in self._waiting if self._busy[asked.who] < most]
        return min(
            able,
            key=lambda asked: (self._busy[asked.who], self._last.get(asked.who, 0)),
            default=None,
        )
