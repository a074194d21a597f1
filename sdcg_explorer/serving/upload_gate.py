"""What stands before uploads: only a page that shows an uploader takes them, and so much at most.

A layer of ASGI. Streamlit itself takes a file from whoever has a session, on every page of it, and
holds it in memory until the session ends. Bytes count as they come, not as they are announced; an
upload that stands still is dropped (decision 136).
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from starlette.requests import ClientDisconnect
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sdcg_explorer.reading.limits import LONGEST_STILL, MOST_AT_ONCE, MOST_IN_HAND, MOST_OF_VISITOR
from sdcg_explorer.serving.protection import App, Message, Receive, Send, answer_in_words

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

TOO_MANY = (
    429,
    f"more than {MOST_AT_ONCE} on their way; a visitor has so many at once. Pack them as a zip.",
)
STILL = 408, f"nothing came for {LONGEST_STILL:g} s. Upload it again."
MOVED = 10_000  # bytes that count as some: less is no way to bring a file
LOOPBACK = "this machine"


class DroppedError(Exception):
    """An upload ends before it is whole; `status` and `words` say why."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


@dataclass(eq=False)
class Upload:
    """Bytes that came of a file so far, and what was waited for those after `moved`, in seconds."""

    came: int = 0
    moved: int = 0
    waited: float = 0.0

    async def next(self, receive: Receive) -> Message:
        """The next of it.

        Raises
        ------
        DroppedError : for too long there was none, or next to none
        """
        start = time.monotonic()
        try:
            async with asyncio.timeout(LONGEST_STILL - self.waited):
                message = await receive()
        except TimeoutError:
            raise DroppedError(*STILL) from None
        self.waited += time.monotonic() - start
        self.came += len(message.get("body", b""))
        if self.came - self.moved >= MOVED:
            self.moved, self.waited = self.came, 0.0
        return message


@dataclass
class Gate:
    """Which sessions show an uploader, whose they are, and what is on its way to them."""

    visitors: dict[str, str] = field(default_factory=dict[str, str])
    coming: dict[str, list[Upload]] = field(default_factory=dict[str, list[Upload]])
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

    def refusal(self, session: str, more: int | None, held: dict[str, int]) -> tuple[int, str]:
        """Status and words for so many bytes more, given what each session holds; 0 for none."""
        visitor = self.visitors.get(session)
        if visitor is None:
            return NO_UPLOADER
        if more is None:
            return NO_SIZE
        came = {each: sum(one.came for one in of) for each, of in self.coming.items()}
        has = {each: held.get(each, 0) + came.get(each, 0) for each in {*held, *came}}
        own = [each for each in has if self.visitors.get(each, each) == visitor]
        if sum(has[each] for each in own) + more > MOST_OF_VISITOR:
            return OWN_TOO_MUCH
        if sum(len(self.coming.get(each, ())) for each in own) > MOST_AT_ONCE:
            return TOO_MANY
        return ALL_TOO_MUCH if sum(has.values()) + more > MOST_IN_HAND else (0, "")

    @contextmanager
    def arriving(self, session: str) -> Iterator[Upload]:
        """Count an upload while it is on its way; all of this is on the server's one loop."""
        uploads = self.coming.setdefault(session, [])
        uploads.append(upload := Upload())
        try:
            yield upload
        finally:
            uploads.remove(upload)
            if not uploads:
                self.coming.pop(session, None)


GATE = Gate()


def visitor() -> str:
    """Whom a session's uploads count for: an address, whoever is behind it."""
    return block_of(st.context.ip_address or "")


def block_of(address: str) -> str:
    """The address that a visitor has alone: of version 6 a network, which has 2 ** 64.

    >>> block_of("2001:db8::7") == block_of("2001:db8:0:0:8::9") != block_of("2001:db8:1::7")
    True
    >>> block_of("::ffff:192.0.2.7"), block_of("")
    ('192.0.2.7', 'this machine')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:  # Streamlit names none for a browser on this machine
        return address or LOOPBACK
    if known.version == 4:
        return str(known)
    own = known.ipv4_mapped
    return str(own or ipaddress.ip_network((known, 64), strict=False))


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
        try:
            with GATE.arriving(session) as upload:
                self._check(session, _size(scope) if self.bounded else 0)

                async def counted() -> Message:
                    message = await upload.next(receive)
                    self._check(session, 0)
                    return message

                await self.app(scope, counted if self.bounded else receive, send)
        except ClientDisconnect:  # whoever sent it has gone, and waits for no answer
            return
        except DroppedError as dropped:
            # the connection goes with what is still on its way
            close = (b"connection", b"close")
            await answer_in_words(send, dropped.status, f"upload: {dropped.words}", close)

    def _check(self, session: str, more: int | None) -> None:
        held = held_by_session() if self.bounded else {}
        status, words = GATE.refusal(session, more, held)
        if status:
            raise DroppedError(status, words)


def _size(scope: Message) -> int | None:
    """Bytes that a request announces; None where it doesn't, or comes in chunks all the same."""
    if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return None
    sizes = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(sizes[0]) if sizes and sizes[0].isdigit() else None
