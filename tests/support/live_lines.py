"""Lines follow the sliders while they move, and what the server then draws is the same.

What does not follow is faint until the server has drawn it. tests/browser/test_pages.py moves the
lines of each page on its walk.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sdcg_explorer.questions import glossary
from tests.support import server

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

FIGURES = {
    "": "Small figure: Session curves",
    "query_order": "Figure 1.",
    "session_curves": "Session curves.",
    "individual_sessions": "Figure 4.",
    "cost": "Gain by cost.",
    "side_by_side": "Side by side. ECIR 2008, changed",
    "by_hand": "By hand.",
}
# many lines travel in single precision
ROUNDED = {"individual_sessions": 1e-6}
# values of all points that lines and marks show, whoever drew them, and who did
POINTS = r"""alternative => {
    const figure = document.querySelector(`[role=figure][aria-label^="${alternative}"]`)
    const graph = figure?.querySelector('.js-plotly-plot')
    if (!graph?._fullLayout) return null
    const known = [...graph.querySelectorAll('.scatterlayer .trace')].map(node => node.__data__)
        .filter(points => points[0].trace.meta?.live)
        // single sessions are drawn in the order of their worth
        .map(points => points.map(point => point.y).filter(Number.isFinite).sort((x, y) => x - y))
    return JSON.stringify([graph.dataset.live ?? 'as drawn', known])
}"""

SEEN = """(alternative, points) => {
    window.seen = null
    new MutationObserver((_, watch) => {
        const [how, values] = JSON.parse(points(alternative)) ?? []
        if (how !== 'moved') return
        window.seen = values
        watch.disconnect()
    }).observe(document.body, {subtree: true, attributeFilter: ['data-live']})
}"""

# a page that is drawn anew takes the focus for a moment, and each slider says its number again
SAID_AGAIN = """async () => {
    const input = document.activeElement
    input.blur()
    input.setAttribute('aria-valuetext', input.getAttribute('aria-valuetext'))
    await new Promise(requestAnimationFrame)
    return document.querySelector('[data-live=moved]')?.dataset.live
}"""

# all that tells or draws a number on a page, and in the panel of the definition, as (what,
# opacity); figures that were moved are as dark as ever
TOLD = """() => {
    const main = ["h2", "h3", "[data-testid=stMarkdown]", "[data-testid=stDataFrame]",
        "[role=figure]", "[data-testid=stText]", "[data-testid=stCode]",
        "[data-testid=stPageLink]"]
    const panel = [".st-key-preset", ".st-key-b", ".st-key-bq", ".st-key-w1"]
    const every = [
        ...document.querySelectorAll(`[data-testid=stMain] :is(${main})`),
        ...document.querySelectorAll(`[data-testid=stSidebar] :is(${panel})`),
        ...[...document.querySelectorAll(".st-key-cards *")].flatMap(({ shadowRoot }) =>
            [...shadowRoot?.querySelectorAll(".adds, .worked, .head span") ?? []]),
    ]
    const told = every.filter(each => each.checkVisibility()
        && !each.closest("label, button, summary") && !each.querySelector("style")
        && !each.closest(".st-key-toolbar")
        && !each.closest("[data-live=moved]") && !each.querySelector("[data-live=moved]"))
    return told.map(each => {
        let opacity = 1
        for (let node = each; node; node = node.parentElement ?? node.getRootNode().host)
            opacity *= getComputedStyle(node).opacity
        const said = each.ariaLabel || each.textContent || each.className
        return [`${each.dataset.testid ?? each.tagName} ${said}`.slice(0, 60), opacity]
    })
}"""


def points(page: Page, alternative: str) -> tuple[str, list[list[float]]]:
    """Whether a figure's lines were moved, and where they are, once there is a figure."""
    how, values = json.loads(page.wait_for_function(POINTS, arg=alternative).json_value())
    return how, values


def until_moved(page: Page, alternative: str, how: str = "moved") -> list[list[float]]:
    page.wait_for_function(
        f"([alternative, how]) => JSON.parse(({POINTS})(alternative))?.[0] === how",
        arg=[alternative, how],
    )
    return points(page, alternative)[1]


def assert_equal(moved: list[list[float]], drawn: list[list[float]], exact: float = 1e-9) -> None:
    assert len(moved) == len(drawn) > 0
    for one, two in zip(moved, drawn, strict=True):
        np.testing.assert_allclose(
            np.array(one, dtype=float), np.array(two, dtype=float), rtol=exact, atol=exact
        )


def slider(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("slider", name=name)


def pressed(page: Page, thumb: Locator, key: str, alternative: str) -> list[list[float]]:
    """Where a key on a slider puts the lines, which the server may have drawn a moment later."""
    thumb.focus()
    page.evaluate(f"alternative => ({SEEN})(alternative, {POINTS})", alternative)
    page.keyboard.press(key)
    page.wait_for_function("() => window.seen")
    return page.evaluate("window.seen")


def held(page: Page, thumb: Locator, by: float) -> None:
    """Take a thumb and drag it, and do not let it go."""
    thumb.scroll_into_view_if_needed()
    box = thumb.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=6)


