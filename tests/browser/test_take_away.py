"""What pages give to take along, in a real browser: whole, and with the figure's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tests.support.server import LINKS, PAGES, lines, turn_to, visiting, wait_ready
from tests.support.taken import (
    choose,
    choose_place,
    figures,
    named,
    open_fold,
    rows_of,
    set_width,
    taken,
    whole_pdf,
    whole_png,
)
from tests.support.taken_tables import WALKS, Walk, assert_said

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

WIDTH = 84  # mm
BLUE = (0x00, 0x72, 0xB2)  # of the first system


@pytest.fixture(scope="module")
def tab(desk: BrowserContext, address: str) -> Iterator[dict[str, Any]]:
    """One tab that walks from page to page, and what it has open."""
    with visiting(desk, f"{address}/{WALKS[0].address}") as page:
        open_fold(page)
        yield {"page": page, "open": WALKS[0], "address": address}


@pytest.fixture(scope="module")
def visit(request: pytest.FixtureRequest, tab: dict[str, Any]) -> tuple[Page, Walk]:
    """Each page in turn, under choices of one's own, with its fold open."""
    walk: Walk = request.param
    page, before = tab["page"], tab["open"]
    if walk is not before:
        if walk.query == before.query:
            turn_to(page, LINKS[[*PAGES.values()].index(walk.page)])
        else:
            page.goto(f"{tab['address']}/{walk.address}")
            wait_ready(page)
        open_fold(page)
        tab["open"] = walk
    return page, walk


of_overview, of_query_order = (
    pytest.mark.parametrize("visit", [walk], ids=[name], indirect=True)
    for name, walk in zip(("overview", "query_order"), WALKS, strict=False)
)


@of_overview
def test_every_table_has_its_figures_numbers(visit: tuple[Page, Walk]) -> None:
    page, walk = visit
    told = figures(page)
    for place, exhibit in enumerate(walk.exhibits):
        choose_place(page, place, exhibit.name)
        rows = rows_of(taken(page, f"{exhibit.name}.csv"))
        tex = taken(page, f"{exhibit.name}.tex").decode()
        assert_said(exhibit, rows, tex, told)


@of_overview
def test_page_gives_its_figure_whole(visit: tuple[Page, Walk]) -> None:
    page, walk = visit
    name = walk.exhibits[0].name
    choose_place(page, 0, name)
    choose(page, "Format", "pdf")
    said = whole_pdf(taken(page, f"{name}.pdf"), WIDTH)
    assert walk.says in said
    assert "System 1" not in said


@of_query_order
def test_figures_own_button_downloads_it_without_a_second_browser(
    visit: tuple[Page, Walk],
) -> None:
    page, _ = visit
    assert lines(page, "Figure 1.").keys() == {"System 2, last", "System 2, other"}
    figure = page.locator("[role=figure][aria-label^='Figure 1.']")
    figure.hover()
    with page.expect_download() as coming:
        figure.locator("[data-title^='Download plot']").click()
    assert coming.value.suggested_filename == "figure_1.svg"
    said = "".join(ElementTree.parse(coming.value.path()).getroot().itertext())
    assert "Rank of the result" in said


@of_query_order
def test_width_that_is_shown_is_the_files(visit: tuple[Page, Walk]) -> None:
    page, _ = visit
    choose(page, "Format", "png")
    page.get_by_role("button", name=named("query_order.png")).wait_for()
    box = page.get_by_role("combobox", name="Width in mm")
    box.fill("120")
    box.press("Escape")  # not entered: it is dropped, and seen to be
    assert box.input_value() == str(WIDTH)
    assert BLUE not in whole_png(taken(page, "query_order.png"), WIDTH)  # of another system
    set_width(page, 120.5)
    whole_png(taken(page, "query_order.png"), 120.5)
    box.fill("4")
    page.get_by_role("option").first.wait_for()
    box.press("Enter")
    page.get_by_text("No width from 40 to 400 mm: 4").wait_for()
    page.reload()  # which forgets the width
    wait_ready(page)
    open_fold(page)
