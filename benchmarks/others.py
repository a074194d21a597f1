"""One visitor's slider while another uploads a log of 190 MB: with and without processes apart.

Both visitors are sessions without a browser, which would take the processor from the server.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from types import TracebackType
from typing import Any
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from benchmarks.studies import write_log
from tests.support.server import serving

ROWS = 1_950_000
WORDS = "words of a query that says what it is after"
ALONE = 30  # moves without anybody else
LONGEST = 600.0  # seconds
BOUNDARY = "a-boundary-that-no-log-has"


class Session:
    """A visit to a page, without a browser."""

    def __init__(self, address: str, page: str, query: str = "") -> None:
        self.address, self.page, self.query, self.id = address, page, query, ""
        self.values: dict[str, Any] = {}
        self.widgets: dict[str, str] = {}  # by their keys
        self.seen: set[str] = set()
        with urllib.request.urlopen(f"{address}/_stcore/health") as answer:
            self.token = re.findall("_streamlit_xsrf=([^;]+)", str(answer.headers))[0]
        self.cookie = {"Cookie": f"_streamlit_xsrf={self.token}"}
        place = address.replace("http", "ws") + "/_stcore/stream"
        kinds: Any = ["streamlit", self.token]
        more: Any = {"additional_headers": self.cookie, "origin": address, "max_size": None}
        self.left = ExitStack()
        self.socket = self.left.enter_context(connect(place, subprotocols=kinds, **more))

    def __enter__(self) -> Session:
        self.run()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.left.close()

    def run(self) -> float:
        """Run the page with the values of its widgets; seconds until it has ended."""
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.page_name = self.page
        for widget, value in self.values.items():
            state = asked.rerun_script.widget_states.widgets.add()
            state.id = widget
            if isinstance(value, float):
                state.double_array_value.data.append(value)
            else:
                state.file_uploader_state_value.CopyFrom(value)
        start = time.perf_counter()
        self.socket.send(asked.SerializeToString())
        self._until_done()
        return time.perf_counter() - start

    def _until_done(self) -> None:
        begun, self.seen = False, set()
        while True:
            message = ForwardMsg()
            message.ParseFromString(self.socket.recv(timeout=LONGEST))  # type: ignore[arg-type]
            kind = message.WhichOneof("type")
            if kind == "new_session":
                begun = True
                self.id = message.new_session.initialize.session_id
            elif kind == "delta":
                self._notice(message.delta.new_element)
            elif kind == "script_finished" and begun and message.script_finished == 0:
                return

    def _notice(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind in ("slider", "file_uploader", "button"):
            key = getattr(element, kind).id.rpartition("-")[2]
            self.seen.add(key)
            self.widgets[key] = getattr(element, kind).id

    def put(self, file: Path) -> tuple[int, str]:
        """Upload a file; the answer's status, and the file's id."""
        named = f'Content-Disposition: form-data; name="f"; filename="{file.name}"\r\n'
        head = f"--{BOUNDARY}\r\n{named}Content-Type: text/csv\r\n\r\n".encode()
        body = head + file.read_bytes() + f"\r\n--{BOUNDARY}--\r\n".encode()
        place = f"{self.address}/_stcore/upload_file/{self.id}/{(own := str(uuid4()))}"
        kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        headers = {**self.cookie, **kind, "X-Xsrftoken": self.token}
        request = urllib.request.Request(place, body, headers, method="PUT")
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, own
        except urllib.error.HTTPError as refused:
            return refused.code, own

    def upload(self, files: tuple[Path, ...], to: str) -> bool:
        """Drop files on the page; whether they can be accepted afterwards."""
        state = BackMsg().rerun_script.widget_states.widgets.add().file_uploader_state_value
        for file in files:
            status, own = self.put(file)
            if status != 204:
                raise RuntimeError(f"{file.name}: {status}")
            known = state.uploaded_file_info.add(
                file_id=own, name=file.name, size=file.stat().st_size
            )
            known.file_urls.file_id = own
        self.values[self.widgets[to]] = state
        self.run()
        return "accept" in self.seen


def bench_others() -> None:
    """Print how long a slider takes alone, and while the server reads another's upload."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_log(Path(folder), ROWS, words=WORDS)
        print(f"log of {files[0].stat().st_size / 1e6:.0f} MB, {ROWS:,} results", flush=True)
        for count in ("0", "2"):
            with _workers(count), serving("--ephemeral") as address:
                _bench(f"{count} processes apart", address, files)


@contextmanager
def _workers(count: str) -> Iterator[None]:
    before = os.environ.get("SDCG_WORKERS")
    os.environ["SDCG_WORKERS"] = count
    try:
        yield
    finally:
        os.environ.pop("SDCG_WORKERS")
        if before is not None:
            os.environ["SDCG_WORKERS"] = before


def _bench(words: str, address: str, files: tuple[Path, ...]) -> None:
    done = list[tuple[bool, float]]()

    def upload() -> None:
        with Session(address, "data") as other:
            start = time.perf_counter()
            done.append((other.upload(files, "files"), time.perf_counter() - start))

    with Session(address, "query_order", "b=3") as one:
        for _ in range(3):
            _moved(one, 0)  # what is imported at first
        _print(f"{words}, alone", [_moved(one, i) for i in range(ALONE)])
        thread, times = threading.Thread(target=upload), list[float]()
        thread.start()
        while thread.is_alive():
            times.append(_moved(one, len(times)))
            time.sleep(0.2)
        thread.join()
    read = "; ".join(f"{'read' if well else 'not read'} after {took:.0f} s" for well, took in done)
    _print(f"{words}, beside an upload ({read or 'failed'})", times)


def _moved(session: Session, i: int) -> float:
    """Milliseconds that the page takes once b is another."""
    session.values[session.widgets["b_slider"]] = 2.1 + (i % 70) / 10
    return 1e3 * session.run()


def _print(words: str, times: list[float]) -> None:
    high = quantiles(times, n=20)[-1]
    print(
        f"{words}: median {median(times):.0f} ms, 95th percentile {high:.0f}, "
        f"longest {max(times):.0f} ({len(times)} moves)",
        flush=True,
    )


if __name__ == "__main__":
    bench_others()