def told(page: Page, *, faint: bool) -> list[str]:
    """What tells or draws a number and is faint, or is not."""
    return [what for what, opacity in page.evaluate(TOLD) if (opacity < 1) == faint]


SAID = "() => document.querySelector('.point-said').textContent"
PLOT = ".js-plotly-plot"
BARS = """() => [...document.querySelectorAll('.steps [data-value]')].map(bar => [
    Number(bar.dataset.value),
    bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width,
])"""
BASE = "() => document.querySelector('.steps [data-base=b]').textContent"
EXPLAINED = """term => {
    const look = getComputedStyle(term, '::after')
    return look.display === 'none' ? '' : look.content
}"""


def bars(page: Page) -> list[float]:
    """What the bars are worth, once each is as long as that."""
    drawn = page.evaluate(BARS)
    most = max(value for value, _ in drawn)
    assert [length for _, length in drawn] == pytest.approx(
        [value / most for value, _ in drawn], abs=0.01
    )
    return [value for value, _ in drawn]


def assert_terms_explain_themselves(page: Page) -> None:
    """Under the pointer and with focus, and no longer; a word is no stop of the tab key."""
    searcher = page.locator(".term", has_text="searcher").first
    assert searcher.evaluate(EXPLAINED) == ""
    searcher.hover()
    assert glossary.meaning("searcher") in searcher.evaluate(EXPLAINED)
    page.mouse.move(0, 0)
    searcher.focus()  # as a finger does
    assert glossary.meaning("searcher") in searcher.evaluate(EXPLAINED)
    assert page.locator(".term:not([tabindex='-1'])").count() == 0
    page.keyboard.press("Tab")
    assert searcher.evaluate(EXPLAINED) == ""
    page.get_by_role("button", name="Help for Patience with the result list (b)").focus()
    page.get_by_test_id("stTooltipContent").get_by_text(glossary.meaning("b")).wait_for()
    searcher.focus()


def read(page: Page, *pressed: str) -> list[str]:
    """What is said after each key."""
    said: list[str] = []
    for key in pressed:
        page.keyboard.press(key)
        said.append(page.evaluate(SAID))
    return said


def assert_points_are_read(page: Page, alternative: str) -> None:
    """Left and right along a curve, up and down to another, in the numbers that are drawn."""
    drawn = {name: values for name, values in server.lines(page, alternative).items() if values}
    assert page.locator(f"{PLOT}[tabindex='0']").count() == page.locator(PLOT).count()
    page.locator(PLOT).first.focus()
    said = read(page, "ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home")
    values = [float(each.rpartition(" ")[2]) for each in said]
    own = next(of for name, of in drawn.items() if name in said[0])
    assert values == pytest.approx([own[0], own[1], own[0], own[-1], own[0]], abs=5e-4)
    names = {name for name in drawn for each in read(page, *["ArrowDown"] * 6) if name in each}
    assert {"System 1", "System 2"} <= names


def assert_cards_are_moved(page: Page) -> None:
    """By keys, faster than the server, by dragging, and graded; a row of steps has its card."""

    def lie(lists: str) -> None:
        said = "new URLSearchParams(location.search).get('lists')"
        page.wait_for_function(f"lists => {said} === lists", arg=lists)
        server.wait_ready(page)

    hit, above = (page.get_by_role("button", name=f"{doc}, rank") for doc in ("hit", "n9"))
    hit.press("ArrowUp")
    lie("n1 n2 n3 n4|n5 n6 n7 n8|n9 n10 hit n11")
    assert page.locator(".said").inner_text().startswith("hit now at rank 3 of query 3;")
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.get_by_text("session 100", exact=True).wait_for()
    lie("hit n1 n2 n3 n4|n5 n6 n7 n8|n9 n10 n11")
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.innerText") == "hit"
    with server.redrawn(page, "By hand."):
        page.keyboard.press("1")
    grade = page.get_by_role("combobox", name="Grade of hit")
    assert grade.input_value() == "1"
    with server.redrawn(page, "By hand."):
        grade.select_option("3")
    dragged, there = (page.get_by_role("listitem").filter(has=card) for card in (hit, above))
    dragged.drag_to(there, target_position={"x": 20.0, "y": 2.0})
    lie("n1 n2 n3 n4|n5 n6 n7 n8|hit n9 n10 n11")
    page.get_by_text("Step by step").click()
    page.get_by_role("row").filter(has_text="n9").hover()
    page.get_by_role("button", name="Move n9 up").wait_for()
    hit.hover()
    assert "hit" in page.locator("tr[data-at]").inner_text()
    page.get_by_text("Step by step").click()


