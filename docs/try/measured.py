"""Times of the page without a server, opened with an empty cache: `python -m docs.try.measured`."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support.server import browsing

BUILT = Path(__file__).parents[2] / "build" / "try"
SAMPLE = "ecir2008"
SEEN = {
    "first figure": "#figure .main-svg",
    "report": "[download='report.html']",
    "scores": "[download='scores.zip']",
}


class Files(SimpleHTTPRequestHandler):
    """Hands out files, and writes no line of text for each."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def site() -> Iterator[str]:
    """The address of the page as it was built."""
    handler = partial(Files, directory=str(BUILT))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def measure() -> None:
    """Print when each thing stands, in seconds after the sample is chosen."""
    with site() as address, browsing() as browser:
        page = browser.new_page()
        page.goto(address)
        begun = time.monotonic()
        page.click(f"[data-sample={SAMPLE}]")
        for name, seen in SEEN.items():
            found = "selector => document.querySelector(selector)"
            page.wait_for_function(found, arg=seen, polling=50, timeout=600_000)
            sys.stdout.write(f"{name}: {time.monotonic() - begun:.1f} s\n")


if __name__ == "__main__":
    measure()
