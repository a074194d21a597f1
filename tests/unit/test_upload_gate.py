"""Uploads are refused before a byte is read, where no page asks for them or too many are there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.requests import ClientDisconnect

from sdcg_explorer.reading.limits import MOST_AT_ONCE, MOST_IN_HAND, MOST_OF_VISITOR
from sdcg_explorer.serving import upload_gate
from sdcg_explorer.serving.upload_gate import (
    LOOPBACK,
    MOVED,
    STILL,
    Gate,
    Upload,
    UploadGate,
    block_of,
    visitor,
)
from tests.support.waiting import PATIENCE, finished

FILE = 200 * 2**20  # what Streamlit takes
STANDS = PATIENCE, b"x"  # seconds, and what comes after them
THROUGH = [("passed", "")]
NOWHERE = (
    "upload: no place for files; files are taken by page Data. Open it, and drop them there.\n"
)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(upload_gate, "GATE", made)
    monkeypatch.setattr(upload_gate, "is_active", lambda session: session != "ended")
    return made


def put(
    session: str,
    size: int | None = FILE,
    *,
    method: str = "PUT",
    more: tuple[tuple[bytes, bytes], ...] = (),
    sends: Iterable[Any] = (),
) -> list[tuple[Any, str]]:
    """What comes of an upload, as status and words, after what its browser sends."""
    sent: list[tuple[Any, str]] = []
    messages = iter(sends)

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        while (await receive())["more_body"]:
            pass
        sent.append(("passed", ""))

    async def receive() -> Any:
        part = next(messages, b"")
        if callable(part):
            part = part()
        if isinstance(part, tuple):
            await asyncio.sleep(part[0])
            part = part[1]
        return {"type": "http.request", "body": part, "more_body": part != b""}

    async def send(message: Any) -> None:
        sent.append((message.get("status"), message.get("body", b"").decode()))

    headers = [*more, *([] if size is None else [(b"content-length", str(size).encode())])]
    path = f"/base/_stcore/upload_file/{session}/some-file"
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    finished(UploadGate(app, bounded=True)(scope, receive, send))
    return sent


def held(monkeypatch: pytest.MonkeyPatch, **by_session: int) -> None:
    monkeypatch.setattr(upload_gate, "held_by_session", lambda: by_session)


def test_only_a_session_that_shows_an_uploader_uploads(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    held(monkeypatch)
    assert put("s") == [(403, ""), (None, NOWHERE)]
    assert put("s", method="DELETE") == THROUGH
    gate.open_for("s", "v")
    assert put("s") == THROUGH
    assert put("s", None)[0] == (411, "")
    assert put("s", 1, more=((b"transfer-encoding", b"chunked"),))[0] == (411, "")
    gate.close_for("s")
    assert put("s")[0] == (403, "")
    gate.open_for("ended", "v")
    gate.open_for("s", "v")
    assert [*gate.visitors] == ["s"]


def test_uploads_in_hand_are_bounded_for_each_and_for_all(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    for session, who in (("s", "v"), ("t", "v"), ("other", "w")):
        gate.open_for(session, who)
    held(monkeypatch, s=FILE, left=0)
    assert put("t") == THROUGH
    held(monkeypatch, s=FILE, t=FILE)
    assert put("s")[0] == (413, "")
    assert put("other") == THROUGH
    held(monkeypatch, left=MOST_IN_HAND - FILE + 1)
    assert put("other")[0] == (503, "")
    assert 2 * FILE < MOST_OF_VISITOR < MOST_IN_HAND


def test_bytes_count_as_they_come(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    held(monkeypatch, s=FILE)
    for session in ("s", "t", *(f"idle {i}" for i in range(16))):
        gate.open_for(session, "v" if session in "st" else session)
    with ExitStack() as idle:  # each has announced as much as it may, and sent next to nothing
        for i in range(16):
            idle.enter_context(gate.arriving(f"idle {i}")).came = 200
        assert put("t") == THROUGH
    part, found = b"x" * 1_000_000, list[int]()
    many = MOST_OF_VISITOR // len(part) - FILE // len(part) - 1
    asks = [lambda: found.append(gate.refusal("s", FILE, {})[0]) or part] * 2
    assert put("t", sends=[part, *asks]) == THROUGH
    assert found == [0, 0]
    assert put("t", 0, sends=[part] * many) == THROUGH
    assert put("t", 0, sends=[part] * (many + 2))[0] == (413, "")  # it said less than it brought
    held(monkeypatch, left=MOST_IN_HAND - 10)
    assert put("t", 5, sends=[part])[0] == (503, "")
    assert gate.coming == {}


def test_an_upload_that_stands_still_is_dropped(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    held(monkeypatch)
    gate.open_for("s", "v")
    monkeypatch.setattr(upload_gate, "LONGEST_STILL", 0.3)
    assert put("s", sends=[b"x" * 50_000, STANDS]) == [(408, ""), (None, f"upload: {STILL[1]}\n")]
    # a byte now and then is no way to bring a file
    assert put("s", sends=[(0.1, b"x")] * 9)[0] == (408, "")
    upload, parts = Upload(), iter([b"x", b"x" * MOVED])

    async def receive() -> Any:
        await asyncio.sleep(0.01)
        return {"body": next(parts)}

    monkeypatch.setattr(upload_gate, "LONGEST_STILL", PATIENCE)
    finished(upload.next(receive))
    assert upload.waited >= 0.01
    finished(upload.next(receive))
    assert upload.waited == 0
    assert gate.coming == {}


def test_an_upload_whose_browser_has_gone_is_no_fault_of_the_server(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> bytes:
        raise ClientDisconnect

    held(monkeypatch)
    gate.open_for("s", "v")
    assert put("s", sends=[b"x", gone]) == []
    assert gate.coming == {}


def test_an_address_has_so_many_uploads_at_once(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    held(monkeypatch)
    for session in ("s", "t", "other"):
        gate.open_for(session, "w" if session == "other" else "v")
    with ExitStack() as many:
        for i in range(MOST_AT_ONCE):
            many.enter_context(gate.arriving("s" if i % 2 else "t"))
        assert put("s", 1)[0] == (429, "")
        assert put("other", 1) == THROUGH
    assert put("s", 1) == THROUGH


def test_a_visitor_is_an_address_or_the_network_that_one_has_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for told, who in ((None, LOOPBACK), ("192.0.2.7", "192.0.2.7")):  # none on this machine
        monkeypatch.setattr(st, "context", SimpleNamespace(ip_address=told))
        assert visitor() == who
    assert block_of("192.0.2.7") != block_of("192.0.2.8")
    assert block_of("2001:db8::7") == block_of("2001:db8::ffff:1") != block_of("2001:db8:1::7")
    assert block_of("::ffff:192.0.2.7") == block_of("192.0.2.7")
