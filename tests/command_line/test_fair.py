"""A server for several, and visitors who want more than their share of it."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.soak.greedy import IDLE, SESSIONS, begun
from benchmarks.visit import Session
from sdcg_explorer.reading.limits import MOST_OF_VISITOR
from tests.support.plain_files import written
from tests.support.server import serving
from tests.support.tables import GRADED, TABLE

MB = 1_000_000


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
