"""What else a hand does: touch, ways back and away; a finger reaches every control."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sdcg_explorer.figures.live_script import SCRIPT
from sdcg_explorer.screen.module import HERE
from tests.browser.test_live import assert_equal, held, points, slider, until_moved
from tests.support.accessibility import PHONE
from tests.support.server import READY, WIDE, turn_to, visiting, wait_ready
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FIGURE = "Figure 1."
OURS = "live figure"  # how the module begins what it has to say


@contextmanager
def faultless(page: Page) -> Iterator[None]:
    """Nothing is thrown in the page, and the module has nothing to complain of."""
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda line: faults.append(line.text) if OURS in line.text else None)
    yield
    assert faults == []


# whether a figure is as the server drew it, for the number that the link has
DRAWN_FOR = """([alternative, name]) => {
    const figure = document.querySelector(`[role=figure][aria-label^="${alternative}"]`)
    const graph = figure?.querySelector(".js-plotly-plot")
    const drawnFor = Number(graph?.layout?.meta?.live?.sliders[name])
    const asked = new URLSearchParams(location.search).get(name)
    return asked !== null && drawnFor === Number(asked) && graph.dataset.live !== 'moved'
}"""


def until_drawn(page: Page, name: str) -> list[list[float]]:
    """What the server draws, once it is for the link's number of a slider."""
    page.wait_for_function(DRAWN_FOR, arg=[FIGURE, name])
    wait_ready(page)
    return points(page, FIGURE)[1]


@contextmanager
def asking(page: Page) -> Iterator[None]:
    """A slider is let go: it asks a fifth of a second later, and the link has what it asks for."""
    before = page.evaluate("location.search")
    yield
    page.wait_for_function("before => location.search !== before", arg=before)


# moves of a finger arrive once a frame, and are painted with the next
TWO_FRAMES = "new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"


def touched(page: Page, x: float, y: float) -> list[list[float]]:
    """Where the lines are once a finger has moved a slider, before it is lifted."""
    finger = page.context.new_cdp_session(page)
    kinds = ["touchStart", *["touchMove"] * 5]
    for step, kind in enumerate(kinds):
        place = {"x": x + 4 * step, "y": y}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
    until_moved(page, FIGURE)
    page.evaluate(TWO_FRAMES)  # for the last of the moves
    values = points(page, FIGURE)[1]
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    return values


# Of each control in sight: what it is called, where its middle or 21 pixels beside it are not its
# own. Parts of one field count as one.
# Exempt: links within sentences, and small tools of tables and figures, which stand side by side.
MISSED = """() => {
  const WHOLE = ':is(.stSelectbox, .stMultiSelect) [role=group], .stSlider > [role=group], ' +
    '[data-testid=stNumberInputContainer]'
  const ASKED = 'button, a[href], summary, input:not([type=hidden])'
  const SINGLE = 'button, a, summary, label'
  const EXEMPT = '[data-testid=stElementToolbar], .stPlotlyChart, p a, iframe, ' +
    '[data-testid=stHeadingActionElements], [data-testid=stSkipToContent]'
  const fieldOf = (node) => node?.closest(WHOLE) ?? node?.closest(SINGLE)
  const missed = []
  let seen = 0
  for (const each of document.querySelectorAll(ASKED)) {
    const field = fieldOf(each)
    if (each.closest(EXEMPT) || !field || getComputedStyle(field).visibility === 'hidden') continue
    field.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const whole = each.type === 'range' ? each.parentElement.parentElement : field
    const { x, y, width, height } = whole.getBoundingClientRect()
    const [middle, level] = [x + width / 2, y + height / 2]
    if (!width || !field.contains(document.elementFromPoint(middle, level))) continue
    seen += 1
    const near = [[0, 21], [0, -21], [21, 0], [-21, 0]].map(([right, down]) => {
      const at = Math.min(Math.max(middle + right, 0), innerWidth - 1)
      return field.contains(document.elementFromPoint(at, level + down))
    })
    const size = [width, height].map(Math.round)
    const name = each.ariaLabel ?? each.innerText
    if (near.includes(false)) missed.push([name, ...size, ...near].join(' '))
  }
  return [seen, missed]
}"""


