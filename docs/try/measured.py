"""Times of the page without a server, opened with an empty cache: `python -m docs.try.measured`."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.server import browsing

BUILT = Path(__file__).parents[2] / "build" / "try"
SAMPLE = "ecir2008"
SEEN = {
    "first figure": "#figure .main-svg",
    "report": "[download='report.html']",
    "scores": "[download='scores.zip']",
}


class Line:
    """A line of so many Mbit a second, which all answers share; 0 is as fast as it goes."""

    def __init__(self, speed: float) -> None:
        self.speed, self.sent, self._free = speed, 0, 0.0
        self._one = threading.Lock()

    def send(self, size: int) -> None:
        """Wait until so many bytes are through."""
        with self._one:
            self.sent += size
            if not self.speed:
                return
            now = time.monotonic()
            self._free = max(self._free, now) + size * 8 / self.speed / 1e6
            wait = self._free - now
        time.sleep(wait)


class Files(SimpleHTTPRequestHandler):
    """Hands out files over a line, and writes no line of text for each."""

    def __init__(self, *args: Any, line: Line, **named: Any) -> None:
        self.line = line
        super().__init__(*args, **named)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, piece by piece."""
        while piece := source.read(1 << 16):
            self.line.send(len(piece))
            outputfile.write(piece)


@contextmanager
def site(line: Line) -> Iterator[str]:
    """The address of the page as it was built."""
    handler = partial(Files, directory=str(BUILT), line=line)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def measure(speed: float) -> None:
    """Print when each thing stands, in seconds after the sample is chosen, and what was sent."""
    line = Line(speed)
    with site(line) as address, browsing() as browser:
        page = browser.new_page()
        page.goto(address)
        begun = time.monotonic()
        page.click(f"[data-sample={SAMPLE}]")
        for name, seen in SEEN.items():
            found = "selector => document.querySelector(selector)"
            page.wait_for_function(found, arg=seen, polling=50, timeout=600_000)
            passed, sent = time.monotonic() - begun, line.sent / 1e6
            sys.stdout.write(f"{name}: {passed:.1f} s, {sent:.1f} MB sent\n")


if __name__ == "__main__":
    measure(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
