"""Studies kept in memory: the latest, for a while, and a share for each who brings some."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sdcg_explorer.study.store.memory import MemoryStore
from tests.support.refusals import refused
from tests.support.studies import small


def test_study_in_memory_is_deleted() -> None:
    store = MemoryStore()
    first, second = (store.save(small(session)) for session in ("a", "b"))
    store.delete(first.digest[:12])
    assert store.kept() == [second]


def test_memory_keeps_the_latest() -> None:
    store = MemoryStore(most=2)
    kept = [store.save(small(session)) for session in ("a", "b", "c")]
    assert store.kept() == kept[1:]
    assert refused(lambda: store.load(kept[0].digest)) == [
        f"store: no study {kept[0].digest}; studies live for a while here. Upload its files again."
    ]


def test_memory_takes_from_whoever_brought_the_most() -> None:
    store = MemoryStore(most=4)
    first = store.save(small("one"), by="one")
    kept = [store.save(small(session), by="many") for session in ("a", "b", "c", "d")]
    assert store.kept() == [first, *kept[1:]]
    last = store.save(small("another"), by="another")
    assert store.kept() == [first, *kept[2:], last]


def test_memory_has_room_for_so_many_bytes() -> None:
    sizes = {"one": 30, "a": 20, "b": 20, "c": 90}
    store = MemoryStore(room=100, measure=lambda studies: {id(s): sizes[s.note] for s in studies})
    first = store.save(small("one").put(note="one"), by="one")
    kept = [store.save(small(name).put(note=name), by="many") for name in ("a", "b")]
    sizes["a"] += 40  # its block is made
    assert store.kept() == [first, *kept]
    last = store.save(small("d").put(note="one"), by="another")
    assert store.kept() == [first, kept[1], last]
    large = store.save(small("c").put(note="c"), by="large")
    assert store.kept() == [large]  # the last one stays


def test_memory_forgets_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(
        "sdcg_explorer.study.store.memory.time", SimpleNamespace(monotonic=lambda: clock.now)
    )
    store = MemoryStore(seconds=7_200.0)
    first = store.save(small())
    clock.now = 7_199.0
    second = store.save(small("b"))
    assert store.kept() == [first, second]
    clock.now = 7_201.0
    assert store.kept() == [second]
    assert refused(lambda: store.load(first.digest))
