"""What is kept stays within its bytes, the least recently used goes, and nothing is made twice."""

from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from time import sleep

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.scoring import cache, definition, selection
from tests.support.studies import small

BUDGET = 10_000
ASKED = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([0, 900, 2_500, 6_000, 12_000])))


def weighed(value: object) -> dict[int, int]:
    """A test's results say themselves what they take."""
    return {id(value): len(value)} if isinstance(value, bytearray) else {}


def took(value: object) -> int:
    """Bytes of a value, as they are counted."""
    return sum(cache.object_sizes(value).values())


@given(ASKED)
def test_what_is_kept_is_the_last_used_that_fit(asked: list[tuple[int, int]]) -> None:
    ours, plain = cache.ResultCache(BUDGET, measure=weighed), OrderedDict[int, int]()
    for key, size in asked:
        given = len(ours.of(key, lambda size=size: bytearray(size)))
        assert cache.LEAST + given == plain.get(key, cache.LEAST + size)
        if key in plain:
            plain.move_to_end(key)
            continue
        if cache.LEAST + size <= BUDGET:
            plain[key] = cache.LEAST + size
        while sum(plain.values()) > BUDGET:
            plain.popitem(last=False)
        assert {*ours.keys()} == {*plain}
        assert ours.bytes == sum(plain.values()) <= BUDGET
    ours.clear()
    assert (ours.keys(), ours.bytes) == ([], 0)


def test_one_key_is_made_once_for_all_who_ask_at_a_time() -> None:
    ours, asking, made = cache.ResultCache(BUDGET), Barrier(4), list[int]()

    def make() -> int:
        sleep(0.05)  # the others come meanwhile
        made.append(1)
        return len(made)

    def ask(_: int) -> int:
        asking.wait(5)
        return ours.of("key", make)

    with ThreadPoolExecutor(4) as visitors:
        assert [*visitors.map(ask, range(4))] == [1] * 4
    assert made == [1]


def test_who_waited_for_what_failed_makes_it_anew() -> None:
    ours, begun, go = cache.ResultCache(BUDGET), Event(), Event()

    def fail() -> str:
        begun.set()
        go.wait(5)
        raise ValueError("of the first alone")

    with ThreadPoolExecutor(2) as visitors:
        first = visitors.submit(ours.of, "key", fail)
        assert begun.wait(5)
        second = visitors.submit(ours.of, "key", lambda: "made")
        go.set()
        assert second.result(5) == "made"
        with pytest.raises(ValueError, match="of the first alone"):
            first.result(5)
    assert ours.of("key", fail) == "made"


def test_a_study_is_counted_apart_from_its_results() -> None:
    study = small()
    chosen = selection.select(study, definition.DEFAULT, definition.Filters())
    assert took(study) == took(study.block()) == 0
    assert sum(cache.object_sizes(study, ()).values()) > study.block().codes.nbytes
    before = took(chosen)
    made = chosen.gains
    assert took(chosen) - before >= made.nbytes
    shown, others = study.block(), [study.block(depth) for depth in (1, 2, 3, 4, 5)]
    assert study.block() is shown  # and the last four of the others
    kept = [study.block(depth) is others[depth - 1] for depth in (5, 4, 3, 2, 1)]
    assert kept == [True, True, True, True, False]


def test_what_takes_more_than_is_said_is_let_go() -> None:
    results = cache.ResultCache(1_000_000)
    for key, size in (("small", 10), ("large", 50_000)):
        results.of(key, lambda size=size: np.zeros(size))
    results.let_go(100_000)
    assert results.keys() == ["small"]
    assert 0 < results.bytes < 100_000


def test_others_that_lean_on_what_gave_way_are_told() -> None:
    told = list[int]()
    ours = cache.ResultCache(BUDGET, measure=weighed, then=lambda: told.append(1))
    for key in range(3):
        ours.of(key, lambda: bytearray(4_000))
    assert told == [1]
    assert ours.keys() == [1, 2]
