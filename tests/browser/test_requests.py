"""A server as it is started: under which names it answers, and to whom."""

import http.client
from contextlib import closing
from urllib.parse import urlsplit

from sdcg_explorer.serving.protection import COOKIE, HEADERS, WRONG_HOST
from tests.support.waiting import PATIENCE


def asked(
    address: str, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of a plain request."""
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)) as at:
        at.request(method, path, headers=headers)
        with at.getresponse() as answer:
            text = answer.read().decode(errors="replace")
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def test_foreign_names_and_sites_are_refused_and_answers_are_guarded(address: str) -> None:
    for path in ("/", "/_stcore/health", "/nowhere", "/static/js/none.js"):
        status, headers, text = asked(address, path, Host="evil.example")
        assert (status, text) == (400, f"{WRONG_HOST}\n")
        assert HEADERS.items() <= headers.items()
        status, headers, _ = asked(address, path)
        assert HEADERS.items() <= headers.items()
        assert COOKIE not in headers.get("set-cookie", "")  # one person needs no secret
    stream = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    stream |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    for foreign in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        assert asked(address, "/_stcore/stream", **stream, **foreign)[0] == 403
    put = asked(address, "/_stcore/upload_file/a/b", "PUT", Origin="http://evil.example")
    assert put[0] == 403
