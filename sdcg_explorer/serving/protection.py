"""What stands before the app: who may ask at all, and what browsers are told to refuse.

A layer of ASGI: each request passes here before Streamlit sees it. `server.allowedHosts` is the one
list of names, of which Streamlit itself asks its websocket alone.
"""

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

COOKIE = "sdcg_visitor"


def is_secret(text: object) -> bool:
    """Whether a text may be a secret, or the key of a study."""
    return isinstance(text, str) and bool(re.fullmatch(r"[\w-]{20,64}", text, re.ASCII))


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

    def __init__(self, app: ASGIApp, *, visitors: bool) -> None:
        self.app, self.visitors = app, visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in a line."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope)  # several of one name are a text that no host and no origin is
        headers = {name: BETWEEN.join(given.getlist(name)) for name in given}
        cookie = ""
        if self.visitors and not visitor_secret(headers.get("cookie", "")):  # who has none yet
            secure = "; Secure" if scope["scheme"] in ("https", "wss") else ""
            ends = f"Path=/; Max-Age={KEPT_FOR}; HttpOnly; SameSite=Lax{secure}"
            cookie = f"{COOKIE}={secrets.token_urlsafe(24)}; {ends}"

        async def answer(message: Message) -> None:
            """Send with our headers; the cookie goes with pages alone."""
            if message["type"] == "http.response.start":
                ours = MutableHeaders(scope=message)
                ours.update(HEADERS)
                if cookie and ours.get("content-type") == "text/html; charset=utf-8":
                    ours.append("set-cookie", cookie)
            await send(message)

        refused, app = refusal(scope, headers), self.app
        if refused and scope["type"] == "http":
            app = PlainTextResponse(f"{refused[1]}\n", refused[0])
        elif refused:
            await receive()
            app = WebSocketClose(1008, refused[1][:120])
        await app(scope, receive, answer)


def visitor_secret(cookies: str) -> str:
    """The visitor's secret in a header of cookies; empty where none can be read."""
    found = cookie_parser(cookies).get(COOKIE, "")
    return found if is_secret(found) else ""


def refusal(scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
    """Status and words for a request under a foreign name, or from another site; None for ours."""
    host, origin = headers.get("host"), headers.get("origin")
    if not is_host_allowed(host) or BETWEEN in str(host):
        return 400, WRONG_HOST
    client, *_ = scope.get("client") or ("",)
    is_here = client in ("127.0.0.1", "::1") and not {*headers} & FORWARDED
    if METRICS in scope["path"] and not is_here:
        return 403, NOT_HERE
    acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
    if acts and origin is not None and origin.partition("://")[2] != host:
        return 403, WRONG_ORIGIN
    return None
