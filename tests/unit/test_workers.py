"""Work apart: its result, its refusals, and what ends one process ends no other job."""

import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from sdcg_explorer.reading import worker
from sdcg_explorer.study.problems import error, refuse
from sdcg_explorer.study.study import Study
from tests.support import plain_files, studies, waiting
from tests.support.refusals import JUDGMENTS, LOG, refused

MOST = 900_000_000
PROBLEMS = [
    error("log.csv", line, "rank 'x'", "ranks are numbers", "Correct it.") for line in (2, 3)
]
RULE = f"what is read or computed here takes at most 60 s and 0.9 GB of memory. {worker.LESS}"


def job(function: Callable[..., Any], *args: Any, seconds: float = 60.0) -> worker.Job:
    return worker.Job(function, args, {}, worker.Bounds(seconds, MOST))


@pytest.fixture(scope="module")
def workers() -> Iterator[worker.Workers]:
    made = worker.Workers(2)
    yield made
    made.close()


def test_both_processes_work_at_once_and_keep_what_they_were_brought(
    workers: worker.Workers,
) -> None:
    both, found = Barrier(2), list[int]()

    def work() -> None:
        both.wait()
        workers.run(job(time.sleep, 0.3), "nap")
        found.append(workers.run(job(os.getpid), "who"))

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.getpid() not in found
    assert workers.run(job(len), "length", held=("ten", range(10))) == 10
    assert workers.run(job(len), "length", held=("ten", None)) == 10  # it is there already


def test_refusal_and_fault_come_back_as_they_were(workers: worker.Workers) -> None:
    lines = refused(lambda: workers.run(job(refuse, PROBLEMS), "log.csv"))
    assert lines == [str(problem) for problem in PROBLEMS]
    with pytest.raises(TypeError, match="len") as fault:
        workers.run(job(len, 1), "length")
    assert "Traceback" in fault.value.__notes__[0]


ABORTS = """
import os
from sdcg_explorer.reading.worker import AT, tell
tell(AT, "log.xlsx")
os.abort()
"""
ENDS = {
    "too much memory": (job(bytes, 2 * MOST), "study.zip: more than 0.9 GB of memory needed; "),
    "too long": (job(exec, "while True: pass", seconds=0.4), "study.zip: not done after 0.4 s; "),
    "aborts": (job(exec, ABORTS), f"log.xlsx: its process ended before it was done; {RULE}"),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_process_that_ends_is_a_refusal_that_names_the_file_and_the_next_job_works(
    how: str, workers: worker.Workers
) -> None:
    ends, said = ENDS[how]
    (line,) = refused(lambda: workers.run(ends, "study.zip"))
    assert line.startswith(said)
    assert workers.run(job(len, "abc"), "length") == 3


def test_two_hung_reads_hold_a_small_one_for_their_own_seconds_alone(
    workers: worker.Workers,
) -> None:
    said = list[str]()
    hung = [
        Thread(target=lambda: refused(lambda: workers.run(job(time.sleep, 60, seconds=1.0), "nap")))
        for _ in range(2)
    ]
    for thread in hung:
        thread.start()
    waiting.until(lambda: workers._idle.empty(), "both at work")  # pyright: ignore[reportPrivateUsage]
    start = time.monotonic()
    assert workers.run(job(len, "abc"), "length", said=said.append) == 3
    assert time.monotonic() - start < 30
    assert said == [worker.WAITING]
    for thread in hung:
        thread.join()


def test_files_go_by_where_they_are_asked_for_and_a_large_one_ends_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = plain_files.written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)
    monkeypatch.chdir(tmp_path)
    asked: Any = {"where": "log.csv", "size": worker.size_of(files.values())}
    assert asked["size"] == worker.size_of([tmp_path]) == worker.size_of([tmp_path / "*.csv"])
    assert asked["size"] == len(LOG) + len(JUDGMENTS)
    assert worker.read_apart(Path.read_text, Path("log.csv"), **asked) == LOG
    first = worker.read_apart(os.getpid, **asked)
    assert worker.read_apart(os.getpid, **asked) == first != os.getpid()
    assert worker.read_apart(os.getpid, where="log.csv", size=worker.LARGE + 1) == first
    assert worker.read_apart(os.getpid, **asked) != first
    worker.READERS.close()


def test_where_a_browser_runs_it_alone_files_are_read_without_a_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert worker.read_apart(os.getpid, where="log.csv", size=0) == os.getpid()


def test_a_study_is_sent_as_its_tables() -> None:
    study = studies.small()
    study.block()
    computed = {name for name, of in vars(Study).items() if isinstance(of, cached_property)}
    assert all(getattr(study, name) is not None for name in computed)
    sent = pickle.loads(pickle.dumps(study, 5))
    assert computed & {*vars(sent)} == set()
    assert (sent.digest, sent.checked()) == (study.digest, study.checked())
