"""Twelve systems with long names: two lines of answer, names whole and apart, lines that follow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.study.store import Store
from tests.browser.test_live import assert_equal, held, points, slider, until_moved
from tests.support.accessibility import PHONE, serious
from tests.support.many_systems import many_systems
from tests.support.plain_files import in_files
from tests.support.server import LINKS, turn_to, visiting, wait_ready
from tests.support.thorough import THOROUGH

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

FIGURE = "Session curves."
# where it begins; one model, one session, and what is printed, which name no system
WITHOUT = ("Session curves", "Fit", "By hand", "Paper")
SOME = ("Compare systems", "Query order")  # all in make soak
LINES = """() => {
    const answer = document.querySelector('[data-testid=stMain] h2')
    const texts = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT)
    const words = document.createRange()
    const bottoms = new Set()
    while (texts.nextNode()) {
        words.selectNodeContents(texts.currentNode)
        for (const box of words.getClientRects()) bottoms.add(Math.round(box.bottom))
    }
    return bottoms.size
}"""
# texts of figures that leave their figure, and pairs that lie over another: a text's box is half
# as high again as its letters
TANGLED = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot => {
    const frame = plot.getBoundingClientRect()
    const texts = [...plot.querySelectorAll('.main-svg text')]
        .filter(text => text.textContent.trim() && text.checkVisibility())
        .map(text => [text.textContent, text.getBoundingClientRect()])
    const cut = texts.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
        || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
    const over = texts.flatMap(([one, a], i) => texts.slice(i + 1)
        .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5)
        .map(([two]) => `${one} / ${two}`))
    return [...cut.map(([text]) => `cut: ${text}`), ...over]
})"""
SCROLLED = """() => {
    const room = document.querySelector('.st-key-figure_1_room')
    return [room.scrollWidth > room.clientWidth, document.body.scrollWidth <= innerWidth]
}"""


def test_twelve_long_names_are_read_on_every_page_and_their_lines_follow(
    desk: BrowserContext, address: str
) -> None:
    store = Store(Path(os.environ["SDCG_WORKSPACE"]))
    study = store.save(in_files(many_systems())).digest[:12]
    with visiting(desk, f"{address}/session_curves?study={study}&b=3") as page:
        held(page, slider(page, "result list (b)"), 20)
        dragged = until_moved(page, FIGURE)
        page.mouse.up()
        until_moved(page, FIGURE, "as drawn")
        wait_ready(page)
        assert_equal(dragged, points(page, FIGURE)[1], 1e-6)  # grey ones in single precision
        assert_read(page, "Session curves")
        for name in sorted(LINKS, key="Query order".__eq__):  # which is looked at further
            if name in SOME or (THOROUGH > 1 and name not in WITHOUT):
                turn_to(page, name)
                assert_read(page, name)
        assert serious(page) == []
        page.set_viewport_size(PHONE)
        page.wait_for_function(f"() => ({SCROLLED})().every(Boolean)")


def assert_read(page: Page, name: str) -> None:
    """The page's answer takes two lines at most, and the texts of its figures are whole."""
    assert 1 <= page.evaluate(LINES) <= 2, name
    assert page.evaluate(TANGLED) == [], name
