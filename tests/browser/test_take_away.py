"""What a page gives to take along, in a real browser: its figure, as wide as asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.support.server import lines, visiting, wait_ready
from tests.support.taken import (
    choose,
    named,
    open_fold,
    set_width,
    taken,
    whole_png,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

VIEW = "b=3&bq=7&w3=50&topics=A&topics=B&systems=System+2"
WIDTH = 84  # mm
BLUE = (0x00, 0x72, 0xB2)  # of the first system


@pytest.fixture(scope="module")
def page(desk: BrowserContext, address: str) -> Iterator[Page]:
    """A page under choices of one's own, with its fold open."""
    with visiting(desk, f"{address}/query_order?{VIEW}") as page:
        open_fold(page)
        yield page


def test_figures_own_button_downloads_it_without_a_second_browser(page: Page) -> None:
    assert lines(page, "Figure 1.").keys() == {"System 2, last", "System 2, other"}
    figure = page.locator("[role=figure][aria-label^='Figure 1.']")
    figure.hover()
    with page.expect_download() as coming:
        figure.locator("[data-title^='Download plot']").click()
    assert coming.value.suggested_filename == "figure_1.svg"
    said = "".join(ElementTree.parse(coming.value.path()).getroot().itertext())
    assert "Rank of the result" in said


def test_width_that_is_shown_is_the_files(page: Page) -> None:
    choose(page, "Format", "png")
    page.get_by_role("button", name=named("query_order.png")).wait_for()
    box = page.get_by_role("combobox", name="Width in mm")
    box.fill("120")
    box.press("Escape")  # not entered: it is dropped, and seen to be
    assert box.input_value() == str(WIDTH)
    set_width(page, 120.5)
    assert BLUE not in whole_png(taken(page, "query_order.png"), 120.5)  # of another system
    box.fill("4")
    page.get_by_role("option").first.wait_for()
    box.press("Enter")
    page.get_by_text("No width from 40 to 400 mm: 4").wait_for()
    page.reload()  # which forgets the width
    wait_ready(page)
    open_fold(page)
