"""What only a browser shows of two definitions in one figure, on a phone and on a large screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_live import points, until_moved
from tests.support.server import visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

TOP = "() => document.querySelector('.js-plotly-plot')?._fullLayout?.yaxis.range[1]"


def places(page: Page) -> list[float]:
    """Where the sliders beneath the first stand, from above; the one in use shows its ends."""
    boxes = [
        each.bounding_box() for each in page.get_by_test_id("stSidebar").get_by_role("slider").all()
    ]
    return [box["y"] for box in boxes[1:] if box]


def test_quick_keys_lose_no_step_and_nothing_moves_under_the_pointer(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/query_order") as page:
        before, top = places(page), page.evaluate(TOP)
        page.keyboard.press("h")
        page.wait_for_function("() => location.search.includes('kept=')")
        wait_ready(page)
        slider = page.get_by_test_id("stSidebar").get_by_role("slider", name="result list (b)")
        slider.focus()
        for _ in range(6):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("() => location.search.includes('b=8')")
        wait_ready(page)
        assert slider.get_attribute("aria-valuetext") == "8"
        assert places(page) == before
        page.keyboard.press("End")
        page.wait_for_function(f"low => ({TOP})() > low", arg=top)
        page.keyboard.press("Home")
        page.wait_for_function("() => location.search.includes('b=1.001')")
        wait_ready(page)
        assert page.evaluate(TOP) > top  # it shrinks only when it is fitted
        page.get_by_role("button", name="Fit the axis").click()
        page.wait_for_function(f"high => ({TOP})() <= high", arg=top)


# where the axis is put while a slider moves, before the server draws it anew
GROWN = """() => document.querySelector('.js-plotly-plot')
    .on('plotly_relayout', change => { window.grown = change['yaxis.range'] })"""
RANGE = "() => document.querySelector('.js-plotly-plot')._fullLayout.yaxis.range"


def test_an_axis_grows_under_the_hand_to_where_the_server_draws_it(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/individual_sessions?b=1.5") as page:
        before = page.evaluate(RANGE)
        page.evaluate(GROWN)
        page.get_by_test_id("stSidebar").get_by_role("slider", name="result list (b)").press("End")
        grown = page.wait_for_function("() => window.grown").json_value()
        until_moved(page, "Figure 4.", "as drawn")
        wait_ready(page)
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
    figure, below = (
        page.locator(".js-plotly-plot").first.bounding_box(),
        at_hand.nth(1).bounding_box(),
    )
    assert figure
    assert below
    assert below["y"] + below["height"] - figure["y"] < 844  # both in sight
    before, link = points(page, "Figure ")[1], page.url
    at_hand.first.focus()
    page.keyboard.press("ArrowRight" if "1.001" in link else "ArrowLeft")
    page.wait_for_function("link => location.href !== link", arg=link)
    until_moved(page, "Figure ", "as drawn")
    wait_ready(page)
    assert points(page, "Figure ")[1] != before
