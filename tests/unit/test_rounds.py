"""Rounds of the garbage collector come after scripts, and rest in proportion to what they took."""

from __future__ import annotations

import gc
import threading
import tomllib
import weakref
from pathlib import Path

from sdcg_explorer.serving.collection_schedule import SHARE, Rounds
from sdcg_explorer.study.memory import collect

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"


class Cycle:
    """What only the collector undoes."""

    def __init__(self) -> None:
        self.own = self


def test_a_round_comes_after_it_was_asked_for_and_rests_in_proportion() -> None:
    rested, went, done = list[float](), list[str](), threading.Event()
    time = iter((0.0, 0.5, 10.0, 10.25))

    def go() -> None:
        went.append(threading.current_thread().name)
        if len(went) == 1:
            rounds.ask()  # a script that runs meanwhile: another round
        else:
            done.set()

    rounds = Rounds(go, rest=0.1, sleep=rested.append, clock=lambda: next(time))
    assert not went
    rounds.ask()
    assert done.wait(5)
    assert rested == [0.1, 0.5 / SHARE]
    assert went == ["rounds"] * 2


def test_what_was_alive_in_one_round_is_undone_by_a_later_one() -> None:
    cycle = Cycle()
    gone = weakref.ref(cycle)
    try:
        collect()
        assert gone() is cycle
        del cycle
        collect()
        assert gone() is None
    finally:
        gc.unfreeze()


def test_streamlit_leaves_rounds_to_them() -> None:
    assert not tomllib.loads(CONFIG.read_text(encoding="utf-8"))["runner"]["postScriptGC"]
