"""What only a browser shows of two definitions in one figure, on a phone and on a large screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_live import points, until_moved
from tests.support.server import visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page


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
