"""The wall in a browser: a session is found and opened, by mouse and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.accessibility import PHONE, serious, switch
from tests.support.server import redrawn, visiting, wait_ready
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

WALL = ".st-key-wall"
TIP = "#sdcg-tip"


def rows(page: Page) -> Locator:
    return page.locator(f"{WALL} tbody tr")


def opened(page: Page, session: str) -> Locator:
    """The heading of the session that is looked into, and its mark in the wall."""
    heading = page.get_by_role("heading", name=f"{session}, System")
    heading.wait_for()
    page.wait_for_selector(f"{WALL} tr[aria-selected=true] >> text={session}")
    return heading


def only(page: Page, words: str) -> None:
    """Choose what is shown, under Options."""
    page.get_by_role("button", name="Options").click()
    with redrawn(page, "Figure 4."):
        page.get_by_role("radio", name=words, exact=True).click()
    page.keyboard.press("Escape")


def is_right_of(page: Page, heading: Locator) -> bool:
    wall, box = page.locator(f"{WALL} .wall").first.bounding_box(), heading.bounding_box()
    assert wall is not None
    assert box is not None
    return box["x"] >= wall["x"] + wall["width"]


def test_the_session_that_gave_up_is_found_and_opened(desk: BrowserContext, address: str) -> None:
    with visiting(desk, f"{address}/individual_sessions") as page:
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        assert rows(page).count() == 120
        only(page, "gave up after a first success")
        until(lambda: rows(page).count() == 1, "one session")
        rows(page).first.click()
        heading = opened(page, "S034")
        assert "session=S034" in page.url
        assert "only=gave" in page.url
        assert is_right_of(page, heading)
        page.locator(f"{WALL} tbody td.c").last.hover()
        until(lambda: page.locator(TIP).inner_text() != "", "the query's text")
        said = page.locator(TIP).inner_text().splitlines()
        assert said[0] == "S034, query 2"
        assert said[1].startswith("“")
        assert said[2] == "dcg 0, 0 new relevant, 10 results in the top 10"
        wait_ready(page)
        assert serious(page) == []
        by_keyboard(page)
        page.set_viewport_size(PHONE)
        switch(page, "dark")
        until(lambda: not is_right_of(page, page.get_by_role("heading", name="worth 0")), "beneath")
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= innerWidth")
        assert serious(page, "color-contrast", "aria-required-children", "aria-allowed-attr") == []
        assert faults == []


def by_keyboard(page: Page) -> None:
    """Keys go through rows and queries, Enter opens; drawn anew, the row is in sight."""
    only(page, "gained nothing")
    until(lambda: rows(page).count() == 16, "those that gained nothing")
    names = rows(page).locator("th").all_inner_texts()
    rows(page).first.focus()
    for key in ("End", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    said = page.locator(TIP)
    until(lambda: said.inner_text().startswith(f"{names[-2]}, query 1"), "the query's text")
    page.keyboard.press("Enter")
    opened(page, names[-2])
    only(page, "all")
    box = page.locator(f"{WALL} .wall").first
    until(lambda: box.evaluate("box => box.scrollTop") > 0, "the chosen session in sight")
    assert page.locator(f"{WALL} tr[aria-selected=true] th").inner_text() == names[-2]
