"""Looking into a session in a real browser: a click, a key, a link after a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.support.server import serving, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

# where the first mark of Figure 4 stands on the screen, and which session it is
MARK = """() => {
    const plot = document.querySelector('[role=figure][aria-label^="Figure 4."] .js-plotly-plot');
    const trace = plot._fullData[1], axes = plot._fullLayout, box = plot.getBoundingClientRect();
    return [
        box.x + axes.xaxis._offset + axes.xaxis.d2p(trace.x[0]),
        box.y + axes.yaxis._offset + axes.yaxis.d2p(trace.y[0]),
        trace.text[0],
    ];
}"""


def heading(page: Page, name: str) -> None:
    """Wait for the inspector of a session."""
    page.get_by_role("heading", level=3).filter(has_text=name).wait_for()
    wait_ready(page)


def on_top(page: Page) -> str:
    """The session that the link names."""
    return parse_qs(urlsplit(page.url).query)["session"][0]


def test_click_key_and_link_lead_to_a_session(
    browser: Browser, desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/individual_sessions") as page:
        x, y, name = page.evaluate(MARK)
        page.mouse.move(x, y)
        page.mouse.click(x, y)
        heading(page, name)
        assert on_top(page) == name
        page.keyboard.press("n")
        page.wait_for_function("name => !location.search.includes(`session=${name}`)", arg=name)
        following = on_top(page)
        heading(page, following)
        link = urlsplit(page.url)
        said = page.get_by_role("heading", level=3).all_inner_texts()
    with serving() as fresh, visiting(browser, f"{fresh}{link.path}?{link.query}") as page:
        heading(page, following)
        assert page.get_by_role("heading", level=3).all_inner_texts() == said
