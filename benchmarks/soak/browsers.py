"""Visitors in a real browser, beside those without: what only a page's own scripts may ask for."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks.soak.part import Part
from tests.support.server import LINKS, PAGES, browsing, redrawn, turn_to, visiting, wait_ready
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

IN_BROWSERS = 2
PAUSE = 2.0  # seconds, in which each of the two looks at its page
FIGURES = {"Query order": "Figure 1.", "Session curves": "Session curves."}
FAULTY = "[data-testid=stException], [data-testid=stAlertContentError]"
LOW, HIGH = 4.0, 6.0  # values of b between which arrow keys go


def browse(address: str, end: float, part: Part, note: Callable[[str, float], None]) -> None:
    """Two visitors, each in a context of its own, who act in turn until the time is up."""
    chance = Random(IN_BROWSERS)
    with browsing() as browser, ExitStack() as stack:
        pages = [stack.enter_context(visiting(browser, address)) for _ in range(IN_BROWSERS)]
        for page in pages:
            page.on("pageerror", lambda fault: part.blame(f"in a browser: {fault}"))
        while time.monotonic() < end:
            for page in pages:
                page.wait_for_timeout(1000 * PAUSE)
                _act(page, chance, part, note)


def _act(page: Page, chance: Random, part: Part, note: Callable[[str, float], None]) -> None:
    from playwright.sync_api import Error

    act = chance.choices((_move, _turn, _reload), (75, 20, 5))[0]
    start = time.perf_counter()
    try:
        what = act(page, chance)
        note(what, time.perf_counter() - start)
        for fault in page.locator(FAULTY).all_inner_texts():
            part.blame(f"in a browser: {fault}")
    except Error as fault:
        part.blame(f"in a browser: {fault.message}")


def _move(page: Page, chance: Random) -> str:
    """Press an arrow key on b, and wait for the server's figure; on a page that has another, go."""
    if _title(page) not in FIGURES:
        return _turn(page, chance, tuple(FIGURES))
    slider = page.get_by_role("slider", name="b, rank").first
    slider.focus()
    value = float(slider.get_attribute("aria-valuetext") or "")
    with redrawn(page, FIGURES[_title(page)]):
        page.keyboard.press("ArrowRight" if value < chance.uniform(LOW, HIGH) else "ArrowLeft")
    return "slider moved"


def _turn(page: Page, chance: Random, titles: tuple[str, ...] = LINKS) -> str:
    turn_to(page, chance.choice([title for title in titles if title != _title(page)]))
    return "page turned"


def _reload(page: Page, _: Random) -> str:
    page.reload(timeout=1000 * PATIENCE)
    wait_ready(page)
    return "page opened"


def _title(page: Page) -> str:
    """The page's title in the bar; the first stands at the address itself."""
    place = urlsplit(page.url).path.strip("/")
    return dict(zip(PAGES.values(), LINKS, strict=True))[place]
