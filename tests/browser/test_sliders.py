"""What only a browser shows of the sliders of b and bq: keys, drags, and what stands beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.test_live import (
    POINTS,
    SEEN,
    assert_equal,
    held,
    points,
    pressed,
    slider,
    until_moved,
)
from tests.support.server import visiting, wait_ready
from tests.support.visit import Session
from tests.unit.test_bases import PASSED

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

FIGURE = "Figure 1."
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


def walked(page: Page, thumb: Locator, key: str, steps: int) -> list[str]:
    """Where a key leads to, step by step."""
    seen = [said(thumb)]
    for _ in range(steps):
        thumb.press(key)
        seen.append(said(thumb))
    return seen


def drawn_for(page: Page, name: str, number: str) -> list[list[float]]:
    """What the server draws, once the link has this number."""
    page.wait_for_function(LINKED, arg=[name, number])
    until_moved(page, FIGURE, "as drawn")
    wait_ready(page)
    return points(page, FIGURE)[1]


def test_keys_go_through_preferred_numbers_and_a_drag_passes_all_between(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/query_order?b=2.55&bq=100") as page:
        b, bq = slider(page, "Patience with the result"), slider(page, "Patience with asking")
        assert (said(b), said(bq)) == ("2.55", "100")
        moved = pressed(page, b, "End", FIGURE)
        assert_equal(moved, drawn_for(page, "b_off", "true"))
        assert said(b) == "∞"

        b.press("Home")
        preferred = ["1.001", *(f"{base:g}" for base in PASSED[:-1]), "∞"]
        assert walked(page, b, "ArrowRight", 8) == preferred[:9]
        b.press("End")
        assert said(b) == "∞"
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
        one_place_without_the_module(page, b)


def one_place_without_the_module(page: Page, b: Locator) -> None:
    """From 2.5 to the link's own number, which is not on the scale but on this slider."""
    for key in ("Home", *["ArrowRight"] * 6):
        b.press(key)  # a page that is drawn anew takes the focus for a moment
    drawn_for(page, "b", "2.5")
    page.evaluate(f"alternative => ({SEEN})(alternative, {POINTS})", FIGURE)
    b.evaluate(UNHEARD)
    drawn = drawn_for(page, "b", "2.55")
    assert said(b) == "2.55"
    assert_equal(page.evaluate("window.seen"), drawn)


class Heard(Session):
    """A visit that keeps what it was told last, and asks as a browser that has not heard of it.

    told : the address · here : which page this is · exact : ids of the number box and its switch
    """

    told = here = ""
    exact: ClassVar[dict[str, str]] = {}

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
            states.add(id=self.exact["b"], double_value=250.0)
            states.add(id=self.exact["b_off"], bool_value=False)
        return asked


@pytest.mark.parametrize("between", ["200", "∞"])
def test_a_slider_that_comes_back_while_the_page_is_drawn_has_its_number_in_the_link(
    address: str, between: str
) -> None:
    with Heard(address, "query_order", "b=250.0") as visit:
        visit.query = visit.told  # what it is told from now on it has not heard of when it asks
        for number in (between, "250"):
            visit.values[visit.widgets["b_slider"]] = number
            visit.run()
        assert "b=250.0" in visit.told
        assert "b_off" not in visit.told
