"""A real server and a real browser for tests and screenshots."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sdcg_explorer.questions.catalogue import QUESTIONS
from tests.support.waiting import PATIENCE, SOON, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize

Scheme = Literal["light", "dark"]

ROOT = Path(__file__).resolve().parents[2]
# Data, which tests wait for, and Ratings only where something calls for one
_DRAWN = [q for q in QUESTIONS if q.name not in ("ratings", "data")]
PAGES = {q.name: "" if q is QUESTIONS[0] else q.name for q in _DRAWN}
OF_STUDY = tuple(question.name for question in QUESTIONS if question.answer)
LINKS = tuple(question.title for question in _DRAWN)
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
ANSWER = "[data-testid=stMain] h2"
# names and values of a figure's traces as text, to read and to compare inside the page
TRACES = """alternative => {
    const figure = document.querySelector(`[role=figure][aria-label^="${alternative}"]`);
    const plot = figure?.querySelector('.js-plotly-plot');
    return plot?._fullData ? JSON.stringify(plot._fullData.map(t => [t.name, [...t.y]])) : null;
}"""
WIDE: ViewportSize = {"width": 1280, "height": 800}
# a container runs as root and has no GPU; the rest keeps Chromium from asking the network itself
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--process-per-site",  # pages of one context share what their process has compiled
    # what runs a few times is run sooner than it is compiled well
    "--js-flags=--no-opt,--always-sparkplug",
]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def is_healthy(address: str) -> bool:
    """Whether the server answers."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=SOON) as answer:
            return answer.status == 200
    except OSError:  # it may listen before it answers
        return False


@contextmanager
def serving(*options: str, port: int = 0) -> Iterator[str]:
    """Address of `sdcg app`; the server ends with the block.

    It listens on a free port, or on the one of a server that ended, at whose address it stands.
    """
    port = port or free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "sdcg_explorer", "app", "--port", str(port), *options]
    kept = {name: value for name, value in os.environ.items() if name != "SDCG_STUDY"}
    kept["STREAMLIT_SERVER_HEADLESS"] = "true"  # opens no window on a desk
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, cwd=ROOT, env=kept, stdout=said, stderr=said) as server,
    ):
        try:
            with suppress(AssertionError):
                until(lambda: is_healthy(address) or server.poll() is not None, "an answer")
            if not is_healthy(address):
                said.seek(0)
                raise RuntimeError(f"no server: {said.read().decode(errors='replace')}")
            yield address
        finally:
            server.kill()


def chromium_path() -> str | None:
    """The installed Chromium, or Chrome."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for found in map(shutil.which, names) if found), None)


def browser_missing() -> str:
    """Why no browser can be driven; empty where one can."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed"
    return "" if chromium_path() else "no Chromium or Chrome is installed"


@contextmanager
def browsing(*more: str) -> Iterator[Browser]:
    """The installed Chromium, headless, with more of its arguments."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=[*ARGUMENTS, *more])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def sitting(browser: Browser) -> Iterator[BrowserContext]:
    """A browser context whose pages all live in one process.

    An empty page of the site holds it, so that the app's scripts are compiled once: it is half
    of an opening's time.
    """
    with browser.new_context() as context:
        empty = context.new_page()
        empty.route("**/*", lambda route: route.fulfill(body=""))
        empty.goto("http://127.0.0.1/")
        yield context


@contextmanager
def visiting(
    place: Browser | BrowserContext, address: str, *, size: ViewportSize = WIDE, script: str = ""
) -> Iterator[Page]:
    """A page, opened and drawn; in a browser with a context of its own, else in the one given.

    A script of one's own runs before those of the page.
    """
    page = place.new_page()
    try:
        page.add_init_script(script)
        page.set_default_timeout(1000 * PATIENCE)
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        wait_ready(page)
        yield page
    finally:
        page.close()


def wait_ready(page: Page) -> None:
    """Wait until the page has its answer, the script rests and every chart is drawn."""
    page.wait_for_selector(ANSWER)
    page.wait_for_selector("[role=figure] .main-svg")
    page.wait_for_selector(READY)
    page.wait_for_function(
        """() => !document.querySelector('[data-testid=stMain] [data-testid=stSkeleton]')
            && [...document.querySelectorAll('[data-testid=stPlotlyChart]')]
                .every(chart => chart.querySelector('.main-svg'))
            && !document.querySelector('.st-key-slider_keys:not([style*=none])')"""
    )


def follow(page: Page, name: str) -> None:
    """Follow the link at the top to a page, which may stand in a group."""
    group = next(question.group for question in QUESTIONS if question.title == name)
    if group:
        page.get_by_role("navigation").get_by_role("button", name=group).click()
    role: Literal["menuitem", "link"] = "menuitem" if group else "link"
    page.get_by_role(role, name=name, exact=True).first.click()


def turn_to(page: Page, name: str) -> None:
    """Follow the link at the top to a page, unless it is open."""
    question = next(question for question in QUESTIONS if question.title == name)
    if page.locator("h1").inner_text() != question.words:
        follow(page, name)
    is_there = "asked => asked === document.querySelector('h1')?.innerText"
    page.wait_for_function(is_there, arg=question.words)
    wait_ready(page)


def unfold(box: Locator) -> None:
    """Open a list: at the window's edge, or while the page is drawn, it would fold at once."""
    box.page.wait_for_selector(READY)
    box.evaluate("box => box.scrollIntoView({block: 'center', behavior: 'instant'})")
    box.click()


def answer(page: Page) -> str:
    """The page's first line."""
    return page.locator(ANSWER).first.inner_text()


def lines(page: Page, alternative: str) -> dict[str, list[float]]:
    """Values by name of the traces of the figure whose text alternative begins so."""
    return dict(json.loads(page.evaluate(TRACES, alternative)))


@contextmanager
def redrawn(page: Page, alternative: str) -> Iterator[None]:
    """Do something, and wait until that figure shows other values."""
    before = page.evaluate(TRACES, alternative)
    yield
    page.wait_for_function(
        f"([alternative, before]) => ![null, before].includes(({TRACES})(alternative))",
        arg=[alternative, before],
    )
    wait_ready(page)
