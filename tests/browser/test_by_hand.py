"""By hand in a real browser: cards that move, by keys and by dragging."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support import accessibility, plain_by_hand, plain_loop, server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

FIGURE = "By hand."


LATE = plain_by_hand.LESSONS["Found late"]


def card(page: Page, doc: str) -> Locator:
    return page.get_by_role("button", name=f"{doc}, rank")


def assert_worth(page: Page, lists: str, judged: str = "hit:3") -> None:
    """The curve is the loop's for these lists, and what was asked for is said when it is there."""
    bare = dict.fromkeys(LATE.judgments, 0.0) | plain_by_hand.plain(judged, "").judgments
    session = plain_by_hand.Plain(plain_by_hand.plain("", lists).queries, bare)
    vector = plain_loop.session_vector(
        session.queries, session.judgments, plain_loop.Choices(plain_by_hand.WORTH["paper"])
    )
    assert server.lines(page, FIGURE)["this session, V"] == pytest.approx(vector, rel=1e-6)
    said = page.locator(".said").inner_text()
    assert said.endswith(f"session {vector[-1]:#.3g}".rstrip("."))


def drag(page: Page, doc: str, onto: str) -> None:
    """Drop a card above another."""
    dragged, there = (
        page.get_by_role("listitem").filter(has=card(page, name)) for name in (doc, onto)
    )
    dragged.drag_to(there, target_position={"x": 20.0, "y": 2.0})


def assert_steps_follow(page: Page) -> None:
    """A row of the steps that is pointed at has its card at hand, and the other way round."""
    page.get_by_text("Step by step").click()
    page.get_by_role("row").filter(has_text="n9").hover()
    page.get_by_role("button", name="Move n9 up").wait_for()
    card(page, "hit").hover()
    assert "hit" in page.locator("tr[data-at]").inner_text()


def test_cards_are_moved_by_keys_and_by_dragging(desk: BrowserContext, address: str) -> None:
    with server.visiting(desk, f"{address}/by_hand") as page:
        with server.redrawn(page, FIGURE):
            card(page, "hit").press("ArrowUp")
        assert_worth(page, "[n1 n2 n3 n4] [n5 n6 n7 n8] [n9 n10 hit n11]")
        assert page.locator(".said").inner_text().startswith("hit now at rank 3 of query 3;")
        for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowUp"):  # faster than the server
            page.keyboard.press(key)
        page.get_by_text("session 100", exact=True).wait_for()
        server.wait_ready(page)
        first = "[hit n1 n2 n3 n4] [n5 n6 n7 n8] [n9 n10 n11]"
        assert_worth(page, first)
        assert parse_qs(urlsplit(page.url).query)["lists"] == [first[1:-1].replace("] [", "|")]
        assert page.evaluate("document.activeElement.shadowRoot.activeElement.innerText") == "hit"
        with server.redrawn(page, FIGURE):
            page.keyboard.press("2")
        assert_worth(page, first, "hit:2")
        with server.redrawn(page, FIGURE):
            page.get_by_role("combobox", name="Grade of hit").select_option("3")
        with server.redrawn(page, FIGURE):
            drag(page, "hit", "n9")
        assert_worth(page, "[n1 n2 n3 n4] [n5 n6 n7 n8] [hit n9 n10 n11]")
        assert_steps_follow(page)
        assert accessibility.serious(page) == []
