"""What axe finds on a page in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.waiting import SOON, may_be_lost, until

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

    from tests.support.server import Scheme

PHONE: ViewportSize = {"width": 390, "height": 844}
COLOURS = ("color-contrast", "link-in-text-block")  # rules that one scheme may keep and one break
BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
# what comes or goes has too little contrast for a while
STILL = "*, ::before, ::after { animation: none !important; transition: none !important }"
MORE_ROWS = "tr:nth-child(n+4)"  # of a table, which are like the first
# Plotly's notes on a picture that was asked for fade one after the other
UNNOTED = "() => !document.querySelector('.notifier-note')"

# what is kept stays there: all that axe looked at, with its HTML, would take as long again to send
BROKEN = "([within, options]) => axe.run(within, options).then(({ violations }) => violations)"


def serious(page: Page, *rules: str) -> list[str]:
    """What axe finds serious or critical, by all its rules or by these."""
    from axe_playwright_python.sync_playwright import Axe

    still = page.add_style_tag(content=STILL)
    page.wait_for_function(UNNOTED)
    options = {"resultTypes": ["violations"]} | ({"runOnly": [*rules]} if rules else {})
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(BROKEN, [{"exclude": [[MORE_ROWS]]}, options])
    still.evaluate("style => style.remove()")  # hints at what is scrolled are animations
    return [
        f"{broken['id']}: {broken['nodes'][0]['failureSummary']}: {broken['nodes'][0]['html']}"
        for broken in found
        if broken["impact"] in ("serious", "critical")
    ]


# every table open, and three rows of it: the others are like them, and take axe a minute
UNFOLD = """() => {
    const folded = [...document.querySelectorAll("details:not([open])")]
    const more = [...document.querySelectorAll("tr:nth-child(n+4)")]
    const aside = more.map(row => [row.parentNode, row])
    for (const each of folded) each.open = true
    for (const row of more) row.remove()
    window.fold = () => {
        for (const [table, row] of aside) table.append(row)
        for (const each of folded) each.open = false
    }
}"""


@contextmanager
def unfolded(page: Page) -> Iterator[None]:
    """Have every table open, and as it was afterwards."""
    page.evaluate(UNFOLD)
    yield
    page.evaluate("window.fold()")


def show_all(page: Page) -> None:
    """Make the window as high as the page, for axe passes over what is scrolled out of sight."""
    main = page.get_by_test_id("stMain")

    def shown() -> bool:
        height = main.evaluate("main => main.scrollHeight")
        page.set_viewport_size({"width": 1280, "height": height + 200})
        return main.evaluate("main => main.scrollHeight <= main.clientHeight")

    until(shown, "a page without scrolling")


def switch(page: Page, scheme: Scheme) -> None:
    """Have the open page follow the other scheme; axe looks at none of a figure's own text."""
    if page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches"):
        return
    before = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    until(lambda: page.evaluate(BACKGROUND) != before, f"a {scheme} page")


# a figure, or what scrolls it where it is wider
SEEN = """(figure, width) => {
    const within = ({ left, right }) => left >= 0 && right <= width
    const scrolls = node => ['auto', 'scroll'].includes(getComputedStyle(node).overflowX)
    if (within(figure.getBoundingClientRect())) return true
    for (let node = figure; node && node.dataset.testid !== 'stMain'; node = node.parentElement)
        if (scrolls(node) && within(node.getBoundingClientRect())) return true
    return false
}"""
# what is scrolled sideways without an arrow; rows of buttons and tags fade by themselves
UNSAID = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter(each => {
    const hasMore = each.checkVisibility() && each.clientWidth > 40
        && each.scrollWidth > each.clientWidth + 1
    if (!hasMore || !['auto', 'scroll'].includes(getComputedStyle(each).overflowX)) return false
    if (each.closest('.stButtonGroup, .stMultiSelect')) return false
    for (let around = each; around; around = around.parentElement) {
        const arrow = getComputedStyle(around, '::after')
        if (arrow.content.includes('›')) return arrow.opacity !== '1'
    }
    return true
}).map(each => each.className)"""
# names nearer to the end of their curve than half a mark and a gap
ON_ENDS = """least => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot => {
    const {xaxis, annotations} = plot._fullLayout
    const left = plot.getBoundingClientRect().left + (xaxis?._offset ?? 0)
    return [...plot.querySelectorAll('g.annotation')]
        .map(each => [annotations[each.dataset.index], each.querySelector('.annotation-text')])
        .filter(([label, text]) => label.name
            && text.getBoundingClientRect().left - left - xaxis._length < least)
        .map(([label]) => label.text)
})"""


def fits_the_phone(page: Page) -> None:
    """Nothing stands beside a phone's screen; the sidebar takes a moment to fold."""
    page.set_viewport_size(PHONE)
    width = PHONE["width"]
    sidebar, main = page.get_by_test_id("stSidebar"), page.get_by_test_id("stMain")
    until(
        lambda: (box := sidebar.bounding_box()) is None or box["x"] + box["width"] <= 0,
        "a folded sidebar",
    )
    until(lambda: main.evaluate("main => main.scrollWidth <= main.clientWidth"), "a narrow page")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    drawn = page.locator("[role=figure] .main-svg").all()
    until(lambda: all(each.evaluate(SEEN, width) for each in drawn), "narrow figures")


def widen(page: Page, size: ViewportSize) -> None:
    """From a phone to a laptop, whose sidebar may have stayed folded: then it is unfolded."""
    page.set_viewport_size(size)
    sidebar = page.get_by_test_id("stSidebar")
    unfolds = page.get_by_test_id("stExpandSidebarButton")

    def is_unfolded() -> bool:
        if (box := sidebar.bounding_box()) and box["x"] >= 0:
            return True
        if unfolds.is_visible():
            with may_be_lost():
                unfolds.click(timeout=1000 * SOON)
        return False

    until(is_unfolded, "an unfolded sidebar")


def tells_the_phone(page: Page) -> None:
    """All that is scrolled sideways says so, and no name stands on the end of a curve."""
    until(lambda: page.evaluate(UNSAID) == [], "a hint beside all that is scrolled")
    assert page.evaluate(ON_ENDS, 8) == []
