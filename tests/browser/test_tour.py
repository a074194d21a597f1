"""The tour in a real browser: it runs to its end, and leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.screen.tour import DOOR
from tests.support.accessibility import fits_the_phone, serious
from tests.support.server import visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PAGES = [
    *("overview", "query_order", "session_curves", "session_curves"),
    *("individual_sessions", "compare_systems"),
]
TURNED = 4


def wait_step(page: Page, number: int) -> None:
    """Wait until a step is there: its sentence, its page, and its definition in force."""
    page.get_by_text(f"Tour, {number} of {len(PAGES)}.").wait_for()
    question = question_of(PAGES[number - 1]).words
    page.get_by_role("heading", level=1, name=question, exact=True).wait_for()
    base = 100 if number == TURNED else 4
    page.get_by_text(f"by query 1/(1 + log_{base} q)").first.wait_for()
    page.get_by_text("log_2 r").first.wait_for()  # not the visitor's own
    wait_ready(page)


def walk(page: Page) -> None:
    """From the door to the last step by clicks."""
    page.get_by_role("link", name=DOOR).click()
    for number in range(1, len(PAGES) + 1):
        wait_step(page, number)
        assert f"tour={number}" in page.url
        assert ("bq=100" in page.url) == ("kept=" in page.url) == (number == TURNED)
        if number < len(PAGES):
            page.get_by_role("link", name="Next:").click()


def test_tour_runs_to_its_end_and_gives_the_visitors_own_back(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/?b=3&topics=A&topics=B") as page:
        walk(page)
        assert serious(page) == []
        page.get_by_role("button", name="End the tour").click()
        page.get_by_text("Tour, ").wait_for(state="hidden")
        page.get_by_text("log_3 r").first.wait_for()  # the visitor's own is back
        assert "tour=" not in page.url
        assert "topics=A&topics=B" in page.url
        fits_the_phone(page)
