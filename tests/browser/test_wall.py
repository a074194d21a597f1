"""The wall in a browser: a session is opened by mouse and by keyboard, and searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.browser import test_sliders
from tests.support import server, waiting
from tests.support.accessibility import PHONE, serious, switch

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

ROW = 35  # pixels
# where the first mark of Figure 4 stands on the screen, and which session it is
MARK = """() => {
    const plot = document.querySelector('[role=figure][aria-label^="Figure 4."] .js-plotly-plot');
    plot.scrollIntoView({block: 'center', behavior: 'instant'});
    const trace = plot._fullData.find(each => each.name === "end of the session");
    const axes = plot._fullLayout, box = plot.getBoundingClientRect();
    return [
        box.x + axes.xaxis._offset + axes.xaxis.d2p(trace.x[0]),
        box.y + axes.yaxis._offset + axes.yaxis.d2p(trace.y[0]),
        trace.text[0],
    ];
}"""


def wall(page: Page) -> Locator:
    return page.locator(".st-key-wall_room [data-testid=stDataFrame]")


def names(page: Page) -> list[str]:
    """Names of the first sessions, as the grid tells a screen reader."""
    return wall(page).locator("table tbody tr td:nth-child(1)").all_inner_texts()


def press(page: Page, row: int, x: int) -> None:
    """Click a row of the wall, from 0, so many pixels from its left edge."""
    wall(page).click(position={"x": x, "y": ROW * (row + 1) + 12})


def only(page: Page, words: str) -> None:
    """Choose what is shown, under Options."""
    page.get_by_role("button", name="Options").click()
    with server.redrawn(page, "Figure 4."):
        page.get_by_role("radio", name=words, exact=True).click()
    page.keyboard.press("Escape")


def on_top(page: Page) -> str | None:
    """The session that the link names."""
    return parse_qs(urlsplit(page.url).query).get("session", [None])[0]


def looked_into(page: Page, name: str) -> Locator:
    """The heading of a session that is looked into."""
    heading = page.get_by_role("heading", level=3).filter(has_text=name)
    heading.wait_for()
    server.wait_ready(page)
    assert on_top(page) == name
    return heading


def assert_is_searched(page: Page) -> None:
    """The wall finds a session, and is as it was once the search is closed."""
    wall(page).hover()
    page.get_by_role("button", name="Search: Sessions and queries").click()
    page.get_by_test_id("search-input").fill("S034")
    page.get_by_text("1 result").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("1 result").wait_for(state="hidden")


def test_a_row_opens_its_session_beside_the_wall_which_is_searched(
    desk: BrowserContext, address: str
) -> None:
    with server.visiting(desk, f"{address}/individual_sessions?b=1.5") as page:
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        test_sliders.assert_an_axis_grows_under_the_hand_to_where_the_server_draws_it(page)
        page.set_viewport_size(server.WIDE)
        waiting.until(lambda: len(names(page)) > 8, "the wall")
        assert_is_searched(page)
        first = names(page)
        press(page, 3, 15)
        box, beside = wall(page).bounding_box(), looked_into(page, first[3]).bounding_box()
        assert box is not None
        assert beside is not None
        assert beside["x"] >= box["x"] + box["width"]
        page.get_by_test_id("stMain").evaluate("main => { main.scrollTop = 0 }")
        press(page, 5, 100)  # a cell, from which keys go on
        for key in ("ArrowDown", "Shift+Space"):
            page.keyboard.press(key)
        looked_into(page, first[6])
        page.keyboard.press("n")
        looked_into(page, first[7])
        x, y, name = page.evaluate(MARK)
        page.mouse.move(x, y)
        page.mouse.click(x, y)
        looked_into(page, name)
        only(page, "gave up after a first success")
        waiting.until(lambda: names(page) == ["S034"], "one session")
        assert serious(page) == []
        page.set_viewport_size(PHONE)
        switch(page, "dark")
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= innerWidth")
        assert serious(page, "color-contrast", "aria-required-children", "aria-allowed-attr") == []
        assert faults == []
