"""Uploads are refused before a byte is read, where no page asks for them or too many are there."""

from __future__ import annotations

from typing import Any

import pytest

from pages.parts import upload_gate
from pages.parts.upload_gate import Gate, UploadGate
from study.reading.limits import MOST_IN_HAND, MOST_OF_VISITOR
from tests.support.waiting import finished

FILE = 200 * 2**20  # what Streamlit takes
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
    inside: Any = None,
    more: tuple[tuple[bytes, bytes], ...] = (),
) -> list[tuple[Any, str]]:
    """What comes of an upload, as status and words; `inside` happens while it is on its way."""
    sent: list[tuple[Any, str]] = []

    async def app(*_: Any) -> None:
        sent.append(("passed", ""))
        if inside:
            inside()

    async def receive() -> Any: ...

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
    for session, visitor in (("s", "v"), ("t", "v"), ("other", "w")):
        gate.open_for(session, visitor)
    held(monkeypatch, s=FILE, left=0)
    assert put("t") == THROUGH
    inside: list[Any] = []
    assert put("t", inside=lambda: inside.append(gate.refusal("s", FILE, {"s": FILE})[0]))
    assert inside == [413]  # the one on its way counts, and no more once it is here
    assert gate.coming == {}
    held(monkeypatch, s=FILE, t=FILE)
    assert put("s")[0] == (413, "")
    assert put("other") == THROUGH
    held(monkeypatch, left=MOST_IN_HAND - FILE + 1)
    assert put("other")[0] == (503, "")
    assert 2 * FILE < MOST_OF_VISITOR < MOST_IN_HAND
