"""Present in a real browser, by keys alone: read from afar, page after page, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from sdcg_explorer.screen.frame import PAGES
from tests.support import accessibility, server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, ViewportSize

LARGE: ViewportSize = {"width": 1920, "height": 1080}
SMALL: ViewportSize = {"width": 1280, "height": 650}
READABLE = 16  # pixels of a text at 1920
# once the chart is laid out for its room: the smallest of its texts, and edges of all that is seen
SEEN = """() => {
    const root = getComputedStyle(document.documentElement)
    const scale = Number(root.getPropertyValue('--present-scale'))
    const shown = document.querySelector('[data-presented]')
    const graph = shown?.querySelector('.js-plotly-plot')
    const size = graph?._fullLayout
    if (!size || Math.abs(size.width - graph.parentElement.offsetWidth) > 2
        || Math.abs(size.height - graph.parentElement.offsetHeight) > 2) return null
    const box = node => {
        const {left, top, right, bottom} = node.getBoundingClientRect()
        return [left, top, right, bottom]
    }
    const texts = [...shown.querySelectorAll('text')].filter(each => each.textContent.trim())
    return {
        least: Math.min(...texts.map(each => parseFloat(getComputedStyle(each).fontSize))) * scale,
        texts: texts.map(box), head: box(document.querySelector('[data-testid=stMain] h2')),
        slider: box(document.querySelector('.st-key-b_slider_stand')),
    }
}"""
HIDDEN = """() => ['stSidebarHeader', 'stHeader', 'stCheckbox', 'stExpander'].filter(
    name => document.querySelector(`[data-testid=${name}]`)
        ?.checkVisibility({visibilityProperty: true}))"""


def seen(page: Page) -> dict[str, Any]:
    return page.wait_for_function(SEEN).json_value()


def view(page: Page) -> tuple[str, dict[str, list[str]]]:
    """What the address says, in whatever order."""
    parts = urlsplit(page.url)
    return parts.path, parse_qs(parts.query)


def assert_fills(page: Page, size: ViewportSize) -> None:
    """Headline above, figure between, sliders beneath; no text beyond it."""
    of = seen(page)
    assert page.evaluate(HIDDEN) == []
    assert 0 <= of["head"][1] < of["head"][3] < of["slider"][1] < size["height"]
    for left, top, right, bottom in of["texts"]:
        assert 0 <= left <= right <= size["width"]
        assert of["head"][3] <= top <= bottom <= of["slider"][1] + 1
    across = max(right for *_, right, _ in of["texts"]) - min(left for left, *_ in of["texts"])
    assert across > 0.75 * size["width"]


def test_pages_are_turned_by_keys_and_escape_leads_back(desk: BrowserContext, address: str) -> None:
    with server.visiting(desk, f"{address}/query_order?split=best&depth=20", size=SMALL) as page:
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.get_by_role("button", name="Present").wait_for()
        main = page.get_by_test_id("stMain")
        main.evaluate("main => { main.scrollTop = 200 }")
        before = main.evaluate("main => main.scrollTop"), server.answer(page), view(page)
        page.keyboard.press("f")
        assert_fills(page, SMALL)
        page.set_viewport_size(LARGE)
        page.wait_for_timeout(300)
        assert_fills(page, LARGE)
        assert seen(page)["least"] >= READABLE
        for name in PAGES[2:5]:
            page.keyboard.press("ArrowRight")
            page.wait_for_url(f"**/{name}?*")
            server.wait_ready(page)
            assert_fills(page, LARGE)
            assert seen(page)["least"] >= READABLE
            if name == "session_curves":
                x, y, place = page.evaluate(MARK)
                page.mouse.move(x, y)
                page.wait_for_function(HOVERED, arg=place)
        assert accessibility.serious(page) == []
        page.keyboard.press("PageUp")
        page.wait_for_url(f"**/{PAGES[3]}?*")
        server.wait_ready(page)
        page.set_viewport_size(SMALL)
        page.keyboard.press("Escape")
        page.wait_for_url("**/query_order?*")
        server.wait_ready(page)
        page.wait_for_function(
            "from => document.querySelector('[data-testid=stMain]').scrollTop === from",
            arg=before[0],
        )
        assert (server.answer(page), view(page)) == before[1:]
        assert page.locator("[data-presented], .present").count() == 0
        page.keyboard.press("f")
        seen(page)
        page.locator(".st-key-b_slider_stand input").focus()
        page.keyboard.press("ArrowRight")  # of the slider, not to another page
        page.wait_for_function("() => new URLSearchParams(location.search).get('b') > 2")
        assert "/query_order?" in page.url
        assert faults == []


# the middle of a mark on the screen and where it stands on the axis, and whether it is hovered
MARK = """() => {
    const graph = document.querySelector('[data-presented] .js-plotly-plot')
    const mark = graph.querySelectorAll('.scatterlayer .trace .points path')[4]
    const {left, top, width, height} = mark.getBoundingClientRect()
    return [left + width / 2, top + height / 2, mark.__data__.x]
}"""
HOVERED = """place => document.querySelector('[data-presented] .js-plotly-plot')._hoverdata
    ?.some(each => each.x === place)"""
