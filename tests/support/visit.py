"""A visit to a page without a browser, which would take the processor from the server."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

LONGEST = 600.0  # seconds
BOUNDARY = "a-boundary-that-no-log-has"
ENDED = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


class Session:
    """A visit to a page: its widgets, and the values that they get.

    `seen_as` is the address that a proxy would tell of the visitor.
    """

    longest = LONGEST

    def __init__(self, address: str, page: str, query: str = "", *, seen_as: str = "") -> None:
        self.address, self.page, self.query, self.id = address, page, query, ""
        self.received = 0  # bytes
        self.values: dict[str, Any] = {}
        self.widgets: dict[str, str] = {}  # by their keys
        self.seen: set[str] = set()
        with urllib.request.urlopen(f"{address}/_stcore/health") as answer:
            self.token = re.findall("_streamlit_xsrf=([^;]+)", str(answer.headers))[0]
        self.cookie = {"Cookie": f"_streamlit_xsrf={self.token}"}
        if seen_as:
            self.cookie["X-Forwarded-For"] = seen_as
        place = address.replace("http", "ws") + "/_stcore/stream"
        kinds: Any = ["streamlit", self.token]
        more: Any = {"additional_headers": self.cookie, "origin": address, "max_size": None}
        self.left = ExitStack()
        self.socket = self.left.enter_context(connect(place, subprotocols=kinds, **more))

    def __enter__(self) -> Self:
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
        asked = self.asked()
        start = time.perf_counter()
        self.socket.send(asked.SerializeToString())
        self._until_done()
        return time.perf_counter() - start

    def asked(self) -> BackMsg:
        """What a browser would send for this page and these values."""
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.page_name = self.page
        for widget, value in self.values.items():
            state = asked.rerun_script.widget_states.widgets.add()
            state.id = widget
            if isinstance(value, str):
                state.string_array_value.data.append(value)
            else:
                state.file_uploader_state_value.CopyFrom(value)
        return asked

    def _until_done(self) -> None:
        begun, self.seen = False, set()
        while True:
            message = self.next(self.longest)
            kind = message.WhichOneof("type")
            begun = begun or kind == "new_session"
            self.hear(kind or "", message)
            if kind == "script_finished" and begun and message.script_finished in ENDED:
                return

    def next(self, longest: float) -> ForwardMsg:
        """The next message, if it comes in time."""
        message, said = ForwardMsg(), self.socket.recv(timeout=longest, decode=False)
        message.ParseFromString(said)
        self.received += len(said)
        return message

    def hear(self, kind: str, message: ForwardMsg) -> None:
        """Keep what a message of the server says."""
        if kind == "new_session":
            self.id = message.new_session.initialize.session_id
        elif kind == "delta":
            element = message.delta.new_element
            widget = element.WhichOneof("type")
            if widget in ("slider", "file_uploader", "button"):
                key = getattr(element, widget).id.rpartition("-")[2]
                self.seen.add(key)
                self.widgets[key] = getattr(element, widget).id

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
