"""A talk in a real browser, by keys alone: every scene is read from afar, on two screens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sdcg_explorer.figures.talk import TEXT
from sdcg_explorer.screen.talk import talk
from tests.app.test_teaching import expected
from tests.support.accessibility import serious
from tests.support.server import READY, answer, visiting

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, ViewportSize

SMALL: ViewportSize = {"width": 1280, "height": 720}
LARGE: ViewportSize = {"width": 1920, "height": 1080}
SCENES = talk().scenes
UNQUOTED = "What is clear"  # whose lesson has another sentence of its page
SCHEME = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme"
# whose texts are drawn in the dark scheme's colours
LIGHT_TEXT = """() => {
    const texts = [...document.querySelectorAll('.js-plotly-plot .xtick text')]
    const reds = texts.map(text => Number(getComputedStyle(text).fill.match(/[0-9]+/)[0]))
    return reds.length && reds.every(red => red > 200)
}"""
# the figure that is seen, once it is drawn as large as its room
DRAWN = """() => {
    const seen = node => node.checkVisibility({visibilityProperty: true})
    const figure = [...document.querySelectorAll('[data-testid=stMain] [role=figure]')].find(seen)
    const graph = figure?.querySelector('.js-plotly-plot')
    const size = graph?._fullLayout
    const isWhole = size && Math.abs(size.height - figure.offsetHeight) < 2
        && graph.querySelector('.main-svg').clientHeight === size.height
    return figure && (isWhole || figure.matches('.steps')) ? figure : null
}"""
# boxes of what is seen, and the smallest text
SEEN = """figure => {
    const box = node => {
        const {x, y, right, bottom} = node.getBoundingClientRect()
        return [x, y, right, bottom]
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) {
        const {parentElement: node, data} = walker.currentNode
        const isSeen = node.checkVisibility({visibilityProperty: true})
        const isThere = isSeen && node.getBoundingClientRect().bottom > 0
        if (!data.trim() || !isThere || node.closest('.point-said')) continue
        texts.push([parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom, data])
    }
    const parts = ['.talk header', 'h2', '.st-key-b_slider_stand', '.st-key-bq_slider_stand']
    return {
        figure: box(figure),
        within: [...figure.querySelectorAll('text, span')].filter(n => n.textContent).map(box),
        parts: parts.map(part => box(document.querySelector(part))),
        least: texts.sort((one, other) => one[0] - other[0])[0],
    }
}"""


def seen_from_afar(page: Page, size: ViewportSize) -> None:
    """Texts of 24 pixels, the answer in two lines, and nothing cut or over another."""
    seen: dict[str, Any] = page.evaluate(SEEN, page.wait_for_function(DRAWN))
    assert seen["least"][0] >= TEXT, seen["least"]
    left, top, right, bottom = seen["figure"]
    head, said, b, bq = seen["parts"]
    assert 0 <= head[1] < head[3] <= said[1] < said[3] <= top < bottom <= b[1] == bq[1]
    assert max(b[3], bq[3]) <= size["height"]
    assert b[2] <= bq[0] < bq[2] <= size["width"]
    assert (right - left) * (bottom - top) > 0.6 * size["width"] * size["height"] or left > 20
    assert said[3] - said[1] < 3 * 40
    for x, y, x_end, y_end in seen["within"]:
        assert left - 2 <= x < x_end <= right + 2
        assert top - 2 <= y < y_end <= bottom + 2


def wait_scene(page: Page, number: int) -> None:
    place = f"{number} of {len(SCENES)}"
    page.wait_for_function(
        "place => document.querySelector('.talk header span')?.textContent === place", arg=place
    )
    page.wait_for_selector(READY)
    page.wait_for_function(
        "number => new URLSearchParams(location.search).get('talk') === number", arg=str(number)
    )


def assert_answers(page: Page, number: int) -> None:
    """The scene's title, and what its lesson says that its page answers."""
    scene = SCENES[number - 1]
    assert page.locator(".talk strong").inner_text() == scene.title
    said = answer(page)
    quotes = [each.said for each in expected()]
    assert any(quote.startswith(said) for quote in quotes) == (scene.title != UNQUOTED), said


def walk(page: Page) -> None:
    """From the page's own figure through all scenes; the screen grows on the way."""
    size = SMALL
    for number in range(1, len(SCENES) + 1):
        page.keyboard.press("PageDown" if number % 2 else "ArrowRight")
        wait_scene(page, number)
        assert_answers(page, number)
        if number == 7:
            seen_from_afar(page, size)
            size = LARGE
            page.set_viewport_size(size)
        seen_from_afar(page, size)
    page.keyboard.press("ArrowRight")  # there is no other
    page.keyboard.press("PageUp")
    wait_scene(page, len(SCENES) - 1)


def play(page: Page) -> None:
    """The base moves, its curves with it, until any key; then the server has its number."""
    thumb = page.locator(".st-key-bq_slider_stand input")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-live=moved]")
    page.wait_for_function("() => document.querySelector('.talk-bq').textContent === '❚❚'")
    page.keyboard.press("Space")
    stood = thumb.get_attribute("aria-valuetext") or ""
    assert float(stood) > 4
    page.wait_for_function(
        "stood => new URLSearchParams(location.search).get('bq') === stood", arg=f"{float(stood)}"
    )
    page.wait_for_selector("[data-live=moved]", state="detached")
    page.wait_for_function(
        "() => document.activeElement === document.body"
    )  # arrows are the talk's
    thumb.focus()
    page.keyboard.press("ArrowRight")  # of the slider, which has the keys
    page.wait_for_function("stood => document.activeElement.ariaValueText !== stood", arg=stood)


def test_a_talk_is_walked_by_keys_alone_and_read_from_afar(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/session_curves", size=SMALL) as page:
        page.keyboard.press("f")
        page.wait_for_selector(".talk header")
        seen_from_afar(page, SMALL)
        walk(page)
        play(page)
        page.keyboard.press("PageUp")
        wait_scene(page, len(SCENES) - 2)
        page.keyboard.press("n")
        assert page.locator(".talk aside").inner_text() == SCENES[-3].notes
        page.keyboard.press("d")
        page.wait_for_function(f"() => ({SCHEME})() === 'dark'")
        page.wait_for_function(LIGHT_TEXT)
        assert serious(page) == []
        with page.expect_popup() as opened:
            page.keyboard.press("w")
        aside = opened.value
        aside.get_by_text(f"Next: {SCENES[-2].title}").wait_for()
        aside.keyboard.press("PageDown")
        wait_scene(page, len(SCENES) - 1)
        aside.get_by_text(SCENES[-2].notes).wait_for()
        aside.close()
        page.keyboard.press("n")
        page.keyboard.press("q")
        page.get_by_text("No code: 127.0.0.1 is this machine alone").wait_for()
        for left in (".talk section", ".talk aside", ".talk header"):
            page.keyboard.press("Escape")
            page.wait_for_selector(left, state="detached")
        page.wait_for_selector(READY)
        assert "talk=" not in page.url
        page.get_by_role("heading", level=1).wait_for()
