"""Which system searchers began with, by the times of the log, against a plain loop."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from math import isnan, nan
from pathlib import Path

import pytest

from sdcg_explorer.questions.overview import words as overview_words
from sdcg_explorer.questions.overview.numbers import Design, design
from sdcg_explorer.questions.wording import enumerated
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from tests.support.plain_files import write_rows

HEADER = ("session", "searcher", "system", "topic", "query_number", "time", "rank", "doc")
Clock = Callable[[random.Random, float], str]


@dataclass(frozen=True)
class Timed:
    """A session with the times of its queries, in seconds (nan where unknown) and as logged."""

    name: str
    searcher: str
    system: str
    topic: str
    seconds: tuple[float, ...]
    times: tuple[str, ...]


def stamp(chance: random.Random, seconds: float) -> str:
    """An ISO stamp of any kind: with a zone, or with none for UTC; to the second or finer."""
    zone = chance.choice([-5, 0, 2])
    then = datetime(2008, 3, 30, tzinfo=UTC) + timedelta(seconds=seconds, hours=zone)
    plain = then.strftime(chance.choice(["%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S.%f"]))
    ending = {0: chance.choice(["", "Z", "+00:00"]), 2: "+02:00", -5: "-05:00"}[zone]
    return plain + ending


def number(chance: random.Random, seconds: float, scale: float = 1.0) -> str:
    """A number of seconds or milliseconds, in any spelling."""
    value = seconds * scale
    whole = chance.choice(["{:.0f}", "{:.1f}", "{:+.0f}"])
    return whole.format(value)


CLOCKS: dict[str, Clock] = {
    "stamps": stamp,
    "seconds": number,
    "milliseconds of Unix": lambda chance, seconds: number(chance, 1.2e9 + seconds, 1000.0),
    "before zero": lambda chance, seconds: number(chance, seconds - 5_000),
    "seconds and days": partial(number, scale=86_400.0),
}


def timed(chance: random.Random, clock: Clock, missing: float, start: float | None) -> list[Timed]:
    """Sessions of five searchers with up to three systems, in any order in the log."""
    sessions: list[Timed] = []
    for who in ["p", "q", "r", "é", "1"]:
        for _ in range(chance.randint(1, 4)):
            begin = 60.0 * chance.randint(0, 6) if start is None else start
            seconds = [begin + 10.0 * i for i in range(chance.randint(1, 3))]
            known = [nan if chance.random() < missing else each for each in seconds]
            times = ["" if isnan(each) else clock(chance, each) for each in known]
            name = f"s{chance.randrange(10**6)}"
            system = "ABC"[len(sessions)] if len(sessions) < 3 else chance.choice("ABC")
            place = system, chance.choice("tu")
            sessions.append(Timed(name, who, *place, tuple(known), tuple(times)))
    chance.shuffle(sessions)
    return sessions


def logged(folder: Path, sessions: list[Timed]) -> Study:
    """Study of a log of these sessions."""
    rows = [
        (each.name, each.searcher, each.system, each.topic, q, time, 1, "a")
        for each in sessions
        for q, time in enumerate(each.times, start=1)
    ]
    judged = [("t", "a", 1), ("u", "a", 0)]
    log = write_rows(folder / "log.csv", HEADER, rows)
    return read_study(log, write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), judged))


def designed(folder: Path, sessions: list[Timed]) -> Design:
    """The design of all sessions."""
    return design(logged(folder, sessions), DEFAULT, Filters())


def loop(sessions: list[Timed]) -> tuple[dict[str, int], int]:
    """Searchers of several systems by the system they began with, and how many they are."""
    begun: dict[str, int] = {}
    several = 0
    for who in {each.searcher for each in sessions} - {""}:
        own = [each for each in sessions if each.searcher == who]
        if len({each.system for each in own}) < 2:
            continue
        several += 1
        starts = [min((s for s in each.seconds if not isnan(s)), default=nan) for each in own]
        if any(isnan(start) for start in starts):
            continue
        first = {each.system for each, at in zip(own, starts, strict=True) if at == min(starts)}
        if len(first) == 1:
            (system,) = first
            begun[system] = begun.get(system, 0) + 1
    return begun, several


def sentence(begun: dict[str, int], several: int) -> list[str]:
    """What is said of them."""
    known = sum(begun.values())
    if not known:
        return []
    searchers = "1 searcher" if known == 1 else f"{known} searchers"
    each = enumerated([f"{begun[system]} began with {system}" for system in sorted(begun)])
    rest = f"; for {several - known} more the times don't tell" if several > known else ""
    return [f"Of {searchers}, {each}{rest}."]


def order(seen: Design) -> list[str]:
    return [said for said in overview_words.designed(seen) if " began with " in said]


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize(("seed", "missing"), [(0, 0.0), (1, 0.4)])
def test_order_in_time_is_that_of_a_loop(
    clock: str, seed: int, missing: float, tmp_path: Path
) -> None:
    sessions = timed(random.Random(seed), CLOCKS[clock], missing, None)
    study = logged(tmp_path, sessions)
    if seed == 0:  # as it is kept, too
        store = Store(tmp_path / "studies")
        study = store.load(store.save(study).digest)
    for filters in (Filters(), Filters(systems=("A", "C")), Filters(topics=("t",))):
        left = [
            each
            for each in sessions
            if each.system in (filters.systems or each.system)
            and each.topic in (filters.topics or each.topic)
        ]
        seen = design(study, DEFAULT, filters)
        begun, several = loop(left)
        assert (seen.began, seen.with_several) == (begun, several)
        assert order(seen) == sentence(begun, several)


@pytest.mark.parametrize("start", [0.0, 12.5])
def test_times_that_begin_anew_in_each_session_tell_nothing(start: float, tmp_path: Path) -> None:
    sessions = timed(random.Random(1), lambda _, seconds: str(seconds), 0.0, start)
    seen = designed(tmp_path, sessions)
    assert seen.with_several > 1
    assert (seen.began, order(seen)) == ({}, [])
    assert not any(loop(sessions)[0].values())


def two(*times: tuple[str, str, str]) -> list[Timed]:
    """Sessions of one searcher: system, and the times of two queries."""
    return [
        Timed(f"s{i}", "p", system, "t", (), (first, second))
        for i, (system, first, second) in enumerate(times)
    ]


BEGAN = "Of 1 searcher, 1 began with "
SAID = {
    "numbers, not texts": (two(("A", "10", "11"), ("B", "9", "9.5")), "B"),
    "zones": (
        two(("A", "2008-03-30T10:00:00+02:00", ""), ("B", "2008-03-30T09:00:00Z", "")),
        "A",
    ),
    "days before clocks": (two(("A", "2008-04-01", ""), ("B", "2008-03-31 23:59", "")), "B"),
    "before 1970": (two(("A", "1969-12-31T23:59:59Z", ""), ("B", "1970-01-01T00:00:01Z", "")), "A"),
    "a later query's time serves": (two(("A", "", "5"), ("B", "6", "7")), "A"),
    "the earliest, wherever it stands": (two(("A", "9", "2"), ("B", "10", "11")), "A"),
    "first of three": (two(("C", "1", "2"), ("A", "3", "4"), ("B", "5", "6")), "C"),
    "a tie of one system": (two(("A", "1", "2"), ("A", "1", "3"), ("B", "4", "5")), "A"),
    "a tie later on": (two(("A", "1", "2"), ("B", "3", "4"), ("C", "3", "4")), "A"),
    "a tie of systems": (two(("A", "1", "2"), ("B", "1", "3"), ("C", "4", "5")), ""),
    "a session without times": (two(("A", "1", "2"), ("B", "3", "4"), ("C", "", "")), ""),
    "words": (two(("A", "morning", ""), ("B", "evening", "")), ""),
    "one system": (two(("A", "1", "2"), ("A", "3", "4")), ""),
    "the same moment in two zones": (
        two(("A", "2008-03-30T10:00:00+02:00", ""), ("B", "2008-03-30T08:00:00Z", "")),
        "",
    ),
}


@pytest.mark.parametrize("what", SAID)
def test_order_in_time_is_said_where_times_tell(what: str, tmp_path: Path) -> None:
    sessions, system = SAID[what]
    assert order(designed(tmp_path, sessions)) == ([f"{BEGAN}{system}."] if system else [])


def test_sessions_of_a_searcher_that_overlap_tell_no_order(tmp_path: Path) -> None:
    sessions = two(("A", "3.2", "60.0"), ("B", "5.1", "81.7"))
    assert order(designed(tmp_path, sessions)) == []


def test_sessions_without_a_searcher_have_no_order(tmp_path: Path) -> None:
    sessions = [
        Timed(f"s{i}", "", system, "t", (), (str(i),)) for i, system in enumerate(["A", "B"])
    ]
    assert order(designed(tmp_path, sessions)) == []
