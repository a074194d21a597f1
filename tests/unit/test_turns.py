"""Turns of reading: fair to visitors, however much one of them asks for."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from pages.parts.turns import Turns, UnwantedError
from tests.support.waiting import PATIENCE, until


def nothing() -> None: ...


def asks(turns: Turns, who: str, begun: list[str], end: Event) -> Thread:
    """Somebody who waits for a turn, and then keeps it until the end."""
    waits = Event()

    def ask() -> None:
        with turns.turn(who, waits.set):
            begun.append(who)
            end.wait(PATIENCE)

    thread = Thread(target=ask, daemon=True)
    thread.start()
    assert waits.wait(PATIENCE)
    return thread


@pytest.mark.parametrize("asked", [["many", "many", "many", "one"], ["one", "many", "many"]])
def test_who_had_a_turn_waits_behind_who_had_none(asked: list[str]) -> None:
    turns, begun, end = Turns(1), list[str](), Event()
    end.set()
    with turns.turn("many", nothing):
        threads = [asks(turns, who, begun, end) for who in asked]
    for thread in threads:
        thread.join(PATIENCE)
    assert begun == ["one", *["many"] * (len(asked) - 1)]


def test_no_visitor_has_all_places() -> None:
    turns, begun, end = Turns(2), list[str](), Event()
    with turns.turn("many", nothing):
        waiting = asks(turns, "many", begun, end)
        with turns.turn("one", lambda: pytest.fail("there is a place")):
            assert begun == []
        assert begun == []
    until(lambda: begun == ["many"], "a turn")
    end.set()
    waiting.join(PATIENCE)


def test_who_left_waits_no_longer_and_holds_nobody_up() -> None:
    turns = Turns(1)
    with turns.turn("one", nothing):
        with pytest.raises(UnwantedError), turns.turn("left", nothing, lambda: False):
            pass
        with pytest.raises(ZeroDivisionError), turns.turn("stopped", lambda: 1 // 0 and None):
            pass
    with turns.turn("another", lambda: pytest.fail("there is a place")):
        pass
