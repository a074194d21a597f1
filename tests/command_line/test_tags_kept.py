"""Tags of queries in both stores: given, joined, kept through restarts, processes and mending."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.tags import cleaned
from tests.support.plain_files import ROOT
from tests.support.studies import small
from tests.support.waiting import PATIENCE

S1, S2 = ("s1", 1), ("s1", 2)
OWNERS = "", "a" * 32, "b" * 32  # one person, and two of several
TEXTS = [
    *("查询太宽", "née 🙂", 'say "x"', "a,b", "back\\slash", "{}", "null", "true", "1", "'", "#x"),
    *("=1+1", "+1", "-1", "@x", "'=x", "**bold**", "<b>", "\u202eleft", "e\u0301", "typo"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "studies"


@pytest.fixture(params=["file", "memory"])
def either(request: pytest.FixtureRequest, folder: Path) -> Store:
    return Store(folder if request.param == "file" else None)


def test_tags_are_given_replaced_and_taken_away(either: Store) -> None:
    digest = either.save(small()).digest
    assert either.tags(digest) == {}
    either.tag(digest, *S1, ["typo", "own"])
    either.tag(digest[:12], *S2, iter(["own"]))
    assert either.tags(digest[:12]) == {S1: ("typo", "own"), S2: ("own",)}
    either.tag(digest, *S1, ["too broad"])
    assert either.tags(digest) == {S1: ("too broad",), S2: ("own",)}
    either.tag(digest, *S1, [" "])
    either.tag(digest, *S2, [])
    assert either.tags(digest) == either.load(digest).tags == {}


def test_any_text_is_kept(either: Store, folder: Path) -> None:
    digest = either.save(small()).digest
    texts = [*TEXTS, "two\nlines", "a; b", "x" * 500]
    for number, text in enumerate(texts, start=1):
        either.tag(digest, text, number, [text, "too narrow"])
    expected = {(text, q): cleaned([text, "too narrow"]) for q, text in enumerate(texts, start=1)}
    assert either.tags(digest) == expected
    if folder.exists():
        assert Store(folder).load(digest).tags == expected


def test_tags_of_another_study_are_its_own(either: Store) -> None:
    one, two = (either.save(small(session)).digest for session in ("a", "b"))
    either.tag(one, "a", 1, ["typo"])
    assert (either.tags(two), either.load(two).tags) == ({}, {})
    either.delete(one)
    assert [kept.digest for kept in either.kept()] == [two]


def test_tags_of_no_study_are_none_and_giving_some_is_refused(either: Store) -> None:
    digest = either.save(small()).digest
    either.tag(digest, *S1, ["typo"])
    either.delete(digest)
    for wanted in (digest, "", "*", "a" * 64, "../.."):
        assert either.tags(wanted) == {}
        with pytest.raises(UnusableInputError, match="Upload its files again"):
            either.tag(wanted, *S1, ["typo"])


def test_tags_of_a_study_that_is_saved_join_those_it_has(either: Store) -> None:
    digest = either.save(replace(small(), tags={S1: ("typo",)})).digest
    assert either.tags(digest) == {S1: ("typo",)}
    either.tag(digest, *S2, ["own"])
    either.save(replace(small(), tags={S1: ("wrong angle", "a;b"), S2: ("own",), ("s2", 1): ()}))
    joined = {S1: ("wrong angle", "typo", "a,b"), S2: ("own",)}
    assert either.tags(digest) == either.load(digest).tags == joined
    either.save(small())
    assert either.tags(digest) == joined


# gives tags of its own, from when all are ready
AT_ONCE = """
import sys
from pathlib import Path
from sdcg_explorer.study.store import Store

folder, digest, who, rounds = sys.argv[1:]
store = Store(Path(folder))
print("ready", flush=True)
sys.stdin.readline()
for number in range(1, int(rounds) + 1):
    store.tag(digest, who, number, [f"{who} {number}", "typo", "界" * 60])
"""


def test_processes_and_threads_that_tag_at_once_lose_nothing(folder: Path) -> None:
    store, rounds = Store(folder), 40
    digest = store.save(small()).digest
    command = [sys.executable, "-c", AT_ONCE, str(folder), digest]
    pipe: Any = subprocess.PIPE
    options: Any = {"cwd": ROOT, "stdin": pipe, "stdout": pipe, "text": True}
    writers = ["p", "q"]
    both: list[Any] = [subprocess.Popen([*command, who, str(rounds)], **options) for who in writers]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(max_workers=4) as threads:
        for process in both:
            process.stdin.write("go\n")
            process.stdin.flush()
        for number in range(1, rounds + 1):
            threads.submit(store.tag, digest, "thread", number, [f"thread {number}"])
            threads.submit(store.tags, digest)
        for process in both:
            process.communicate(timeout=PATIENCE)
            assert process.returncode == 0
    numbers = range(1, rounds + 1)
    expected: dict[Any, Any] = {("thread", n): (f"thread {n}",) for n in numbers}
    for who in writers:
        expected |= {(who, n): ("typo", f"{who} {n}", "界" * 60) for n in numbers}
    assert store.tags(digest) == expected


@cache
def rounds_of(number: int) -> tuple[Study, ...]:
    """Studies with a digest each, which is worked out already."""
    first = small()
    several = [
        replace(first, sessions=first.sessions.assign(round=float(i))) for i in range(number)
    ]
    assert len({study.digest for study in several}) == number
    return tuple(several)


def operation(chance: random.Random, studies: tuple[Study, ...]) -> Callable[[Store], object]:
    """Something that is done to a store, and what it says then."""
    study = chance.choice(studies)
    wanted = study.digest[: chance.choice([12, 64])]
    query = chance.choice(["s1", "s2", "界"]), chance.randint(1, 3)
    tags = chance.sample([*TEXTS, "a; b", " "], chance.randint(0, 3))
    given = {query: tuple(chance.choices(TEXTS, k=chance.randint(0, 2)))}
    of = chance.choice(OWNERS)
    acts: list[Callable[[Store], object]] = [
        lambda store: store.save(study, of),
        lambda store: store.save(replace(study, tags=given), of),
        *[lambda store: store.tag(wanted, *query, tags, of)] * 4,
        lambda store: store.rename(wanted, tags[0] if tags else "x", "note", of),
        lambda store: store.delete(wanted, of),
        lambda store: store.load(wanted, of).tags,
        lambda store: (store.find(wanted, of), store.holds(wanted, of)),
    ]
    return chance.choice(acts)


@pytest.mark.parametrize("seed", range(2))
def test_both_stores_agree_whatever_is_done(seed: int, folder: Path) -> None:
    chance, studies = random.Random(seed), rounds_of(3)
    both: tuple[Store, Store] = Store(folder), Store()

    def said(store: Store, act: Callable[[Store], object]) -> object:
        try:
            return act(store)
        except UnusableInputError:
            return "refused"

    for _ in range(80):
        act = operation(chance, studies)
        assert said(both[0], act) == said(both[1], act)
        states = [
            [
                (store.find(kept.digest, of), store.tags(kept.digest, of))
                for kept in sorted(store.kept(), key=lambda kept: kept.digest)
                for of in OWNERS
            ]
            for store in both
        ]
        assert states[0] == states[1]
    for kept in both[1].kept():
        assert both[0].load(kept.digest).tags == both[1].load(kept.digest).tags
