"""By hand in a real browser: cards that move, grades that are typed, link, reload, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.accessibility import serious
from tests.support.plain_by_hand import LESSONS, SESSIONS, WORTH, Plain, plain
from tests.support.plain_loop import Choices, ideal_of, session_vector
from tests.support.server import answer, lines, redrawn, visiting, wait_ready
from tests.support.waiting import SOON, may_be_lost, until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

FIGURE = "By hand."
ROW = 35  # height of a row of a table, its head included
LINEAR = "w2=2&w3=3"  # of the sample's grades 0 to 3
LISTS = "a3 a1|a3 a2 u1||a2 u2"
# T-2 of docs/methods.md, with 3 as the grade of a1: it comes once, at rank 2 of the first query
EDITED = plain("a1:3 a2:2 a3:3", "[a3 a1] [a3 a2 u1] [] [a2 u2]")
TABLES = "Edit documents, grades and lists as tables"


def type_grade(page: Page, grade: str) -> None:
    """Type over the first document's grade, as a reader does: double click, type, Enter."""
    fold = page.get_by_test_id("stExpander").filter(has_text=TABLES)
    grades = fold.get_by_test_id("stDataFrame").first
    entry = page.locator("#portal input")

    def opened() -> bool:
        """Whether the cell takes what is typed; tables that are drawn anew lose clicks, or fold."""
        soon = 1000 * SOON
        with may_be_lost():
            if not grades.is_visible():
                fold.locator("summary").click(timeout=soon)
            grades.hover(timeout=soon)  # which waits until it is unfolded
            box = grades.bounding_box() or {"width": 0}
            # where it is when it moves no more, and not behind the page's bar
            grades.dblclick(position={"x": 0.8 * box["width"], "y": 1.5 * ROW}, timeout=soon)
            entry.wait_for(timeout=soon)
        return entry.is_visible()

    until(opened, "a cell to type into")
    entry.fill(grade)
    entry.press("Enter")


def in_link(page: Page) -> dict[str, str]:
    """What of the edited tables stands in the address."""
    asked = parse_qs(urlsplit(page.url).query)
    return {name: asked[name][0] for name in ("judged", "lists") if name in asked}


def assert_counts(page: Page, session: Plain, said: str) -> None:
    chosen = Choices(WORTH["linear"])
    shown = lines(page, FIGURE)
    vector = session_vector(session.queries, session.judgments, chosen)
    assert shown["this session, V"] == pytest.approx(vector, rel=1e-6)
    ideal = ideal_of(session.queries, session.judgments, chosen)
    assert shown["its ideal, I"] == pytest.approx(ideal, rel=1e-6)
    assert answer(page) == said


def test_everything_follows_an_edited_grade(desk: BrowserContext, address: str) -> None:
    # V: 3 + 3/2, then 2/3 · (3 + 2/2), nothing, and 1/2 · 2; I: (3 + 3/2 + 2/(1 + log2 3)) · ΣD
    with visiting(desk, f"{address}/by_hand?example=T-2&{LINEAR}") as page:
        assert_counts(page, SESSIONS["T-2"], "This session's sDCG is 7.17, .60 of its ideal.")
        assert in_link(page) == {}
        with redrawn(page, FIGURE):
            type_grade(page, "3")
        assert_counts(page, EDITED, "This session's sDCG is 8.17, .57 of its ideal.")
        assert in_link(page) == {"judged": "a1:3 a2:2 a3:3", "lists": LISTS}
        with redrawn(page, FIGURE):
            type_grade(page, "0.5")  # a second edit adds to the first
        assert in_link(page)["judged"] == "a1:0.5 a2:2 a3:3"


LATE = LESSONS["Found late"]


def card(page: Page, doc: str) -> Locator:
    return page.get_by_role("button", name=f"{doc}, rank")


def assert_worth(page: Page, lists: str, judged: str = "hit:3") -> None:
    """The curve is the loop's for these lists, and what was asked for is said when it is there."""
    bare = dict.fromkeys(LATE.judgments, 0.0) | plain(judged, "").judgments
    session = Plain(plain("", lists).queries, bare)
    vector = session_vector(session.queries, session.judgments, Choices(WORTH["paper"]))
    assert lines(page, FIGURE)["this session, V"] == pytest.approx(vector, rel=1e-6)
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
    with visiting(desk, f"{address}/by_hand") as page:
        with redrawn(page, FIGURE):
            card(page, "hit").press("ArrowUp")
        assert_worth(page, "[n1 n2 n3 n4] [n5 n6 n7 n8] [n9 n10 hit n11]")
        assert page.locator(".said").inner_text().startswith("hit now at rank 3 of query 3;")
        for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowUp"):  # faster than the server
            page.keyboard.press(key)
        page.get_by_text("session 100", exact=True).wait_for()
        wait_ready(page)
        first = "[hit n1 n2 n3 n4] [n5 n6 n7 n8] [n9 n10 n11]"
        assert_worth(page, first)
        assert in_link(page)["lists"] == "hit n1 n2 n3 n4|n5 n6 n7 n8|n9 n10 n11"
        assert page.evaluate("document.activeElement.shadowRoot.activeElement.innerText") == "hit"
        with redrawn(page, FIGURE):
            page.keyboard.press("2")
        assert_worth(page, first, "hit:2")
        with redrawn(page, FIGURE):
            page.get_by_role("combobox", name="Grade of hit").select_option("3")
        with redrawn(page, FIGURE):
            drag(page, "hit", "n9")
        assert_worth(page, "[n1 n2 n3 n4] [n5 n6 n7 n8] [hit n9 n10 n11]")
        assert_steps_follow(page)
        assert serious(page) == []
