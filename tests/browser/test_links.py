"""The link to a view, in a real browser: copied on every page, it opens the same elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.parts.library import fixed
from tests.support.server import LINKS, PAGES, redrawn, turn_to, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

VIEW = "b=3&bq=7&w3=50&systems=System+2&topics=A&topics=B"
PLACES = tuple(PAGES.values())
INSECURE = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


@pytest.fixture(scope="module")
def clipboard(desk: BrowserContext) -> BrowserContext:
    desk.grant_permissions(["clipboard-read", "clipboard-write"])
    return desk


def copied(page: Page) -> str:
    """What the button copies; while a page is drawn a click may be lost."""
    press(page)
    return page.evaluate("navigator.clipboard.readText()")


def press(page: Page) -> None:
    from playwright.sync_api import TimeoutError as TooLate

    for attempt in range(4):
        page.get_by_role("button", name="Copy link to this view").click()
        try:
            said = page.get_by_role("status").get_by_text("Copied", exact=True)
            said.wait_for(timeout=3_000)
            return
        except TooLate:
            if attempt == 3:
                raise


def test_link_of_every_page_is_its_address(clipboard: BrowserContext, address: str) -> None:
    with visiting(clipboard, f"{address}/?{VIEW}") as page:
        links = [copied(page)]
        for name in LINKS[1:]:
            turn_to(page, name)
            links.append(copied(page))
            assert links[-1] == page.url
        page.get_by_role("link", name="Data", exact=True).first.click()
        page.get_by_text("This study").wait_for()
        links.append(copied(page))
    assert [urlsplit(link).path for link in links] == [f"/{place}" for place in (*PLACES, "data")]
    for link in links:
        assert {("study", next(iter(fixed()))), *parse_qsl(VIEW)} <= {
            *parse_qsl(urlsplit(link).query)
        }


def test_link_holds_what_was_chosen_on_the_page(clipboard: BrowserContext, address: str) -> None:
    with visiting(clipboard, f"{address}/query_order?{VIEW}") as page:
        with redrawn(page, "Figure 1."):
            page.get_by_text("best", exact=True).click()
        assert "split=best" in copied(page)


def test_link_is_copied_where_the_browser_keeps_its_clipboard(
    clipboard: BrowserContext, address: str
) -> None:
    with visiting(clipboard, f"{address}/?{VIEW}") as page:
        before = copied(page)
        page.goto(f"{address}/by_hand?b=5")
        wait_ready(page)
        page.evaluate(INSECURE)
        page.wait_for_timeout(4_500)  # what was said of the first copy is gone
        press(page)
        now = page.url
        page.reload()
        wait_ready(page)
        assert page.evaluate("navigator.clipboard.readText()") == now != before