def assert_lines_move(page: Page, name: str) -> None:
    """Lines move under the finger, and the server draws the same."""
    alternative, exact = FIGURES[name], ROUNDED.get(name, 1e-9)
    thumb = slider(page, "result list (b)")
    if name:  # elsewhere than where the page before left it
        thumb.press("Home")
        page.wait_for_url("**b=1.001*")
        until_moved(page, alternative, "as drawn")
        server.wait_ready(page)
    before, worth, base = points(page, alternative)[1], [] if name else bars(page), ""
    held(page, thumb, 20)
    dragged = until_moved(page, alternative)
    assert dragged != before
    assert page.evaluate(SAID_AGAIN) == "moved"
    assert told(page, faint=False) == []
    if not name:
        page.wait_for_function(f"drawn => ({BARS})()[1][0] !== drawn", arg=worth[1])
        assert bars(page)[0] == worth[0]
        worth, base = bars(page), page.evaluate(BASE)
    page.mouse.up()
    drawn = until_moved(page, alternative, "as drawn")
    server.wait_ready(page)
    assert told(page, faint=True) == []
    assert_equal(dragged, points(page, alternative)[1], exact)
    assert drawn != before
    if not name:
        page.wait_for_selector(".steps[data-live='as drawn']")
        assert bars(page) == pytest.approx(worth, rel=1e-9)  # as the server draws them
        assert page.evaluate(BASE) == base
        assert_terms_explain_themselves(page)
    elif name == "session_curves":
        assert_points_are_read(page, alternative)
    elif name == "by_hand":
        assert_cards_are_moved(page)

    there = ["asking again (bq)", *["Gain of grade 2"] * (name == "query_order")]
    asked = [(number, key) for number in there for key in ("ArrowRight", "ArrowLeft")]  # and back
    for number, key in asked:
        moved = pressed(page, slider(page, number), key, alternative)
        until_moved(page, alternative, "as drawn")
        server.wait_ready(page)
        assert_equal(moved, points(page, alternative)[1], exact)


def assert_is_faint_until_drawn(page: Page, number: str, *, all_waits: bool) -> None:
    """What does not follow a slider of the panel is faint until the server has drawn it."""
    held(page, slider(page, number), 20)
    page.wait_for_selector("body[data-waits]", state="attached")
    assert told(page, faint=False) == [] or not all_waits, number
    page.mouse.up()
    page.wait_for_selector("body:not([data-waits])", state="attached")
    page.wait_for_selector(server.READY)
    assert told(page, faint=True) == [], number


# where a point of the grid is on the screen, and its b and bq
PLACE = """([alternative, at]) => {
    const figure = document.querySelector(`[role=figure][aria-label^="${alternative}"]`)
    const graph = figure.querySelector('.js-plotly-plot')
    graph.scrollIntoView({block: 'center', behavior: 'instant'})
    const { xaxis, yaxis } = graph._fullLayout
    const own = graph._fullData.find(trace => trace.name === 'points')
    const box = graph.getBoundingClientRect()
    const left = box.left + xaxis._offset + xaxis.l2p(own.x[at])
    const top = box.top + yaxis._offset + yaxis.l2p(own.y[at])
    return [left, top, ...own.customdata[at]]
}"""


# whether the map is the one that was drawn; where the mark is, and what it says
MARK = """() => {
    const svg = document.querySelector('.st-key-plane_map svg')
    const own = [...svg.querySelectorAll('.trace')].find(each => each.__data__[0].trace.meta)
    const { x, y, width, height } = own.querySelector('.point').getBoundingClientRect()
    const { hovertemplate } = own.__data__[0].trace
    return [Boolean(svg.stays), [x + width / 2, y + height / 2], hovertemplate]
}"""


def assert_the_map_is_pointed_at(page: Page) -> None:
    """Pointing draws the curves of a point, and a click sets b and bq."""
    curves = "Session curves at this point."
    left, top, b, bq = page.evaluate(PLACE, ["Map.", 13 * 24 + 15])
    page.mouse.move(left, top)
    pointed = until_moved(page, curves)
    page.evaluate("() => { document.querySelector('.st-key-plane_map svg').stays = true }")
    with server.redrawn(page, curves):
        page.mouse.click(left, top)
    page.mouse.move(5, 5)
    until_moved(page, curves, "as drawn")
    assert_equal(pointed, points(page, curves)[1], 1e-3)  # a click takes three digits
    assert f"b={b:.3g}" in page.url
    assert f"bq={bq:.3g}" in page.url
    shown = f"current definition: b {b:.3g}, bq {bq:.3g}<extra></extra>"
    assert page.evaluate(MARK) == [True, pytest.approx([left, top], abs=2), shown]
    body = page.get_by_test_id("stMain").inner_text()
    assert f"by rank 1/(1 + log_{b:.3g} r), by query 1/(1 + log_{bq:.3g} q)" in body