def test_touch_theme_ways_back_and_away_while_a_slider_is_held(
    browser: Browser, address: str
) -> None:
    with (
        browser.new_context(has_touch=True) as context,
        visiting(context, f"{address}/query_order") as page,
        faultless(page),
    ):
        box = slider(page, "asking again (bq)").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert_equal(touched(page, x, y), until_drawn(page, "bq"))

        held(page, slider(page, "result list (b)"), 20)
        until_moved(page, FIGURE)
        page.emulate_media(color_scheme="dark")
        number = page.locator(".main-svg .xtick text").first  # of a figure drawn in the light
        fill = "text => getComputedStyle(text).fill"
        until(lambda: number.evaluate(fill) == "rgb(250, 250, 250)", "numbers that can be read")
        page.mouse.move(box["x"] + 60, y - 84)
        until_moved(page, FIGURE)
        page.mouse.up()
        dark = until_drawn(page, "b")

        page.go_back()  # at once, while the server is about to draw
        page.wait_for_selector(READY)
        page.go_forward()
        assert_equal(dark, until_drawn(page, "b"))

        slider(page, "result list (b)").focus()
        with asking(page):
            page.keyboard.press("ArrowRight")
        turn_to(page, "Session curves")
        held(page, slider(page, "result list (b)"), 10)
        until_moved(page, "Session curves.")
        with asking(page):
            page.mouse.up()
        turn_to(page, "Query order")
        until(lambda: points(page, FIGURE)[1] != dark, "what the last move asked for")
        for size in (PHONE, WIDE):
            page.set_viewport_size(size)
            wait_ready(page)
            seen, missed = page.evaluate(MISSED)
            assert seen > 8
            assert missed == []


# a module as Streamlit calls it where newer data overtakes what it had sent: the end that the first
# call gave is called while the module still stands in the page
OVERTAKEN = """async ([source, html, first, second]) => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
    const { default: mounted } = await import(url)
    document.body.innerHTML = `<div class="st-key-b"><input aria-valuetext="2"></div>
        <div data-testid="stElementContainer"><div id="place">${html}</div></div>`
    const parentElement = document.querySelector("#place")
    const call = (data) => mounted({ data, parentElement, setStateValue: () => {} })
    const end = call(first)
    parentElement.querySelector("[data-to=down]")?.click()
    end()
    call(second)
    const seen = [parentElement.querySelector(".said")?.innerText]
    for (const value of ["4", "5"]) {
        document.querySelector("input").setAttribute("aria-valuetext", value)
        await new Promise(requestAnimationFrame)
        seen.push(document.body.hasAttribute("data-waits"))
        parentElement.remove()
        end()
    }
    return seen
}"""
CARDS = [{"doc": name, "grade": "1", "adds": "1", "steps": [], "worked": []} for name in "ab"]
BOARD = {"of": "x", "lists": [{"cards": CARDS}], "grades": ["1"], "worth": "3", "figure": "f"}


def test_what_newer_data_overtook_stops_no_module(browser: Browser) -> None:
    page = browser.new_page()
    read = {name: (HERE / name).read_text("utf-8") for name in ("live_lines.js", "cards.js")}
    data = {"sliders": {"b": ["b"]}, "drawn": {"b": "2"}, "maps": {}, "figures": {}}
    lines = SCRIPT + read["live_lines.js"]
    assert page.evaluate(OVERTAKEN, [lines, "", data, data]) == [None, True, False]
    html = (HERE / "cards.html").read_text("utf-8")
    boards = [{**BOARD, "turn": turn, "most": 1} for turn in (0, 1)]
    said, *_ = page.evaluate(OVERTAKEN, [read["cards.js"], html, *boards])
    assert said == "a now at rank 2 of query 1; session 3"
    page.close()
