"""Work apart: its result, its refusals, and what ends one process ends no other job."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Iterator
from functools import cached_property
from threading import Barrier, Event, Thread

import pytest

from sdcg_explorer.serving.turns import Asker
from sdcg_explorer.serving.workers import SMALLER, Bounds, Workers
from sdcg_explorer.study.problems import error, refuse
from sdcg_explorer.study.study import Study
from tests.support.refusals import refused
from tests.support.studies import small

MOST = 900_000_000
PROBLEMS = [
    error("log.csv", line, "rank 'x'", "ranks are numbers", "Correct it.") for line in (2, 3)
]
RULE = f"what is read or computed here takes at most 60 s and 0.9 GB of memory. {SMALLER}"


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers(2, Bounds(60.0, MOST))
    yield made
    made.close()


def test_both_processes_work_at_once_and_keep_what_they_were_brought(workers: Workers) -> None:
    both, found = Barrier(2), list[int]()

    def work() -> None:
        both.wait()
        workers.run(time.sleep, 0.3, where="nap")
        found.append(workers.run(os.getpid, where="who"))

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.getpid() not in found
    assert workers.run(len, where="length", held=("ten", range(10))) == 10
    assert workers.run(len, where="length", held=("ten", None)) == 10  # it is there already


def test_refusal_and_fault_come_back_as_they_were(workers: Workers) -> None:
    lines = refused(lambda: workers.run(refuse, PROBLEMS, where="log.csv"))
    assert lines == [str(problem) for problem in PROBLEMS]
    with pytest.raises(RuntimeError, match=r"TypeError: .*len"):
        workers.run(len, 1, where="length")


def test_too_much_memory_is_refused_and_the_next_job_works(workers: Workers) -> None:
    found = refused(lambda: workers.run_once(bytes, 2 * MOST, where="log.csv"))
    assert found == [f"log.csv: more than 0.9 GB of memory needed; {RULE}"]
    assert workers.run_once(len, "abc", where="length") == 3


def test_a_read_that_nobody_waits_for_ends_and_holds_up_nobody(workers: Workers) -> None:
    left, found = Event(), list[str]()

    def asks(who: str) -> None:
        asker = Asker(who, wanted=lambda: not left.is_set())
        found.extend(refused(lambda: workers.run_once(time.sleep, 60, where="nap", asker=asker)))

    threads = [Thread(target=asks, args=(who,)) for who in ("one", "another")]
    for thread in threads:
        thread.start()
    start = time.monotonic()
    left.set()
    assert workers.run_once(len, "abc", where="length", asker=Asker("a third")) == 3
    assert time.monotonic() - start < 30
    for thread in threads:
        thread.join()
    assert found == [f"nap: nobody waits for it any more; {RULE}"] * 2


def test_too_long_a_job_ends_and_the_next_works(workers: Workers) -> None:
    quick = Workers(1, Bounds(0.2, MOST))
    try:
        assert "not done after 0.2 s" in refused(lambda: quick.run(time.sleep, 9, where="nap"))[0]
        assert "its process ended" in refused(lambda: workers.run(os._exit, 3, where="end"))[0]
        assert workers.run(len, "abc", where="length") == 3
    finally:
        quick.close()


class Asking:
    """A note that asks a study for all that is computed of it, just while it is sent."""

    def __init__(self, study: Study) -> None:
        own = vars(type(study)).items()
        self.study = study
        self.computed = [name for name, of in own if isinstance(of, cached_property)]

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        for name in self.computed:
            getattr(self.study, name)
        self.study.block()
        return str, ("a note",)


def test_a_study_is_sent_as_its_tables_whatever_is_computed_of_it_meanwhile() -> None:
    known = small()
    study = pickle.loads(pickle.dumps(known, 5))
    object.__setattr__(study, "note", asking := Asking(study))
    sent = pickle.loads(pickle.dumps(study, 5))
    assert {*asking.computed} & {*vars(study)} == {*asking.computed}
    assert {*asking.computed} & {*vars(sent)} == set()
    assert (sent.note, sent.digest) == ("a note", known.digest)
    assert sent.checked() == known.checked()
