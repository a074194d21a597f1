"""A visit to a page without a browser, which would take the processor from the server."""

import re
import time
import urllib.request
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ENDED = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


class Session:
    """A visit to a page: its sliders, and the values that they get."""

    longest = 600.0  # seconds

    def __init__(self, address: str, page: str, query: str = "") -> None:
        self.page, self.query = page, query
        self.values: dict[str, str] = {}
        self.widgets: dict[str, str] = {}  # by their keys
        with urllib.request.urlopen(f"{address}/_stcore/health") as answer:
            token = re.findall("_streamlit_xsrf=([^;]+)", str(answer.headers))[0]
        cookie = {"Cookie": f"_streamlit_xsrf={token}"}
        place = address.replace("http", "ws") + "/_stcore/stream"
        kinds: Any = ["streamlit", token]
        more: Any = {"additional_headers": cookie, "origin": address, "max_size": None}
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
        self.until_done()
        return time.perf_counter() - start

    def asked(self) -> BackMsg:
        """What a browser would send for this page and these values."""
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.page_name = self.page
        for widget, value in self.values.items():
            state = asked.rerun_script.widget_states.widgets.add()
            state.id = widget
            state.string_array_value.data.append(value)
        return asked

    def until_done(self, *, begun: bool = False) -> None:
        """Until the run has ended that was asked for last, or that has begun."""
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
        return message

    def hear(self, kind: str, message: ForwardMsg) -> None:
        """Keep what a message of the server says."""
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "slider":
            widget = message.delta.new_element.slider.id
            self.widgets[widget.rpartition("-")[2]] = widget
