"""Turns of reading: fair to visitors, however much one of them asks for."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from sdcg_explorer.serving.turns import TOGETHER, Asker, Turns, UnwantedError
from tests.support.waiting import PATIENCE, until


def nothing() -> None: ...


def asks(turns: Turns, who: str, begun: list[str], end: Event) -> Thread:
    """Somebody who waits for a turn, and then keeps it until the end."""
    waits = Event()

    def ask() -> None:
        with turns.turn(Asker(who), waits.set):
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
    with turns.turn(Asker("many"), nothing):
        threads = [asks(turns, who, begun, end) for who in asked]
    for thread in threads:
        thread.join(PATIENCE)
    assert begun == ["one", *["many"] * (len(asked) - 1)]


def test_no_visitor_has_all_places() -> None:
    turns, begun, end = Turns(2), list[str](), Event()
    with turns.turn(Asker("many"), nothing):
        waiting = asks(turns, "many", begun, end)
        with turns.turn(Asker("one"), lambda: pytest.fail("there is a place")):
            assert begun == []
        assert begun == []
    until(lambda: begun == ["many"], "a turn")
    end.set()
    waiting.join(PATIENCE)


def test_who_left_waits_no_longer_and_holds_nobody_up() -> None:
    turns = Turns(1)
    with turns.turn(Asker("one"), nothing):
        with pytest.raises(UnwantedError), turns.turn(Asker("left", wanted=lambda: False), nothing):
            pass
        with pytest.raises(ZeroDivisionError), turns.turn(Asker("stopped"), lambda: 1 // 0):
            pass
    with turns.turn(Asker("another"), lambda: pytest.fail("there is a place")):
        pass


def test_large_files_are_read_one_after_the_other_and_small_ones_beside_them() -> None:
    turns, half = Turns(2), TOGETHER // 2 + 1
    for first in (half, 3 * TOGETHER):
        with turns.turn(Asker("one", first), nothing):
            waits, left = Event(), Asker("two", half, lambda: False)
            with pytest.raises(UnwantedError), turns.turn(left, waits.set):
                pass
            assert waits.is_set()
    with turns.turn(Asker("one", half), nothing):
        small = Asker("three", TOGETHER // 3)
        with turns.turn(small, lambda: pytest.fail("there is a place")):
            pass
