"""What stands before uploads: only a page that shows an uploader takes them, and so much at most.

A layer of ASGI. Streamlit itself takes a file from whoever has a session, on every page of it, and
holds it in memory until the session ends.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from study.reading.limits import MOST_IN_HAND, MOST_OF_VISITOR

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

PATH = "/_stcore/upload_file/"
NO_UPLOADER = 403, "no place for files; files are taken by page Data. Open it, and drop them there."
NO_SIZE = 411, "a file of unknown size; its size is said first. Upload it by page Data."
OWN_TOO_MUCH = (
    413,
    (
        f"more than {MOST_OF_VISITOR // 10**6:,} MB in hand; a visitor has that much at most. "
        "Accept or remove the files that are there, or pack them as a zip."
    ),
)
ALL_TOO_MUCH = (
    503,
    (
        f"more than {MOST_IN_HAND // 10**6:,} MB in hand; all visitors have that much at once, at "
        "most. Try again in a minute."
    ),
)


@dataclass
class Gate:
    """Which sessions show an uploader, whose they are, and what is on its way to them."""

    visitors: dict[str, str] = field(default_factory=dict[str, str])
    coming: dict[str, int] = field(default_factory=dict[str, int])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def open_for(self, session: str, visitor: str) -> None:
        """Let a session's files in from now on; sessions that ended are forgotten."""
        with self.lock:
            ended = [each for each in self.visitors if not is_active(each)]
            for each in ended:
                del self.visitors[each]
            self.visitors[session] = visitor

    def close_for(self, session: str) -> None:
        """Let no more of a session's files in."""
        with self.lock:
            self.visitors.pop(session, None)

    def refusal(self, session: str, size: int | None, held: dict[str, int]) -> tuple[int, str]:
        """Status and words for a file, given what each session holds; 0 where it may come."""
        visitor = self.visitors.get(session)
        if visitor is None:
            return NO_UPLOADER
        if size is None:
            return NO_SIZE
        sessions = {*held, *self.coming}
        has = {each: held.get(each, 0) + self.coming.get(each, 0) for each in sessions}
        own = sum(has[each] for each in has if self.visitors.get(each, each) == visitor)
        if own + size > MOST_OF_VISITOR:
            return OWN_TOO_MUCH
        return ALL_TOO_MUCH if sum(has.values()) + size > MOST_IN_HAND else (0, "")


GATE = Gate()


def visitor() -> str:
    """Whom a session's uploads count for: an address, or the session alone where it is our own."""
    return st.context.ip_address or _session()


def take_uploads(taken: bool) -> None:
    """Say whether the page that is drawn shows an uploader."""
    if taken:
        GATE.open_for(_session(), visitor())
    else:
        GATE.close_for(_session())


def _session() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""


def is_active(session: str) -> bool:
    """Whether a session has a browser."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def held_by_session() -> dict[str, int]:
    """Bytes of the uploads that Streamlit holds, by session."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    held = {session: [*files.values()] for session, files in [*manager.file_storage.items()]}
    return {session: sum(len(file.data) for file in files) for session, files in held.items()}


class UploadGate:
    """The app behind the gate; `bounded` where others share the server's memory."""

    def __init__(self, app: App, *, bounded: bool) -> None:
        self.app, self.bounded = app, bounded

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on; refuse an upload that has no place before any of it is read."""
        if scope["type"] != "http" or scope["method"] != "PUT" or PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return
        session = scope["path"].partition(PATH)[2].partition("/")[0]
        size = _size(scope) if self.bounded else 0
        status, words = GATE.refusal(session, size, held_by_session() if self.bounded else {})
        if status:
            await _refuse(send, status, words)
            return
        with _coming(session, size or 0):
            await self.app(scope, receive, send)


@contextmanager
def _coming(session: str, size: int) -> Any:
    """Count a file while it is on its way; all of this is on the server's one loop."""
    GATE.coming[session] = GATE.coming.get(session, 0) + size
    try:
        yield
    finally:
        GATE.coming[session] -= size
        if not GATE.coming[session]:
            del GATE.coming[session]


def _size(scope: Message) -> int | None:
    """Bytes that a request announces; None where it doesn't, or comes in chunks all the same."""
    if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return None
    sizes = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(sizes[0]) if sizes and sizes[0].isdigit() else None


async def _refuse(send: Send, status: int, words: str) -> None:
    """Refuse without reading: the connection goes with what is still on its way."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"upload: {words}\n".encode()})
