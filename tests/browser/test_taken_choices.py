"""Choices of the fold hold: what is typed arrives, and what is drawn stands in its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_downloads import named, taken
from tests.support.server import visiting, wait_ready
from tests.support.taken import (
    choose,
    choose_place,
    open_fold,
    set_width,
    whole_png,
)
from tests.support.taken_tables import ONE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page


class Tab:
    """One tab for views that are opened one after the other."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address

    def view(self, view: str) -> Page:
        """That view, with its fold open."""
        self.page.goto(f"{self.address}/{view}")
        self.page.get_by_text("Data, figure, report, methods text").wait_for()
        open_fold(self.page)
        return self.page


@pytest.fixture(scope="module")
def tab(desk: BrowserContext, address: str) -> Iterator[Tab]:
    with visiting(desk, f"{address}/query_order?{ONE}") as page:
        yield Tab(page, address)


def test_width_that_is_shown_is_the_files(tab: Tab, tmp_path: Path) -> None:
    page = tab.view(f"query_order?{ONE}")
    choose(page, "Form", "png")
    page.get_by_role("button", name=named("query_order.png")).wait_for()
    box = page.get_by_role("combobox", name="Width in mm")
    box.fill("120")
    box.press("Escape")  # not entered: it is dropped, and seen to be
    assert box.input_value() == "84"
    whole_png(taken(page, "query_order.png", tmp_path), 84)
    set_width(page, 120.5)
    whole_png(taken(page, "query_order.png", tmp_path), 120.5)
    box.fill("4")
    page.get_by_role("option").first.wait_for()
    box.press("Enter")
    page.get_by_text("No width from 40 to 400 mm: 4").wait_for()


def test_form_and_width_stay_where_another_exhibit_is_chosen(tab: Tab) -> None:
    page = tab.view(f"reformulations?{ONE}")
    set_width(page, 174)
    choose(page, "Form", "pdf")
    page.get_by_role("button", name=named("reformulations.pdf")).wait_for()
    choose_place(page, 1, "found_by_query")
    wait_ready(page)
    form = page.get_by_role("combobox", name="Form", exact=True).input_value()
    assert (form, page.get_by_role("combobox", name="Width in mm").input_value()) == ("pdf", "174")
