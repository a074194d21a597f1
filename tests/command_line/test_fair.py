"""A server for several, and visitors who want more than their share of it."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from sdcg_explorer.reading.limits import MOST_OF_VISITOR
from tests.support.plain_files import written
from tests.support.server import serving
from tests.support.tables import GRADED, TABLE
from tests.support.visit import Session

MB = 1_000_000
IDLE, SESSIONS = 4, 4  # connections of each of so many sessions, at an address each
ANNOUNCED = 62_000_000  # bytes that each of them says will come


def begun(visitor: Session, stack: ExitStack) -> socket.socket:
    """A connection that announces a large file and sends its first 200 bytes."""
    at = urlsplit(visitor.address)
    connection = socket.create_connection((str(at.hostname), int(at.port or 80)))
    stack.enter_context(connection)
    headers = {
        **{"Host": at.netloc, "Content-Length": f"{ANNOUNCED}", "X-Xsrftoken": visitor.token},
        **{"Content-Type": "multipart/form-data; boundary=b", **visitor.cookie},
    }
    lines = [f"PUT /_stcore/upload_file/{visitor.id}/{uuid4()} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, "", ""]).encode()
    connection.sendall(head + b"--b\r\n" + b"x" * 195)
    return connection


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("--ephemeral") as found:
        yield found


def announced(visitor: Session, size: int) -> int:
    """Status of an upload that announces so many bytes, and sends none."""
    at = urlsplit(visitor.address)
    asked = http.client.HTTPConnection(str(at.hostname), at.port, timeout=1)
    headers = {**visitor.cookie, "X-Xsrftoken": visitor.token, "Content-Length": f"{size}"}
    headers["Content-Type"] = "multipart/form-data; boundary=b"
    asked.request("PUT", f"/_stcore/upload_file/{visitor.id}/file", headers=headers)
    try:
        return asked.getresponse().status
    except TimeoutError:  # it is let in, and waited for
        return 0
    finally:
        asked.close()


def test_idle_uploads_of_some_hold_up_nobody(address: str, tmp_path: Path) -> None:
    files = written(tmp_path, log_csv=TABLE, judgments_csv=GRADED)
    with ExitStack() as stack:
        for i in range(SESSIONS):
            idle = stack.enter_context(Session(address, "data", seen_as=f"203.0.113.{i}"))
            for _ in range(IDLE):
                begun(idle, stack)
        other = stack.enter_context(Session(address, "data", seen_as="198.51.100.7"))
        assert other.upload(tuple(files.values()), "files")


def test_behind_a_proxy_a_visitor_is_the_address_that_it_tells(
    address: str, tmp_path: Path
) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(b"x" * (150 * MB))
    with ExitStack() as stack:
        told = ("203.0.113.50", "203.0.113.50", "203.0.113.51", "")
        one, same, *others = (
            stack.enter_context(Session(address, "data", seen_as=seen_as)) for seen_as in told
        )
        assert [one.put(large)[0] for _ in range(2)] == [204, 204]
        assert announced(same, MOST_OF_VISITOR - 290 * MB) == 413
        assert [announced(other, MOST_OF_VISITOR - 290 * MB) for other in others] == [0, 0]
