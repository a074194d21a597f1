"""The wall in a browser: a session is found and opened, by mouse and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.support.accessibility import PHONE, serious, switch
from tests.support.server import redrawn, visiting, wait_ready
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

WALL = ".st-key-wall"
TIP = "#sdcg-tip"
# where the first mark of Figure 4 stands on the screen, and which session it is
MARK = """() => {
    const plot = document.querySelector('[role=figure][aria-label^="Figure 4."] .js-plotly-plot');
    plot.scrollIntoView({block: 'center', behavior: 'instant'});
    const trace = plot._fullData.find(each => each.name === "the searcher quit here");
    const axes = plot._fullLayout, box = plot.getBoundingClientRect();
    return [
        box.x + axes.xaxis._offset + axes.xaxis.d2p(trace.x[0]),
        box.y + axes.yaxis._offset + axes.yaxis.d2p(trace.y[0]),
        trace.text[0],
    ];
}"""


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
        a_click_and_a_key_lead_to_sessions_that_the_link_names(page)
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


def a_click_and_a_key_lead_to_sessions_that_the_link_names(page: Page) -> None:
    x, y, name = page.evaluate(MARK)
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    looked_into(page, name)
    assert on_top(page) == name
    page.keyboard.press("n")
    page.wait_for_function("name => !location.search.includes(`session=${name}`)", arg=name)
    looked_into(page, on_top(page))


def looked_into(page: Page, name: str) -> None:
    """Wait for the inspector of a session."""
    page.get_by_role("heading", level=3).filter(has_text=name).wait_for()
    wait_ready(page)


def on_top(page: Page) -> str:
    """The session that the link names."""
    return parse_qs(urlsplit(page.url).query)["session"][0]


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
