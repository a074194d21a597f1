"""Pages of a server for several, which reads and computes in processes beside it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from sdcg_explorer.analysis.selection.results import RESULTS
from sdcg_explorer.screen import uploads_in_hand
from sdcg_explorer.serving import worker_jobs
from sdcg_explorer.serving.workers import Bounds, Workers
from tests.support.uploads import FILES, accepted, reasons, texts, upload

MOST = 3_000_000_000


def test_pages_read_and_answer_apart_as_they_do_here(monkeypatch: pytest.MonkeyPatch) -> None:
    RESULTS.clear()
    workers, asked = Workers(2, Bounds(60.0, MOST)), set[str]()
    run = workers.run

    def noted(question: Callable[..., Any], *args: Any, **how: Any) -> Any:
        asked.add(question.__name__)
        return run(question, *args, **how)

    monkeypatch.setattr(workers, "run", noted)
    monkeypatch.setattr(worker_jobs, "WORKERS", workers)
    monkeypatch.setattr(worker_jobs, "QUICK_RESULTS", -1)
    there = texts(accepted(FILES))
    workers.close()
    RESULTS.clear()
    monkeypatch.setattr(worker_jobs, "WORKERS", None)
    assert texts(accepted(FILES)) == there
    assert "overview" in asked


def test_a_script_is_waiting_until_it_is_asked_for_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for ask in (ScriptRequests.request_stop, lambda of: of.request_rerun(RerunData())):
        requests = ScriptRequests()
        context = SimpleNamespace(script_requests=requests)
        monkeypatch.setattr(worker_jobs, "get_script_run_ctx", lambda context=context: context)
        waits = worker_jobs.is_waiting()
        assert waits()
        ask(requests)
        assert not waits()


def test_what_takes_too_long_or_can_not_be_read_is_said_on_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers(1, Bounds(0.01, MOST))
    monkeypatch.setattr(worker_jobs, "WORKERS", workers)
    (line,) = reasons(upload())
    assert line.startswith("log.csv: not done after 0.01 s; what is read or computed here takes")
    workers.close()


def test_what_all_visitors_have_in_hand_is_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDCG_MODE", "shared")
    upload()
    own = uploads_in_hand.VISITORS.bytes
    assert own > 1_000
    for read, sent in ((own, 0), (own // 2, own // 2), (0, own)):
        monkeypatch.setattr(uploads_in_hand, "held_by_session", lambda sent=sent: {"another": sent})
        uploads_in_hand.VISITORS.hold("another", read)
        monkeypatch.setattr(uploads_in_hand, "MOST_IN_HAND", 3 * own)
        assert not upload().error
        monkeypatch.setattr(uploads_in_hand, "MOST_IN_HAND", 3 * own // 2)
        (line,) = reasons(upload())
        assert line.partition(": ")[2] == (
            "with it 0 MB in hand: uploads, and what was read of them; all visitors have "
            "at most 0 MB at once. Try again in a minute, or with a part of it."
        )
        assert uploads_in_hand.VISITORS.bytes == read
        uploads_in_hand.VISITORS.let_go("another")
