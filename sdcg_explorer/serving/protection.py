"""What stands before the app: who may ask at all, and what browsers are told to refuse.

A layer of ASGI: each request passes here before Streamlit sees it. `server.allowedHosts` is the one
list of names, of which Streamlit itself asks its websocket alone.
"""

import base64
import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

import streamlit
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

COOKIE = "sdcg_visitor"


def is_secret(text: object) -> bool:
    """Whether a text may be a secret, or the key of a study."""
    return isinstance(text, str) and bool(re.fullmatch(r"[\w-]{20,64}", text, re.ASCII))


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


def hashes(page: str) -> str:
    """The scripts that a page has within itself, as a policy names them."""
    inline = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    sums = (base64.b64encode(hashlib.sha256(each.encode()).digest()) for each in inline)
    return " ".join(f"'sha256-{each.decode()}'" for each in sums)


FRONT = Path(streamlit.__file__).with_name("static") / "index.html"
# Plotly and components are modules from blob: and styles of elements; nothing comes from elsewhere
CONTENT = "; ".join(
    [
        "default-src 'self'",
        f"script-src 'self' 'unsafe-eval' blob: {hashes(FRONT.read_text(encoding='utf-8'))}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": CONTENT,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
WRONG_HOST = (
    "This server does not answer to the name in the address. Use http://127.0.0.1 and its port on "
    "the same machine, or start it with --host and the name that visitors type."
)
WRONG_ORIGIN = "Another site asked for this. Open the app itself."
METRICS = "/_stcore/metrics"  # how many visitors there are, and what caches hold
FORWARDED = {"forwarded", "x-forwarded-for", "x-forwarded-proto", "x-real-ip", "via"}
NOT_HERE = "Only the server's own machine may ask for this, at 127.0.0.1 and without a proxy."
BETWEEN = "; "  # headers of one name, as of cookies
KEPT_FOR = 180 * 86_400  # seconds: a visitor is known for half a year after the first visit


class ProtectedApp:
    """The app behind the checks; `visitors` are given a secret each, where there are several."""

    def __init__(self, app: App, *, visitors: bool) -> None:
        self.app, self.visitors = app, visitors

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in a line."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers_by_name(scope)
        answer = _send_with_security_headers(send, self._new_visitor_cookie(scope, headers))
        if refused := refusal(scope, headers):
            await _refuse(scope, receive, answer, *refused)
        else:
            await self.app(scope, receive, answer)

    def _new_visitor_cookie(self, scope: Message, headers: dict[str, str]) -> str:
        """A secret for a visitor who has none yet; empty for others."""
        if not self.visitors or visitor_secret(headers.get("cookie", "")):
            return ""
        secure = "; Secure" if scope["scheme"] in ("https", "wss") else ""
        value = secrets.token_urlsafe(24)
        return f"{COOKIE}={value}; Path=/; Max-Age={KEPT_FOR}; HttpOnly; SameSite=Lax{secure}"


def visitor_secret(cookies: str) -> str:
    """The visitor's secret in a header of cookies; empty where none can be read."""
    try:
        found = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found and is_secret(found.value) else ""


def refusal(scope: Message, headers: dict[str, str]) -> tuple[int, str] | None:
    """Status and words for a request under a foreign name, or from another site; None for ours."""
    host, origin = headers.get("host"), headers.get("origin")
    if not is_host_allowed(host) or BETWEEN in str(host):
        return 400, WRONG_HOST
    if METRICS in scope["path"] and not _asks_here(scope, headers):
        return 403, NOT_HERE
    acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
    if acts and origin is not None and origin.partition("://")[2] != host:
        return 403, WRONG_ORIGIN
    return None


def _headers_by_name(scope: Message) -> dict[str, str]:
    """Headers by name; several of one name as one text, which no host and no origin is."""
    headers: dict[str, str] = {}
    for name, value in ((n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"]):
        headers[name] = f"{headers[name]}{BETWEEN}{value}" if name in headers else value
    return headers


def _asks_here(scope: Message, headers: dict[str, str]) -> bool:
    """Whether a request comes from this machine itself, and through no proxy that says so."""
    address = scope.get("client") or ("",)
    return address[0] in ("127.0.0.1", "::1") and not {*headers} & FORWARDED


def _send_with_security_headers(send: Send, cookie: str) -> Send:
    """Send an answer with our headers; the cookie goes with pages alone."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name.encode() for name in HEADERS}
            given = [
                (name, value) for name, value in message.get("headers", ()) if name not in ours
            ]
            given += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            if cookie and (b"content-type", b"text/html; charset=utf-8") in given:
                given.append((b"set-cookie", cookie.encode()))
            message["headers"] = given
        await send(message)

    return sending


async def _refuse(scope: Message, receive: Receive, send: Send, status: int, words: str) -> None:
    """Refuse a request before the app hears of it."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": words[:120]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{words}\n".encode()})
