"""What a hand does with sliders: keys, drags, touch, ways back and away, and large screens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from sdcg_explorer.figures.live_script import SCRIPT
from sdcg_explorer.scoring.definition import DEFAULT, PREFERRED
from sdcg_explorer.screen.scripts import HERE
from sdcg_explorer.screen.widget_values import ON_ITS_WAY
from tests.support import accessibility, server
from tests.support.live_lines import (
    POINTS,
    SEEN,
    assert_equal,
    held,
    points,
    pressed,
    slider,
    until_moved,
)
from tests.support.visit import Session
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

FIGURE = "Figure 1."
OURS = "live figure"  # how the module begins what it has to say
LINKED = "([name, number]) => new URLSearchParams(location.search).get(name) === number"
# as a key does where the module of the keys is not there, which hears what a hand does alone
UNHEARD = (
    "node => node.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
)


def said(thumb: Locator) -> str:
    """The number of a slider, read out and beside its thumb alike."""
    shown = thumb.locator("xpath=ancestor::*[@data-testid='stSlider']")
    text = thumb.get_attribute("aria-valuetext") or ""
    assert shown.get_by_test_id("stSliderThumbValue").inner_text() == text
    return text


def drawn_for(page: Page, name: str, number: str) -> list[list[float]]:
    """What the server draws, once the link has this number."""
    page.wait_for_function(LINKED, arg=[name, number])
    until_moved(page, FIGURE, "as drawn")
    server.wait_ready(page)
    return points(page, FIGURE)[1]


def test_keys_go_through_preferred_numbers_and_a_drag_passes_all_between(
    desk: BrowserContext, address: str
) -> None:
    with server.visiting(desk, f"{address}/query_order?b=2.55&bq=100") as page:
        b, bq = slider(page, "Patience with the result"), slider(page, "Patience with asking")
        assert (said(b), said(bq)) == ("2.55", "100")
        moved = pressed(page, b, "End", FIGURE)
        assert_equal(moved, drawn_for(page, "b_off", "true"))
        assert said(b) == "∞"
        seen = []
        for key in ("Home", *["ArrowRight"] * 6):
            b.press(key)  # a page that is drawn anew takes the focus for a moment
            seen.append(said(b))
        # without the module one place: from 2.5 to the link's own number, not on the scale
        drawn_for(page, "b", "2.5")
        page.evaluate(f"alternative => ({SEEN})(alternative, {POINTS})", FIGURE)
        b.evaluate(UNHEARD)
        drawn = drawn_for(page, "b", "2.55")
        assert said(b) == "2.55"
        assert_equal(page.evaluate("window.seen"), drawn)
        for _ in range(2):
            b.press("ArrowRight")
            seen.append(said(b))
        preferred = ["1.001", *(f"{base:g}" for base in PREFERRED)]
        assert seen == preferred[:9]
        b.press("End")
        drawn_for(page, "b_off", "true")
        for key, number in (("ArrowLeft", "999"), ("ArrowDown", "800"), ("ArrowUp", "999")):
            b.press(key)
            assert said(b) == number
        drawn_for(page, "b", "999.0")
        held(page, bq, -80)
        dragged = until_moved(page, FIGURE)
        between = said(bq)
        assert between not in preferred
        page.mouse.up()
        assert_equal(dragged, drawn_for(page, "bq", f"{float(between)}"))


class Heard(Session):
    """A visit that keeps what it was told last, and asks as a browser that has not heard of it.

    told : the address · here : which page this is · exact : ids of the number box and its switch
    """

    told = here = ""
    base, off = 250.0, False  # what the browser still has

    def __init__(self, address: str, query: str) -> None:
        self.exact: dict[str, str] = {}
        super().__init__(address, "query_order", query)

    def hear(self, kind: str, message: ForwardMsg) -> None:
        super().hear(kind, message)
        if kind == "page_info_changed":
            self.told = message.page_info_changed.query_string
        elif kind == "new_session":
            self.here = message.new_session.page_script_hash
        elif kind == "delta":
            element = message.delta.new_element
            for widget in (element.number_input.id, element.checkbox.id):
                self.exact[widget.rpartition("-")[2]] = widget

    def asked(self) -> BackMsg:
        asked = super().asked()
        asked.rerun_script.page_script_hash = self.here
        states = asked.rerun_script.widget_states.widgets
        if self.exact:
            states.add(id=self.exact["b"], double_value=self.base)
            states.add(id=self.exact["b_off"], bool_value=self.off)
        return asked

    def told_beside_study(self) -> set[str]:
        return {part for part in self.told.split("&") if "study" not in part}

    def move(self, slider: str, number: str) -> None:
        """Put a slider, and wait until the page begins to come."""
        self.values[self.widgets[slider]] = number
        self.socket.send(self.asked().SerializeToString())
        for kind in ("new_session", "delta"):
            while self.next(self.longest).WhichOneof("type") != kind:
                pass


@pytest.mark.parametrize("between", ["200", "∞"])
def test_a_slider_that_comes_back_while_the_page_is_drawn_has_its_number_in_the_link(
    address: str, between: str
) -> None:
    with Heard(address, "b=250.0") as visit:
        visit.query = visit.told  # what it is told from now on it has not heard of when it asks
        for number in (between, "250"):
            visit.values[visit.widgets["b_slider"]] = number
            visit.run()
        assert "b=250.0" in visit.told
        assert "b_off" not in visit.told


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("off", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_a_slider_keeps_its_number_where_another_is_moved_before_the_browser_is_told(
    address: str, *, off: bool, heard: bool, whole: bool
) -> None:
    """What a browser has heard of moves before the last, or of none, is no wish of its own."""
    usual = "b_off=true" if off else "b=250.0"
    with Heard(address, usual) as visit:
        visit.query, visit.off = visit.told, off
        visit.base = DEFAULT.b if off else 250.0
        visit.move("bq_slider", "10")
        visit.until_done(begun=True)
        for number in ("50", "100"):
            visit.move("b_slider", number)
        if whole:
            visit.until_done(begun=True)
        if heard:
            visit.base, visit.off = 50.0, False
        visit.values[visit.widgets["bq_slider"]] = "20"
        visit.run()
        assert visit.told_beside_study() == {"b=100.0", "bq=20.0"}
        if not heard:  # told by now, it has what it is put to
            time.sleep(ON_ITS_WAY)
            visit.run()
            assert visit.told_beside_study() == {usual, "bq=20.0"}


# where the axis is put while a slider moves, before the server draws it anew
GROWN = """() => document.querySelector('.js-plotly-plot')
    .on('plotly_relayout', change => { window.grown = change['yaxis.range'] })"""
RANGE = "() => document.querySelector('.js-plotly-plot')._fullLayout.yaxis.range"


def assert_an_axis_grows_under_the_hand_to_where_the_server_draws_it(page: Page) -> None:
    before = page.evaluate(RANGE)
    page.evaluate(GROWN)
    slider(page, "result list (b)").press("End")
    grown = page.wait_for_function("() => window.grown").json_value()
    until_moved(page, "Figure 4.", "as drawn")
    server.wait_ready(page)
    assert page.evaluate(RANGE) == pytest.approx(grown)
    assert grown[1] > before[1]
    assert_a_large_screen_and_a_phone_are_used(page)


def assert_a_large_screen_and_a_phone_are_used(page: Page) -> None:
    """The figure takes the one, and has both bases beneath it on the other."""
    page.set_viewport_size({"width": 1920, "height": 1200})
    page.wait_for_function("() => document.querySelector('.js-plotly-plot').clientHeight > 700")
    at_hand = page.get_by_test_id("stMain").get_by_role("slider")
    assert at_hand.count() == 0
    page.set_viewport_size({"width": 390, "height": 844})
    at_hand.nth(1).scroll_into_view_if_needed()
    figure = page.locator(".js-plotly-plot").first.bounding_box()
    below = at_hand.nth(1).bounding_box()
    assert figure
    assert below
    assert below["y"] + below["height"] - figure["y"] < 844  # both in sight
    before, link = points(page, "Figure ")[1], page.url
    at_hand.first.focus()
    page.keyboard.press("ArrowRight" if "1.001" in link else "ArrowLeft")
    page.wait_for_function("link => location.href !== link", arg=link)
    until_moved(page, "Figure ", "as drawn")
    server.wait_ready(page)
    assert points(page, "Figure ")[1] != before


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
    server.wait_ready(page)
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
        server.visiting(context, f"{address}/query_order") as page,
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
        page.wait_for_selector(server.READY)
        page.go_forward()
        assert_equal(dark, until_drawn(page, "b"))

        slider(page, "result list (b)").focus()
        with asking(page):
            page.keyboard.press("ArrowRight")
        server.turn_to(page, "Session curves")
        held(page, slider(page, "result list (b)"), 10)
        until_moved(page, "Session curves.")
        with asking(page):
            page.mouse.up()
        server.turn_to(page, "Query order")
        until(lambda: points(page, FIGURE)[1] != dark, "what the last move asked for")
        page.mouse.move(0, 0)  # no finger hovers over a heading, which would show its link
        for size in (accessibility.PHONE, server.WIDE):
            page.set_viewport_size(size)
            server.wait_ready(page)
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
